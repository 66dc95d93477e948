// convert/verify.hpp - compares a converted output, read back, with its source (--verify).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codec/format.hpp"
#include "convert/plan.hpp"
#include "convert/source_format.hpp"

namespace hwtrace {

/// The first line that differs between the dumps of two models.
struct ModelDifference {
    std::uint64_t line = 0;  ///< line number in the model dumps, from 1
    std::string expected;    ///< the source's line; empty after its end
    std::string got;
};

/// Returns false if verify_conversion() would report false differences. There are three causes. The target may derive
/// numbers (slots, stages) from all records, so a slice gets different numbers. Positions after damage in the source
/// count lost records. Options may change the output on purpose (Option::restates).
bool can_verify(const Format& to, const Choices& choices, Effect source) noexcept;

/// Reads `output`, a trace in format `to` that was converted from `source` with `choices`, and compares both as models.
/// Returns the first difference, or nullopt if the models are equal. Lowered records are raised and compared with the
/// source. Other records are compared with the output of the plan's stages. Does not compare storage facts
/// (conventions::is_storage_fact), the order of metadata, and the order of tracks that appear while reading. Ignores
/// metadata that the target format adds, and its clock if the source has none. Reads both inputs from their beginning.
/// Only meaningful if no loss was counted. Checks the output at CheckLevel::full and reports findings about it to
/// `findings`, up to the difference.
std::optional<ModelDifference> verify_conversion(Input& source, const Format& from, Input& output, const Format& to,
                                                 const Choices& choices, Findings& findings);
/// The source of a conversion, opened again.
struct SourceAgain {
    Reader& reader;  ///< has not been read yet
    const Schema& schema;
    const SourceFormat& format;
};
/// The same for a source that is no file, such as a merged trace.
std::optional<ModelDifference> verify_conversion(const SourceAgain& source, Input& output, const Format& to,
                                                 const Choices& choices, Findings& findings);
/// The same without findings.
inline std::optional<ModelDifference> verify_conversion(Input& source, const Format& from, Input& output,
                                                        const Format& to, const Choices& choices) {
    Findings ignored;
    return verify_conversion(source, from, output, to, choices, ignored);
}

/// Reads all of `output` and reports findings about it.
void check_output(Input& output, const Format& to, const Settings& settings, Findings& findings);

}  // namespace hwtrace

// formats/jsonl/decoder.hpp - decodes lines to declarations and records of the model.
#pragma once

#include <string>
#include <string_view>

#include "codec/settings.hpp"
#include "declarations.hpp"
#include "lines.hpp"
#include "records.hpp"
#include "tracks.hpp"
#include "values.hpp"

namespace hwtrace::jsonl {

/// Decodes the lines of a file one by one.
class Decoder {
public:
    /// All arguments must outlive this object. Moves to the first line and decodes the head. Throws Failure::input if
    /// the file is no JSON Lines file.
    Decoder(Input& input, const Limits& limits, Findings& findings);
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    /// Moves to the next line. Returns false at the end.
    bool next() { return lines_.next(); }
    /// Returns the type of the current line, or an empty string. It is valid until the next call.
    std::string_view type();
    /// Decodes a line of type `type`: declares an object or appends a record to `batch`.
    void decode(std::string_view type, Batch& batch);

    Schema& schema() noexcept { return schema_; }
    const Lines& lines() const noexcept { return lines_; }
    /// Returns the version that the head states. Empty: the first line is no head, and has not been decoded yet.
    const std::string& version() const noexcept { return version_; }
    std::uint64_t record_count() const noexcept { return records_.count(); }
    std::uint64_t restated_count() const noexcept { return records_.restated(); }

private:
    Lines lines_;
    Schema schema_;
    Tracks tracks_;
    Values values_;
    Declarations declarations_;
    Records records_;
    std::string version_, scratch_;
};

}  // namespace hwtrace::jsonl

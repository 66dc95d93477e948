// formats/ftr/shown.hpp - what of a file a view shows, item by item, and the lines that all views have.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "chosen_items.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/schema.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

/// The items of a file, or of the part of it that Settings::part leaves, in the order of the file and as it states
/// them.
class Shown {
public:
    /// All outlive this object. Throws as a scan does.
    Shown(Input& input, const Settings& settings, Findings& findings);

    std::int64_t exponent() const noexcept { return scan_.exponent(); }
    /// Of the file, also where a part is shown. Grows where generators, relations and attributes are met.
    const Schema& schema() const noexcept { return schema_; }
    bool shows(const Track& generator) const {
        return !chosen_ || chosen_->has_generator(generator.native_id.value_or(0));
    }

    bool is_part() const noexcept { return chosen_.has_value(); }

    /// The next one; false at the end.
    bool next(Item& item);

private:
    Schema schema_;
    Scan scan_;
    std::optional<ChosenItems> chosen_;
    std::uint64_t count_ = 0;  ///< items of the scan
};

/// A stream with those of its generators that are shown.
struct ShownStream {
    ScopeId id = none;
    std::vector<TrackId> generators = {};
};
/// Of a part, streams without generators that it has are none.
std::vector<ShownStream> streams_of(const Shown& shown);

/// What a tick is, when the file was made, and other facts; of the mark of a schema no more than its size.
void append_facts(const Shown& shown, TextOutput& out);
void append_number(std::string_view before, std::uint64_t number, TextOutput& out);
/// "stream 1 top.bus port" and the line's end.
void append_stream(const Scope& stream, TextOutput& out);
/// "  generator 3 read".
void append_generator(const Track& generator, TextOutput& out);

/// As members of an object that has some.
void append_json_facts(const Shown& shown, TextOutput& out);
void append_json_number(std::string_view key, std::uint64_t number, JsonIntegers integers, TextOutput& out);
void append_json_text(std::string_view key, std::string_view text, TextOutput& out);
/// As the first members of an object.
void append_json_stream(const Scope& stream, JsonIntegers integers, TextOutput& out);

}  // namespace hwtrace::ftr

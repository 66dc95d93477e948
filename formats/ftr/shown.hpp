// formats/ftr/shown.hpp - the items that the views of a file show, and output that the views share.
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

/// Iterates over the items of a file, or of the slice in Settings::part. Items are in file order and not converted.
class Shown {
public:
    /// All arguments must outlive this object. Throws the same exceptions as Scan.
    Shown(Input& input, const Settings& settings, Findings& findings);

    std::int64_t exponent() const noexcept { return scan_.exponent(); }
    /// Returns the schema of the whole file, even if only a slice is shown. It grows when new generators, relations or
    /// attributes occur.
    const Schema& schema() const noexcept { return schema_; }
    bool shows(const Track& generator) const {
        return !chosen_ || chosen_->has_generator(generator.native_id.value_or(0));
    }

    bool is_part() const noexcept { return chosen_.has_value(); }

    /// Reads the next item. Returns false at the end.
    bool next(Item& item);

private:
    Schema schema_;
    Scan scan_;
    std::optional<ChosenItems> chosen_;
    std::uint64_t count_ = 0;  ///< items that the scan has returned so far
};

/// A stream with the generators to show.
struct ShownStream {
    ScopeId id = none;
    std::vector<TrackId> generators = {};
};
/// Returns the streams to show. For a slice, streams without generators are omitted.
std::vector<ShownStream> streams_of(const Shown& shown);

/// Writes the tick, the time of creation and other metadata. Writes only the size of a schema mark.
void append_facts(const Shown& shown, TextOutput& out);
void append_number(std::string_view before, std::uint64_t number, TextOutput& out);
/// Writes the line of a stream, such as "stream 1 top.bus port".
void append_stream(const Scope& stream, TextOutput& out);
/// Writes the id and name of a generator, such as " generator 3 read", without a line end.
void append_generator(const Track& generator, TextOutput& out);

/// Writes the same facts as append_facts() as further members of a JSON object.
void append_json_facts(const Shown& shown, TextOutput& out);
void append_json_number(std::string_view key, std::uint64_t number, JsonIntegers integers, TextOutput& out);
void append_json_text(std::string_view key, std::string_view text, TextOutput& out);
/// Writes a stream as the first members of a JSON object.
void append_json_stream(const Scope& stream, JsonIntegers integers, TextOutput& out);

}  // namespace hwtrace::ftr

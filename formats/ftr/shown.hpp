// formats/ftr/shown.hpp - what of a file a view shows, item by item, and the lines that all views have.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

/// The items of a file, or of the part of it that Settings::part leaves, as the file states them; relations of a part
/// stand with the transactions that they lead to.
class Shown {
public:
    /// All outlive this object. Throws as a scan does.
    Shown(Input& input, const Settings& settings, Findings& findings);
    ~Shown();

    std::int64_t exponent() const noexcept { return scan_.exponent(); }
    /// Grows where generators, relations and attributes are met.
    const Schema& schema() const { return part_ ? part_->schema() : whole_; }
    /// Whether it is one that is shown: of a part, streams without generators are not.
    bool shows_stream(const std::vector<TrackId>& generators) const noexcept { return !part_ || !generators.empty(); }

    /// The next one; false at the end.
    bool next(Item& item);

private:
    class PlainReader;

    Schema whole_;
    Scan scan_;
    std::unique_ptr<PlainReader> plain_;
    std::unique_ptr<Reader> part_;
    Batch batch_;
    std::size_t at_ = 0;  ///< of its records
};

/// Generators by stream.
using Generators = std::vector<std::vector<TrackId>>;
Generators generators_of(const Schema& schema);

/// What a tick is, when the file was made, and other facts; of the mark of a schema no more than its size.
void put_facts(const Shown& shown, TextOutput& out);
void put_number(std::string_view before, std::uint64_t number, TextOutput& out);
/// "stream 1 top.bus port" and the line's end.
void put_stream(const Scope& stream, TextOutput& out);
/// "  generator 3 read".
void put_generator(const Track& generator, TextOutput& out);

/// As members of an object that has some.
void put_json_facts(const Shown& shown, TextOutput& out);
void put_json_number(std::string_view key, std::uint64_t number, JsonIntegers integers, TextOutput& out);
void put_json_text(std::string_view key, std::string_view text, TextOutput& out);
/// As the first members of an object.
void put_json_stream(const Scope& stream, JsonIntegers integers, TextOutput& out);

}  // namespace hwtrace::ftr

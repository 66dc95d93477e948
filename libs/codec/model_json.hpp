// codec/model_json.hpp - writes the model in JSON without loss: one object for each schema object and record
// (formats/jsonl/README.md).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/field_keys.hpp"
#include "codec/json_object.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/hash.hpp"
#include "model/number_table.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The common prefix of schema names, and the schema name in a file's head: {"schema":"hwtrace-jsonl/1"}.
inline constexpr std::string_view json_lines_family = "hwtrace-jsonl/";
inline constexpr std::string_view json_lines_schema = "hwtrace-jsonl/1";

/// Writes a JSON string. A string that is not UTF-8 is written as {"bytes":"..."} with two hexadecimal digits for each
/// byte.
void append_json_text(std::string_view text, TextOutput& out);

/// Writes bytes as a JSON string with two hexadecimal digits for each byte.
void append_json_digits(std::span<const std::byte> bytes, TextOutput& out);

/// Writes schema objects and records, each as one JSON object.
class ModelJson {
public:
    /// `end` is written after each object. `schema` and `out` must outlive this object.
    ModelJson(const Schema& schema, JsonIntegers integers, std::string_view end, TextOutput& out);

    // These functions write declarations. SchemaNews calls them, too.
    void clock(ClockId id);
    void scope(ScopeId id);  ///< omits a parent that is declared later, which occurs in damaged traces
    void enumeration(EnumId id);
    void label(EnumId id, std::size_t index);
    void track(TrackId id);
    void attribute(TrackId track, std::uint32_t index);
    void metadata(std::size_t index);
    /// Declares a string. A reader gives it the next free id.
    void text(StringId id);
    void record(const Batch& batch, const Record& record);

    /// Writes this string as {"id":7} from now on, because another id refers to the same string.
    void write_by_id(StringId id) { by_id_.insert(id); }

    // Parts of records, for views with other layouts.
    /// Writes attribute values as {"key":value}. Consecutive values of one attribute become a list. If an attribute
    /// recurs after other attributes, writes [["key",value],...] instead.
    void append_attributes(TrackId track, std::span<const Attribute> attributes, TextOutput& out);
    /// Writes the fields that occur once per event. Rows of repeated fields are written separately.
    void append_fixed(TrackId track, std::span<const std::uint64_t> cells, JsonObject& object);
    bool has_rows(TrackId track, std::span<const std::uint64_t> cells);
    void append_rows(TrackId track, std::span<const std::uint64_t> cells, TextOutput& out);
    /// Writes everything about an instruction except the pc.
    void append_instruction(const Batch& batch, const Instruction& instruction, JsonObject& object) const;
    /// Returns the field that a set or add record changes, or nullptr if the track has no such field.
    const Field* field_of(const Record& record) const noexcept;
    void append_cell(const Field& field, std::uint64_t cell, TextOutput& out);

private:
    /// The JSON text that all records of a track with fields share.
    struct Form {
        FieldKeys fields, properties;
        std::vector<std::string> members;  ///< "key": for each field
        std::size_t fixed = 0;
        std::vector<std::uint64_t> seen;  ///< indexed by field: `turn_` of the last call that saw the field
    };
    /// Maps between the values and labels of an enumeration. Leaves out values whose label would be read as another
    /// value.
    struct Labels {
        NumberTable places;  ///< value to index in `texts`
        std::vector<std::string> texts;
        HashMap<std::string, std::uint64_t> values;  ///< label to the value that a reader gets
        std::size_t known = 0;                       ///< number of labels of the enumeration that were added
    };

    void end(JsonObject& object);
    JsonObject begin(std::string_view type, std::uint32_t id);
    const std::string& place_of(TrackId track);
    Form& form_of(TrackId track);
    const Labels& labels_of(EnumId id);
    void append_label(const EnumValue& value);
    void append_slot(const Record& record, JsonObject& object);
    void append_time_base(const TimeBase& base);
    void append_field(const Field& field, const std::string& key);
    void append_fields(std::string_view name, const std::vector<Field>& fields, const FieldKeys& keys,
                       JsonObject& object);
    void append_pairs(const Form& form, const Track& track, std::span<const Attribute> attributes, TextOutput& out);
    void append_words(std::span<const std::uint64_t> words, TextOutput& out) const;
    void append_operand(const Batch& batch, const Operand& operand, TextOutput& out) const;
    void append_access(const Batch& batch, const Access& access, TextOutput& out) const;

    const Schema& schema_;
    JsonIntegers integers_;
    std::string_view end_;
    TextOutput& out_;
    TextOutput piece_{-1, 256};       // scratch space for places_ and forms_
    std::deque<std::string> places_;  // indexed by track: its scope and name, as JSON members
    // The forms, indexed by track. Null for tracks without fields, because there may be a million such tracks.
    std::vector<std::unique_ptr<Form>> forms_;
    Form without_fields_;
    std::deque<Labels> labels_;  // indexed by enumeration
    HashSet<StringId> by_id_;
    std::uint64_t turn_ = 0;  // number of the current append_attributes call
};

}  // namespace hwtrace

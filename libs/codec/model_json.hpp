// codec/model_json.hpp - the model in JSON, without loss: one object per schema object and per record
// (formats/jsonl/README.md).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_object.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/hash.hpp"
#include "model/name_table.hpp"
#include "model/number_table.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/schema_news.hpp"

namespace hwtrace {

/// The family of schema names, and the name in the head of a file: {"schema":"hwtrace-jsonl/1"}.
inline constexpr std::string_view json_lines_family = "hwtrace-jsonl/";
inline constexpr std::string_view json_lines_schema = "hwtrace-jsonl/1";

/// The JSON member names of a track's fields. A field's own name is used if it is UTF-8 and unique; otherwise @ and the
/// phase, or # and the number, are appended.
class FieldKeys {
public:
    /// Assigns keys to the fields that have none yet. Fields are only ever appended.
    void extend(const std::vector<Field>& fields);
    std::size_t size() const noexcept { return keys_.names().size(); }
    const std::string& operator[](std::size_t field) const { return keys_.names()[field]; }
    /// Returns the number of the field with that key, or `none`.
    std::uint32_t find(std::string_view key) const noexcept { return keys_.find(key); }

private:
    NameTable keys_;
};

/// Writes text as a JSON string; or as {"bytes":"..."}, two hexadecimal digits per byte, if it is not UTF-8.
void append_json_text(std::string_view text, TextOutput& out);

/// Writes bytes as a JSON string of two hexadecimal digits per byte.
void append_json_digits(std::span<const std::byte> bytes, TextOutput& out);

/// Writes schema objects and records, each as one JSON object.
class ModelJson {
public:
    /// `end` is written after each object. `schema` and `out` outlive this object.
    ModelJson(const Schema& schema, JsonIntegers integers, std::string_view end, TextOutput& out);

    // Declarations; SchemaNews calls these too.
    void clock(ClockId id);
    void scope(ScopeId id);  ///< omits a parent that is declared later, as a damaged trace may have
    void enumeration(EnumId id);
    void label(EnumId id, std::size_t index);
    void track(TrackId id);
    void attribute(TrackId track, std::uint32_t index);
    void metadata(std::size_t index);
    /// Declares a runtime string, which gets the next id.
    void text(StringId id);
    void record(const Batch& batch, const Record& record);

    /// From now on that text is written as {"id":7}, because the text itself does not identify its id.
    void write_by_id(StringId id) { by_id_.insert(id); }

    // Parts of records, for views that show them differently.
    /// Writes attribute values as {"key":value}. Consecutive values of one attribute become a list. If an attribute
    /// recurs after others, writes [["key",value],...] instead.
    void append_attributes(TrackId track, std::span<const Attribute> attributes, TextOutput& out);
    /// Writes the fields that occur once per event. Its rows of repeated fields are written separately.
    void append_fixed(TrackId track, std::span<const std::uint64_t> cells, JsonObject& object);
    bool has_rows(TrackId track, std::span<const std::uint64_t> cells);
    void append_rows(TrackId track, std::span<const std::uint64_t> cells, TextOutput& out);
    /// Writes everything about an instruction except its pc.
    void append_instruction(const Batch& batch, const Instruction& instruction, JsonObject& object) const;
    /// Returns the field that a set or add record changes, or nullptr if the track has no such field.
    const Field* field_of(const Record& record) const noexcept;
    void append_cell(const Field& field, std::uint64_t cell, TextOutput& out);

private:
    /// The text that is the same in every record of a track with fields.
    struct Form {
        FieldKeys fields, properties;
        std::vector<std::string> members;  ///< "key": for each field
        std::size_t fixed = 0;
        std::vector<std::uint64_t> seen;  ///< for each field, the last record that had it
    };
    /// The values whose label identifies them.
    struct Labels {
        NumberTable places;  ///< from a value to an index in `texts`
        std::vector<std::string> texts;
        HashMap<std::string, std::uint64_t> values;  ///< from a label to the value that reading it gives
        std::size_t known = 0;                       ///< how many labels of the enumeration are covered
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
    std::deque<std::string> places_;  // by track: its scope and name, as JSON members
    // By track; null for tracks without fields, because there may be a million of them.
    std::vector<std::unique_ptr<Form>> forms_;
    Form without_fields_;
    std::deque<Labels> labels_;  // by enumeration
    HashSet<StringId> by_id_;
    std::uint64_t turn_ = 0;  // number of the current append_attributes call
};

/// Determines whether a reader of the lines gets the same string ids as the schema (kept), or ids in order of
/// appearance (made_anew).
enum class TextIds : std::uint8_t { kept, made_anew };

/// Writes everything that a reader delivers as lines of JSON, the schema first. Ids of all objects other than strings
/// are those that reading the lines gives.
class ModelLines {
public:
    /// `schema` and `out` outlive this object.
    ModelLines(const Schema& schema, TextIds texts, JsonIntegers integers, TextOutput& out);
    /// Writes the additions to the schema, then the records.
    void write(const Batch& batch);
    /// Writes the additions to the schema that no record used.
    void finish();

private:
    void append_texts(const Batch& batch, const Record& record);
    void append_texts_up_to(std::size_t end);

    const Schema& schema_;
    TextIds texts_;
    ModelJson json_;
    SchemaNews news_;
    std::size_t known_texts_ = 0;  // number of strings that a reader of the lines so far has
};

}  // namespace hwtrace

// codec/model_json.hpp - the model in JSON: an object for everything that a schema declares and for every record, exact
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

/// Names and version of the lines, in their head: {"schema":"hwtrace-jsonl/1"}.
inline constexpr std::string_view json_lines_family = "hwtrace-jsonl/";
inline constexpr std::string_view json_lines_schema = "hwtrace-jsonl/1";

/// What the fields of a track are called as members: by their names, where these are UTF-8 and differ; else with @ and
/// their phase, or # and their number, behind.
class FieldKeys {
public:
    /// Gives keys to those of `fields` that have none yet: fields are only ever appended.
    void extend(const std::vector<Field>& fields);
    std::size_t size() const noexcept { return keys_.names().size(); }
    const std::string& operator[](std::size_t field) const { return keys_.names()[field]; }
    /// The field of that key, or `none`.
    std::uint32_t find(std::string_view key) const noexcept { return keys_.find(key); }

private:
    NameTable keys_;
};

/// A text as a JSON string, or {"bytes":"..."} with two digits a byte where it is not UTF-8.
void append_json_text(std::string_view text, TextOutput& out);

/// Bytes as a JSON string of two digits each.
void append_json_digits(std::span<const std::byte> bytes, TextOutput& out);

/// Writes each object on one line.
class ModelJson {
public:
    /// `end` stands behind each object. `schema` and `out` outlive this one.
    ModelJson(const Schema& schema, JsonIntegers integers, std::string_view end, TextOutput& out);

    // What is declared; also what SchemaNews shows.
    void clock(ClockId id);
    void scope(ScopeId id);  ///< without a parent that comes later: that of a damaged trace
    void enumeration(EnumId id);
    void label(EnumId id, std::size_t index);
    void track(TrackId id);
    void attribute(TrackId track, std::uint32_t index);
    void metadata(std::size_t index);
    /// A runtime string: the next id.
    void text(StringId id);
    void record(const Batch& batch, const Record& record);

    /// A text of that id stands as what it is only where its id can be told by that: else as {"id":7}.
    void write_by_id(StringId id) { by_id_.insert(id); }

    // Parts of records, for what shows them in other ways.
    /// The values of attributes as {"key":value}; of one that is repeated, or stands several times in turn, as a list.
    /// As [["key",value]] where one comes again after others.
    void append_attributes(TrackId track, std::span<const Attribute> attributes, TextOutput& out);
    /// The fields that every event of the track has; then its rows, where it repeats some.
    void append_fixed(TrackId track, std::span<const std::uint64_t> cells, JsonObject& object);
    bool has_rows(TrackId track, std::span<const std::uint64_t> cells);
    void append_rows(TrackId track, std::span<const std::uint64_t> cells, TextOutput& out);
    /// All of an instruction but its pc.
    void append_instruction(const Batch& batch, const Instruction& instruction, JsonObject& object) const;
    /// The field that a set or an add is of; null where the track has none of that number.
    const Field* field_of(const Record& record) const noexcept;
    void append_cell(const Field& field, std::uint64_t cell, TextOutput& out);

private:
    /// What is the same in every record of a track that has fields.
    struct Form {
        FieldKeys fields, properties;
        std::vector<std::string> members;  ///< "key": of each field
        std::size_t fixed = 0;
        std::vector<std::uint64_t> seen;  ///< of each field, the record that had it last
    };
    /// Of the values that their labels tell.
    struct Labels {
        NumberTable places;  ///< of values, in `texts`
        std::vector<std::string> texts;
        HashMap<std::string, std::uint64_t> values;  ///< that labels are read as
        std::size_t known = 0;                       ///< of the enumeration's
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
    TextOutput piece_{-1, 256};                 // of a place or a form that is being made
    std::deque<std::string> places_;            // by track: its scope and name, as members of a record
    std::vector<std::unique_ptr<Form>> forms_;  // by track; null of one without fields, of which there may be a million
    Form without_fields_;
    std::deque<Labels> labels_;  // by enumeration
    HashSet<StringId> by_id_;
    std::uint64_t turn_ = 0;  // of append_attributes
};

/// Whether who reads lines gets the ids of texts that the schema has, or those that come of reading them.
enum class TextIds : std::uint8_t { kept, made_anew };

/// Everything that a reader delivers as lines of JSON, from the schema on; all other ids are those that who reads them
/// gets.
class ModelLines {
public:
    /// `schema` and `out` outlive this one.
    ModelLines(const Schema& schema, TextIds texts, JsonIntegers integers, TextOutput& out);
    /// What is new in the schema, then the records.
    void write(const Batch& batch);
    /// What of the schema no record has.
    void finish();

private:
    void append_texts(const Batch& batch, const Record& record);
    void append_texts_up_to(std::size_t end);

    const Schema& schema_;
    TextIds texts_;
    ModelJson json_;
    SchemaNews news_;
    std::size_t known_texts_ = 0;  // who has read so far has these
};

}  // namespace hwtrace

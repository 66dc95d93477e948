// codec/model_lines.hpp - writes a trace as lines of JSON, from which it can be read back (formats/jsonl/README.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codec/model_json.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/schema_news.hpp"

namespace hwtrace {

/// Selects the string ids that a reader of the lines gets: the ids of the schema (kept), or ids in order of appearance
/// (made_anew).
enum class TextIds : std::uint8_t { kept, made_anew };

/// Writes a trace as lines of JSON, the schema first. A reader of the lines gets the same ids for all objects other
/// than strings.
class ModelLines {
public:
    /// `schema` and `out` must outlive this object.
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
    std::size_t known_texts_ = 0;  // number of strings that a reader has after the lines so far
};

}  // namespace hwtrace

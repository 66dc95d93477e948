#include "decoder.hpp"

#include "codec/model_json.hpp"
#include "io/error.hpp"

namespace hwtrace::jsonl {

Decoder::Decoder(Input& input, const Limits& limits, Findings& findings)
    : lines_(input, limits, findings),
      tracks_(schema_, limits),
      values_(schema_, limits),
      declarations_(schema_, lines_, tracks_, values_),
      records_(schema_, lines_, tracks_, values_, declarations_) {
    if (!lines_.first()) {
        if (const std::string_view end = lines_.end_in_first(); !end.empty())
            fail(Failure::input, std::string(input.name()).append(": ").append(end));
        lines_.report(Check::no_head, std::string("{\"schema\":\"").append(json_lines_schema).append("\"}"));
        fail(Failure::input, input.name() + ": not a JSON Lines file");
    }
    const JsonValue* const schema = find_member(lines_.members(), "schema");
    if (schema != nullptr && schema->is_string() && find_member(lines_.members(), "type") == nullptr)
        version_ = text_of(*schema, scratch_);
    if (!version_.starts_with(json_lines_family)) {
        version_.clear();
        lines_.report(Check::head_missing);
        return;
    }
    if (version_ != json_lines_schema) {
        lines_.report(Check::version_unknown, std::string(json_lines_schema), shown(version_));
        fail(Failure::input, input.name() + ": unknown version of JSON Lines; this hwtrace reads " +
                                 std::string(json_lines_schema) + "; a newer one may read it");
    }
    declarations_.read_head();
}

std::string_view Decoder::type() {
    const JsonValue* const type = find_member(lines_.members(), "type");
    return type != nullptr && type->is_string() ? text_of(*type, scratch_) : std::string_view{};
}

void Decoder::decode(std::string_view type, Batch& batch) {
    if (Declarations::is_declaration(type))
        declarations_.declare(type);
    else
        records_.put(batch);
}

}  // namespace hwtrace::jsonl

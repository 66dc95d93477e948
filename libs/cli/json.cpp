#include "cli/json.hpp"

#include <nlohmann/json.hpp>

#include "cli/version.hpp"
#include "domain/value_text.hpp"
#include "io/text_output.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::int64_t largest_exact = std::int64_t{1} << 53;
constexpr auto replace = Json::error_handler_t::replace;

/// Returns the text without characters that terminals interpret.
std::string safe(const std::string& text) {
    TextOutput out(-1);
    append_json(text, out);
    return std::string(out.text());
}

}  // namespace

Json json_head(std::string_view schema, std::string_view tool) {
    Json json;
    json["schema"] = schema;
    json["tool"] = tool;
    json["version"] = version();
    return json;
}

Json json_integer(std::uint64_t value, JsonIntegers integers) {
    if (integers == JsonIntegers::strings && value > static_cast<std::uint64_t>(largest_exact))
        return std::to_string(value);
    return value;
}

Json json_integer(std::int64_t value, JsonIntegers integers) {
    if (integers == JsonIntegers::strings && (value > largest_exact || value < -largest_exact))
        return std::to_string(value);
    return value;
}

std::string to_text(const Json& json) {
    return safe(json.dump(-1, ' ', false, replace));
}

std::string to_pretty_text(const Json& json) {
    return safe(json.dump(2, ' ', false, replace)) + "\n";
}

}  // namespace hwtrace::cli

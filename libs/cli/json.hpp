// cli/json.hpp - helpers for the JSON that the binaries print.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "codec/settings.hpp"

namespace hwtrace::cli {

using Json = nlohmann::ordered_json;

/// Returns {"schema": "hwtrace-info/1", "tool": "hwtrace-info", "version": "0.1.0"}.
Json json_head(std::string_view schema, std::string_view tool);
Json json_integer(std::uint64_t value, JsonIntegers integers);
Json json_integer(std::int64_t value, JsonIntegers integers);
/// Returns the JSON on one line. Bytes that are not UTF-8 become U+FFFD.
std::string to_text(const Json& json);
/// Does the same, but with indentation and a newline at the end.
std::string to_pretty_text(const Json& json);

}  // namespace hwtrace::cli

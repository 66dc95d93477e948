// tests/support/flux_log.hpp - reads the logs of the calls that made the files of the first flux emitters.
#pragma once

#include <zlib.h>

#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace hwtrace::test {

/// Reads a log of calls, plain or gzip. `stem` is the path without its extension.
inline nlohmann::json call_log(const std::filesystem::path& stem) {
    std::filesystem::path path = stem;
    path += ".json";
    if (!std::filesystem::exists(path)) path += ".gz";
    const std::unique_ptr<gzFile_s, decltype(&gzclose)> file(gzopen(path.c_str(), "rb"), &gzclose);
    std::string text;
    std::array<char, 65536> block{};
    for (int count = 0; (count = gzread(file.get(), block.data(), block.size())) > 0;)
        text.append(block.data(), static_cast<std::size_t>(count));
    // The JSON parser would read the number -0 as the integer 0.
    for (std::size_t at = 0; (at = text.find("-0", at)) != std::string::npos; at += 2)
        if (at + 2 < text.size() && std::string_view(",]}").find(text[at + 2]) != std::string_view::npos)
            text.insert(at + 2, ".0");
    return nlohmann::json::parse(text);
}

}  // namespace hwtrace::test

#include "cli/version_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <CLI/Version.hpp>

#include "cli/json.hpp"
#include "cli/version.hpp"
#include "io/libraries.hpp"

namespace hwtrace::cli {

std::string version_text(std::string_view tool) {
    return fmt::format("{} {}\n", tool, version());
}

std::string version_json(std::string_view tool, FormatList formats) {
    Json json = json_head("hwtrace-version/1", tool);
#ifdef HWTRACE_STATIC
    constexpr bool is_static = true;
#else
    constexpr bool is_static = false;
#endif
    json["linked"] = is_static ? "static" : "shared";
    json["loads_libraries"] = !is_static;  // plug-ins, and LLVM for disassembly
    json["formats"] = Json::array();
    for (const Format* format : formats) {
        Json entry;
        entry["name"] = format->name;
        entry["title"] = format->title;
        entry["reads"] = format->can_read();
        entry["writes"] = format->can_write();
        json["formats"].push_back(std::move(entry));
    }
    Json& libraries = json["libraries"] = Json::object();
    libraries["CLI11"] = CLI11_VERSION;
    libraries["fmt"] = fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
    for (const Library& library : compression_libraries())
        libraries[std::string(library.name)] = library.version;
    for (const Format* format : formats)
        if (format->libraries != nullptr)
            for (const Library& library : format->libraries())
                libraries[std::string(library.name)] = library.version;
    libraries["nlohmann_json"] =
        fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
    return to_pretty_text(json);
}

}  // namespace hwtrace::cli

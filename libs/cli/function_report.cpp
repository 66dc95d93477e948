#include "cli/function_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include "cli/info_table.hpp"
#include "io/number_text.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::size_t most_functions = 20, longest_name = 40;

}  // namespace

std::string AddressNames::shortened(std::string_view name) const {
    if (volume_ == Volume::verbose || name.size() <= longest_name) return std::string(name);
    std::size_t end = longest_name - 3;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)  // not within a character of UTF-8
        --end;
    return std::string(name.substr(0, end)) + "...";
}

std::string AddressNames::text(std::uint64_t pc) const {
    Symbols::Recent recent;
    const Symbols::Function* const function = symbols_->function_at(pc, recent);
    if (function == nullptr) return "-";
    return fmt::format("{}+{}", shortened(function->name), hexadecimal_text(pc - function->begin));
}

std::string AddressNames::text_of(Symbols::FunctionId function) const {
    return function == Symbols::no_function ? "-" : shortened(symbols_->function(function).name);
}

void AddressNames::add_to(Json& entry, std::uint64_t pc, JsonIntegers integers) const {
    if (symbols_ == nullptr) return;
    Symbols::Recent recent;
    const Symbols::Function* const function = symbols_->function_at(pc, recent);
    if (function == nullptr) return;
    entry["function"] = function->name;
    entry["offset"] = json_integer(pc - function->begin, integers);
    const Symbols::Line line = symbols_->line_at(pc);
    if (!line.file.empty()) entry["source"] = fmt::format("{}:{}", line.file, line.line);
}

void print_functions(const FunctionProfile& profile, const AddressNames& names, Volume volume, TextOutput& out) {
    const auto shown = std::span(profile.functions)
                           .first(volume == Volume::verbose ? profile.functions.size()
                                                            : std::min(most_functions, profile.functions.size()));
    InfoTable({{fmt::format("functions, of {}", profile.executed), {}}, {"self", {}}, {"inclusive", {}}, {"calls", {}}},
              shown,
              [&](const FunctionProfile::Function& function) {
                  return std::vector<InfoValue>{names.text_of(function.id), function.self, function.inclusive,
                                                function.calls};
              })
        .print(Volume::verbose, out);
    if (profile.omitted_frames != 0)
        out.put(fmt::format("    {} in deeper calls than {} count for the function at that depth\n",
                            counted(profile.omitted_frames, "instruction"), CallStack::most_frames));
}

Json functions_json(const FunctionProfile& profile, const AddressNames& names, JsonIntegers integers) {
    Json json = Json::array();
    for (const FunctionProfile::Function& function : profile.functions) {
        Json entry;
        if (function.id == Symbols::no_function) {
            entry["function"] = nullptr;
        } else {
            const Symbols::Function& known = names.symbols().function(function.id);
            entry["function"] = known.name;
            entry["begin"] = hexadecimal_text(known.begin);
            entry["file"] = names.symbols().files()[known.file].path;
            const Symbols::Line line = names.symbols().line_at(known.begin);
            if (!line.file.empty()) entry["source"] = fmt::format("{}:{}", line.file, line.line);
        }
        entry["self"] = json_integer(function.self, integers);
        entry["inclusive"] = json_integer(function.inclusive, integers);
        entry["calls"] = json_integer(function.calls, integers);
        json.push_back(std::move(entry));
    }
    return json;
}

}  // namespace hwtrace::cli

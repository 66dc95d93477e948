#include "python/choices.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "hwtrace/io.hpp"

namespace hwtrace::python {

namespace {

[[noreturn]] void refuse(std::string_view key, std::string_view value, std::string_view why) {
    std::string message(key);
    fail(Failure::usage, message.append("=").append(value).append(": ").append(why));
}

}  // namespace

const Format* Choice::format(const char* key) const {
    if (!has(key)) return nullptr;
    const std::string name = text(key);
    if (const Format* const found = find_format(targets(), name)) return found;
    std::string names;
    for (const Format* const known : targets())
        names.append(names.empty() ? "" : ", ").append(known->name);
    refuse(key, name, "unknown format; known formats are " + names);
}

std::optional<Range> Choice::range() const {
    if (!has("range")) return std::nullopt;
    return parse_range(text("range"));
}

std::optional<std::uint64_t> Choice::count(const char* key) const {
    if (!has(key)) return std::nullopt;
    const auto number = parse_count(text(key));
    if (!number) refuse(key, text(key), "takes a number");
    return number;
}

std::optional<std::uint64_t> Choice::last() const {
    return count("last");
}

Criteria Choice::criteria() const {
    if (!has("select")) return {};
    const py::object select = options_["select"];
    if (py::isinstance<py::str>(select)) return parse_criteria(select.cast<std::string>());
    std::string all;  // all must match, as several --select
    for (const py::handle criterion : select)
        all.append(all.empty() ? "" : ",").append(criterion.cast<std::string>());
    return all.empty() ? Criteria() : parse_criteria(all);
}

std::optional<std::uint64_t> Choice::period_ps() const {
    if (!has("clock")) return std::nullopt;
    return parse_clock(text("clock"));
}

TimeModel Choice::time() const {
    TimeModel model;
    model.period_ps = period_ps();
    if (has("ipc")) model.instructions_per_cycle = parse_ipc(text("ipc"));
    return model;
}

CheckLevel Choice::level() const {
    if (!has("level")) return CheckLevel::full;
    const std::string name = text("level");
    for (const CheckLevel level : {CheckLevel::quick, CheckLevel::structure, CheckLevel::full, CheckLevel::semantic})
        if (name_of(level) == name) return level;
    refuse("level", name, "takes quick, structure, full or semantic");
}

std::size_t Choice::findings_per_rule() const {
    return static_cast<std::size_t>(count("max_findings").value_or(20));
}

std::shared_ptr<const Symbols> Choice::symbols(const Limits& limits) const {
    if (!has("elf")) return nullptr;
    const py::object elf = options_["elf"];
    std::vector<SymbolFile> files;
    const auto add = [&](const py::handle& entry) {
        if (py::isinstance<py::str>(entry)) {
            files.push_back({entry.cast<std::string>(), std::nullopt});
        } else {
            const auto placed = entry.cast<std::pair<std::string, std::uint64_t>>();
            files.push_back({placed.first, placed.second});
        }
    };
    try {
        if (py::isinstance<py::str>(elf)) {
            add(elf);
        } else {
            for (const py::handle entry : elf)
                add(entry);
        }
    } catch (const py::cast_error&) {
        throw py::type_error("elf takes a path, or a list of paths and of pairs (path, base address)");
    }
    return files.empty() ? nullptr : Symbols::load(files, limits);
}

Settings Choice::settings() const {
    constexpr std::uint64_t most_by_default = 8, most = 256;
    Settings settings;
    const std::uint64_t threads = count("threads").value_or(0);
    settings.jobs = static_cast<unsigned>(
        threads == 0 ? std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, most_by_default)
                     : std::min(threads, most));
    if (const char* const folder = std::getenv("TMPDIR"); folder != nullptr && *folder != '\0')
        settings.temporary_folder = folder;
    if (flag("no_limits")) settings.limits = Limits::unlimited();
    settings.symbols = symbols(settings.limits);
    return settings;
}

void Choice::set_format_options(const Format* target, Settings& settings) const {
    if (!has("format_options")) return;
    for (const auto& [key, value] : options_["format_options"].cast<py::dict>()) {
        std::string name = py::str(key);
        std::ranges::replace(name, '_', '-');
        const Option* chosen = nullptr;
        if (target != nullptr)
            for (const Option& option : target->options)
                if (option.key == name && option.view.empty()) chosen = &option;
        if (chosen == nullptr) {
            std::string message = py::str(key);
            message.append(" is no argument");
            fail(Failure::usage, target == nullptr
                                     ? message
                                     : message.append(" and no option of ").append(target->name).append(" files"));
        }
        settings.set(*chosen, py::str(value));
    }
}

}  // namespace hwtrace::python

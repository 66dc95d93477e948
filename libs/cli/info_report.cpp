#include "cli/info_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "cli/function_report.hpp"
#include "cli/info_intervals.hpp"
#include "cli/info_latencies.hpp"
#include "cli/info_table.hpp"
#include "cli/instruction_report.hpp"
#include "cli/profile_report.hpp"
#include "cli/quantities.hpp"
#include "cli/terminal.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::size_t kinds = std::tuple_size_v<decltype(ScanCounts::records_by_kind)>;

std::string_view completeness(const FileInfo& info) noexcept {
    switch (info.effect) {
        case Effect::harmless:
            if (info.broken) return "breaks its format";
            if (!info.part.empty()) return "not checked outside the slice";
            return info.counts ? "complete" : "not checked (--quick)";
        case Effect::incomplete:
            return "ends early";
        case Effect::damaged:
            return "damaged";
    }
    return "";
}

/// Returns minimum, maximum and mean. All three are null if there are no numbers.
std::array<Json, 3> number_cells(const SignalStatistics::Member& member, JsonIntegers integers) {
    if (!member.numbers) return {};
    const SignalStatistics::Numbers& numbers = *member.numbers;
    const auto integer = [&](WideTick value) {
        return value < 0 ? json_integer(static_cast<std::int64_t>(value), integers)
                         : json_integer(static_cast<std::uint64_t>(value), integers);
    };
    const auto real = [](double value) {
        return std::isfinite(value) ? Json(value) : Json(value < 0 ? "-Infinity" : value > 0 ? "Infinity" : "NaN");
    };
    if (numbers.is_real) return {real(numbers.least_real), real(numbers.greatest_real), real(numbers.mean)};
    return {integer(numbers.least), integer(numbers.greatest), real(numbers.mean)};
}

/// Returns a number of number_cells(): integers exactly, others with six digits.
InfoValue number_cell(const Json& number) {
    if (number.is_number_float()) return fmt::format("{:.6g}", number.get<double>());
    return number.is_string() ? number.get<std::string>() : number.dump();
}

/// A row of the tables of signals.
struct SignalRow {
    std::string name;
    const SignalStatistics::OfSignal* signal;  ///< null: a member of a structure
    const SignalStatistics::Member* member;    ///< null: a structure

    bool has_numbers() const noexcept { return member != nullptr && (member->numbers || member->toggles); }
};

std::vector<SignalRow> rows_of(const SignalStatistics& statistics) {
    std::vector<SignalRow> rows;
    for (const SignalStatistics::OfSignal& signal : statistics.signals) {
        const std::string name = full_name(signal.scope, signal.name);
        const bool is_single = signal.members.size() == 1;
        rows.push_back({name, &signal, is_single ? signal.members.data() : nullptr});
        if (is_single) continue;
        for (const SignalStatistics::Member& member : signal.members)
            rows.push_back({name + "." + name_text(member.name), nullptr, &member});
    }
    return rows;
}

/// Prints a table of the changes of all signals and one of the values of those that have numbers.
void print_signals(const SignalStatistics& statistics, Volume volume, TextOutput& out) {
    using Signal = SignalStatistics::OfSignal;
    const auto column = [&](const char* title, auto&& is_shown) {
        return InfoColumn{std::ranges::any_of(statistics.signals, is_shown) ? title : "", ""};
    };
    std::vector<SignalRow> rows = rows_of(statistics);
    InfoTable({{"signal", ""},
               {"type", ""},
               {"changes", ""},
               {"first", ""},
               {"last", ""},
               column("unit", [](const Signal& signal) { return !picoseconds_per(signal.unit); }),
               column("no value", [](const Signal& signal) { return signal.no_values != 0; }),
               column("conflicts", [](const Signal& signal) { return signal.conflicts != 0; }),
               column("tagged", [](const Signal& signal) { return signal.tagged != 0; })},
              rows,
              [](const SignalRow& row) -> std::vector<InfoValue> {
                  const std::string type = row.member == nullptr ? "structure" : row.member->types;
                  const std::string blank;
                  if (row.signal == nullptr)
                      return {row.name, type, row.member->values, blank, blank, blank, blank, blank, blank};
                  const Signal& signal = *row.signal;
                  const bool any = signal.changes != 0;
                  return {row.name,
                          type,
                          signal.changes,
                          any ? time_cell(signal.first, signal.unit) : InfoValue(),
                          any ? time_cell(signal.last, signal.unit) : InfoValue(),
                          unit_text(signal.unit),
                          signal.no_values,
                          signal.conflicts,
                          signal.tagged};
              })
        .print(volume, out);
    std::erase_if(rows, [](const SignalRow& row) { return !row.has_numbers(); });
    InfoTable({{"values of", ""}, {"least", ""}, {"greatest", ""}, {"mean of changes", ""}, {"toggles", ""}}, rows,
              [](const SignalRow& row) -> std::vector<InfoValue> {
                  std::vector<InfoValue> cells(5);
                  cells[0] = row.name;
                  if (row.member->numbers)
                      std::ranges::transform(number_cells(*row.member, JsonIntegers::numbers), cells.begin() + 1,
                                             number_cell);
                  if (row.member->toggles) cells[4] = *row.member->toggles;
                  return cells;
              })
        .print(volume, out);
}

std::string thousandths(std::uint64_t value) {
    return fmt::format("{}.{:03}", value / 1000, value % 1000);
}

void print_unit(const Statistics::Unit& unit, TextOutput& out) {
    const bool is_core = unit.protocol == Catalogue::Protocol::cpu;
    out.put(fmt::format("  {:<24} {}", name_text(unit.scope), summary(unit.protocol, unit.lives)));
    if (const auto ipc = unit.milli_ipc(); ipc && unit.first_cycle)
        out.put(fmt::format("\n  {:<24} cycles {} to {}{}, {} {} per cycle", "", *unit.first_cycle, *unit.last_cycle,
                            unit.assumed_period ? " (1000 ps each, assumed)" : "", thousandths(*ipc),
                            is_core ? "instructions" : "transactions"));
    out.put('\n');
}

bool is_idle(const Statistics::Table& table) noexcept {
    return table.sets + table.clears + table.adds + table.property_sets == 0;
}
bool is_idle(const Statistics::Event& event) noexcept {
    return event.count == 0;
}

InfoTable table_of(const std::vector<Statistics::Table>& tables) {
    return {{{"table", ""},
             {"", "scope"},
             {"", "name"},
             {"sets", "sets"},
             {"clears", "clears"},
             {"adds", "adds"},
             {"property sets", "property_sets"},
             {"slots", "slots"},
             {"used", "slots_used"},
             {"highest at once", "highest_occupancy"},
             {"out of range", "out_of_range"}},
            tables,
            [](const Statistics::Table& table) {
                return std::vector<InfoValue>{full_name(table.scope, table.name),
                                              table.scope,
                                              table.name,
                                              table.sets,
                                              table.clears,
                                              table.adds,
                                              table.property_sets,
                                              std::uint64_t{table.slots},
                                              std::uint64_t{table.slots_used},
                                              std::uint64_t{table.highest_occupancy},
                                              table.out_of_range};
            }};
}

InfoTable table_of(const std::vector<Statistics::Event>& events, const std::string& unit) {
    return {{{"event", ""},
             {"", "scope"},
             {"", "name"},
             {"count", "count"},
             {time_heading("first", unit), "first"},
             {"last", "last"}},
            events,
            [&](const Statistics::Event& event) {
                const auto time = [&](Tick tick) { return event.count == 0 ? InfoValue() : time_cell(tick, unit); };
                return std::vector<InfoValue>{full_name(event.scope, event.name),
                                              event.scope,
                                              event.name,
                                              event.count,
                                              time(event.first),
                                              time(event.last)};
            }};
}

InfoTable table_of(const std::vector<Statistics::Counter>& counters) {
    return {{{"counter", ""}, {"", "scope"}, {"", "name"}, {"at the end", "value"}},
            counters,
            [](const Statistics::Counter& counter) {
                return std::vector<InfoValue>{full_name(counter.scope, counter.name), counter.scope, counter.name,
                                              counter.value};
            }};
}

void print_statistics(const FileInfo& info, Volume volume, TextOutput& out) {
    const Statistics& statistics = *info.statistics;
    for (const Statistics::Unit& unit : statistics.units) {
        print_unit(unit, out);
        print_stages(unit, volume, out);
    }
    std::size_t idle = 0;
    const auto shown = [&](auto rows) {
        if (volume != Volume::verbose) idle += std::erase_if(rows, [](const auto& row) { return is_idle(row); });
        return rows;
    };
    table_of(shown(statistics.tables)).print(volume, out);
    table_of(shown(statistics.events), info.unit).print(volume, out);
    table_of(statistics.counters).print(volume, out);
    if (idle != 0)
        out.put(fmt::format("    and {} without a record (-v shows all)\n",
                            counted(idle, "table or event", "tables and events")));
}

void print_line(std::string_view key, std::string_view value, TextOutput& out) {
    std::string text = fmt::format("  {:<24} ", key);
    const std::size_t margin = columns_of(text);
    append_wrapped(printable(value), margin, margin, output_columns(), text);
    out.put(text);
}

/// Prints facts. Unless verbose, prints only the first 16 facts of a key.
void print_facts(const Facts& facts, Volume volume, TextOutput& out) {
    constexpr std::size_t most = 16;
    for (auto fact = facts.begin(); fact != facts.end();) {
        const auto end = std::find_if(fact, facts.end(), [&](const Fact& other) { return other.key != fact->key; });
        const auto same = static_cast<std::size_t>(end - fact);
        const std::size_t shown = volume == Volume::verbose ? same : std::min(same, most);
        for (std::size_t i = 0; i < shown; ++i)
            print_line(fact->key, text_of(fact[static_cast<std::ptrdiff_t>(i)]), out);
        if (shown < same) print_line(fact->key, fmt::format("and {} more (-v shows all)", same - shown), out);
        fact = end;
    }
}

Json fact_json(const Fact& fact, JsonIntegers integers) {
    if (const auto* const text = std::get_if<std::string>(&fact.value)) return *text;
    const auto* const number = std::get_if<std::uint64_t>(&fact.value);
    return number != nullptr ? json_integer(*number, integers)
                             : json_integer(std::get<std::int64_t>(fact.value), integers);
}

/// Adds a fact. Several facts with the same key become a list.
void add_fact(Json& facts, const std::string& key, Json value) {
    if (!facts.contains(key)) {
        facts[key] = std::move(value);
        return;
    }
    Json& known = facts[key];
    if (!known.is_array()) known = Json::array({known});
    known.push_back(std::move(value));
}

Json signals_json(const SignalStatistics& statistics, JsonIntegers integers) {
    Json json = Json::array();
    for (const SignalStatistics::OfSignal& signal : statistics.signals) {
        Json entry;
        entry["scope"] = signal.scope;
        entry["name"] = signal.name;
        entry["unit"] = signal.unit;
        entry["changes"] = json_integer(signal.changes, integers);
        if (signal.changes != 0) {
            entry["first"] = json_integer(signal.first, integers);
            entry["last"] = json_integer(signal.last, integers);
        }
        entry["no_values"] = json_integer(signal.no_values, integers);
        entry["conflicts"] = json_integer(signal.conflicts, integers);
        entry["tagged"] = json_integer(signal.tagged, integers);
        entry["members"] = Json::array();
        for (const SignalStatistics::Member& member : signal.members) {
            Json of_member;
            of_member["name"] = member.name;
            of_member["type"] = member.types;
            of_member["values"] = json_integer(member.values, integers);
            const std::array<Json, 3> numbers = number_cells(member, integers);
            constexpr std::array<const char*, 3> keys{"least", "greatest", "mean"};
            for (std::size_t i = 0; i < keys.size(); ++i)
                if (member.numbers) of_member[keys[i]] = numbers[i];
            if (member.toggles) of_member["toggles"] = json_integer(*member.toggles, integers);
            entry["members"].push_back(of_member);
        }
        json.push_back(entry);
    }
    return json;
}

Json unit_json(const Statistics::Unit& unit, JsonIntegers integers) {
    Json json;
    json["scope"] = unit.scope;
    json["protocol"] = unit.protocol == Catalogue::Protocol::cpu ? "cpu" : "noc";
    json["created"] = json_integer(unit.lives.created, integers);
    json["retired"] = json_integer(unit.lives.retired, integers);
    json["flushed"] = json_integer(unit.lives.flushed, integers);
    json["replaced"] = json_integer(unit.lives.replaced, integers);
    json["in_flight"] = json_integer(unit.lives.in_flight, integers);
    json["first_cycle"] = unit.first_cycle ? json_integer(*unit.first_cycle, integers) : Json();
    json["last_cycle"] = unit.last_cycle ? json_integer(*unit.last_cycle, integers) : Json();
    json["cycles"] = json_integer(unit.cycles(), integers);
    if (unit.assumed_period) json["assumed_period_ps"] = CycleScale::assumed_period_ps;
    const auto ipc = unit.milli_ipc();
    json["retired_per_cycle"] = ipc ? Json(static_cast<double>(*ipc) / 1000) : Json();
    append_stages(unit.latencies, integers, json);
    return json;
}

Json statistics_json(const FileInfo& info, JsonIntegers integers) {
    const Statistics& statistics = *info.statistics;
    Json json;
    json["scopes"] = Json::array();
    for (const Statistics::Unit& unit : statistics.units)
        json["scopes"].push_back(unit_json(unit, integers));
    json["tables"] = table_of(statistics.tables).json(integers);
    json["events"] = table_of(statistics.events, info.unit).json(integers);
    json["counters"] = table_of(statistics.counters).json(integers);
    return json;
}

}  // namespace

void print_text(const FileInfo& info, Volume volume, TextOutput& out) {
    const auto line = [&](std::string_view key, std::string_view value) { print_line(key, value, out); };
    out.put(fmt::format("{}\n", printable(info.file)));
    line("format", fmt::format("{} ({})", info.format->name, info.format->title));
    if (info.size)
        line("size", *info.size < 1000 ? bytes_text(*info.size)
                                       : fmt::format("{} ({})", bytes_text(*info.size), counted(*info.size, "byte")));
    print_facts(info.facts, volume, out);
    if (!info.part.empty()) line("part", info.part);
    if (info.counts) {
        line("model.records", std::to_string(info.counts->records));
        for (std::size_t i = 0; i < kinds; ++i)
            if (const std::uint64_t count = info.counts->records_by_kind[i]; count > 0)
                line(fmt::format("model.{}", name_of(static_cast<Kind>(i))), std::to_string(count));
        if (info.counts->first_time)
            line("time", time_range_text(*info.counts->first_time, *info.counts->last_time, info.unit));
    }
    line("state", completeness(info));
    if (info.activity) print_activity(info, volume, out);
    if (info.intervals) print_intervals(info, volume, out);
    print_latencies(info, volume, out);
    if (info.signals) print_signals(*info.signals, volume, out);
    if (info.instructions) print_instructions(*info.instructions, out);
    const AddressNames names(info.symbols, volume);
    if (info.functions) print_functions(*info.functions, names, volume, out);
    if (info.profile) print_profile(*info.profile, names, volume, out);
    if (info.statistics) print_statistics(info, volume, out);
    for (const FileInfo::NotReduced& missing : info.not_reduced)
        line("not reduced", fmt::format("{}: {}", missing.name, missing.why));
}

Json to_json(const FileInfo& info, JsonIntegers integers) {
    Json json;
    json["file"] = info.file;
    json["format"] = info.format->name;
    json["size"] = info.size ? json_integer(*info.size, integers) : Json();
    json["facts"] = Json::object();
    for (const Fact& fact : info.facts)
        add_fact(json["facts"], fact.key, fact_json(fact, integers));
    if (!info.part.empty()) json["part"] = info.part;
    if (info.counts) {
        Json& model = json["model"];
        model["records"] = json_integer(info.counts->records, integers);
        for (std::size_t i = 0; i < kinds; ++i)
            if (const std::uint64_t count = info.counts->records_by_kind[i]; count > 0)
                model[std::string(name_of(static_cast<Kind>(i)))] = json_integer(count, integers);
        if (info.counts->first_time) {
            json["time"]["first"] = json_integer(*info.counts->first_time, integers);
            json["time"]["last"] = json_integer(*info.counts->last_time, integers);
            json["time"]["unit"] = info.unit;
        }
    }
    if (info.activity) json["activity"] = activity_json(info, integers);
    if (info.intervals) json["intervals"] = intervals_json(info, integers);
    append_latencies(info, integers, json);
    if (info.signals) json["signals"] = signals_json(*info.signals, integers);
    if (info.instructions) json["instructions"] = instructions_json(*info.instructions, integers);
    const AddressNames names(info.symbols, Volume::verbose);
    if (info.functions) json["functions"] = functions_json(*info.functions, names, integers);
    if (info.profile) json["profile"] = profile_json(*info.profile, names, integers);
    if (info.statistics) json["statistics"] = statistics_json(info, integers);
    json["state"] = completeness(info);
    for (const FileInfo::NotReduced& missing : info.not_reduced)
        json["not_reduced"].push_back({{"name", missing.name}, {"why", missing.why}});
    return json;
}

}  // namespace hwtrace::cli

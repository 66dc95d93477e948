#include "table_facts.hpp"

#include <string_view>

#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "io/text_output.hpp"

namespace hwtrace::tables {
namespace {

constexpr std::size_t most_facts = 200, longest_fact = 4096;

std::string base_text(const TimeBase& base) {
    switch (base.kind) {
        case TimeBase::Kind::ordinal:
            return "position in the trace";
        case TimeBase::Kind::cycles:
            if (base.den == 0) return "cycles of unknown length";
            return "cycles of " + std::to_string(base.num) + "/" + std::to_string(base.den) + " s";
        case TimeBase::Kind::seconds:
            break;
    }
    return "ticks of " + std::to_string(base.num) + "/" + std::to_string(base.den) + " s";
}

/// Returns an object of labels and their numbers.
std::string labels_text(const Enum& labels) {
    TextOutput json(-1);
    json.put('{');
    bool is_first = true;
    for (const EnumValue& value : labels.values) {
        if (!is_first) json.put(',');
        is_first = false;
        append_json_string(value.name, json);
        json.put(':');
        json.decimal(value.value);
    }
    json.put('}');
    return std::string(json.text());
}

template <typename Use>
void for_each_stated(const Schema& schema, Use&& use) {
    std::size_t count = 0;
    for (const Metadata& fact : schema.metadata())
        if (fact.value.size() <= longest_fact && ++count <= most_facts) use(fact);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> facts_of(const TraceTables& tables, const StoredTable& table) {
    std::vector<std::pair<std::string, std::string>> facts;
    const auto add = [&](std::string_view key, std::string_view value) {
        facts.emplace_back(as_utf8(key), as_utf8(value));
    };
    if (table.from != nullptr) {
        const Track& track = tables.track(*table.from);
        add("hwtrace.track", track.name);
        add("hwtrace.track_id", std::to_string(table.from->track));
        add("hwtrace.path", table.from->path);
        add("hwtrace.row", name_of(table.from->row));
        add("hwtrace.time", base_text(track.time));
    }
    for (const StoredColumn& column : table.columns) {
        const bool is_function = column.from->content == TableColumn::Content::function;  // the texts say it all
        if (!column.labels.empty() || column.from->type != Type::enumeration || is_function) continue;
        const Enum* const labels = tables.labels(*column.from);
        if (labels != nullptr && labels->values.size() <= most_facts)
            add("hwtrace.labels." + column.name, labels_text(*labels));
    }
    for_each_stated(tables.schema(), [&](const Metadata& fact) { add(fact.key, fact.value); });
    return facts;
}

std::size_t facts_left_out(const Schema& schema) {
    std::size_t stated = 0;
    for_each_stated(schema, [&](const Metadata&) { ++stated; });
    return schema.metadata().size() - stated;
}

}  // namespace hwtrace::tables

// views/drawn_rows_data.cpp - the numbers behind a drawing as JSON, JSON Lines and CSV.
#include <cmath>

#include "codec/json_object.hpp"
#include "views/drawn_rows.hpp"
#include "views/signal_statistics.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t most_data_bins = 256;

/// Returns the range of the bins of all rows with this time base.
BinRange data_range(const std::vector<DrawnRow>& rows, const TimeBase& base) {
    BinRange range;
    for (const DrawnRow& row : rows)
        if (row.base == base) range = joined(range, row.range(), most_data_bins);
    return range;
}

/// Returns the name of a row with its part and its lane: "core0/MAC", "core0/MAC 2", "core0/hart loads".
std::string lane_name(const DrawnRow& row) {
    std::string name = row.name;
    if (!row.part.empty()) name.append(" ").append(row.part);
    if (row.lane != 0) name.append(" ").append(std::to_string(row.lane + 1));
    return name;
}

class RowsAsObjects {
public:
    RowsAsObjects(bool lines, const Settings& settings, TextOutput& out)
        : lines_(lines), integers_(settings.json_integers), out_(out) {}

    void row(const DrawnRow& row, const BinRange& range) {
        if (!lines_) out_.put(first_ ? "\n" : ",\n");
        first_ = false;
        JsonObject object(integers_, out_);
        if (lines_) object.text("type", "row");
        object.text("row", lane_name(row));
        object.text("kind", name_of(row.sort));
        object.text("unit", unit_of(row.base));
        object.number("count", row.count);
        if (row.sort == RowSort::value) {
            append_json_number(row.least, object.integers(), object.known_member("least"));
            append_json_number(row.greatest, object.integers(), object.known_member("greatest"));
        }
        object.number("bin_width", range.width());
        out_.put(",\"bins\":[");
        bool first = true;
        const auto bin = [&](std::size_t index, auto&& put) {
            out_.put(first ? "" : ",");
            first = false;
            JsonObject members(integers_, out_);
            members.number("begin", range.begin_of(index));
            put(members);
            members.close();
        };
        if (row.sort == RowSort::value)
            put_values(row, range, bin);
        else
            put_totals(row, range, bin);
        out_.put(']');
        object.close();
        if (lines_) out_.put('\n');
    }

private:
    template <typename PutBin>
    static void put_values(const DrawnRow& row, const BinRange& range, PutBin&& bin) {
        const std::vector<ValueBin<long double>> values = row.values.coarsened(range);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i].changes == 0) continue;
            bin(i, [&](JsonObject& members) {
                members.number("count", values[i].changes);
                append_json_number(values[i].least, members.integers(), members.known_member("least"));
                append_json_number(values[i].greatest, members.integers(), members.known_member("greatest"));
                append_json_number(values[i].last, members.integers(), members.known_member("last"));
            });
        }
    }
    template <typename PutBin>
    static void put_totals(const DrawnRow& row, const BinRange& range, PutBin&& bin) {
        const std::vector<BusyTotal> totals = row.bins.totals(range);
        for (std::size_t i = 0; i < totals.size(); ++i) {
            if (totals[i].busy == 0 && totals[i].begins == 0) continue;
            bin(i, [&](JsonObject& members) {
                if (row.sort != RowSort::density) members.number("busy", totals[i].busy);
                members.number("count", totals[i].begins);
            });
        }
    }

    bool lines_;
    JsonIntegers integers_;
    TextOutput& out_;
    bool first_ = true;
};

void append_bins_csv(const DrawnRow& row, const BinRange& range, TextOutput& out) {
    const std::string unit = unit_of(row.base), name = lane_name(row);
    const auto head = [&](std::size_t bin) {
        append_csv(name, out);
        out.put(',');
        out.put(name_of(row.sort));
        out.put(',');
        append_csv(unit, out);
        out.put(',');
        out.decimal_signed(range.begin_of(bin));
        out.put(',');
        out.decimal_signed(range.begin_of(bin + 1));
        out.put(',');
    };
    if (row.sort == RowSort::value) {
        const std::vector<ValueBin<long double>> values = row.values.coarsened(range);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i].changes == 0) continue;
            head(i);
            out.put(',');
            out.decimal(values[i].changes);
            for (const long double value : {values[i].least, values[i].greatest, values[i].last}) {
                out.put(',');
                out.put(number_text(value));
            }
            out.put('\n');
        }
        return;
    }
    const std::vector<BusyTotal> totals = row.bins.totals(range);
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (totals[i].busy == 0 && totals[i].begins == 0) continue;
        head(i);
        if (row.sort != RowSort::density) out.decimal(totals[i].busy);
        out.put(',');
        out.decimal(totals[i].begins);
        out.put(",,,\n");
    }
}

}  // namespace

void append_json_number(long double number, JsonIntegers integers, TextOutput& out) {
    constexpr long double end = 18446744073709551616.0L;  // 2^64
    if (number != std::floor(number) || std::abs(number) >= end) return out.put(number_text(number));
    if (number >= 0) return append_json_integer(static_cast<std::uint64_t>(number), integers, out);
    if (number >= -end / 2) return append_json_integer(static_cast<std::int64_t>(number), integers, out);
    out.put(number_text(number));
}

void append_rows(const std::vector<DrawnRow>& rows, std::string_view schema, TextForm form, const Settings& settings,
                 TextOutput& out) {
    if (form == TextForm::csv) {
        out.put("row,kind,unit,begin,end,busy,count,least,greatest,last\n");
        for (const DrawnRow& row : rows)
            if (row.count != 0) append_bins_csv(row, data_range(rows, row.base), out);
        return;
    }
    out.put('{');
    append_json_head(schema, settings, out);
    out.put(form == TextForm::json ? ",\n\"rows\":[" : "}\n");
    RowsAsObjects objects(form == TextForm::jsonl, settings, out);
    for (const DrawnRow& row : rows)
        if (row.count != 0) objects.row(row, data_range(rows, row.base));
    if (form == TextForm::json) out.put("]}\n");
}

}  // namespace hwtrace

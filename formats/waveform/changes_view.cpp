// formats/waveform/changes_view.cpp - the view "changes": one line for each change of a variable.
#include <memory>
#include <string>
#include <vector>

#include "codec.hpp"
#include "codec/rows.hpp"
#include "domain/value_text.hpp"
#include "io/counted.hpp"
#include "timescale.hpp"

namespace hwtrace::waveform {
namespace {

using enum RowColumn::Text;
constexpr auto change_columns = columns_of(RowColumn{"time", bare}, RowColumn{"name", bare}, RowColumn{"value", bare});

/// Returns the names of a track and its scopes, joined by dots.
std::string full_name(const Schema& schema, const Track& track) {
    std::vector<const std::string*> parts{&track.name};
    std::size_t size = track.name.size();
    for (ScopeId scope = track.scope; scope < schema.scopes().size(); scope = schema.scopes()[scope].parent) {
        parts.push_back(&schema.scopes()[scope].name);
        size += parts.back()->size() + 1;
    }
    std::string name;
    name.reserve(size);
    for (std::size_t i = parts.size(); --i != 0;)
        name.append(*parts[i]).push_back('.');
    return name.append(track.name);
}

std::string tick_text(const TimeBase& base) {
    return std::to_string(base.num) + '/' + std::to_string(base.den) + " s";
}

/// Returns "100 ps" for 1/10000000000 s, or the fraction if no unit fits.
std::string short_tick(const TimeBase& base) {
    constexpr int finest = -15, coarsest = 2;
    for (int exponent = finest; exponent <= coarsest; ++exponent) {
        TimeBase known{TimeBase::Kind::seconds, 1, 1};
        for (int i = 0; i < exponent; ++i)
            known.num *= 10;
        for (int i = 0; i > exponent; --i)
            known.den *= 10;
        if (base == known) return timescale_text(exponent);
    }
    return tick_text(base);
}

class ChangeRows {
public:
    ChangeRows(const Schema& schema, TextForm form, const Settings& settings, TextOutput& out)
        : schema_(schema), rows_(form, settings, out), integers_(settings.json_integers) {
        rows_.begin("hwtrace-waveform-changes/1", settings);
        const std::string tick = schema.tracks().empty() ? "1/1 s" : tick_text(schema.tracks().front().time);
        if (form == TextForm::text)
            out.put(
                counted(schema.tracks().size(), "variable") +
                (schema.tracks().empty() ? "\n" : ", a tick is " + short_tick(schema.tracks().front().time) + '\n'));
        if (rows_.is_json()) {
            out.put(",\"tick\":");
            append_json_string(tick, out);
        }
        rows_.begin_rows(",\"items\":[");
    }

    void put(const Batch& batch, const Record& record) {
        rows_.begin_row();
        rows_.number("time", record.time);
        rows_.text("name", track_name(record.track));
        if (record.kind == Kind::change && record.count != 0) put_value(record, batch.attributes(record).front());
        rows_.end_row();
    }
    void end() { rows_.end(); }

private:
    /// Returns the full name of a track. Deeply nested scopes have long names, so that not all of them are kept.
    const std::string& track_name(TrackId track) {
        constexpr std::size_t most_kept = 16u << 20;
        if (names_.size() <= track) names_.resize(schema_.tracks().size());
        std::string& name = names_[track];
        if (!name.empty()) return name;
        if (names_size_ > most_kept) {
            names_.assign(names_.size(), std::string());
            names_size_ = 0;
        }
        name = full_name(schema_, schema_.tracks()[track]);
        names_size_ += name.size();
        return name;
    }
    void put_value(const Record& record, const Attribute& value) {
        const Field& field = schema_.tracks()[record.track].fields[value.field];
        TextOutput& out = rows_.cell("value");
        if (rows_.is_json()) return append_json_value(schema_, field, value.value, integers_, out);
        if (rows_.is_csv() && holds_text(field.type))
            return append_csv(schema_.text(static_cast<StringId>(value.value)), out);
        append_value(schema_, field, value.value, out);
    }

    const Schema& schema_;
    Rows<change_columns> rows_;
    JsonIntegers integers_;
    std::vector<std::string> names_;  ///< by track; empty: not kept
    std::size_t names_size_ = 0;      ///< bytes of all kept names
};

}  // namespace

void render_changes(OpenReader open, Input& input, TextForm form, TextOutput& out, const Settings& settings,
                    Findings& findings) {
    const std::unique_ptr<Reader> whole = open(input, settings, findings);
    const std::unique_ptr<Reader> part = settings.part ? settings.part(*whole) : nullptr;
    Reader& reader = part ? *part : *whole;
    ChangeRows rows(reader.schema(), form, settings, out);
    for (Batch batch; reader.read(batch); batch.clear())
        for (const Record& record : batch.records())
            rows.put(batch, record);
    rows.end();
}

}  // namespace hwtrace::waveform

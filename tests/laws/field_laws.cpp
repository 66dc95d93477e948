// Laws of --select by fields: the slice keeps exactly the records that an independent count finds.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "convert/prescan.hpp"
#include "laws/law_support.hpp"
#include "select/record_selection.hpp"

namespace field_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// A value of a field in some record.
struct Value {
    TrackId track = none;
    std::uint32_t field = 0;
    std::uint64_t cell = 0;
};

bool is_plain_number(const Field& field) noexcept {
    switch (field.type) {
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::boolean:
        case Type::pointer:
        case Type::time:
            return true;
        default:
            return false;
    }
}

/// Calls `visit(field, cell)` for each value of an event, relation, interval or change.
template <typename Visit>
void for_each_cell(const Track& track, const Batch& batch, const Record& record, Visit&& visit) {
    if (record.kind == Kind::interval || record.kind == Kind::change) {
        for (const Attribute& attribute : batch.attributes(record))
            visit(attribute.field, attribute.value);
    } else if (record.kind == Kind::event || record.kind == Kind::relation) {
        const auto cells = batch.cells(record);
        std::uint32_t field = 0;
        for (const std::uint64_t cell : cells) {
            if (field == track.fields.size()) field = static_cast<std::uint32_t>(track.fixed_fields());
            visit(field++, cell);
        }
    }
}

/// A trace in memory that can be read repeatedly.
class Trace {
public:
    explicit Trace(const Sample& sample) {
        RecordCriteria all_tracks;
        all_tracks.only = {0};
        const Settings settings;
        Input input = Input::memory("sample", sample.content.bytes);
        PreparedSource source(input, *sample.format, settings, findings_, all_tracks);
        for_each_batch(source.reader(), [&](const Batch& batch) {
            for (const Record& record : batch.records())
                batch_.copy(batch, record, record.track);
        });
        input_ = std::make_unique<Input>(Input::memory("sample", sample.content.bytes));
        source_ = std::make_unique<PreparedSource>(*input_, *sample.format, settings, findings_, all_tracks);
        for_each_batch(source_->reader(), [](const Batch&) {});
    }
    const Schema& schema() const { return source_->schema(); }
    const Batch& batch() const { return batch_; }

private:
    template <typename Take>
    static void for_each_batch(Reader& reader, Take&& take) {
        Batch batch;
        for (; reader.read(batch); batch.clear())
            take(batch);
    }

    Findings findings_;
    Batch batch_;
    std::unique_ptr<Input> input_;
    std::unique_ptr<PreparedSource> source_;
};

/// Returns the first value of each numeric field, and of each storage field.
std::vector<Value> values_of(const Trace& trace) {
    std::vector<Value> values;
    const auto add = [&](TrackId track, std::uint32_t field, std::uint64_t cell) {
        const Track& of = trace.schema().tracks()[track];
        if (field >= of.fields.size() || !is_plain_number(of.fields[field])) return;
        // Skip names that several fields share, because the other fields may not be numeric.
        if (std::ranges::count(of.fields, of.fields[field].name, &Field::name) != 1) return;
        const auto is_known = [&](const Value& value) { return value.track == track && value.field == field; };
        constexpr std::size_t enough = 40;
        if (values.size() < enough && std::ranges::none_of(values, is_known)) values.push_back({track, field, cell});
    };
    for (const Record& record : trace.batch().records()) {
        const Track& track = trace.schema().tracks()[record.track];
        for_each_cell(track, trace.batch(), record,
                      [&](std::uint32_t field, std::uint64_t cell) { add(record.track, field, cell); });
        if (record.kind == Kind::set && (record.flags & record_property) == 0)
            add(record.track, record.field, stored(track.fields.at(record.field).type, record.value));
    }
    return values;
}

RecordCriteria criteria_of(const Trace& trace, const Value& value, Operator comparison) {
    RecordCriteria criteria;
    criteria.only = {value.track};
    criteria.fields = {
        {trace.schema().tracks()[value.track].fields[value.field].name, comparison, std::to_string(value.cell)}};
    return criteria;
}

/// Counts the records of the value's track in which `fits` accepts the value of the same field.
template <typename Fits>
std::size_t count(const Trace& trace, const Value& value, Fits&& fits) {
    const Track& track = trace.schema().tracks()[value.track];
    std::size_t found = 0;
    for (const Record& record : trace.batch().records()) {
        if (record.track != value.track) continue;
        bool has = false;
        for_each_cell(track, trace.batch(), record, [&](std::uint32_t field, std::uint64_t cell) {
            has = has || (field == value.field && fits(cell));
        });
        if (has) ++found;
    }
    return found;
}

bool holds_rows(const Track& track) noexcept {
    return track.kind == Track::Kind::storage;
}

}  // namespace

TEST_CASE("selecting by a field of events, intervals and relations keeps the records with the value") {
    std::size_t compared = 0;
    for (const Sample& sample : good_samples()) {
        CAPTURE(sample.name);
        const Trace trace(sample);
        for (const Value& value : values_of(trace)) {
            const Track& track = trace.schema().tracks()[value.track];
            if (holds_rows(track)) continue;
            CAPTURE(track.name);
            CAPTURE(track.fields[value.field].name);
            const auto selected = [&](Operator comparison) {
                RecordSelection stage(trace.schema(), criteria_of(trace, value, comparison));
                Batch out;
                stage.apply(trace.batch(), out);
                // Relations that follow intervals are dropped after this stage.
                return static_cast<std::size_t>(std::ranges::count_if(out.records(), [&](const Record& record) {
                    return stage.schema().tracks()[record.track].kind == track.kind &&
                           (record.flags & record_no_value) == 0;
                }));
            };
            const std::uint64_t cell = value.cell;
            CHECK(selected(Operator::equal) == count(trace, value, [&](std::uint64_t c) { return c == cell; }));
            CHECK(selected(Operator::unequal) == count(trace, value, [&](std::uint64_t c) { return c != cell; }));
            CHECK(selected(Operator::less) == count(trace, value, [&](std::uint64_t c) { return c < cell; }));
            CHECK(selected(Operator::at_least) == count(trace, value, [&](std::uint64_t c) { return c >= cell; }));
            ++compared;
        }
    }
    CHECK(compared >= at_least(51));
}

TEST_CASE("a table selected by a field always has exactly the slots of the whole table that have the value") {
    std::size_t compared = 0;
    for (const Sample& sample : good_samples()) {
        CAPTURE(sample.name);
        const Trace trace(sample);
        for (const Value& value : values_of(trace)) {
            const Track& track = trace.schema().tracks()[value.track];
            if (!holds_rows(track)) continue;
            CAPTURE(track.name);
            CAPTURE(track.fields[value.field].name);
            RecordSelection stage(trace.schema(), criteria_of(trace, value, Operator::equal));
            StateTable whole(trace.schema()), part(stage.schema());
            Batch one, out;
            bool equal = true;
            for (const Record& record : trace.batch().records()) {
                one.clear();
                out.clear();
                one.copy(trace.batch(), record, record.track);
                stage.apply(one, out);
                whole.apply(record);
                for (const Record& made : out.records())
                    part.apply(made);
                if (record.track != value.track || (record.flags & record_property) != 0) continue;
                const bool fits = whole.valid(record.track, record.ref) &&
                                  whole.value(record.track, record.ref, value.field) == value.cell;
                equal = equal && (!track.sparse || part.valid(0, record.ref) == fits);
                for (std::uint32_t field = 0; field < track.fields.size(); ++field)
                    equal = equal && part.value(0, record.ref, field) ==
                                         (fits ? whole.value(record.track, record.ref, field) : 0);
            }
            CHECK(equal);
            ++compared;
        }
    }
    CHECK(compared >= at_least(11));
}

}  // namespace field_laws

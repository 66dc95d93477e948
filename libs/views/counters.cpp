#include "views/counters.hpp"

#include <algorithm>

#include "domain/occupancy.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"
#include "model/state.hpp"
#include "views/value_rows.hpp"

namespace hwtrace {

namespace {

/// Sets a value. If the record restates a value from before a slice, calls ValueLog::start() instead.
void update(ValueLog& log, std::uint32_t id, std::uint64_t value, const Record& record) {
    if ((record.flags & record_restated) != 0)
        log.start(id, value);
    else
        log.set(id, value);
}

ValueName name_of(const Schema& schema, const Track& track) {
    ValueName name;
    name.scope = path_of(schema, track.scope);
    name.name = track.name;
    return name;
}

/// Feeds a ValueLog with the counters of a trace.
class Counters {
public:
    explicit Counters(std::string part_of_name) : part_(std::move(part_of_name)) {}

    /// Declares a value for each new track that is a counter. `names` receives the names of the values in `log`.
    void learn(const Schema& schema, ValueLog& log, std::vector<ValueName>& names) {
        for (auto id = static_cast<TrackId>(values_.size()); id < schema.tracks().size(); ++id) {
            const Track& track = schema.tracks()[id];
            values_.push_back(none);
            if (!is_counter(track)) continue;
            ValueName name = name_of(schema, track);
            if (name.full().find(part_) == std::string::npos) continue;
            values_.back() = log.declare(schema, track);
            names.push_back(std::move(name));
        }
    }

    bool has(TrackId track) const noexcept { return values_[track] != none; }

    void apply(const Record& record, ValueLog& log) const {
        const std::uint32_t value = values_[record.track];
        if (record.ref != 0 || is_property(record)) return;
        if (record.kind == Kind::clear)
            log.set(value, 0);
        else if (record.field == 0)
            update(log, value, record.kind == Kind::add ? log.value(value) + record.value : record.value, record);
    }

private:
    std::string part_;
    std::vector<std::uint32_t> values_;  // indexed by track
};

/// Feeds a ValueLog with the occupancy of the buffers of a trace.
class Buffers {
public:
    void learn(const Schema& schema, ValueLog& log, std::vector<ValueName>& names) {
        for (auto id = static_cast<TrackId>(buffers_.size()); id < schema.tracks().size(); ++id) {
            const Track& track = schema.tracks()[id];
            buffers_.emplace_back();
            if (!is_buffer(schema, id) && !is_catalogue(schema, id)) continue;
            Buffer& buffer = buffers_.back();
            buffer.occupancy = Occupancy(track.slots);
            buffer.slots_value = declare(schema, track, "slots", log, names);
            if (track.slots == 0) continue;
            for (const RingPointers& pointers : ring_pointers(track))
                buffer.rings.push_back({.pointers = pointers,
                                        .head_type = track.properties[pointers.head].type,
                                        .tail_type = track.properties[pointers.tail].type});
            for (Ring& ring : buffer.rings) {
                std::string measure = "ring";
                if (buffer.rings.size() > 1) measure.append(" ").append(std::to_string(ring.pointers.pair));
                ring.value = declare(schema, track, std::move(measure), log, names);
            }
        }
    }

    bool has(TrackId track) const noexcept { return buffers_[track].slots_value != none; }

    void apply(const Record& record, ValueLog& log) {
        Buffer& buffer = buffers_[record.track];
        if (is_property(record)) {
            for (Ring& ring : buffer.rings) {
                if (record.field == ring.pointers.head) ring.head = stored(ring.head_type, record.value);
                if (record.field == ring.pointers.tail) ring.tail = stored(ring.tail_type, record.value);
            }
        } else {
            if (!buffer.occupancy.has(record.ref)) return;
            const bool changed =
                record.kind == Kind::clear ? buffer.occupancy.free(record.ref) : buffer.occupancy.fill(record.ref);
            if (!changed) return;
            update(log, buffer.slots_value, buffer.occupancy.occupied(), record);
        }
        for (const Ring& ring : buffer.rings) {
            // Keep the previous value if the pointers are ambiguous.
            const auto fill = ring_fill(buffer.occupancy.slots(), ring.head, ring.tail, buffer.occupancy.occupied());
            if (fill) update(log, ring.value, *fill, record);
        }
    }

private:
    struct Ring {
        RingPointers pointers;
        Type head_type, tail_type;
        std::uint64_t head = 0, tail = 0;
        std::uint32_t value = none;
    };
    struct Buffer {
        Occupancy occupancy;
        std::uint32_t slots_value = none;
        std::vector<Ring> rings;
    };

    static std::uint32_t declare(const Schema& schema, const Track& track, std::string measure, ValueLog& log,
                                 std::vector<ValueName>& names) {
        ValueName name = name_of(schema, track);
        name.measure = std::move(measure);
        name.capacity = track.slots;
        names.push_back(std::move(name));
        return log.declare(schema, track);
    }

    std::vector<Buffer> buffers_;  // indexed by track
};

template <typename Source>
std::vector<std::string> show(Source source, ValueRows::Quantity quantity, std::string_view nothing, Reader& reader,
                              TextForm form, const ViewOptions& options, const Settings& settings, TextOutput& out,
                              const ProgressListener& progress) {
    const Schema& schema = reader.schema();
    std::vector<ValueName> names;
    ValueRows rows(quantity, form, options, names, settings, out);
    ValueLog& log = rows.log();
    source.learn(schema, log, names);
    rows.begin();
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        source.learn(schema, log, names);
        for (const Record& record : batch.records()) {
            rows.see(record.time);
            if (!source.has(record.track)) continue;
            log.advance(record.time, rows.listener());
            source.apply(record, log);
        }
        if (progress) progress(reader.position());
    }
    log.finish(rows.listener());
    rows.end();
    std::vector<std::string> notes;
    if (names.empty()) notes.emplace_back(nothing);
    for (std::uint32_t id = 0; id < names.size(); ++id)
        if (log.cycles(id).assumed() && (id == 0 || names[id].scope != names[id - 1].scope))
            notes.push_back(name_text(names[id].scope.empty() ? names[id].name : names[id].scope) +
                            ": the length of a cycle is unknown; assumed " +
                            std::to_string(CycleScale::assumed_period_ps) + " ps");
    return notes;
}

}  // namespace

std::vector<std::string> show_counters(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    return show(Counters(options.counter), ValueRows::Quantity::counters,
                options.counter.empty() ? "no table is a counter (one slot with one field of type u64)"
                                        : "no counter matches the name",
                reader, form, options, settings, out, progress);
}

std::vector<std::string> show_buffers(Reader& reader, TextForm form, const ViewOptions& options,
                                      const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    return show(Buffers(), ValueRows::Quantity::buffers, "no table is a buffer or a table of entities or transactions",
                reader, form, options, settings, out, progress);
}

}  // namespace hwtrace

#include "support/signal_support.hpp"

#include <algorithm>
#include <random>

namespace hwtrace::test {

namespace {

Format format_of_signals(bool ordered) {
    Format format{};
    format.name = "levels";
    format.title = "signals";
    format.reads = {.shapes = {Shape::signal, Shape::event_type, Shape::notes}, .time_ordered = ordered};
    format.writes = {.holds = {Shape::signal, Shape::event_type, Shape::notes}, .growing_schema = true};
    return format;
}

}  // namespace

const Format signals_only = format_of_signals(true);
const Format unordered_signals = format_of_signals(false);

TrackId declare_signal(Schema& schema, ScopeId scope, std::string_view name, std::vector<Field> fields, TimeBase time) {
    return schema.declare(make_track(Track::Kind::signal, scope, name, time, std::move(fields)));
}

IntervalTrace random_signals(const WantedSignals& wanted) {
    IntervalTrace trace;
    Schema& schema = trace.schema;
    std::mt19937_64 random(wanted.seed);
    schema.describe("levels.version", "6");
    const EnumId states = schema.declare(Enum{"states", {{0, "idle"}, {1, "busy"}, {200, "wait"}}});
    const EnumId wide = schema.declare(Enum{"wide", {{0, "low"}, {1000, "high"}}});
    const ScopeId top = schema.declare(Scope{"top", none, {}, none});
    const ScopeId bus = schema.declare(Scope{"bus", top, {}, none, 7});
    const std::vector<TimeBase> bases =
        wanted.several_bases ? std::vector{picoseconds, gigahertz, unknown_period, ordinals} : std::vector{picoseconds};
    std::vector<TrackId> signals;
    const auto add = [&](ScopeId scope, std::string_view name, std::vector<Field> fields) {
        signals.push_back(declare_signal(schema, scope, name, std::move(fields), bases[signals.size() % bases.size()]));
    };
    const auto vector = [](Field field, std::uint8_t width) {
        field.width = width;
        return field;
    };
    for (const Type type : {Type::u8, Type::u64, Type::i32, Type::i64, Type::f32, Type::f64, Type::boolean, Type::text,
                            Type::logic, Type::blob, Type::pointer})
        add(top, name_of(type), {Field{"value", type}});
    add(top, "count", {Field{"value", Type::i64}, Field{"value", Type::blob}});
    add(bus, "data", {vector(Field{"value", Type::u64}, 16), Field{"value", Type::logic}});
    add(bus, "state", {Field{"value", Type::enumeration, states}});
    add(bus, "mode", {Field{"value", Type::enumeration, wide}});
    if (wanted.structures) {
        add(bus, "request",
            {Field{"addr", Type::u64}, Field{"kind", Type::text}, Field{"mark", Type::u8},
             Field{"state", Type::enumeration, states}});
        add(bus, "words", {Field{"value", Type::i32, none, true}});
        add(bus, "names", {Field{"name", Type::text, none, true}, Field{"size", Type::u16}});
        std::vector<Field> many;
        for (int i = 0; i < 70; ++i)
            many.push_back(Field{"m" + std::to_string(i), Type::u32});
        add(bus, "many", std::move(many));
    }
    const std::vector<Field> event_fields{Field{"why", Type::text}, Field{"state", Type::enumeration, states},
                                          Field{"at", Type::i64}};
    TrackId events = none, remarks = none;
    if (wanted.notes)
        events = schema.declare(make_track(Track::Kind::event_type, bus, "event", picoseconds, event_fields));
    if (wanted.notes) remarks = schema.declare(make_track(Track::Kind::notes, top, "remarks", picoseconds));

    const auto cell = [&](const Field& field) -> std::uint64_t {
        const std::uint64_t bits = random() >> (random() % 64);
        switch (field.type) {
            case Type::u8:
                return bits & 0xFF;
            case Type::u16:
                return bits & 0xFFFF;
            case Type::u32:
                return bits & 0xFFFF'FFFF;
            case Type::i32:
                return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(bits)));
            case Type::f32:
                return std::bit_cast<std::uint32_t>(static_cast<float>(bits) / 3);
            case Type::f64:
                return std::bit_cast<std::uint64_t>(static_cast<double>(bits) / -7);
            case Type::boolean:
                return bits & 1;
            case Type::enumeration: {
                const Enum& enumeration = schema.enums()[field.enumeration];
                return bits % 4 == 0 ? bits : enumeration.values[bits % enumeration.values.size()].value;
            }
            case Type::text:
                return schema.intern(std::string(bits % 5, 'x'));
            case Type::logic: {
                std::string text;
                for (std::size_t i = bits % 70; i-- > 0;)
                    text += "01XZ"[random() % 4];
                return schema.intern(text);
            }
            case Type::blob:
                return schema.intern(std::string(bits % 20, static_cast<char>(bits)));
            default:
                return bits;
        }
    };
    std::vector<Tick> times;
    for (std::size_t i = 0; i < wanted.count; ++i)
        times.push_back(static_cast<Tick>(random() % (wanted.count / 2)));
    if (wanted.ordered) std::sort(times.begin(), times.end());
    std::vector<Attribute> values;
    for (const Tick time : times) {
        if (wanted.notes && random() % 40 == 0) trace.batch().note(remarks, time, std::string(random() % 4, 'n'));
        if (wanted.notes && random() % 40 == 0) {
            const std::uint64_t cells[] = {cell(event_fields[0]), schema.enums()[states].values[random() % 3].value,
                                           cell(event_fields[2])};
            trace.batch().event(events, time, cells);
        }
        const TrackId track = signals[random() % signals.size()];
        const std::vector<Field>& fields = schema.tracks()[track].fields;
        const std::uint64_t mark = random() % 4 == 0 ? random() % 256 : 0;
        values.clear();
        const bool has_value = random() % 6 != 0;
        const bool alternatives = fields.size() == 2 && fields[0].name == fields[1].name;
        if (has_value && (alternatives || (fields.size() == 1 && !fields[0].repeated))) {
            const auto field = static_cast<std::uint32_t>(random() % fields.size());
            values.push_back({field, cell(fields[field])});
        } else if (has_value) {
            for (std::uint32_t field = 0; field < fields.size(); ++field)
                for (std::uint64_t left = fields[field].repeated ? random() % 4 : random() % 2; left > 0; --left)
                    values.push_back({field, cell(fields[field])});
            if (random() % 5 == 0) std::shuffle(values.begin(), values.end(), random);
        }
        Record& change = trace.batch().change(track, time, values, mark);
        if (!has_value) change.flags |= record_no_value;
    }
    return trace;
}

}  // namespace hwtrace::test

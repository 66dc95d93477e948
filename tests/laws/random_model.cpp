#include "laws/random_model.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "domain/conventions.hpp"
#include "formats.hpp"
#include "io/output.hpp"

namespace hwtrace::test {

namespace {

namespace names = conventions;
using Kinds = std::vector<Track::Kind>;

constexpr TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};
constexpr TimeBase gigahertz{TimeBase::Kind::cycles, 1, 1'000'000'000};
constexpr TimeBase unknown_cycles{TimeBase::Kind::cycles, 1, 0};

/// Most models have one time base. In a mixed model, one in this many tracks has another time base.
constexpr std::uint64_t other_base = 3;

/// Times at which some hostile models begin: beyond 32 bits, at the last second of 64 bits of nanoseconds, and close to
/// the greatest Tick.
constexpr std::array<Tick, 3> late_times{Tick{1} << 40, 9'223'372'035'000'000'000, 9'223'372'036'854'775'000};
constexpr std::array<std::uint64_t, 10> extremes{
    0, 1, 0x7F, 0x80, 0xFF, 0x7FFF'FFFF, 0x8000'0000, 0x7FFF'FFFF'FFFF'FFFF, 1ull << 63, ~std::uint64_t{0}};

}  // namespace

ModelParts any_parts() {
    ModelParts parts;
    parts.kinds = {Track::Kind::event_type, Track::Kind::storage, Track::Kind::signal,        Track::Kind::stream,
                   Track::Kind::notes,      Track::Kind::hart,    Track::Kind::relation_type, Track::Kind::native};
    parts.bases = {picoseconds, nanoseconds, gigahertz, unknown_cycles, ordinals};
    parts.types = {Type::u8,   Type::u16,   Type::u32,   Type::u64,     Type::i8,          Type::i16,  Type::i32,
                   Type::i64,  Type::f32,   Type::f64,   Type::boolean, Type::enumeration, Type::text, Type::label,
                   Type::bits, Type::logic, Type::fixed, Type::ufixed,  Type::pointer,     Type::time, Type::blob};
    parts.own_tracks = {"tool.bytes"};
    parts.lists = true;
    return parts;
}

ModelParts native_parts(const Format& format) {
    ModelParts parts = any_parts();
    parts.lists = false;
    if (format.name == "uscope") {
        parts.kinds = {Track::Kind::event_type, Track::Kind::storage};
        parts.bases = {picoseconds};
        parts.types = {Type::u8,  Type::u16, Type::u32,     Type::u64,         Type::i8,  Type::i16,
                       Type::i32, Type::i64, Type::boolean, Type::enumeration, Type::text};
        parts.one_root = parts.time_ordered = true;
    } else if (format.name == "stf" || format.name == "kanata" || format.name == "o3pipeview") {
        parts.kinds = {Track::Kind::hart};
        parts.scopes = {"/", "core0"};
        parts.track = "core0";
        parts.bare = parts.one_track = true;
        parts.comes_back = format.name == "stf";
    } else if (format.name == "pccx") {
        parts.kinds = {Track::Kind::stream};
        parts.bases = {gigahertz};
        parts.types = {};
        parts.scopes = {"npu", "core0"};
        parts.bare = parts.time_ordered = true;
    } else if (format.name == "flux") {
        parts.kinds = {Track::Kind::signal};
    } else if (format.name == "ftr" || format.name == "txlog") {
        parts.kinds = {Track::Kind::stream};
        parts.bases = {picoseconds};
        parts.types = {Type::u64,  Type::i64,   Type::f64,   Type::boolean, Type::text,   Type::label,
                       Type::bits, Type::logic, Type::fixed, Type::ufixed,  Type::pointer};
        parts.recorded = true;
        parts.comes_back = format.name == "ftr";
    }
    return parts;
}

ModelParts flux_array_parts() {
    ModelParts parts;
    parts.kinds = {Track::Kind::signal};
    parts.bases = {picoseconds};
    parts.types = {Type::i64, Type::text};
    parts.flux_arrays = parts.bare = parts.time_ordered = true;
    return parts;
}

ModelParts hostile(ModelParts parts) {
    parts.hostile = true;
    return parts;
}

RandomModel::RandomModel(std::uint64_t seed, const ModelParts& parts) : random_(seed), parts_(parts) {
    parts_.flux_arrays ? declare_flux_scopes() : declare_scopes();
    const bool mixed = chance(2);
    const Track::Kind only = one_of(parts_.kinds);
    const TimeBase base = one_of(parts_.bases);
    const std::size_t tracks = parts_.one_track ? 1 : 1 + random_() % 4;
    for (std::size_t i = 0; i < tracks; ++i)
        declare_track(mixed ? one_of(parts_.kinds) : only, mixed && chance(other_base) ? one_of(parts_.bases) : base,
                      i);
    Tick time = parts_.hostile && chance(8) ? one_of(late_times) : 0;
    // The flux reader learns the time base of a signal from its first sample.
    for (TrackId id = 0; parts_.flux_arrays && id < tracks; ++id)
        append_record(id, time);
    const bool ordered = parts_.time_ordered || parts_.recorded || !chance(5);
    for (std::uint64_t left = random_() % 30; left != 0; --left) {
        const auto later = static_cast<Tick>(step() * (random_() % 3));
        time = ordered ? time + later : static_cast<Tick>(random_() % 50);
        append_record(static_cast<TrackId>(random_() % schema_.tracks().size()), time);
    }
}

Bytes RandomModel::file() const {
    Bytes bytes;
    const auto output = open_memory_output("model", [&](Bytes all) { bytes = std::move(all); });
    const Settings settings;
    Losses losses;
    const auto writer = find_format(formats(), "jsonl")->create(*output, schema_, settings, losses);
    writer->write(batch_);
    writer->finish();
    output->commit();
    return bytes;
}

std::string RandomModel::word() {
    constexpr std::array<std::string_view, 6> words{"", "a", "core 0", "\xC3\xA4", "x.y", "quote\"\n"};
    constexpr std::array<std::string_view, 6> strange{"\x1B[31mred", "tab\t\r\n", std::string_view("nul\0nul", 7),
                                                      "\xFF\xFE",    "\x7F\x01",  " a "};
    if (parts_.hostile && chance(3)) return std::string(strange[random_() % strange.size()]);
    return std::string(words[random_() % words.size()]);
}

std::uint64_t RandomModel::number() {
    if (parts_.hostile && chance(3)) return one_of(extremes);
    return random_() >> (random_() % 64);
}

std::string RandomModel::name_of(std::string_view kind, std::size_t index) {
    return std::string(kind) + std::to_string(parts_.hostile ? random_() % 2 : index);
}

// --- the schema ----------------------------------------------------------------------------------------------------

void RandomModel::declare_scopes() {
    for (std::size_t i = 0; i < parts_.scopes.size(); ++i)
        schema_.declare(Scope{parts_.scopes[i], i == 0 ? none : static_cast<ScopeId>(i - 1), {}, none});
    if (parts_.bare) return;
    if (chance(2)) schema_.declare(Clock{"clk", 1 + random_() % 5000});
    if (chance(2)) declare_enums();
    const bool numbered = parts_.hostile && chance(2);
    std::uint64_t next_scope = 0;
    for (std::uint64_t i = 0; i < 1 + random_() % 3; ++i) {
        const ScopeId parent = i == 0 || (!parts_.one_root && chance(3)) ? none : static_cast<ScopeId>(random_() % i);
        const ClockId clock = schema_.clocks().empty() || chance(2) ? none : 0;
        Scope scope{name_of("scope", i), parent, {}, clock};
        if (numbered) scope.native_id = next_scope += step();
        schema_.declare(std::move(scope));
    }
    for (std::uint64_t i = 0; i < random_() % 3; ++i)
        schema_.describe("fact" + std::to_string(i), word());
}

void RandomModel::declare_enums() {
    for (std::uint64_t more = parts_.hostile ? 1 + random_() % 3 : 1; more != 0; --more) {
        Enum states{"state", {}};
        if (!parts_.hostile) {
            for (std::uint64_t i = 0; i < 1 + random_() % 4; ++i)
                states.values.push_back({i, "s" + std::to_string(i)});
        } else if (chance(5)) {
            for (std::uint64_t i = 0; i < 300; ++i)
                states.values.push_back({i, "s" + std::to_string(i)});
        } else {
            // Namesakes give the same value different labels.
            const std::uint64_t first = one_of(extremes);
            for (std::uint64_t i = 0; i < 1 + random_() % 4; ++i)
                states.values.push_back({first + i * step(), "s" + std::to_string(i + more)});
        }
        schema_.declare(std::move(states));
    }
}

void RandomModel::declare_flux_scopes() {
    schema_.declare(Scope{word(), none, {}, none, 0});
    schema_.declare(Scope{word(), 0, {}, none, next_track_ = step()});
    schema_.describe("flux.0.version", "6");
    schema_.describe("flux.0.open.0.domain", "ps");
}

/// Declares a signal with the metadata that the flux reader makes for it.
void RandomModel::declare_flux_signal(TimeBase base) {
    const bool is_array = chance(2);
    const Type type = one_of(parts_.types);
    Track track = make_track(Track::Kind::signal, static_cast<ScopeId>(random_() % 2), name_of("track", next_track_),
                             base, {Field{"value", type}});
    track.fields.back().repeated = is_array;
    track.native_id = next_track_ += step();
    schema_.declare(std::move(track));
    const std::string item = "flux.0." + std::to_string(next_track_);
    const std::string_view element = type == Type::i64 ? "integer" : "text";
    schema_.describe(item + ".type", std::string(element) + (is_array ? " array" : ""));
    for (std::uint64_t i = 0; is_array && i < random_() % 4; ++i)
        schema_.describe(item + ".index." + std::to_string(i * step()), word());
}

Field RandomModel::random_field(std::size_t index, Track::Kind of) {
    Field field{name_of("f", index), one_of(parts_.types)};
    if (field.type == Type::enumeration && schema_.enums().empty()) field.type = Type::u8;
    if (field.type == Type::enumeration)
        field.enumeration = parts_.hostile ? static_cast<EnumId>(random_() % schema_.enums().size()) : 0;
    if (of == Track::Kind::storage && holds_text(field.type)) field.type = Type::u32;
    const bool has_phase = of == Track::Kind::stream && (parts_.recorded || chance(2));
    if (has_phase) field.phase = static_cast<Phase>(1 + random_() % 3);
    return field;
}

void RandomModel::declare_track(Track::Kind kind, TimeBase base, std::size_t index) {
    if (parts_.flux_arrays) return declare_flux_signal(base);
    const std::size_t scopes = schema_.scopes().size();
    const auto scope = static_cast<ScopeId>(parts_.scopes.empty() ? random_() % scopes : scopes - 1);
    std::string name = index == 0 && !parts_.track.empty() ? parts_.track : name_of("track", index);
    if (kind == Track::Kind::native) name = one_of(parts_.own_tracks) + std::to_string(index);
    Track track = make_track(kind, scope, name, kind == Track::Kind::hart ? ordinals : base);
    if (kind == Track::Kind::relation_type)
        track.fields = {Field{std::string(names::relation_from), Type::u64},
                        Field{std::string(names::relation_to), Type::u64}};
    if (kind == Track::Kind::stream && (parts_.recorded || (!parts_.types.empty() && chance(2))))
        track.fields = {Field{std::string(names::interval_id), Type::u64}};
    const bool has_fields =
        !parts_.types.empty() && kind != Track::Kind::notes && kind != Track::Kind::hart && kind != Track::Kind::native;
    const bool has_more = kind != Track::Kind::relation_type || chance(3);
    for (std::uint64_t i = 0; has_fields && has_more && i < 1 + random_() % 3; ++i)
        track.fields.push_back(random_field(i, kind));
    // The last field may be repeated: as rows of events, as repeated attributes, or as an array.
    const bool may_repeat =
        parts_.lists && (kind == Track::Kind::event_type || kind == Track::Kind::stream || kind == Track::Kind::signal);
    if (may_repeat && !track.fields.empty() && track.fields.back().name != names::interval_id && chance(4))
        track.fields.back().repeated = true;
    if (kind == Track::Kind::storage) {
        track.slots = 1 + static_cast<std::uint32_t>(random_() % 8);
        track.sparse = chance(2);
    }
    if (parts_.hostile && chance(3)) track.native_id = next_track_ += step();
    schema_.declare(std::move(track));
}

// --- the records ---------------------------------------------------------------------------------------------------

std::uint64_t RandomModel::cell(const Field& field) {
    const std::uint64_t bits = number();
    switch (field.type) {
        case Type::u8:
            return bits & 0xFF;
        case Type::u16:
            return bits & 0xFFFF;
        case Type::u32:
        case Type::f32:
            return bits & 0xFFFF'FFFF;
        case Type::i8:
            return static_cast<std::uint64_t>(static_cast<std::int8_t>(bits));
        case Type::i16:
            return static_cast<std::uint64_t>(static_cast<std::int16_t>(bits));
        case Type::i32:
            return static_cast<std::uint64_t>(static_cast<std::int32_t>(bits));
        case Type::boolean:
            // Booleans other than 0 and 1 occur in hostile models only.
            return parts_.hostile && chance(6) ? bits & 0xFF : bits & 1;
        case Type::enumeration: {
            const auto& labels = schema_.enums()[field.enumeration].values;
            // Numbers without a label occur in hostile models only.
            if (parts_.hostile && chance(6)) return bits;
            return labels[bits % labels.size()].value;
        }
        case Type::text:
        case Type::label:
        case Type::blob:
            return schema_.intern(word());
        case Type::bits:
            return schema_.intern(chance(2) ? "0101" : "1");
        case Type::logic:
            return schema_.intern(chance(2) ? "01XZ" : "X");
        case Type::u64:
        case Type::i64:
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
        case Type::pointer:
        case Type::time:
            break;
    }
    return bits;
}

void RandomModel::append_instruction(TrackId id) {
    const std::uint64_t pc = next_pc_;
    const bool small = chance(3);
    if (chance(2))
        batch_.operand(static_cast<std::uint16_t>(random_() % 32), RegisterClass::integer, OperandRole::source,
                       number());
    if (chance(3)) batch_.access(number(), 8, 0, chance(2) ? AccessType::read : AccessType::write);
    Instruction& made = batch_.instruction(id, static_cast<Tick>(instructions_), pc);
    instructions_ += step();
    made.size = small ? 2 : 4;
    made.encoding = small ? (number() & 0xFFFC) | 1 : (number() & 0xFFFF'FFE0) | 0x13;
    next_pc_ = pc + made.size;
    if (chance(4)) {
        made.has_target = true;
        made.target = next_pc_ = number() & ~std::uint64_t{1};
    }
}

void RandomModel::append_operation(TrackId id, Tick time) {
    const Track& track = schema_.tracks()[id];
    const auto slot = static_cast<std::uint32_t>(random_() % track.slots);
    const auto field = static_cast<std::uint16_t>(random_() % track.fields.size());
    if (track.sparse && chance(4))
        batch_.clear_slot(id, time, slot);
    else if (chance(4) && track.fields[field].type != Type::enumeration)
        batch_.add(id, time, slot, field, number() & 0xFF);
    else
        batch_.set(id, time, slot, field, cell(track.fields[field]));
}

/// Makes the values of a signal or the attributes of a stream. An interval always has its id.
void RandomModel::append_values(TrackId id, Tick time) {
    const Track& track = schema_.tracks()[id];
    std::vector<Attribute> values;
    for (std::uint32_t field = 0; field < track.fields.size(); ++field) {
        if (track.fields[field].name == names::interval_id)
            values.push_back({field, std::exchange(next_interval_, next_interval_ + step())});
        else
            for (std::uint64_t left = track.fields[field].repeated ? random_() % 4
                                      : chance(3)                  ? 0
                                                                   : 1;
                 left != 0; --left)
                values.push_back({field, cell(track.fields[field])});
    }
    if (track.kind == Track::Kind::signal) {
        batch_.change(id, time, values).flags = values.empty() ? record_no_value : 0;
        return;
    }
    const std::uint64_t duration = parts_.hostile && !parts_.recorded && chance(20) ? number() : random_() % 20;
    const Tick begin = parts_.recorded ? std::max<Tick>(time - static_cast<Tick>(duration), 0) : time;
    batch_.interval(id, begin, parts_.recorded ? static_cast<std::uint64_t>(time - begin) : duration, values);
}

void RandomModel::append_relation(TrackId id, Tick time) {
    const Track& track = schema_.tracks()[id];
    std::vector<std::uint64_t> cells;
    for (const Field& field : track.fields) {
        const bool is_end = cells.size() < 2;
        cells.push_back(is_end && chance(2) ? 1 + random_() % next_interval_ : cell(field));
    }
    batch_.relation(id, time, cells);
}

void RandomModel::append_record(TrackId id, Tick time) {
    const Track& track = schema_.tracks()[id];
    switch (track.kind) {
        case Track::Kind::event_type: {
            std::vector<std::uint64_t> cells;
            for (const Field& field : track.fields)
                for (std::uint64_t left = field.repeated ? random_() % 4 : 1; left != 0; --left)
                    cells.push_back(cell(field));
            batch_.event(id, time, cells);
            break;
        }
        case Track::Kind::storage:
            append_operation(id, time);
            break;
        case Track::Kind::signal:
        case Track::Kind::stream:
            append_values(id, time);
            break;
        case Track::Kind::notes:
            batch_.note(id, time, word());
            break;
        case Track::Kind::hart:
            append_instruction(id);
            break;
        case Track::Kind::relation_type:
            append_relation(id, time);
            break;
        case Track::Kind::native: {
            const std::string bytes = word();
            batch_.native(id, time, std::as_bytes(std::span(bytes)));
            break;
        }
    }
}

}  // namespace hwtrace::test

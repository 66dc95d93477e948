// Models made at random, in lines of JSON: all of it comes back.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>

#include "formats.hpp"
#include "io/output.hpp"
#include "laws/law_support.hpp"
#include "model/conventions.hpp"
#include "pipeline/verify.hpp"

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

namespace names = conventions;

constexpr std::uint64_t first_seed = 1, models = 10'000;

/// A few scopes and tracks, and records of them. Every kind of record, type of field and base of time occurs; about
/// half of the models hold only what one kind of tool would record.
class RandomModel {
public:
    explicit RandomModel(std::uint64_t seed) : random_(seed) {
        declare_scopes();
        const bool mixed = chance(2);
        const Track::Kind only = random_kind();
        const TimeBase base = random_base();
        const std::size_t tracks = 1 + random_() % 4;
        for (std::size_t i = 0; i < tracks; ++i)
            declare_track(mixed ? random_kind() : only, mixed && chance(3) ? random_base() : base, i);
        Tick time = 0;
        const bool ordered = !chance(5);
        for (std::uint64_t left = random_() % 30; left != 0; --left) {
            time = ordered ? time + static_cast<Tick>(random_() % 3) : static_cast<Tick>(random_() % 50);
            put_record(static_cast<TrackId>(random_() % schema_.tracks().size()), time);
        }
    }

    /// As a file of lines.
    Bytes file() const {
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

private:
    bool chance(std::uint64_t of) { return random_() % of == 0; }
    std::uint64_t number() { return random_() >> (random_() % 64); }
    std::string word() {
        constexpr std::array<std::string_view, 6> words{"", "a", "core 0", "\xC3\xA4", "x.y", "quote\"\n"};
        return std::string(words[random_() % words.size()]);
    }

    void declare_scopes() {
        if (chance(2)) schema_.declare(Clock{"clk", 1 + random_() % 5000});
        if (chance(2)) {
            Enum states{"state", {}};
            for (std::uint64_t i = 0; i < 1 + random_() % 4; ++i)
                states.values.push_back({i, "s" + std::to_string(i)});
            schema_.declare(std::move(states));
        }
        for (std::uint64_t i = 0; i < 1 + random_() % 3; ++i) {
            const ScopeId parent = i == 0 || chance(3) ? none : static_cast<ScopeId>(random_() % i);
            const ClockId clock = schema_.clocks().empty() || chance(2) ? none : 0;
            schema_.declare(Scope{"scope" + std::to_string(i), parent, {}, clock});
        }
        for (std::uint64_t i = 0; i < random_() % 3; ++i)
            schema_.describe("fact" + std::to_string(i), word());
    }

    Track::Kind random_kind() {
        constexpr std::array kinds{Track::Kind::event_type, Track::Kind::storage, Track::Kind::signal,
                                   Track::Kind::stream,     Track::Kind::notes,   Track::Kind::hart};
        return kinds[random_() % kinds.size()];
    }
    TimeBase random_base() {
        constexpr std::array bases{picoseconds, TimeBase{TimeBase::Kind::seconds, 1, 1'000'000'000},
                                   TimeBase{TimeBase::Kind::cycles, 1, 1'000'000'000},
                                   TimeBase{TimeBase::Kind::cycles, 1, 0}, ordinals};
        return bases[random_() % bases.size()];
    }
    Field random_field(std::size_t index, bool storage) {
        constexpr std::array types{Type::u8,  Type::u16, Type::u32,     Type::u64,         Type::i8,   Type::i16,
                                   Type::i64, Type::f64, Type::boolean, Type::enumeration, Type::text, Type::pointer};
        Field field{"f" + std::to_string(index), types[random_() % types.size()]};
        if (field.type == Type::enumeration && schema_.enums().empty()) field.type = Type::u8;
        if (field.type == Type::enumeration) field.enumeration = 0;
        if (storage && field.type == Type::text) field.type = Type::u32;
        return field;
    }
    void declare_track(Track::Kind kind, TimeBase base, std::size_t index) {
        const auto scope = static_cast<ScopeId>(random_() % schema_.scopes().size());
        Track track = make_track(kind, scope, "track" + std::to_string(index), base);
        if (kind == Track::Kind::hart) track.time = ordinals;
        const bool has_fields = kind != Track::Kind::notes && kind != Track::Kind::hart;
        for (std::uint64_t i = 0; has_fields && i < 1 + random_() % 3; ++i)
            track.fields.push_back(random_field(i, kind == Track::Kind::storage));
        if (kind == Track::Kind::storage) {
            track.slots = 1 + static_cast<std::uint32_t>(random_() % 8);
            track.sparse = chance(2);
        }
        schema_.declare(std::move(track));
    }

    std::uint64_t cell(const Field& field) {
        const std::uint64_t bits = number();
        switch (field.type) {
            case Type::u8:
                return bits & 0xFF;
            case Type::u16:
                return bits & 0xFFFF;
            case Type::u32:
                return bits & 0xFFFF'FFFF;
            case Type::i8:
                return static_cast<std::uint64_t>(static_cast<std::int8_t>(bits));
            case Type::i16:
                return static_cast<std::uint64_t>(static_cast<std::int16_t>(bits));
            case Type::boolean:
                return bits & 1;
            case Type::enumeration:
                return bits % schema_.enums()[field.enumeration].values.size();
            case Type::text:
                return schema_.intern(word());
            default:
                return bits;
        }
    }
    void put_instruction(TrackId id) {
        const std::uint64_t pc = next_pc_;
        const bool small = chance(3);
        if (chance(2))
            batch_.operand(static_cast<std::uint16_t>(random_() % 32), RegisterClass::integer, OperandRole::source,
                           number());
        if (chance(3)) batch_.access(number(), 8, 0, chance(2) ? AccessType::read : AccessType::write);
        Instruction& made = batch_.instruction(id, static_cast<Tick>(instructions_++), pc);
        made.size = small ? 2 : 4;
        made.encoding = small ? (number() & 0xFFFC) | 1 : (number() & 0xFFFF'FFE0) | 0x13;
        next_pc_ = pc + made.size;
        if (chance(4)) {
            made.has_target = true;
            made.target = next_pc_ = number() & ~std::uint64_t{1};
        }
    }
    void put_record(TrackId id, Tick time) {
        const Track& track = schema_.tracks()[id];
        switch (track.kind) {
            case Track::Kind::event_type: {
                std::vector<std::uint64_t> cells;
                for (const Field& field : track.fields)
                    cells.push_back(cell(field));
                batch_.event(id, time, cells);
                break;
            }
            case Track::Kind::storage: {
                const auto slot = static_cast<std::uint32_t>(random_() % track.slots);
                const auto field = static_cast<std::uint16_t>(random_() % track.fields.size());
                if (track.sparse && chance(4))
                    batch_.clear_slot(id, time, slot);
                else if (chance(4) && track.fields[field].type != Type::enumeration)
                    batch_.add(id, time, slot, field, number() & 0xFF);
                else
                    batch_.set(id, time, slot, field, cell(track.fields[field]));
                break;
            }
            case Track::Kind::signal:
            case Track::Kind::stream: {
                std::vector<Attribute> values;
                for (std::uint32_t field = 0; field < track.fields.size(); ++field)
                    if (!chance(3)) values.push_back({field, cell(track.fields[field])});
                if (track.kind == Track::Kind::stream)
                    batch_.interval(id, time, random_() % 20, values);
                else
                    batch_.change(id, time, values).flags = values.empty() ? record_no_value : 0;
                break;
            }
            case Track::Kind::notes:
                batch_.note(id, time, word());
                break;
            case Track::Kind::hart:
                put_instruction(id);
                break;
            case Track::Kind::relation_type:
            case Track::Kind::native:
                break;
        }
    }

    std::mt19937_64 random_;
    Schema schema_;
    Batch batch_;
    std::uint64_t next_pc_ = 0x1000, instructions_ = 0;
};

}  // namespace

TEST_CASE("10,000 random models come back from lines of JSON as they were, and in the same bytes") {
    const Format& lines = *find_format(formats(), "jsonl");
    for (std::uint64_t seed = first_seed; seed < first_seed + models; ++seed) {
        CAPTURE(seed);
        const Bytes file = RandomModel(seed).file();
        const Choices choices;
        const Rewritten there = convert_bytes(file, lines, lines, choices);
        CHECK(there.losses.none());
        CHECK(there.bytes == file);
        CHECK(read_story(file, lines, CheckLevel::full).silent());
        Input source = Input::memory("model", file), output = Input::memory("output", there.bytes);
        CHECK_FALSE(verify_conversion(source, lines, output, lines, choices).has_value());
    }
    MESSAGE("seeds " << first_seed << " to " << first_seed + models - 1);
}

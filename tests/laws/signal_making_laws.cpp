// Laws of SignalMaking: records of any kind become signals for targets that hold only signals, and are restored.
#include <doctest/doctest.h>

#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "convert/verify.hpp"
#include "domain/conventions.hpp"
#include "formats.hpp"
#include "io/output.hpp"
#include "laws/law_support.hpp"

namespace signal_making_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// Random signals of any type as JSON lines: scalars, arrays and structures, some with equal names.
class RandomSignals {
public:
    explicit RandomSignals(std::uint64_t seed) : random_(seed) {
        schema_.declare(Enum{"state", {{0, "idle"}, {3, "busy"}}});
        for (std::uint64_t scope = 0; scope < 1 + random_() % 3; ++scope)
            schema_.declare(Scope{"scope" + std::to_string(scope), none, {}});
        for (std::uint64_t track = 0; track < 1 + random_() % 4; ++track)
            declare(track);
        Tick time = 0;
        for (std::uint64_t left = random_() % 20; left != 0; --left) {
            time += static_cast<Tick>(random_() % 3);
            change(static_cast<TrackId>(random_() % schema_.tracks().size()), time);
        }
    }
    Bytes file() {
        Bytes bytes;
        const auto output = open_memory_output("signals", [&](Bytes all) { bytes = std::move(all); });
        Losses losses;
        const Settings plain;
        const auto writer = find_format(formats(), "jsonl")->create(*output, schema_, plain, losses);
        writer->write(batch_);
        writer->finish();
        output->commit();
        return bytes;
    }

private:
    bool chance(std::uint64_t of) { return random_() % of == 0; }

    void declare(std::uint64_t number) {
        constexpr std::array types{Type::u8,          Type::u16,   Type::u32,  Type::u64,     Type::i8,
                                   Type::i16,         Type::i32,   Type::i64,  Type::f32,     Type::f64,
                                   Type::boolean,     Type::text,  Type::bits, Type::pointer, Type::fixed,
                                   Type::enumeration, Type::label, Type::time, Type::blob,    Type::logic};
        const TimeBase base = chance(3) ? TimeBase{TimeBase::Kind::cycles, 1, 400'000'000} : ordinals;
        Track track = make_track(Track::Kind::signal, static_cast<ScopeId>(random_() % schema_.scopes().size()),
                                 "signal" + std::to_string(number), base);
        const bool is_single = chance(2), repeats = chance(4);
        const std::array<std::string, 4> names{"value", "raw.5", "3", "value"};
        for (std::size_t i = 0; i < (is_single ? 1 : 1 + random_() % names.size()); ++i) {
            Field field{names[i], types[random_() % types.size()]};
            field.repeated = repeats;
            if (field.type == Type::enumeration) field.enumeration = 0;
            const bool is_number = field.type <= Type::i64;
            if (is_number && chance(3)) field.width = static_cast<std::uint8_t>(1 + random_() % 64);
            if (field.type == Type::logic && chance(2)) field.width = 5;
            track.fields.push_back(std::move(field));
        }
        schema_.declare(std::move(track));
    }

    std::uint64_t cell(const Field& field) {
        const std::uint64_t bits = random_() >> (random_() % 64);
        switch (field.type) {
            case Type::u8:
            case Type::u16:
            case Type::u32:
            case Type::u64: {
                const unsigned size = field.type == Type::u8    ? 8
                                      : field.type == Type::u16 ? 16
                                      : field.type == Type::u32 ? 32
                                                                : 64;
                const unsigned width = field.width == 0 ? size : std::min<unsigned>(size, field.width);
                return bits & (~std::uint64_t{0} >> (64 - width));
            }
            case Type::i8:
                return static_cast<std::uint64_t>(static_cast<std::int8_t>(bits));
            case Type::i16:
                return static_cast<std::uint64_t>(static_cast<std::int16_t>(bits));
            case Type::i32:
                return static_cast<std::uint64_t>(static_cast<std::int32_t>(bits));
            case Type::f32:
                return bits & 0xFFFF'FFFF;
            case Type::boolean:
                return bits & 1;
            case Type::text:
            case Type::label:
            case Type::blob:
                return schema_.intern(std::string(bits % 4, 't'));
            case Type::bits:
                return schema_.intern(bits % 2 == 0 ? "0110" : "1");
            case Type::logic:
                return schema_.intern(bits % 3 == 0 ? "01XZ-" : bits % 3 == 1 ? "00000" : "11010");
            default:
                return bits;
        }
    }

    void change(TrackId id, Tick time) {
        const Track& track = schema_.tracks()[id];
        const bool is_single = track.fields.size() == 1;
        std::vector<Attribute> values;
        for (std::uint32_t field = 0; field < track.fields.size(); ++field) {
            if (!is_single && chance(3)) continue;
            const std::uint64_t times = track.fields[field].repeated ? random_() % 4 : 1;
            for (std::uint64_t i = 0; i < times; ++i)
                values.push_back({field, cell(track.fields[field])});
        }
        const bool has_value = !chance(6);
        batch_
            .change(id, time, has_value ? std::span<const Attribute>(values) : std::span<const Attribute>(),
                    random_() % 4)
            .flags = has_value ? 0 : record_no_value;
    }

    std::mt19937_64 random_;
    Schema schema_;
    Batch batch_;
};

}  // namespace

TEST_CASE("signals of all types are restored from flux, and the flux file is valid") {
    const Format& flux = *find_format(formats(), "flux");
    const Format& lines = *find_format(formats(), "jsonl");
    const std::uint64_t models = share_of(1000);
    for (std::uint64_t seed = 1; seed <= models; ++seed) {
        CAPTURE(seed);
        const Bytes file = RandomSignals(seed).file();
        const Rewritten there = convert_bytes(file, lines, flux);
        CHECK(there.unexpected() == std::vector<std::string>{});
        CHECK(there.losses.none());
        CHECK(read_story(there.bytes, flux, CheckLevel::full).good());
        Input source = Input::memory("signals", file), output = Input::memory("output", there.bytes);
        const auto difference = verify_conversion(source, lines, output, flux, {});
        CHECK_FALSE(difference.has_value());
        if (difference) CHECK(difference->expected == difference->got);
    }
}

TEST_CASE("signals of all types with one time base are restored from the event names of pccx") {
    const Format& pccx = *find_format(formats(), "pccx");
    const Format& lines = *find_format(formats(), "jsonl");
    const std::uint64_t models = share_of(1000);
    std::size_t whole = 0;
    for (std::uint64_t seed = 1; seed <= models; ++seed) {
        CAPTURE(seed);
        const Bytes file = RandomSignals(seed).file();
        const Rewritten there = convert_bytes(file, lines, pccx);
        CHECK(there.unexpected() == std::vector<std::string>{});
        CHECK(read_story(there.bytes, pccx, CheckLevel::full).good());
        if (!there.losses.none()) continue;
        ++whole;
        Input source = Input::memory("signals", file), output = Input::memory("output", there.bytes);
        const auto difference = verify_conversion(source, lines, output, pccx, {});
        CHECK_FALSE(difference.has_value());
        if (difference) CHECK(difference->expected == difference->got);
    }
    CHECK(whole > models / 4);
    MESSAGE(whole << " of " << models << " whole");
}

TEST_CASE("every trace is restored from flux without loss, and becomes the same file as when rewritten in its format") {
    const Format& flux = *find_format(formats(), "flux");
    std::map<std::string_view, std::size_t> checked, same_file;
    for (const Sample& sample : good_samples()) {
        if (sample.format == &flux) continue;
        CAPTURE(sample.name);
        const Rewritten there = convert_bytes(sample.content.bytes, *sample.format, flux);
        CHECK(there.unexpected() == std::vector<std::string>{});
        const bool has_domain = !sample.name.ends_with("timescale_-16.ftr");  // flux has no unit that is this short
        CHECK(there.losses.none() == has_domain);
        CHECK(there.losses.assumptions().empty());
        const Story made = read_story(there.bytes, flux, CheckLevel::full);
        CHECK(made.good());
        if (made.schema.find(" fields=pc:i64") != std::string::npos)  // the field tells viewers how to show the signal
            CHECK(made.schema.find("member_descriptor.pc\" = \"default<df=Hex>\"") != std::string::npos);
        const Rewritten back = convert_bytes(there.bytes, flux, *sample.format, raised_choices(*sample.format, {}));
        CHECK(back.losses.none());
        const Bytes own = convert_bytes(sample.content.bytes, *sample.format, *sample.format).bytes;
        const Story returned = read_story(back.bytes, *sample.format), original = read_story(own, *sample.format);
        CHECK(difference(original.schema, returned.schema) == "");
        CHECK(difference(original.records, returned.records) == "");
        ++checked[sample.format->name];
        same_file[sample.format->name] += back.bytes == own;
    }
    for (const std::string_view name : {"stf", "pccx", "kanata", "txlog"})
        CHECK(same_file[name] == checked[name]);
    CHECK(same_file["uscope"] >= at_least(2));  // the other files have strings that are never used
    CHECK(checked["stf"] >= at_least(5));
    CHECK(checked.size() >= at_least(6));
}

TEST_CASE("slicing a trace gives the same slice before, during and after conversion to flux") {
    const Format& flux = *find_format(formats(), "flux");
    std::size_t checked = 0;
    for (const Sample& sample : good_samples()) {
        const Format& format = *sample.format;
        if (&format == &flux || sample.content.bytes.size() > 20'000) continue;
        CAPTURE(sample.name);
        const Bytes own = convert_bytes(sample.content.bytes, format, format).bytes;
        const Bytes whole = convert_bytes(own, format, flux).bytes;
        Choices part = raised_choices(format, {});
        part.range = Range{Range::Unit::record, 3, 20};
        Bytes expected;
        try {
            expected = convert_bytes(own, format, format, part).bytes;
        } catch (const Error&) {
            continue;  // the trace has several harts, or the format cannot be sliced
        }
        const Story wanted = read_story(expected, format);
        if (wanted.schema.find(conventions::lowered) != std::string::npos) continue;  // raising changes the positions
        const Story raised = read_story(convert_bytes(whole, flux, format, part).bytes, format);
        CHECK(difference(wanted.records, raised.records) == "");
        const Bytes cut = convert_bytes(whole, flux, flux, part).bytes;
        const Story returned = read_story(convert_bytes(cut, flux, format, raised_choices(format, {})).bytes, format);
        CHECK(difference(wanted.records, returned.records) == "");
        if (format.reads.schema_upfront) CHECK(difference(wanted.schema, returned.schema) == "");
        ++checked;
    }
    CHECK(checked >= at_least(20));
}

}  // namespace signal_making_laws

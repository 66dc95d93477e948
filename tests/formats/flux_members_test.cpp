// A law of struct members: random definitions with equal labels, dots in labels, structs in structs, labels of values
// and members without elements state the same after reading and writing. The view of the entries decides, not the
// model.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "flux/encode.hpp"
#include "formats/flux_support.hpp"
#include "io/appender.hpp"

namespace flux_members_test {

using namespace hwtrace;
using namespace hwtrace::test;
using flux::MemberType;
using flux::Tag;

namespace {

using Bytes = std::vector<std::byte>;
using Lines = std::vector<std::string>;

struct Member {
    std::uint64_t number = 0, parent = 0;  ///< `parent`: the number of the enclosing struct + 1
    MemberType type = MemberType::unknown;
};

/// Appends a HEAD, the struct `item` and an OPEN.
void append_struct(Appender& out, std::uint64_t item) {
    flux::append_tag(out, Tag::head);
    out.text("flux");
    out.le(flux::version_6);
    out.leb128(0);
    flux::append_text(out, "t");
    flux::append_text(out, "");
    out.le(std::uint8_t{0});
    out.leb128(item);
    out.leb128(std::uint64_t{4} << 20);
    flux::append_tag(out, Tag::signal);
    out.leb128(item);
    out.leb128(0);
    flux::append_text(out, "s");
    flux::append_text(out, "");
    out.le(static_cast<std::uint8_t>(flux::SignalType::structure));
    flux::append_text(out, "");
    flux::append_tag(out, Tag::open);
    out.leb128(0);
    flux::append_text(out, "ns");
    flux::append_signed(out, 0);
    flux::append_unsigned(out, 0);
}

void append_member(Appender& out, std::uint64_t item, const Member& member, std::string_view label,
                   std::string_view descriptor = {}) {
    flux::append_tag(out, Tag::member);
    out.leb128(item);
    out.leb128(member.number);
    out.leb128(member.parent);
    flux::append_text(out, label);
    out.le(static_cast<std::uint8_t>(member.type));
    flux::append_text(out, descriptor);
}

Bytes bytes_of(const Appender& out) {
    return {out.span().begin(), out.span().end()};
}

/// Makes streams with one struct. All numbers have their shortest form, as the writer stores them.
class RandomStream {
public:
    explicit RandomStream(std::uint64_t seed) : random_(seed) {}

    Bytes make() {
        append_struct(out_, item);
        define();
        for (std::uint64_t at = 0; at < 6; ++at)
            sample();
        flux::append_tag(out_, Tag::close);
        out_.leb128(0);
        flux::append_signed(out_, 100);
        return bytes_of(out_);
    }

private:
    static constexpr std::uint64_t item = 1;

    std::uint64_t below(std::uint64_t count) { return random_() % count; }
    template <typename T, std::size_t count>
    T one_of(const std::array<T, count>& all) {
        return all[below(count)];
    }

    void define() {
        constexpr std::array<std::string_view, 6> labels{"a", "b", "a.b", "a#1", "b.empty", "a.b.a"};
        constexpr std::array types{
            MemberType::text,      MemberType::own_enumeration,   MemberType::integer,       MemberType::floating,
            MemberType::binary,    MemberType::enumeration_array, MemberType::integer_array, MemberType::floating_array,
            MemberType::structure, MemberType::text_array,        MemberType::structure};
        std::uint64_t number = 0;
        for (std::uint64_t left = 2 + below(9); left > 0; --left) {
            Member& member = members_.emplace_back();
            member.number = number;
            number += 1 + (below(4) == 0 ? below(300) : 0);
            member.type = one_of(types);
            for (const Member& outer : members_)
                if (outer.type == MemberType::structure && outer.number != member.number && below(2) == 0)
                    member.parent = outer.number + 1;
            if (below(8) == 0) member.parent = 100'000 + below(3);  // no member has this number
            append_member(out_, item, member, one_of(labels), below(3) == 0 ? "default<df=Hex>" : "");
        }
        for (const Member& member : members_) {
            if (below(2) == 0) continue;
            for (std::uint64_t value = 0; value < 2000; value += 1 + below(1000)) {
                flux::append_tag(out_, Tag::enumeration);
                out_.leb128(item);
                out_.leb128(flux::of_member + member.number);
                flux::append_text(out_, "v" + std::to_string(value));
                out_.leb128(value);
            }
        }
    }

    void sample() {
        Appender value;
        members_in(0, value);
        out_.leb128(item << flux::item_shift | flux::flag_delta);
        out_.leb128(1);
        out_.leb128(value.size() << flux::size_shift | static_cast<unsigned>(flux::Nibble::value));
        out_.bytes(value.span());
    }

    void members_in(std::uint64_t parent, Appender& out) {
        for (const Member& member : members_) {
            if (member.parent != parent || below(4) == 0) continue;
            Appender bytes;
            const std::uint8_t width = content(member, bytes);
            out.leb128(member.number);
            out.le(static_cast<std::uint8_t>(static_cast<std::uint8_t>(member.type) | width << 4));
            out.leb128(bytes.size());
            out.bytes(bytes.span());
        }
    }

    /// Appends the content of a member. Returns the element width of an array.
    std::uint8_t content(const Member& member, Appender& out) {
        constexpr std::uint8_t width_32 = 1, width_64 = 2;
        const std::uint64_t count = below(4);
        switch (member.type) {
            case MemberType::text:
            case MemberType::binary:
                out.text(std::string(count, 'x'));
                return 0;
            case MemberType::own_enumeration:
                natural(out);
                return 0;
            case MemberType::integer:
                number(out);
                return 0;
            case MemberType::floating:
                out.le(random_());
                return 0;
            case MemberType::structure:
                if (count != 0) members_in(member.number + 1, out);
                return 0;
            default:
                break;
        }
        out.leb128(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            Appender element;
            if (member.type == MemberType::floating_array) {
                out.le(random_());
                continue;
            }
            if (member.type == MemberType::enumeration_array)
                natural(element);
            else if (member.type == MemberType::integer_array)
                number(element);
            else
                element.text(std::string(below(3), 'y'));
            out.leb128(element.size());
            out.bytes(element.span());
        }
        if (count == 0) return 0;
        return member.type == MemberType::integer_array    ? width_32
               : member.type == MemberType::floating_array ? width_64
                                                           : std::uint8_t{0};
    }
    void natural(Appender& out) {
        const std::uint64_t value = below(3000);
        flux::append_number(out, value, flux::unsigned_size(value));
    }
    void number(Appender& out) {
        const std::uint64_t value = below(3000) - 1500;
        flux::append_number(out, value, flux::signed_size(value));
    }

    std::mt19937_64 random_;
    Appender out_;
    std::vector<Member> members_;
};

/// Returns what the entries state, without their offsets: definitions sorted, samples in order.
Lines statements(const Bytes& stream) {
    Input input = Input::memory("stream", stream);
    Findings findings;
    TextOutput text(-1);
    for (const View& view : flux_format.views)
        if (view.name == "entries") view.render(input, text, {}, findings);
    CHECK(findings.totals().empty());
    Lines definitions, samples;
    std::istringstream lines{std::string(text.text())};
    for (std::string line; std::getline(lines, line);) {
        line.erase(0, line.find(' ') + 1);
        if (line.starts_with("MEMD") || line.starts_with("ENMD")) definitions.push_back(line);
        if (line.starts_with("sample")) samples.push_back(line);
    }
    std::ranges::sort(definitions);
    definitions.insert(definitions.end(), samples.begin(), samples.end());
    return definitions;
}

}  // namespace

TEST_CASE("random members with equal labels, labels of values and empty members are rewritten unchanged") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        CAPTURE(seed);
        const Bytes stream = RandomStream(seed).make();
        REQUIRE(statements(stream).size() >= 8);  // two members, six samples
        Losses losses;
        const Bytes again = flux_rewritten(stream, losses);
        CHECK(losses.none());
        REQUIRE(statements(again) == statements(stream));
        REQUIRE(FluxReading(again).records == FluxReading(stream).records);
    }
}

TEST_CASE("a struct of 20,000 empty arrays is rewritten unchanged") {
    constexpr std::uint64_t item = 1, many = 20'000;
    Appender out, value;
    append_struct(out, item);
    append_member(out, item, {.type = MemberType::structure}, "in");
    for (std::uint64_t number = 1; number <= many; ++number)
        append_member(out, item, {number, number % 2, MemberType::integer_array}, "m" + std::to_string(number));
    for (std::uint64_t number = 2; number <= many; number += 2) {
        value.leb128(number);
        value.le(static_cast<std::uint8_t>(MemberType::integer_array));
        value.leb128(1);
        value.leb128(0);  // elements
    }
    out.leb128(item << flux::item_shift);
    out.leb128(value.size() << flux::size_shift | static_cast<unsigned>(flux::Nibble::value));
    out.bytes(value.span());
    const Bytes stream = bytes_of(out);
    Losses losses;
    const Bytes again = flux_rewritten(stream, losses);
    CHECK(losses.none());
    CHECK(statements(again) == statements(stream));
}

TEST_CASE("long paths of members count against the limit of the schema") {
    constexpr std::uint64_t item = 1;
    const auto failure = [](const Appender& out) { return FluxReading(bytes_of(out)).failure; };
    SUBCASE("a long label above many members") {
        Appender out;
        append_struct(out, item);
        append_member(out, item, {.type = MemberType::structure}, std::string(1 << 20, 'x'));
        for (std::uint64_t number = 1; number <= 10'000; ++number)
            append_member(out, item, {number, 1, MemberType::integer}, "y");
        CHECK(failure(out) == Failure::limit);
    }
    SUBCASE("a short member whose path is taken again and again") {
        Appender out;
        append_struct(out, item);
        std::string label = "a";
        for (std::uint64_t number = 1; number <= 1'500; ++number, label += "#0")
            append_member(out, item, {number, 0, MemberType::integer}, label);
        for (std::uint64_t times = 0; times < 20'000; ++times)
            append_member(out, item, {0, 0, times % 2 == 0 ? MemberType::text : MemberType::integer}, "a");
        CHECK(failure(out) == Failure::limit);
    }
    SUBCASE("a long label that is declared again and again") {
        Appender out;
        append_struct(out, item);
        append_member(out, item, {0, 0, MemberType::own_enumeration}, "kind");
        const auto append_label = [&](std::uint64_t number, std::string_view label) {
            flux::append_tag(out, Tag::enumeration);
            out.leb128(item);
            out.leb128(flux::of_member);
            flux::append_text(out, label);
            out.leb128(number);
        };
        append_label(0, std::string(1 << 20, 'x'));
        for (std::uint64_t times = 0; times < 2'000; ++times) {
            append_label(1, times % 2 == 0 ? "y" : "z");
            out.leb128(item << flux::item_shift);
            out.leb128(4u << flux::size_shift | static_cast<unsigned>(flux::Nibble::value));
            for (const unsigned byte : {0u, static_cast<unsigned>(MemberType::own_enumeration), 1u, 1u})
                out.le(static_cast<std::uint8_t>(byte));
        }
        CHECK(failure(out) == Failure::limit);
    }
    SUBCASE("20,000 members of one name are no reason to refuse a stream") {
        Appender out;
        append_struct(out, item);
        for (std::uint64_t number = 0; number < 20'000; ++number)
            append_member(out, item, {number, 0, MemberType::integer}, "a");
        CHECK(!failure(out));
    }
}

}  // namespace flux_members_test

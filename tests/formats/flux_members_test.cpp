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

struct RandomMember {
    std::uint64_t number = 0, parent = 0;  ///< `parent`: the number of the enclosing struct + 1
    MemberType type = MemberType::unknown;
};

/// Makes streams with one struct. All numbers have their shortest form, as the writer stores them.
class RandomStream {
public:
    explicit RandomStream(std::uint64_t seed) : random_(seed) {}

    Bytes make() {
        head();
        define();
        for (std::uint64_t at = 0; at < 6; ++at)
            sample();
        flux::append_tag(out_, Tag::close);
        out_.leb128(0);
        flux::append_signed(out_, 100);
        const auto bytes = out_.span();
        return {bytes.begin(), bytes.end()};
    }

private:
    static constexpr std::uint64_t item = 1;

    std::uint64_t below(std::uint64_t count) { return random_() % count; }
    template <typename T, std::size_t count>
    T one_of(const std::array<T, count>& all) {
        return all[below(count)];
    }

    void head() {
        flux::append_tag(out_, Tag::head);
        out_.text("flux");
        out_.le(flux::version_6);
        out_.leb128(0);
        flux::append_text(out_, "t");
        flux::append_text(out_, "");
        out_.le(std::uint8_t{0});
        out_.leb128(item);
        out_.leb128(4096);
        flux::append_tag(out_, Tag::signal);
        out_.leb128(item);
        out_.leb128(0);
        flux::append_text(out_, "s");
        flux::append_text(out_, "");
        out_.le(static_cast<std::uint8_t>(flux::SignalType::structure));
        flux::append_text(out_, "");
        flux::append_tag(out_, Tag::open);
        out_.leb128(0);
        flux::append_text(out_, "ns");
        flux::append_signed(out_, 0);
        flux::append_unsigned(out_, 0);
    }

    void define() {
        constexpr std::array<std::string_view, 6> labels{"a", "b", "a.b", "a#1", "b.empty", "a.b.a"};
        constexpr std::array types{
            MemberType::text,      MemberType::own_enumeration,   MemberType::integer,       MemberType::floating,
            MemberType::binary,    MemberType::enumeration_array, MemberType::integer_array, MemberType::floating_array,
            MemberType::structure, MemberType::text_array,        MemberType::structure};
        std::uint64_t number = 0;
        for (std::uint64_t left = 2 + below(9); left > 0; --left) {
            RandomMember& member = members_.emplace_back();
            member.number = number;
            number += 1 + (below(4) == 0 ? below(300) : 0);
            member.type = one_of(types);
            for (const RandomMember& outer : members_)
                if (outer.type == MemberType::structure && outer.number != member.number && below(2) == 0)
                    member.parent = outer.number + 1;
            flux::append_tag(out_, Tag::member);
            out_.leb128(item);
            out_.leb128(member.number);
            out_.leb128(member.parent);
            flux::append_text(out_, one_of(labels));
            out_.le(static_cast<std::uint8_t>(member.type));
            flux::append_text(out_, below(3) == 0 ? "default<df=Hex>" : "");
        }
        for (const RandomMember& member : members_) {
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
        for (const RandomMember& member : members_) {
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
    std::uint8_t content(const RandomMember& member, Appender& out) {
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
    std::vector<RandomMember> members_;
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

}  // namespace flux_members_test

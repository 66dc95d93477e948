// Tests that lanes (formats/flux/lanes.hpp) deliver what the tolerant scan delivers: the same records, schema and
// findings, for random traces, for every cut, and for changed bytes.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "flux/encode.hpp"
#include "formats/flux_lanes_support.hpp"
#include "io/appender.hpp"
#include "io/compression.hpp"

namespace flux_lanes_test {

using namespace hwtrace;
using namespace hwtrace::flux;
using hwtrace::test::check_lanes;

namespace {

using Bytes = std::vector<std::byte>;

// --- random traces ---

/// Writes a random trace: mostly samples that repeat the form of earlier ones, with a few of everything else between.
class RandomTrace {
    static constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max() - 200;

public:
    RandomTrace(unsigned seed, std::uint8_t version) : random_(seed), version_(version) {}

    Bytes make(std::size_t samples) {
        begin(0);
        for (std::size_t i = 0; i < samples; ++i) {
            if (one_in(60)) between();
            if (one_in(150)) pack();
            const Signal& signal = pick(items_);
            const bool tagged = one_in(40);
            for (std::uint64_t again = one_in(4) ? below(12) : 0; again > 0; --again)
                sample(signal, tagged);
            sample(signal, tagged);
        }
        if (!one_in(4)) {
            append_tag(out_, Tag::close);
            out_.leb128(0);
            append_signed(out_, std::int64_t{1} << 62);
        }
        if (one_in(2)) pack();
        return {out_.span().begin(), out_.span().end()};
    }

private:
    struct Member {
        std::uint64_t number = 0;
        MemberType type{};
        std::uint8_t flags = 0;
        unsigned size = 0;
    };
    struct Signal {
        std::uint64_t id = 0;
        SignalType type{};
        unsigned size = 0;  ///< usual size of a value in bytes
        std::vector<Member> members;
    };

    std::uint64_t below(std::uint64_t limit) {
        return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(random_);
    }
    bool one_in(std::uint64_t count) { return below(count) == 0; }
    template <typename List>
    typename List::const_reference pick(const List& list) {
        return list[static_cast<std::size_t>(below(list.size()))];
    }

    void head(std::uint8_t mode) {
        append_tag(out_, Tag::head);
        out_.text(magic);
        out_.le(version_);
        out_.leb128(0);
        append_text(out_, "random");
        append_text(out_, "");
        out_.le(mode);
        out_.leb128(0);
        out_.leb128(0);
    }

    void begin(std::uint8_t mode) {
        head(mode);
        define(Tag::scope, 1, 0, SignalType::unknown);
        items_.clear();
        for (unsigned i = 0; i < 8; ++i) {
            Signal signal{2 + i * (one_in(3) ? 20u : 1u),
                          static_cast<SignalType>(1 + below(11)),
                          static_cast<unsigned>(below(9)),
                          {}};
            if (one_in(3)) signal.type = SignalType::structure;
            define(one_in(10) ? Tag::scattered : Tag::signal, signal.id, below(2), signal.type);
            for (std::uint64_t m = 1 + below(5); signal.type == SignalType::structure && m > 0; --m)
                signal.members.push_back(member(signal.id));
            items_.push_back(signal);
        }
        open(0);
    }

    void define(Tag tag, std::uint64_t id, std::uint64_t parent, SignalType type) {
        constexpr std::array<std::string_view, 4> widths{"", "default<bits=7>", "default<bits=64>", "default<bits=70>"};
        Entry entry;
        entry.tag = tag;
        entry.item = id;
        entry.parent = parent;
        const std::string name = (tag == Tag::scattered ? "part" : "item" + std::to_string(id));
        entry.name = name;
        entry.type = static_cast<std::uint8_t>(type);
        entry.descriptor = type == SignalType::logic ? pick(widths) : "";
        entry.to = below(12);
        append_definition(out_, layout(), entry);
    }

    Member member(std::uint64_t item) {
        constexpr std::array<MemberType, 10> types{
            MemberType::integer,  MemberType::integer,      MemberType::enumeration, MemberType::own_enumeration,
            MemberType::floating, MemberType::text,         MemberType::binary,      MemberType::integer,
            MemberType::floating, MemberType::integer_array};
        Member made{one_in(10) ? 100 + below(20000) : below(9), pick(types),
                    one_in(8) ? member_hidden : std::uint8_t{0}, static_cast<unsigned>(below(9))};
        if (one_in(6)) return made;  // not defined
        Entry entry;
        entry.item = item;
        entry.number = made.number;
        const std::string name = "m" + std::to_string(made.number);
        entry.name = name;
        entry.type = static_cast<std::uint8_t>(made.type);
        append_member_definition(out_, layout(), entry);
        return made;
    }

    void open(std::uint64_t item) {
        append_tag(out_, Tag::open);
        out_.leb128(item);
        append_text(out_, one_in(4) ? "us" : "ns");
        append_signed(out_, static_cast<std::int64_t>(below(1000)) - 500);
        append_unsigned(out_, 0);
    }

    /// Writes an entry that is not a sample.
    void between() {
        const std::uint64_t item = one_in(4) ? below(3) : pick(items_).id;
        switch (below(11)) {
            case 0:
                return open(item);
            case 1:
                append_tag(out_, Tag::close);
                out_.leb128(item);
                return append_signed(out_, static_cast<std::int64_t>(below(5000)));
            case 2:
                append_tag(out_, Tag::current);
                out_.leb128(one_in(2) ? 0 : item);
                return append_signed(out_, one_in(6) ? latest : static_cast<std::int64_t>(below(20000)));
            case 3:
            case 4:
                append_tag(out_, Tag::enumeration);
                out_.leb128(item);
                out_.leb128(one_in(2) ? 0 : of_member + below(4));
                append_text(out_, "label");
                return out_.leb128(below(20));
            case 5:
                member(item);
                return;
            case 6:
                append_tag(out_, Tag::label);
                for (unsigned field = 0; field < 4; ++field)
                    out_.leb128(field == 0 ? item : 0);
                return;
            case 7:
                return define(Tag::signal, item, 0, pick(items_).type);
            case 8:
                append_tag(out_, Tag::switch_trace);
                return out_.leb128(one_in(3) ? 1 : 0);
            case 9:
                return head(1);
            default:
                return begin(one_in(2) ? 1 : 0);
        }
    }

    /// Packs what was written since the last call, or a part of it.
    void pack() {
        const Bytes all(out_.span().begin(), out_.span().end());
        Appender packed;
        Lz4().compress(std::span(all).subspan(packed_), packed);
        out_.shrink(all.size() - packed_);
        append_tag(out_, Tag::packed);
        out_.le(static_cast<std::uint8_t>(Pack::lz4));
        out_.leb128(all.size() - packed_);
        out_.leb128(packed.span().size());
        out_.text(as_text(packed.span()));
        packed_ = out_.span().size();
        if (one_in(5)) out_.patch(packed_ - 1, std::uint8_t{0xFF});  // damages the block
    }

    void padded(std::uint64_t value) {
        if (!one_in(40)) return out_.leb128(value);
        for (unsigned i = 0; i < 4; ++i, value >>= 7)
            out_.le(static_cast<std::uint8_t>((value & 0x7F) | (i < 3 ? 0x80 : 0)));
    }

    Bytes value_bytes(unsigned size) {
        if (one_in(20)) size = static_cast<unsigned>(below(12));
        if (one_in(100)) size = static_cast<unsigned>(below(200));
        Bytes bytes(size);
        const bool few = one_in(2);
        for (std::byte& byte : bytes)
            byte = static_cast<std::byte>(few ? 'a' + below(2) : below(256));
        return bytes;
    }

    void append_member(Appender& out, const Member& member) {
        const bool is_float = member.type == MemberType::floating;
        const Bytes bytes = value_bytes(is_float ? (member.size < 4 ? 4 : 8) : member.size);
        out.leb128(member.number);
        out.le(static_cast<std::uint8_t>(static_cast<unsigned>(member.type) | member.flags));
        out.leb128(bytes.size());
        out.text(as_text(bytes));
    }

    void sample(const Signal& signal, bool tagged) {
        constexpr std::array<std::uint8_t, 12> nibbles{1, 2, 1, 9, 9, 1, 1, 1, 2, 5, 9, 1};
        std::uint64_t flags = one_in(4) ? 0 : flag_delta;
        if (one_in(20)) flags |= flag_marked;
        if (tagged) flags |= flag_tag;
        padded(signal.id << item_shift | flags);
        if ((flags & flag_tag) != 0) out_.le(static_cast<std::uint8_t>(one_in(2) ? 0 : below(256)));
        if ((flags & flag_delta) != 0) padded(one_in(200) ? ~std::uint64_t{0} >> below(40) : below(300));
        Appender members;
        for (const Member& member : signal.members)
            if (!one_in(8)) append_member(members, member);
        Bytes bytes(members.span().begin(), members.span().end());
        if (signal.type == SignalType::floating) bytes = value_bytes(signal.size < 3 ? 4 : 8);
        if (bytes.empty()) bytes = value_bytes(signal.size);
        std::uint8_t nibble = nibbles[static_cast<std::size_t>(signal.type)];
        if (signal.type == SignalType::floating && bytes.size() == 4) nibble = 5;
        if (one_in(30)) nibble = static_cast<std::uint8_t>(below(16));
        if (one_in(30)) bytes.clear();
        if (one_in(60)) nibble = 0;
        const bool is_short = !bytes.empty() && one_in(60);  // the last byte is not a part of the value
        padded((bytes.size() - (is_short ? 1 : 0)) << size_shift | nibble);
        out_.text(as_text(bytes));
    }

    Layout layout() const { return version_ == version_4 ? Layout::emitters_4 : Layout::emitters_6; }

    std::mt19937 random_;
    const std::uint8_t version_;
    Appender out_;
    std::size_t packed_ = 0;
    std::vector<Signal> items_;
};

std::uint8_t version_of(unsigned seed) {
    return seed % 3 == 0 ? version_4 : version_6;
}

}  // namespace

TEST_CASE("flux: lanes deliver what the tolerant scan delivers") {
    for (unsigned seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        check_lanes(RandomTrace(seed, version_of(seed)).make(20 + seed * 5));
    }
}

TEST_CASE("flux: lanes respect the limits") {
    Settings texts, structs;
    texts.limits.string = 100;
    structs.limits.block = 48;  // a struct of three members
    for (unsigned seed = 1000; seed < 1100; ++seed) {
        CAPTURE(seed);
        check_lanes(RandomTrace(seed, version_of(seed)).make(200), texts);
        check_lanes(RandomTrace(seed, version_of(seed)).make(100), structs);
    }
}

TEST_CASE("flux: lanes deliver what the tolerant scan delivers of every cut") {
    for (unsigned seed = 2000; seed < 2006; ++seed) {
        CAPTURE(seed);
        const Bytes whole = RandomTrace(seed, version_of(seed)).make(60);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            CAPTURE(size);
            check_lanes(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
        }
    }
}

TEST_CASE("flux: lanes deliver what the tolerant scan delivers if a byte is changed") {
    std::mt19937 random(7);
    for (unsigned seed = 3000; seed < 3006; ++seed) {
        CAPTURE(seed);
        Bytes bytes = RandomTrace(seed, version_of(seed)).make(80);
        for (std::byte& changed : bytes) {
            CAPTURE(&changed - bytes.data());
            const std::byte before = changed;
            changed ^= static_cast<std::byte>(1 + random() % 255);
            check_lanes(bytes);
            changed = before;
        }
    }
}

}  // namespace flux_lanes_test

// Compares files of the first emitters with the logs of their calls: every entry and every sample.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "flux/entries.hpp"
#include "flux/items.hpp"
#include "formats/flux_support.hpp"
#include "io/compression.hpp"
#include "io/fastlz.hpp"
#include "support/corpus.hpp"
#include "support/flux_log.hpp"
#include "support/lines.hpp"

namespace flux_corpus_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;
using Json = nlohmann::json;
using Lines = std::vector<std::string>;

/// A difference, caused by the emitter, between a file and its call log.
struct Otherwise {
    std::string_view file;
    std::uint64_t at;  ///< offset of the call's entry
    std::int64_t position;
};
constexpr std::array<Otherwise, 4> otherwise{{
    // The C emitter truncates distances to 32 bits.
    {"v4_13_positions", 134, 1'003'567'587'329},
    {"v4_13_positions", 142, 1'003'567'587'330},
    // The emitter replaces an end that precedes the current position with the position + 1.
    {"v4_23_refused", 70, 6},
    {"v6_23_refused", 70, 6},
}};

bool is_about(std::string_view name, std::string_view part) {
    return name.find(part) != std::string_view::npos;
}

/// Returns the paths of the files that have a call log, without extension.
std::vector<fs::path> stems() {
    std::vector<fs::path> found;
    for (const char* const folder : {"flux/v4", "flux/v6"}) {
        const auto path = corpus(folder);
        if (!path) return {};
        for (const auto& entry : fs::directory_iterator(*path))
            if (entry.path().extension() == ".flux") found.push_back(*path / entry.path().stem());
    }
    std::ranges::sort(found);
    return found;
}

Bytes stream_of(const fs::path& stem) {
    return read_file(fs::path(stem).concat(".flux"));
}

/// Returns the bytes of a corpus file, or no bytes if the file is absent.
Bytes stream_named(const std::string& name) {
    const auto path = corpus("flux/" + name);
    return path ? read_file(*path) : Bytes{};
}

std::string text_of(const Json& call, const char* key) {
    return call.contains(key) && !call.at(key).is_null() ? call.at(key).get<std::string>() : std::string();
}

std::int64_t number_of(const Json& call, const char* key) {
    return call.contains(key) ? call.at(key).get<std::int64_t>() : 0;
}

double real_of(const Json& value) {
    return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

const Otherwise* otherwise_of(std::string_view file, const Json& call) {
    for (const Otherwise& other : otherwise)
        if (other.file == file && call.at("at") == other.at) return &other;
    return nullptr;
}

template <typename... Parts>
std::string line_of(std::string_view tag, const Parts&... parts) {
    std::string line(tag);
    const auto add = [&](const auto& part) {
        line += " | ";
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>)
            line += std::to_string(part);
        else
            line += part;
    };
    (add(parts), ...);
    return line;
}

// --- entries ---

std::string members_line(std::span<const std::byte> bytes) {
    Cursor cursor(bytes);
    std::string line;
    flux::Member member;
    flux::EntryFault fault;
    while (!cursor.at_end()) {
        REQUIRE(flux::parse_member(cursor, flux::Layout::emitters_6, member, fault));
        line += ' ' + std::to_string(member.number) + ':' + std::to_string(member.type) + '=' + hex_of(member.bytes);
    }
    return line;
}

/// Returns an entry as a line in the same form as the line of a call.
std::string entry_line(const flux::Entry& entry) {
    using flux::Tag;
    const std::string_view tag = flux::name_of(entry.tag);
    const bool is_sample = entry.tag == Tag::sample;  // a sample's strings are left over from the previous entry
    const std::string name(is_sample ? std::string_view() : entry.name),
        description(is_sample ? std::string_view() : entry.description),
        descriptor(is_sample ? std::string_view() : entry.descriptor);
    switch (entry.tag) {
        case Tag::head:
            return line_of(tag, std::string(entry.magic), entry.item, name, description, entry.type, entry.last,
                           entry.number);
        case Tag::switch_trace:
            return line_of(tag, entry.item);
        case Tag::scope:
            return line_of(tag, entry.item, entry.parent, name, description);
        case Tag::signal:
            return line_of(tag, entry.item, entry.parent, name, description, entry.type, descriptor);
        case Tag::signals:
            return line_of(tag, entry.item, entry.last, entry.parent, name, description, entry.type, descriptor);
        case Tag::reference:
            return line_of(tag, entry.item, entry.parent, name, description);
        case Tag::scattered:
            return line_of(tag, entry.item, entry.parent, name, description, entry.type, descriptor, entry.from,
                           entry.to);
        case Tag::scattered_reference:
            return line_of(tag, entry.item, entry.parent, name, description, entry.from, entry.to);
        case Tag::open:
            return line_of(tag, entry.item, name, entry.position, entry.rate);
        case Tag::close:
        case Tag::current:
            return line_of(tag, entry.item, entry.position);
        case Tag::domain:
            return line_of(tag, name);
        case Tag::enumeration:
            return line_of(tag, entry.item, entry.domain, name, entry.number);
        case Tag::member:
            return line_of(tag, entry.item, entry.number, entry.parent, name, entry.type, descriptor);
        case Tag::relation:
            return line_of(tag, entry.item, entry.type, entry.target, entry.style, entry.position, entry.domain);
        case Tag::label:
            return line_of(tag, entry.item, entry.style, entry.position, entry.y);
        case Tag::request:
        case Tag::result:
            return line_of(tag, entry.item, entry.number, entry.members, members_line(entry.bytes));
        default:
            return line_of(tag, entry.item, entry.mark);
    }
}

std::string little_endian(std::uint64_t value, unsigned size) {
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        const auto byte = static_cast<std::byte>(value >> (8 * i));
        text += hex_of(std::span(&byte, 1));
    }
    return text;
}

/// Returns the shortest two's complement form of an integer.
std::string shortest(std::int64_t value) {
    if (value == 0) return {};
    unsigned size = 1;
    while (size < 8 && (value >= std::int64_t{1} << (8 * size - 1) || value < -(std::int64_t{1} << (8 * size - 1))))
        ++size;
    return little_endian(static_cast<std::uint64_t>(value), size);
}

std::string control_members(const Json& members) {
    std::string line;
    for (const Json& member : members) {
        const int type = member.at("type").get<int>();
        const Json& value = member.at("value");
        std::string bytes;
        switch (static_cast<flux::MemberType>(type & flux::member_type_mask)) {
            case flux::MemberType::text:
                bytes = hex_of(as_bytes(value.get<std::string>()));
                break;
            case flux::MemberType::binary:
                bytes = value.get<std::string>();
                break;
            case flux::MemberType::floating:
                bytes = little_endian(std::bit_cast<std::uint32_t>(static_cast<float>(real_of(value))), 4);
                break;
            default:
                bytes = shortest(value.get<std::int64_t>());
        }
        line += ' ' + member.at("id").dump() + ':' + std::to_string(type) + '=' + bytes;
    }
    return line;
}

std::string entry_line(const Json& call, std::string_view file) {
    const auto fn = call.at("fn").get<std::string>();
    const auto number = [&](const char* key) { return number_of(call, key); };
    const auto text = [&](const char* key) { return text_of(call, key); };
    const bool old = file.starts_with("v4");
    if (fn == "flxAddHead" || fn == "flxAddModeHead" || fn == "flxAddHeadDerived")
        return line_of("HEAD", call.contains("format4") ? text("format4") : "flux", number("traceId"), text("name"),
                       text("description"), number("mode"), call.contains("maxItemId") ? number("maxItemId") : 4,
                       call.contains("maxEntrySize") ? number("maxEntrySize") : 4096);
    if (fn == "flxWriteSwitchEntry") return line_of("SWTH", number("traceId"));
    if (fn == "flxAddScope")
        return line_of("SCPD", number("itemId"), number("parentId"), text("name"), text("description"));
    if (fn == "flxAddSignal")
        return line_of("SIGD", number("itemId"), number("parentId"), text("name"), text("description"),
                       number("signalType"), text("descriptor"));
    if (fn == "flxAddSignals")
        return line_of("MSGD", number("itemIdFrom"), number("itemIdTo"), number("parentId"), text("name"),
                       text("description"), number("signalType"), text("descriptor"));
    if (fn == "flxAddSignalReference")
        return line_of("SIRD", number("referenceId"), number("parentId"), text("name"), text("description"));
    if (fn == "flxAddScatteredSignal")
        return line_of("SSGD", number("itemId"), number("parentId"), text("name"), text("description"),
                       number("signalType"), text("descriptor"), number("from"), number("to"));
    if (fn == "flxAddScatteredSignalReference")
        return line_of("SSRD", number("referenceId"), number("parentId"), text("name"), text("description"),
                       number("from"), number("to"));
    if (fn == "flxOpen") return line_of("OPEN", number("itemId"), text("domainBase"), number("start"), number("rate"));
    if (fn == "flxClose") {
        const Otherwise* const other = otherwise_of(file, call);
        return line_of("CLOS", number("itemId"), other == nullptr ? number("end") : other->position);
    }
    if (fn == "flxSetDefaultOpenDomain") return line_of("DOMD", text("domainBase"));
    if (fn == "flxWriteCurrent") return line_of("CURR", number("itemId"), number("position"));
    if (fn == "flxWriteEnumDef")
        return line_of("ENMD", number("itemId"), number("enumeration"), text("label"), number("value"));
    if (fn == "flxWriteMemberDef")
        return line_of("MEMD", number("itemId"), number("memberId"), 0, text("label"), number("memberType"),
                       text("descriptor"));
    // The log states only the number of members, which is one in both files.
    if (fn == "flxWriteMemberDefs") return line_of("MEMD", number("itemId"), 300, 0, "wideId", 3, "");
    if (fn == "flxWriteArrayDef")
        return line_of("MEMD", number("itemId"), number("index"), 0, text("label"), 0, text("descriptor"));
    if (fn == "flxWriteRelation")
        return line_of("ATRE", number("itemId"), number("type"), number("target"), number("style"), number("delta"),
                       number("targetBase"));
    if (fn == "flxWriteLabel")
        return line_of("ATLA", number("itemId"), number("style"), old ? number("x") : 0, old ? number("y") : 0);
    if (fn.starts_with("flxWriteControl"))
        return line_of(fn == "flxWriteControlRequest" ? "CREQ" : "CRES", number("controlId"), number("messageId"),
                       call.at("members").size(), control_members(call.at("members")));
    return line_of("sample", number("itemId"), number("conflict"));
}

/// Returns the calls that wrote an entry.
std::vector<Json> writing_calls(const Json& log) {
    std::vector<Json> calls;
    for (const Json& call : log.at("calls"))
        if (!call.contains("note") && call.contains("ret") && call.at("ret") == 0 && call.at("fn") != "flxFlush" &&
            call.at("fn") != "flxAddSections")
            calls.push_back(call);
    return calls;
}

// --- samples ---

/// The records that a reader must deliver, computed from the calls of a log.
class Expected {
public:
    explicit Expected(std::string_view file) : file_(file), old_(file.starts_with("v4")) {}

    void take(const Json& call) {
        const auto fn = call.at("fn").get<std::string>();
        const auto number = [&](const char* key) { return number_of(call, key); };
        if (fn == "flxAddHead" || fn == "flxAddModeHead" || fn == "flxAddHeadDerived" || fn == "flxWriteSwitchEntry") {
            trace_ = number("traceId");
        } else if (fn == "flxAddScope" || fn == "flxAddSignal" || fn == "flxAddScatteredSignal") {
            define(number("itemId"), call);
        } else if (fn == "flxAddSignals") {
            for (std::int64_t id = number("itemIdFrom"); id <= number("itemIdTo"); ++id)
                define(id, call);
        } else if (fn == "flxOpen") {
            positions_[{trace_, number("itemId")}] = number("start");
        } else if (fn == "flxWriteCurrent") {
            position_of(number("itemId")) = number("position");
        } else if (fn == "flxWriteEnumDef") {
            labels_[{trace_, number("itemId"), number("enumeration"), number("value")}] = text_of(call, "label");
            labelled_.insert({trace_, number("itemId"), number("enumeration")});
        } else if (fn == "flxWriteMemberDef") {
            members_[{trace_, number("itemId"), number("memberId")}] = text_of(call, "label");
        } else if (fn == "flxWriteMemberDefs") {
            members_[{trace_, number("itemId"), 300}] = "wideId";
        } else if (fn == "flxWriteRelation" || fn == "flxWriteLabel") {
            attach(fn, call);
        } else if (fn.starts_with("flxWriteControl")) {
            ++controls;
        } else if (fn.ends_with("At")) {
            sample(fn, call);
        }
    }

    Lines records;
    std::size_t controls = 0;
    std::size_t ambiguous = 0;  ///< values whose sign is ambiguous in version 4

private:
    struct Item {
        std::int64_t id = 0;  ///< id of the signal's track
        std::int64_t parent = 0;
        std::uint32_t width = 1;
        std::string field;
        std::int64_t last = 0;
    };

    void define(std::int64_t id, const Json& call) {
        Item item;
        item.id = id;
        item.parent = number_of(call, "parentId");
        item.field = "value";
        const std::string descriptor = text_of(call, "descriptor");
        if (const std::size_t at = descriptor.find("bits="); at != std::string::npos)
            item.width = static_cast<std::uint32_t>(std::stoul(descriptor.substr(at + 5)));
        if (call.at("fn") == "flxAddScatteredSignal") {
            const auto from = number_of(call, "from"), to = number_of(call, "to");
            item.field = std::to_string(from) + ".." + std::to_string(to);
            item.width = static_cast<std::uint32_t>(to - from + 1);
            const auto [first, added] = scattered_.try_emplace({trace_, item.parent, text_of(call, "name")}, id);
            item.id = first->second;
        }
        items_[{trace_, id}] = item;
    }

    /// Returns the current position of an item. The position belongs to the item itself, to an opened scope around it,
    /// or to the root.
    std::int64_t& position_of(std::int64_t item) {
        for (std::int64_t at = item; at != 0; at = items_[{trace_, at}].parent)
            if (const auto found = positions_.find({trace_, at}); found != positions_.end()) return found->second;
        return positions_[{trace_, 0}];
    }

    std::string label_of(std::int64_t item, std::int64_t of, std::int64_t value) const {
        const auto found = labels_.find({trace_, item, of, value});
        return found == labels_.end() ? std::string() : found->second;
    }

    void attach(const std::string& fn, const Json& call) {
        const std::int64_t id = number_of(call, "itemId");
        const auto named = [&](std::int64_t domain, std::int64_t value) {
            const std::string label = label_of(id, domain, value);
            return label.empty() ? std::to_string(value) : label;
        };
        constexpr int target = 1, relation_style = 2, label_style = 3, relation_domain = 4;
        std::string line = std::to_string(trace_) + " @" + std::to_string(items_[{trace_, id}].last);
        if (fn == "flxWriteLabel") {
            line += " flux.label item=" + std::to_string(id) +
                    " style=" + named(label_style, number_of(call, "style")) +
                    " x=" + std::to_string(old_ ? number_of(call, "x") : 0) +
                    " y=" + std::to_string(old_ ? number_of(call, "y") : 0);
        } else {
            constexpr std::array<const char*, 4> types{"0(distance)", "1(distance back)", "2(position)",
                                                       "3(position back)"};
            const std::int64_t domain = number_of(call, "targetBase");
            line += " flux.relation item=" + std::to_string(id) +
                    " target=" + named(target, number_of(call, "target")) +
                    " style=" + named(relation_style, number_of(call, "style")) +
                    " type=" + types.at(static_cast<std::size_t>(number_of(call, "type"))) +
                    " distance=" + std::to_string(number_of(call, "delta")) +
                    " domain=" + (domain == 0 ? std::string() : named(relation_domain, domain));
        }
        records.push_back(line);
    }

    void sample(const std::string& fn, const Json& call) {
        const std::int64_t id = number_of(call, "itemId");
        Item& item = items_[{trace_, id}];
        std::int64_t& position = position_of(id);
        position = number_of(call, "position") + (number_of(call, "isDelta") != 0 ? position : 0);
        if (const Otherwise* const other = otherwise_of(file_, call)) position = other->position;
        item.last = position;
        std::string line = std::to_string(trace_) + '/' + std::to_string(item.id) + " @" + std::to_string(position);
        if (number_of(call, "conflict") != 0) line += " mark 1";
        records.push_back(line + (fn == "flxWriteNoneAt" ? " none" : ":" + values(fn, call, id, item)));
    }

    std::string values(const std::string& fn, const Json& call, std::int64_t id, const Item& item) {
        const std::string name = ' ' + item.field + ' ';
        if (fn == "flxWriteMembersAt") return members(call, id);
        if (fn == "flxWriteLogicTextAt" || fn == "flxWriteLogicStatesAt") return name + logic(fn, call, item);
        const Json& value = call.at("value");
        const unsigned size = static_cast<unsigned>(number_of(call, "size"));
        if (fn == "flxWriteIntAt") return name + integer(value, size, number_of(call, "signed") != 0);
        if (fn == "flxWriteFloatAt") return name + real(value, size);
        if (fn == "flxWriteEventAt") return name + natural(value, id, 0);
        if (fn == "flxWriteTextAt") return name + "text=" + value.get<std::string>();
        if (fn == "flxWriteBinaryAt") return name + "blob=" + value.get<std::string>();
        std::string line;
        for (const Json& element : value) {
            line += name;
            if (fn == "flxWriteIntArrayAt")
                line +=
                    integer(element, static_cast<unsigned>(number_of(call, "intsize")), number_of(call, "signed") != 0);
            else if (fn == "flxWriteFloatArrayAt")
                line += real(element, static_cast<unsigned>(number_of(call, "floatsize")));
            else
                line += natural(element, id, 0);
        }
        return line;
    }

    /// Returns an integer of a type of `size` bytes, as a reader delivers it.
    std::string integer(const Json& value, unsigned size, bool is_signed) {
        if (value.is_string()) return big_integer(value.get<std::string>().substr(3), is_signed);
        std::int64_t number = is_signed || value.is_number_float()
                                  ? value.get<std::int64_t>()
                                  : static_cast<std::int64_t>(value.get<std::uint64_t>());
        const bool above = !is_signed && value.get<std::uint64_t>() > std::uint64_t{0x7FFF'FFFF'FFFF'FFFF};
        if (!old_ && above) return "u64=" + std::to_string(value.get<std::uint64_t>());
        if (old_ && !is_signed && size < 8 && number >= std::int64_t{1} << (8 * size - 1))
            number -= std::int64_t{1} << (8 * size);
        if (old_ && number < 0 && std::has_single_bit(shortest(number).size() / 2)) ++ambiguous;
        return "i64=" + std::to_string(number);
    }
    /// Returns an integer of up to 16 bytes, as a reader delivers it. `hex` has the bytes of the integer, lowest first.
    std::string big_integer(std::string hex, bool is_signed) const {
        const auto byte = [&](std::size_t index) { return std::stoul(hex.substr(2 * index, 2), nullptr, 16); };
        const auto count = [&] { return hex.size() / 2; };
        const bool negative = is_signed && (byte(count() - 1) & 0x80) != 0;
        if (!is_signed) hex += "00";
        while (count() > 1 && byte(count() - 1) == (negative ? 0xFF : 0) &&
               ((byte(count() - 2) & 0x80) != 0) == negative)
            hex.resize(hex.size() - 2);
        const bool natural = count() == 9 && byte(8) == 0;
        if (count() > 8 && !natural) return "blob=" + hex;
        std::uint64_t number = negative ? ~std::uint64_t{0} : 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(count(), 8); ++i)
            number = (number & ~(std::uint64_t{0xFF} << (8 * i))) | std::uint64_t{byte(i)} << (8 * i);
        return natural ? "u64=" + std::to_string(number) : "i64=" + std::to_string(static_cast<std::int64_t>(number));
    }

    static std::string real(const Json& value, unsigned size) {
        const double number = real_of(value);
        if (size == 8) return "f64=" + std::to_string(std::bit_cast<std::uint64_t>(number));
        return "f32=" + std::to_string(std::bit_cast<std::uint32_t>(static_cast<float>(number)));
    }

    /// Returns a value in the signal's type. `member` is 0 for the signal itself, otherwise the index of the member +
    /// 1.
    std::string natural(const Json& value, std::int64_t id, std::int64_t member) const {
        const auto number = value.get<std::int64_t>();
        constexpr std::int64_t of_member = 8;
        const bool own = member != 0 && labelled_.contains({trace_, id, of_member + member - 1});
        if (!own && !labelled_.contains({trace_, id, 0})) return "u64=" + std::to_string(number);
        const std::string label = label_of(id, own ? of_member + member - 1 : 0, number);
        return "enum=" + std::to_string(number) + (label.empty() ? "" : "(" + label + ")");
    }

    std::string members(const Json& call, std::int64_t id) {
        constexpr std::int64_t wide_float = 8, wide_integer = 300;  // the log does not state these widths
        std::string line;
        for (const Json& member : call.at("members")) {
            const std::int64_t number = number_of(member, "id");
            const auto label = members_.find({trace_, id, number});
            line += ' ' + (label == members_.end() ? std::to_string(number) : label->second) + ' ';
            const Json& value = member.at("value");
            switch (static_cast<flux::MemberType>(member.at("type").get<int>() & flux::member_type_mask)) {
                case flux::MemberType::text:
                    line += "text=" + value.get<std::string>();
                    break;
                case flux::MemberType::binary:
                    line += "blob=" + value.get<std::string>();
                    break;
                case flux::MemberType::integer: {
                    const bool is_unsigned = value.get<std::int64_t>() > 0x7FFF'FFFF && number != wide_integer;
                    line += integer(value, number == wide_integer ? 8 : 4, !is_unsigned);
                    break;
                }
                case flux::MemberType::floating:
                    line += real(value, number == wide_float ? 8 : 4);
                    break;
                default:
                    line += natural(value, id, number + 1);
            }
        }
        return line;
    }

    /// Returns the states of a call, padded on the left to the width of the signal.
    std::string logic(const std::string& fn, const Json& call, const Item& item) const {
        constexpr std::string_view states = "01ZXLHUW-JKMNOP#";
        const auto state_of = [&](char c) {  // returns '#' for an invalid character
            const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
            return states.find(upper) == std::string_view::npos ? '#' : upper;
        };
        std::string given;
        char fill = '#';
        if (fn == "flxWriteLogicTextAt") {
            for (const char c : text_of(call, "text"))
                given += state_of(c);
            fill = state_of(static_cast<char>(number_of(call, "precedingChar")));
        } else {
            for (const char digit : text_of(call, "states"))
                given += states[std::stoul(std::string(1, digit), nullptr, 16)];
            fill = states[static_cast<std::size_t>(number_of(call, "precedingStates"))];
        }
        if (!old_ && !given.empty() && number_of(call, "totalBitWidth") == static_cast<std::int64_t>(given.size()))
            fill = given.front();
        if (given.size() < item.width) given.insert(0, item.width - given.size(), fill);
        given.erase(0, given.size() - item.width);
        if (item.width > 64 || given.find_first_not_of("01") != std::string::npos) return "logic=" + given;
        return "u64/" + std::to_string(item.width) + '=' + std::to_string(std::stoull(given, nullptr, 2));
    }

    using Key = std::pair<std::int64_t, std::int64_t>;
    const std::string_view file_;
    const bool old_;
    std::int64_t trace_ = 0;
    std::map<Key, Item> items_;
    std::map<Key, std::int64_t> positions_;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, std::string> labels_;
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> labelled_;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::string> members_;
    std::map<std::tuple<std::int64_t, std::int64_t, std::string>, std::int64_t> scattered_;
};

/// Returns the first difference between two lists of lines.
std::string difference(const Lines& got, const Lines& wanted) {
    for (std::size_t i = 0; i < std::max(got.size(), wanted.size()); ++i) {
        const std::string left = i < got.size() ? got[i] : "(nothing)";
        const std::string right = i < wanted.size() ? wanted[i] : "(nothing)";
        if (left != right) return std::to_string(i) + ": " + left + "\n  wanted " + right;
    }
    return {};
}

/// Returns the rules of all findings, without duplicates.
Lines rule_ids(const FluxReading& reading) {
    Lines ids;
    for (const auto& [id, count] : reading.findings.totals())
        ids.emplace_back(id);
    return ids;
}

/// Returns the rules that the file triggers although it was written correctly.
Lines expected_rules(std::string_view file) {
    if (is_about(file, "_02_items")) return {"FLX038"};       // one signal has type 0
    if (is_about(file, "_04_logic")) return {"FLX031"};       // the fill state is the number 0 instead of a character
    if (is_about(file, "_16_switch_raw")) return {"FLX021"};  // the three traces are not closed
    return {};
}

}  // namespace

TEST_CASE("flux: entries equal the entries in the logs") {
    std::size_t entries_seen = 0, others = 0;
    for (const fs::path& stem : stems()) {
        const std::string name = stem.filename().string();
        if (is_about(name, "_x1_") || is_about(name, "_x2_") || is_about(name, "_20_") || name.ends_with("_16_switch"))
            continue;
        CAPTURE(name);
        const Bytes stream = stream_of(stem);
        Input input = Input::memory("stream", stream);
        Findings findings;
        const Settings settings;
        flux::Entries entries(input, settings, findings);
        flux::Entry entry;
        for (const Json& call : writing_calls(call_log(stem))) {
            CAPTURE(call.dump());
            REQUIRE(entries.next(entry));
            CHECK(entries.size() == call.at("n").get<std::uint64_t>());
            if (entries.counts().blocks == 0) CHECK(entries.offset() == call.at("at").get<std::uint64_t>());
            if (call.at("fn") == "raw flxWriteOpenEntry")
                CHECK(entry.tag == flux::Tag::open);
            else
                CHECK(entry_line(entry) == entry_line(call, name));
            ++entries_seen;
            if (otherwise_of(name, call) != nullptr) ++others;
        }
        CHECK_FALSE(entries.next(entry));
        CHECK(findings.kept().empty());
    }
    if (entries_seen == 0) return;
    CHECK(entries_seen > 60'000);
    CHECK(others == otherwise.size());
}

TEST_CASE("flux: samples equal the samples in the logs: item, position, mark and each value") {
    std::size_t records = 0;
    for (const fs::path& stem : stems()) {
        const std::string name = stem.filename().string();
        if (is_about(name, "_x1_") || is_about(name, "_x2_") || is_about(name, "_20_")) continue;
        CAPTURE(name);
        const FluxReading reading(stream_of(stem));
        Expected expected(name);
        // If a stream has two traces, the log has the order of calls, and the stream the order of flushes.
        const bool by_trace = name.ends_with("_16_switch");
        for (Json call : writing_calls(call_log(stem))) {
            if (by_trace) {  // the first trace has integers, the second floats
                const auto fn = call.at("fn").get<std::string>();
                const bool is_second = fn == "flxWriteFloatAt" || number_of(call, "signalType") == 4 ||
                                       text_of(call, "domainBase") == "us" || number_of(call, "end") == 2000;
                const Json change{{"fn", "flxWriteSwitchEntry"}, {"traceId", is_second ? 300 : 0}};
                if (fn != "flxAddHead") expected.take(change);
            }
            expected.take(call);
        }
        Lines got = reading.records, wanted = expected.records;
        std::erase_if(got, [](const std::string& line) { return line.starts_with("control"); });
        CHECK(reading.records.size() - got.size() == expected.controls);
        if (by_trace) {
            std::ranges::stable_sort(got, {}, [](const std::string& line) { return line.substr(0, line.find('/')); });
            std::ranges::stable_sort(wanted, {},
                                     [](const std::string& line) { return line.substr(0, line.find('/')); });
        }
        CHECK(difference(got, wanted) == "");
        CHECK(reading.total("FLX022") == expected.ambiguous);
        CAPTURE(reading.rules);
        Lines rules = rule_ids(reading);
        std::erase(rules, "FLX022");
        CHECK(rules == expected_rules(name));
        CHECK(reading.findings.effect() == Effect::harmless);
        records += got.size();
    }
    if (records != 0) CHECK(records > 59'000);
}

TEST_CASE("flux: ring dumps deliver the surviving samples in order") {
    const Bytes any = stream_named("v4/v4_20_ring_full.flux");
    if (any.empty()) return;
    std::size_t rings = 0;
    for (const fs::path& stem : stems()) {
        const std::string name = stem.filename().string();
        if (!is_about(name, "_20_")) continue;
        CAPTURE(name);
        ++rings;
        const Json log = call_log(stem);
        const auto written = log.at("calls").at(4).at("n").get<std::size_t>();
        const FluxReading reading(stream_of(stem));
        const bool lost = is_about(name, "noinit");
        const std::size_t kept = reading.records.size();
        REQUIRE(kept <= written);
        if (written > 500)
            CHECK(kept > 200);
        else
            CHECK(kept == written);
        Lines wanted;
        for (std::size_t i = written - kept; i < written; ++i)
            wanted.push_back("0/1 @" + std::to_string(lost ? (i - (written - kept)) * 10 + 10 : i * 10) +
                             ": value i64=" + std::to_string(i));
        CHECK(difference(reading.records, wanted) == "");
        CHECK(rule_ids(reading) == (lost ? Lines{"FLX009", "FLX021"} : Lines{"FLX021"}));
    }
    CHECK(rings > 10);
}

TEST_CASE("flux: tracks, paths, types and time bases equal the definitions of the logs") {
    std::size_t signals = 0;
    for (const fs::path& stem : stems()) {
        const std::string name = stem.filename().string();
        if (name.ends_with("_16_switch")) continue;
        CAPTURE(name);
        const FluxReading reading(stream_of(stem));
        std::map<std::int64_t, std::string> paths{{0, ""}};
        std::set<std::string> wanted, got;
        std::map<std::int64_t, std::string> types;
        std::int64_t trace = 0;
        const auto define = [&](std::int64_t id, const Json& call) {
            paths[id] = paths.at(number_of(call, "parentId")) + '/' + text_of(call, "name");
            if (!call.contains("signalType")) return;
            wanted.insert(std::to_string(trace) + paths[id]);
            types[id] = name_of(static_cast<flux::SignalType>(number_of(call, "signalType")));
        };
        for (const Json& call : writing_calls(call_log(stem))) {
            if (call.at("fn").get<std::string>().find("Head") != std::string::npos ||
                call.at("fn") == "flxWriteSwitchEntry")
                trace = number_of(call, "traceId");
            if (call.contains("itemIdFrom"))
                for (std::int64_t id = number_of(call, "itemIdFrom"); id <= number_of(call, "itemIdTo"); ++id)
                    define(id, call);
            else if (call.at("fn").get<std::string>().starts_with("flxAdd") && call.contains("itemId"))
                define(number_of(call, "itemId"), call);
        }
        for (const Track& track : reading.schema().tracks())
            if (track.kind == Track::Kind::signal)
                got.insert(std::to_string(flux_trace_of(reading.schema(), track.scope)) +
                           flux_path(reading.schema(), track));
        signals += got.size();
        CHECK(Lines(got.begin(), got.end()) == Lines(wanted.begin(), wanted.end()));
        if (is_about(name, "_16_switch")) continue;
        for (const auto& [id, type] : types) {
            const std::string* const told =
                reading.schema().metadata("flux." + std::to_string(trace) + "." + std::to_string(id) + ".type");
            REQUIRE(told != nullptr);
            CHECK(*told == type);
        }
    }
    const Bytes domains = stream_named("v6/v6_14_multi_domain.flux");
    if (domains.empty()) return;
    CHECK(signals > 150);
    const FluxReading reading(domains);
    const auto base_of = [&](std::string_view name) {
        return reading.schema().tracks()[reading.schema().find_track(Track::Kind::signal, name)].time;
    };
    CHECK(base_of("t1") == TimeBase{TimeBase::Kind::seconds, 1, 1'000'000'000});
    CHECK(base_of("single") == TimeBase{TimeBase::Kind::seconds, 1, 1'000});
    CHECK(base_of("f2") == ordinals);
    CHECK(base_of("idx") == ordinals);
    CHECK(reading.metadata("flux.0.open.4.domain") == "Hz");
    CHECK(reading.metadata("flux.0.open.4.rate") == "50");
    CHECK(reading.metadata("flux.0.open.1.start") == "100");
    CHECK(reading.metadata("flux.0.close.4") == "500");
    const FluxReading items(stream_named("v6/v6_02_items.flux"));
    CHECK(items.metadata("flux.7.reference.0.item") == "12");
    CHECK(items.metadata("flux.7.reference.0.parent") == "3");
    CHECK(items.metadata("flux.7.reference.0.name") == "refInt");
    CHECK(items.metadata("flux.7.reference.1.bits") == "0..7");
    CHECK(items.metadata("flux.7.12.descriptor") == "default<df=Hex>");
}

TEST_CASE(
    "flux: data that only the Java emitter writes is read: tags, text arrays, nested structs, decimals, relations") {
    const Bytes tags = stream_named("v6java/j6_01_tags.flux");
    if (tags.empty()) return;
    const FluxReading tagged(tags);
    Lines wanted;
    int position = 0;
    for (const int tag : {0, 1, 2, 3, 7, 127, 128, 255}) {
        const std::string mark = tag == 0 ? "" : " mark " + std::to_string(tag);
        position += 10;
        const auto line = [&](int item, int later, const std::string& value) {
            wanted.push_back("0/" + std::to_string(item) + " @" + std::to_string(position + later) + mark + value);
        };
        line(1, 0, ": value u64=3");
        line(2, 0, ": value i64=-7");
        line(3, 1, ": value logic=X");  // the value 1X does not fit a signal with one state
        line(4, 1, ": value f32=" + std::to_string(std::bit_cast<std::uint32_t>(1.5F)));
        line(5, 3, ": value text=hi");
        line(6, 3, ": value blob=0102");
        line(7, 3, ": 0 i64=9");
        line(2, 4, " none");
    }
    CHECK(difference(tagged.records, wanted) == "");
    CHECK(rule_ids(tagged) == Lines{"FLX031"});

    wanted.clear();
    for (const Json& call : writing_calls(call_log(*corpus("flux/v6java") / "j6_02_text_arrays"))) {
        if (call.at("fn") != "writeTextArrayAt") continue;
        wanted.push_back("0/1 @" + call.at("position").dump() + ":");
        for (const Json& text : call.at("value"))
            wanted.back() += " value text=" + text.get<std::string>();
    }
    REQUIRE(wanted.size() == 10);
    const FluxReading texts(stream_named("v6java/j6_02_text_arrays.flux"));
    CHECK(difference(texts.records, wanted) == "");
    CHECK(texts.rules == Lines{});

    const auto f64 = [](double value) { return " f64=" + std::to_string(std::bit_cast<std::uint64_t>(value)); };
    const auto f32 = [](float value) { return " f32=" + std::to_string(std::bit_cast<std::uint32_t>(value)); };
    const FluxReading nested(stream_named("v6java/j6_03_struct_nested.flux"));
    CHECK(nested.records ==
          Lines{"0/1 @0: id i64=0 hid i64=0 sub.i0 u64=1 sub.i1" + f32(1.5F) + " sub.i2" + f32(1) + " sub.i2" + f32(2) +
                    " sub.i3 i64=-1 sub.i3 i64=300 sub.i4 u64=1 sub.i4 u64=2 sub.i5 text=x sub.i5 text=yy sub.i6 "
                    "blob=09 sub.i7 text=t",
                "0/1 @10: id i64=1 hid i64=-1 sub.i0 u64=2 sub.i1" + f64(2.5) + " sub.i2" + f64(1) + " sub.i2" +
                    f64(2) + " sub.i2" + f64(3) +
                    " sub.i3 i64=1099511627776 sub.i3 i64=-1 sub.i4.empty bool=1 sub.i5.empty bool=1 sub.i6 blob= "
                    "sub.i7 text="});
    CHECK(nested.rules == Lines{});
    CHECK(nested.metadata("flux.0.1.member.hid") == "integer, hidden, valid until it changes");
    CHECK(nested.metadata("flux.0.1.member.sub.i2") == "float array");

    // The decimals in this file have no scale. They are kept as bytes, and each has a finding.
    const FluxReading decimals(stream_named("v6java/j6_05_bigdecimal.flux"));
    CHECK(decimals.records == Lines{"0/1 @1: raw.13 blob=0f", "0/1 @2: raw.13 blob=fe4964b41fad054f",
                                    "0/1 @3: raw.13 blob=01", "0/2 @4: raw.15 blob=03010f08fe4964b41fad054f0101"});
    CHECK(decimals.rules == Lines{"FLX030@43", "FLX030@47", "FLX030@59", "FLX030@63"});

    wanted.clear();
    for (int i = 0; i < 4; ++i) {
        const std::string at = std::to_string(i * 100);
        const std::array<std::string, 4> types{"0(distance) distance=-5", "1(distance back) distance=1000000000000",
                                               "2(position) distance=2000000000000",
                                               "3(position back) distance=3000000000000"};
        wanted.push_back("0/1 @" + at + ": value u64=1");
        wanted.push_back("0 @" + at + " flux.relation item=1 target=\\e2 style=Trigger/444444/line/no type=" +
                         types.at(static_cast<std::size_t>(i)) + " domain=" + (i < 2 ? "" : "us"));
        wanted.push_back("0 @" + at + " flux.label item=1 style=" + std::to_string(i) + " x=0 y=0");
    }
    const FluxReading relations(stream_named("v6java/j6_08_relations.flux"));
    CHECK(difference(relations.records, wanted) == "");
    CHECK(rule_ids(relations) == Lines{"FLX024"});  // the label styles have no text
}

TEST_CASE("flux: blocks packed by Java and Python with zlib and gzip are read") {
    for (const char* const name : {"v6java/j6_06_zlib.flux", "v6java/j6_07_gzip.flux", "v6java/py6_zlib.flux"}) {
        const Bytes stream = stream_named(name);
        if (stream.empty()) return;
        CAPTURE(name);
        const bool java = is_about(name, "j6");
        Lines wanted;
        for (int i = 0; i < (java ? 3000 : 2000); ++i) {
            const std::string at = " @" + std::to_string(i * 10);
            wanted.push_back("0/1" + at + ": value i64=" + std::to_string(i));
            if (java && i % 10 == 0) wanted.push_back("0/2" + at + ": value text=message " + std::to_string(i / 100));
        }
        const FluxReading reading(stream);
        CHECK(difference(reading.records, wanted) == "");
        CHECK(reading.rules == Lines{});
    }
}

TEST_CASE("flux: streams of a megabyte have the counts and sums stated in their summary") {
    const auto path = corpus("flux/mid_golden.json");
    if (!path) return;
    std::ifstream in(*path);
    std::size_t files = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.empty()) continue;
        const Json golden = Json::parse(line);
        const fs::path file = path->parent_path() / golden.at("file").get<std::string>();
        if (!fs::exists(file)) continue;
        ++files;
        CAPTURE(file.string());
        const FluxReading reading(read_file(file));
        const std::string trace = golden.at("traceId").dump();
        std::map<std::string, std::size_t> counts;
        std::uint64_t sum = 0;
        for (const std::string& record : reading.records) {
            const std::string item = record.substr(0, record.find(' '));
            ++counts[item];
            if (item == trace + "/2") sum += std::stoull(record.substr(record.rfind('=') + 1));
        }
        std::map<std::string, std::size_t> wanted;
        for (const auto& [item, count] : golden.at("samples").items())
            wanted[trace + '/' + item] = count.get<std::size_t>();
        CHECK(counts == wanted);
        CHECK(sum == golden.at("sumOfSignal2").get<std::uint64_t>());
        CHECK(reading.metadata("flux." + trace + ".close.0") == golden.at("closeAt").dump());
        CHECK(reading.findings.effect() == Effect::harmless);
    }
    CHECK(files != 0);
}

TEST_CASE("flux: the examples of the first emitter, shortened to fewer iterations, are read") {
    struct Example {
        std::string_view name;
        std::size_t records;
        std::string_view last;  ///< beginning of the last record
    };
    for (const Example& example :
         {Example{"01", 6000, "0/2 @29990: value f32="}, Example{"02", 600, "0/2 @2990:"},
          Example{"03", 1800, "0/13 @2995: value f64="}, Example{"04", 900, "0/4 @2990: value blob="},
          Example{"05", 300, "0/2 @2990: m0 enum=1(Yes) m1 i64=299"},
          Example{"06", 900, "0/4 @2990: value u64=1 value u64=0"},
          Example{"07", 1500, "0/3 @2995: value logic=UUUUUUUUUUUU11XX"},
          Example{"08", 3900, "0/2 @29990: value enum=0"}, Example{"10", 4082, "0/44 @2998:"},
          Example{"11", 4082, "0/44 @2998:"}, Example{"12", 4082, "0/44 @2998:"}, Example{"20", 600, "0/2 @2990:"},
          Example{"30", 684, "0/2 @29990:"}, Example{"31", 6000, "0/2 @29990: raw.5 blob="}}) {
        const Bytes stream = stream_named("examples_v4/example" + std::string(example.name) + ".small.recTr");
        if (stream.empty()) return;
        CAPTURE(example.name);
        const FluxReading reading(stream);
        CHECK(reading.records.size() == example.records);
        CHECK(reading.records.back().starts_with(example.last));
        CHECK(reading.findings.effect() == Effect::harmless);
    }
    // The same samples are stored three times: plain, in LZ4, and in FastLZ inside LZ4.
    const FluxReading plain(stream_named("examples_v4/example10.small.recTr"));
    CHECK(FluxReading(stream_named("examples_v4/example11.small.recTr")).records == plain.records);
    CHECK(FluxReading(stream_named("examples_v4/example12.small.recTr")).records == plain.records);
}

TEST_CASE("flux: reading ends cleanly in version 6 files with sizes that are too small, and no data is guessed") {
    const Bytes members = stream_named("v6/v6_x1_corrupt_struct_u32.flux");
    if (members.empty()) return;
    const FluxReading lost(members);
    CHECK(lost.records == Lines{"0/3 @1:"});  // the sample's header declares an empty struct
    CHECK(lost.rules == Lines{"FLX003@38", "FLX021@38"});
    const FluxReading array(stream_named("v6/v6_x2_corrupt_array_u32.flux"));
    REQUIRE(array.records.size() == 1);
    CHECK(array.records.front().starts_with("0/1 @0: raw.5 blob=05000000"));
    CHECK(array.rules == Lines{"FLX029@35", "FLX003@238", "FLX021@238"});
}

TEST_CASE("flux: control answers between samples are kept unchanged") {
    const Bytes stream = stream_named("control/example21.response.recTr");
    if (stream.empty()) return;
    const FluxReading reading(stream);
    CHECK(reading.records == Lines{"control 0081010100", "control 0081020100", "0/1 @2000: value i64=8204",
                                   "control 0081030100", "0/1 @2500: value i64=-1", "control 0081030200",
                                   "control 0081040100"});
}

TEST_CASE("flux: FastLZ (both levels) and LZ4 blocks unpack to the original bytes") {
    const auto folder = corpus("flux/fastlz");
    if (!folder) return;
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(*folder)) {
        if (entry.path().extension() != ".raw") continue;
        CAPTURE(entry.path().string());
        const Bytes raw = read_file(entry.path());
        Bytes got(raw.size(), std::byte{0x5A});
        for (const char* const level : {".flz1", ".flz2"}) {
            const Bytes packed = read_file(fs::path(entry.path()).replace_extension(level));
            std::ranges::fill(got, std::byte{0x5A});
            CHECK(decompress_fastlz(packed, got));
            CHECK(got == raw);
            Bytes larger(raw.size() + 1);
            CHECK_FALSE(decompress_fastlz(packed, larger));
            if (!raw.empty()) CHECK_FALSE(decompress_fastlz(packed, std::span(got).first(raw.size() - 1)));
        }
        std::ranges::fill(got, std::byte{0x5A});
        CHECK(Lz4::decompress(read_file(fs::path(entry.path()).replace_extension(".lz4b")), got));
        CHECK(got == raw);
        ++files;
    }
    CHECK(files == 13);
}

}  // namespace flux_corpus_test

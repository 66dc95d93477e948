#include "fst_hierarchy.hpp"

#include <algorithm>
#include <optional>

#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/number_text.hpp"
#include "names.hpp"

namespace hwtrace::waveform {
namespace {

constexpr std::size_t size_and_raw_size = 16;

Variable::Kind kind_of(std::uint8_t type) noexcept {
    switch (static_cast<fst::VariableType>(type)) {
        case fst::VariableType::event:
            return Variable::Kind::event;
        case fst::VariableType::real:
        case fst::VariableType::real_parameter:
        case fst::VariableType::realtime:
        case fst::VariableType::sv_shortreal:
            return Variable::Kind::real;
        case fst::VariableType::text:
            return Variable::Kind::text;
        case fst::VariableType::sv_int:
        case fst::VariableType::sv_shortint:
        case fst::VariableType::sv_longint:
        case fst::VariableType::sv_byte:
            return Variable::Kind::integer;
        default:
            return Variable::Kind::bits;
    }
}

/// Splits the text of an enumeration at blanks.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        words.push_back(unescaped(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

}  // namespace

bool FstHierarchy::take_text(std::string_view& text) noexcept {
    const std::byte* const zero = std::find(at_, end_, std::byte{0});
    if (zero == end_) return false;
    text = {reinterpret_cast<const char*>(at_), static_cast<std::size_t>(zero - at_)};
    at_ = zero + 1;
    return true;
}

bool FstHierarchy::unpack(const FstBlock& block, std::span<const std::byte> data, std::span<std::byte> raw) const {
    if (block.type == fst::Block::hierarchy) return inflate_whole(data, raw);
    if (block.type == fst::Block::hierarchy_lz4) return Lz4::decompress(data, raw);
    const std::byte* at = data.data();
    std::uint64_t middle_size = 0;
    if (!take_leb128(at, data.data() + data.size(), middle_size) || !may_unpack(data.size(), middle_size)) return false;
    check_limit(middle_size, limits_.block, "a hierarchy", "--max-block");
    std::vector<std::byte> middle(static_cast<std::size_t>(middle_size));
    return Lz4::decompress(data.subspan(static_cast<std::size_t>(at - data.data())), middle) &&
           Lz4::decompress(middle, raw);
}

std::vector<std::byte> FstHierarchy::unpacked(const FstBlock& block) const {
    check_limit(block.size, limits_.block, "a hierarchy", "--max-block");
    const std::vector<std::byte> bytes = file_.bytes_at(block.offset + 1, block.size);
    const std::uint64_t size = fst::load_be(bytes.data() + 8);
    const std::span<const std::byte> data = std::span(bytes).subspan(size_and_raw_size);
    const bool is_twice = block.type == fst::Block::hierarchy_lz4_twice;
    if (may_unpack(data.size(), size) || (is_twice && may_unpack(data.size(), size / 256))) {
        check_limit(size, limits_.block, "a hierarchy", "--max-block");
        std::vector<std::byte> raw(static_cast<std::size_t>(size));
        if (unpack(block, data, raw)) return raw;
    }
    findings_.report(FstCheck::hierarchy_damaged, block.offset, block.size + 1, std::to_string(size) + " bytes");
    return {};
}

void FstHierarchy::read() {
    if (!file_.hierarchy()) {
        findings_.report(FstCheck::hierarchy_missing, 0, 1);
        return;
    }
    parse(*file_.hierarchy(), unpacked(*file_.hierarchy()));
    if (is_complete_) read_geometry();
}

void FstHierarchy::parse(const FstBlock& block, std::span<const std::byte> bytes) {
    at_ = bytes.data();
    end_ = at_ + bytes.size();
    while (at_ != end_) {
        const std::byte* const begin = at_;
        const auto tag = static_cast<std::uint8_t>(*at_++);
        bool is_good = true;
        if (tag == fst::scope_begin)
            is_good = parse_scope();
        else if (tag == fst::scope_end)
            scope_ = scope_ == none ? none : schema_.scopes()[scope_].parent;
        else if (tag == fst::attribute_begin)
            is_good = parse_attribute();
        else if (tag != fst::attribute_end)
            is_good = tag <= static_cast<std::uint8_t>(fst::VariableType::highest) && parse_variable(tag);
        if (is_good) continue;
        findings_.report(FstCheck::hierarchy_wrong, block.offset, block.size + 1, "a scope, a variable or an attribute",
                         "byte " + std::to_string(begin - bytes.data()) + " of the hierarchy");
        return;
    }
    is_complete_ = !bytes.empty();
}

bool FstHierarchy::parse_scope() {
    std::string_view name, component;
    if (at_ == end_) return false;
    ++at_;  // the type
    if (!take_text(name) || !take_text(component)) return false;
    scope_ = tracks_.declare_scope(scope_, read_name(name));
    return true;
}

bool FstHierarchy::parse_attribute() {
    if (end_ - at_ < 2) return false;
    const auto type = static_cast<std::uint8_t>(at_[0]), subtype = static_cast<std::uint8_t>(at_[1]);
    at_ += 2;
    std::string_view text;
    std::uint64_t number = 0;
    if (!take_text(text) || !take_leb128(at_, end_, number)) return false;
    if (type != fst::attribute_misc) return true;
    if (subtype == fst::misc_comment && !text.empty()) schema_.describe("fst.comment", std::string(text));
    if (subtype != fst::misc_enum_table) return true;
    if (!text.empty())
        declare_enum(text, number);
    else if (const auto found = enums_.find(number); found != enums_.end())
        next_enum_ = found->second;
    return true;
}

void FstHierarchy::declare_enum(std::string_view text, std::uint64_t number) {
    const std::vector<std::string> words = words_of(text);
    const auto count = words.size() < 2 ? std::nullopt : parse_decimal<std::uint32_t>(words[1]);
    if (!count || words.size() < 2 + 2 * std::size_t{*count}) return;
    check_limit(*count, limits_.schema_objects, "the number of labels", "--max-schema");
    Enum names{words[0], {}};
    for (std::size_t i = 0; i < *count; ++i) {
        constexpr int binary = 2;
        const std::optional<std::uint64_t> value = parse_digits(words[2 + *count + i], binary);
        if (value) names.values.push_back({*value, words[2 + i]});
    }
    enums_[number] = schema_.declare(std::move(names));
}

bool FstHierarchy::parse_variable(std::uint8_t type) {
    std::string_view name;
    std::uint64_t size = 0, alias = 0;
    if (at_ == end_) return false;
    ++at_;  // the direction
    if (!take_text(name) || !take_leb128(at_, end_, size) || !take_leb128(at_, end_, alias)) return false;
    constexpr std::uint64_t widest = 1u << 24;
    if (size > widest || alias > handles_.size()) return false;
    Variable variable{kind_of(type), static_cast<std::uint32_t>(size), read_name(name)};
    if (size == 0 && variable.kind != Variable::Kind::real) variable.kind = Variable::Kind::text;
    if (size > 1 && variable.kind == Variable::Kind::event) variable.kind = Variable::Kind::bits;
    const Variable::Kind kind = variable.kind;
    const std::uint32_t signal = tracks_.declare(scope_, std::move(variable), std::exchange(next_enum_, none));
    next_.resize(std::size_t{signal} + 1, no_number);
    if (alias == 0) {
        const bool is_real = kind == Variable::Kind::real;
        handles_.push_back({is_real                        ? std::uint32_t{sizeof(double)}
                            : kind == Variable::Kind::text ? 0u
                                                           : static_cast<std::uint32_t>(size),
                            is_real, signal});
        return true;
    }
    std::uint32_t& first = handles_[static_cast<std::size_t>(alias - 1)].signal;
    next_[signal] = next_[first];
    next_[first] = signal;
    return true;
}

void FstHierarchy::read_geometry() {
    if (!file_.geometry()) {
        findings_.report(FstCheck::geometry_missing, 0, 1);
        return;
    }
    const FstBlock& block = *file_.geometry();
    constexpr std::size_t head = 24;
    check_limit(block.size, limits_.block, "a geometry", "--max-block");
    const std::vector<std::byte> bytes = file_.bytes_at(block.offset + 1, block.size);
    const std::uint64_t size = fst::load_be(bytes.data() + 8), count = fst::load_be(bytes.data() + 16);
    const std::span<const std::byte> data = std::span(bytes).subspan(head);
    const auto damaged = [&](const std::string& expected) {
        findings_.report(FstCheck::geometry_damaged, block.offset, block.size + 1, expected);
    };
    if (!may_unpack(data.size(), size)) return damaged(std::to_string(size) + " bytes");
    check_limit(size, limits_.block, "a geometry", "--max-block");
    std::vector<std::byte> raw(static_cast<std::size_t>(size));
    if (!unpack_zlib(data, raw)) return damaged(std::to_string(size) + " bytes");
    const std::byte* at = raw.data();
    for (std::uint64_t number = 0; number < count; ++number) {
        std::uint64_t length = 0;
        if (number >= handles_.size() || !take_leb128(at, raw.data() + raw.size(), length))
            return damaged(std::to_string(handles_.size()) + " sizes");
        FstHandle& handle = handles_[static_cast<std::size_t>(number)];
        const std::uint64_t known = handle.is_real ? 0 : handle.size == 0 ? fst::any_length : handle.size;
        if (length != known) damaged("size " + std::to_string(known) + ", found " + std::to_string(length));
    }
}

}  // namespace hwtrace::waveform

#include "io/cbor.hpp"

#include "io/counted.hpp"

#include <bit>
#include <cmath>

namespace hwtrace {

namespace {

std::string_view article_name(CborMajor major) noexcept {
    switch (major) {
        case CborMajor::unsigned_integer:
            return "an unsigned integer";
        case CborMajor::negative_integer:
            return "a negative integer";
        case CborMajor::bytes:
            return "a byte string";
        case CborMajor::text:
            return "a text string";
        case CborMajor::array:
            return "an array";
        case CborMajor::map:
            return "a map";
        case CborMajor::tag:
            return "a tag";
        case CborMajor::simple:
            return "a simple value";
    }
    return "?";
}

std::string name_of(const CborHead& head) {
    if (head.is_break()) return "a break";
    if (head.is_float()) return "a float";
    if (head.is_boolean()) return head.info == CborHead::true_info ? "true" : "false";
    std::string name(article_name(head.major));
    if (head.indefinite()) return name.append(" of indefinite length");
    if (head.major == CborMajor::bytes || head.major == CborMajor::text)
        return name.append(" of ").append(counted(head.argument, "byte"));
    return name.append(head.major == CborMajor::array || head.major == CborMajor::map ? " of " : " ")
        .append(std::to_string(head.argument));
}

double half(std::uint64_t bits) noexcept {
    const auto fraction = static_cast<double>(bits & 0x3FFu);
    const int exponent = static_cast<int>(bits >> 10 & 0x1Fu);
    double value = 0;
    if (exponent == 0) {
        value = std::ldexp(fraction, -24);
    } else if (exponent != 31) {
        value = std::ldexp(fraction + 1024, exponent - 25);
    } else {  // infinity and NaN: move the bits of the fraction to their place in a double
        value = std::bit_cast<double>(std::uint64_t{0x7FF} << 52 | (bits & 0x3FFu) << 42);
    }
    return (bits & 0x8000u) != 0 ? std::copysign(value, -1.0) : value;
}

/// Converts single precision to double precision. Infinities and NaNs are converted bit by bit, because the hardware
/// conversion would quiet a signalling NaN.
double single(std::uint64_t bits) noexcept {
    const auto low = static_cast<std::uint32_t>(bits);
    if ((low & 0x7F80'0000u) == 0x7F80'0000u)
        return std::bit_cast<double>(std::uint64_t{low & 0x8000'0000u} << 32 | std::uint64_t{0x7FF} << 52 |
                                     std::uint64_t{low & 0x7F'FFFFu} << 29);
    return static_cast<double>(std::bit_cast<float>(low));
}

}  // namespace

double cbor_float(const CborHead& head) noexcept {
    if (head.info == CborHead::half_info) return half(head.argument);
    if (head.info == CborHead::single_info) return single(head.argument);
    return std::bit_cast<double>(head.argument);
}

bool CborCursor::fail(std::string_view expected, bool at_end) noexcept {
    failed_ = true;
    fault_expected_ = expected;
    fault_at_end_ = at_end;
    return false;
}

bool CborCursor::fail_at(std::uint64_t offset, std::string_view expected) noexcept {
    at_ = begin_ + (offset - base_);
    return fail(expected, at_ == end_);
}

std::string CborCursor::describe() const {
    if (at_ == end_) return "the end";
    CborCursor here({at_, left()});
    CborHead head;
    if (here.peek(head)) return name_of(head);
    const auto first = std::to_integer<unsigned>(*at_);
    if (here.fault_at_end_)
        return std::string(article_name(static_cast<CborMajor>(first >> 5))).append(", cut off by the end");
    constexpr std::string_view digits = "0123456789abcdef";
    return std::string("byte 0x").append(1, digits[first >> 4]).append(1, digits[first & 15u]);
}

CborFault CborCursor::fault() const {
    CborFault fault{offset(), std::string(fault_expected_), describe(), fault_at_end_};
    if (fault_at_end_ && at_ != end_)
        fault.found.append(", ").append(counted(left(), "byte")).append(" before the end");
    return fault;
}

bool CborCursor::parse_long(CborHead& head, std::size_t& size) noexcept {
    if (head.indefinite()) {
        head.argument = 0;
        const bool possible = head.major == CborMajor::bytes || head.major == CborMajor::text ||
                              head.major == CborMajor::array || head.major == CborMajor::map ||
                              head.major == CborMajor::simple;
        return possible || fail(expected_any, false);
    }
    if (head.info > CborHead::double_info) return fail(expected_any, false);  // reserved values
    const std::size_t bytes = std::size_t{1} << (head.info - 24u);
    if (left() <= bytes) return fail(expected_any, true);
    head.argument = 0;
    for (std::size_t i = 1; i <= bytes; ++i)
        head.argument = head.argument << 8 | std::to_integer<std::uint64_t>(at_[i]);
    size = 1 + bytes;
    return true;
}

bool CborCursor::head(CborHead& head) {
    std::size_t size = 0;
    if (failed_ || !parse(head, size)) return false;
    if (head.is_break()) return fail(expected_any, false);
    at_ += size;
    return true;
}

bool CborCursor::argument(CborMajor major, std::string_view expected, std::uint64_t& value) {
    CborHead head;
    std::size_t size = 0;
    if (failed_) return false;
    if (!parse(head, size)) return fail(expected, fault_at_end_);
    if (head.major != major) return fail(expected, false);
    value = head.argument;
    at_ += size;
    return true;
}

bool CborCursor::integer(CborInteger& value) {
    constexpr std::string_view expected = "an integer";
    CborHead head;
    std::size_t size = 0;
    if (failed_) return false;
    if (!parse(head, size)) return fail(expected, fault_at_end_);
    if (head.major != CborMajor::unsigned_integer && head.major != CborMajor::negative_integer)
        return fail(expected, false);
    value = {head.argument, head.major == CborMajor::negative_integer};
    at_ += size;
    return true;
}

bool CborCursor::container(CborMajor major, std::string_view expected, CborItems& items) {
    CborHead head;
    std::size_t size = 0;
    if (failed_) return false;
    if (!parse(head, size)) return fail(expected, fault_at_end_);
    if (head.major != major) return fail(expected, false);
    items = {head.argument, head.indefinite()};
    at_ += size;
    return true;
}

bool CborCursor::more(CborItems& items) {
    if (failed_) return false;
    if (!items.indefinite) {
        if (items.left == 0) return false;
        --items.left;
        return true;
    }
    constexpr std::byte break_byte{0xFF};
    if (at_ == end_) return fail("an item or a break", true);
    if (*at_ != break_byte) return true;
    ++at_;
    return false;
}

bool CborCursor::string(CborMajor major, std::vector<std::byte>& store, std::span<const std::byte>& bytes) {
    const std::string_view expected = article_name(major);
    CborHead head;
    std::size_t size = 0;
    if (failed_) return false;
    if (!parse(head, size)) return fail(expected, fault_at_end_);
    if (head.major != major) return fail(expected, false);
    if (!head.indefinite()) {
        if (head.argument > left() - size) return fail(expected, true);
        bytes = {at_ + size, static_cast<std::size_t>(head.argument)};
        at_ += size + bytes.size();
        return true;
    }
    at_ += size;
    store.clear();
    if (!pieces(major, &store)) return false;
    bytes = store;
    return true;
}

bool CborCursor::pieces(CborMajor major, std::vector<std::byte>* store) {
    const std::string_view expected = article_name(major);
    CborItems items{0, true};
    while (more(items)) {
        CborHead head;
        std::size_t size = 0;
        if (!parse(head, size)) return fail(expected, fault_at_end_);
        if (head.major != major || head.indefinite()) return fail(expected, false);
        if (head.argument > left() - size) return fail(expected, true);
        at_ += size;
        if (store != nullptr) store->insert(store->end(), at_, at_ + head.argument);
        at_ += head.argument;
    }
    return !failed_;
}

bool CborCursor::skip(std::uint64_t depth) {
    // A level holds the number of items left. These special values mark levels that end with a break.
    constexpr std::uint64_t until_break = ~std::uint64_t{0};
    constexpr std::uint64_t key_or_break = until_break - 1, value_of_key = until_break - 2;
    if (failed_) return false;
    open_.clear();
    open_.push_back(1);
    bool tagged = false;
    while (!open_.empty()) {
        std::uint64_t& level = open_.back();
        if (level == 0) {
            open_.pop_back();
            continue;
        }
        CborHead head;
        std::size_t size = 0;
        if (!parse(head, size)) return false;
        if (head.is_break()) {
            if (level < key_or_break || tagged) return fail(expected_any, false);
            at_ += size;
            open_.pop_back();
            continue;
        }
        tagged = head.major == CborMajor::tag;
        if (!tagged) {
            if (level == key_or_break)
                level = value_of_key;
            else if (level == value_of_key)
                level = key_or_break;
            else if (level != until_break)
                --level;
        }
        switch (head.major) {
            case CborMajor::unsigned_integer:
            case CborMajor::negative_integer:
            case CborMajor::simple:
            case CborMajor::tag:  // the tagged item follows
                break;
            case CborMajor::bytes:
            case CborMajor::text:
                if (head.indefinite()) {
                    at_ += size;
                    size = 0;
                    if (!pieces(head.major, nullptr)) return false;
                    break;
                }
                if (head.argument > left() - size) return fail(article_name(head.major), true);
                size += head.argument;
                break;
            case CborMajor::array:
            case CborMajor::map: {
                if (open_.size() > depth) return fail("less nesting (--max-depth)", false);
                at_ += size;
                size = 0;
                std::uint64_t items = head.argument;
                if (head.major == CborMajor::map && items != 0) {
                    if (items > until_break / 2 - 1) return fail("fewer items", false);
                    items *= 2;
                }
                if (items >= value_of_key) return fail("fewer items", false);
                if (head.indefinite()) items = head.major == CborMajor::map ? key_or_break : until_break;
                open_.push_back(items);
                break;
            }
        }
        at_ += size;
    }
    return true;
}

}  // namespace hwtrace

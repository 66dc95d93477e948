// formats/pccx/bincode_events.cpp - the functions of Scan that read the events of a bincode payload, also behind
// damage.

#include <algorithm>
#include <array>
#include <utility>

#include "domain/value_text.hpp"
#include "event_search.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "scan.hpp"

namespace hwtrace::pccx {

bool Scan::expects_bincode() const {
    if (!stated_events_) return false;
    return resumed_ ? bytes_->left() != 0 : events_ < *stated_events_;
}

bool Scan::next_bincode(Event& event) {
    while (expects_bincode()) {
        event_at_ = bytes_->offset();
        std::uint64_t size = parse_bincode(event);
        if (size != 0 && has_damaged_core(event)) [[unlikely]]
            size = 0;
        else if (size != 0 && sound_ != true && !is_usual(event)) [[unlikely]]
            size = is_damaged(event, size) ? 0 : parse_bincode(event);  // the examination may move the bytes
        if (size != 0) {
            if (event.type == EventTypes::unmet) [[unlikely]]
                number_type(event);
            if (event.has_name) check_text(event.name, event_at_ + size - event.name.size());
            bytes_->skip(static_cast<std::size_t>(size));
            return true;
        }
        if (!resume(std::move(fault_))) return false;
    }
    return false;
}

/// Returns true if the event needs no closer look.
bool Scan::is_usual(const Event& event) const {
    const bool known = event.type == EventTypes::unmet ? is_known_type(type_) : known_type_[event.type];
    return known && event.core < trusted_cores_ && (!event.has_name || is_printable(event.name));
}

/// Numbers the new type of an event that is delivered. Misread types of damaged events get no number.
void Scan::number_type(Event& event) {
    event.type = types_.number(type_);
    known_type_.push_back(is_known_type(type_) || std::ranges::find(own_types_, type_) != own_types_.end());
}

Scan::Fault Scan::missing(std::uint64_t at) const {
    return {Check::events_missing, at,
            stated_events_ ? counted(*stated_events_, "event") : "16 bytes of total and count",
            std::string("the end of the payload in event ").append(std::to_string(events_)), true};
}

/// Parses the event at the current place. Returns its size, or 0 after setting fault_.
std::uint64_t Scan::parse_bincode(Event& event) {
    PayloadBytes& bytes = *bytes_;
    const std::uint64_t at = event_at_;
    const auto fails = [&](Fault why) {
        fault_ = std::move(why);
        return std::uint64_t{0};
    };
    if (!bytes.ensure(bincode_event_head_size)) return fails(missing(at));
    event.core = load_le<std::uint32_t>(bytes.at());
    event.start = load_le<std::uint64_t>(bytes.at() + 4);
    event.duration = load_le<std::uint64_t>(bytes.at() + 12);
    const auto type_size = load_le<std::uint64_t>(bytes.at() + 20);
    std::uint64_t size = bincode_event_head_size;
    const auto too_long = [&](std::uint64_t length, std::uint64_t length_at) {
        const std::uint64_t left = bytes.left() - size;
        std::string most("at most ");
        if (length > left)
            most.append(counted(left, "byte"));
        else
            most.append(counted(limits_.string, "byte")).append(" (--max-string), or an event behind the string");
        return fails({Check::text_too_long, length_at, std::move(most),
                      std::string("a string of ").append(counted(length, "byte")), length <= limits_.string});
    };
    // A long string is refused by the limit only if an event follows it; otherwise its length is damaged.
    const auto is_too_long = [&](std::uint64_t length, bool is_type) {
        if (length > bytes.left() - size) return true;
        if (length <= limits_.string) [[likely]]
            return false;
        if (is_honest(at + size, length, is_type))
            check_limit(length, limits_.string, is_type ? "the name of an event type" : "the name of an API call",
                        "max-string");
        return true;
    };
    if (is_too_long(type_size, true)) return too_long(type_size, at + 20);
    size += type_size;

    std::uint64_t name_size = 0;
    event.has_name = false;
    if (layout_ == Layout::bincode) {
        if (!bytes.ensure(size + 1)) return fails(missing(at));
        const auto option = std::to_integer<std::uint8_t>(bytes.at()[size]);
        if (option > 1) return fails({Check::option_tag, at + size, "0 or 1", std::to_string(option)});
        size += 1;
        if (option == 1) {
            if (!bytes.ensure(size + 8)) return fails(missing(at));
            name_size = load_le<std::uint64_t>(bytes.at() + size);
            size += 8;
            if (is_too_long(name_size, false)) return too_long(name_size, at + size - 8);
            event.has_name = true;
        }
    }
    if (!bytes.ensure(size + name_size)) return fails(missing(at));
    const std::byte* const begin = bytes.at();
    type_ = as_text({begin + bincode_event_head_size, static_cast<std::size_t>(type_size)});
    event.type = types_.find(type_);
    if (event.has_name) event.name = as_text({begin + size, static_cast<std::size_t>(name_size)});
    return size + name_size;
}

/// Returns true if a type or an API name begins like a text, and an event or the end of the payload follows it.
bool Scan::is_honest(std::uint64_t text_at, std::uint64_t length, bool is_type) const {
    std::array<std::byte, EventForm::view_size> bytes{};
    const auto read = [&](std::uint64_t at, std::uint64_t most) {
        const std::size_t count = input_.read_at(at, bytes);
        return std::span(bytes).first(static_cast<std::size_t>(std::min<std::uint64_t>(count, most)));
    };
    if (!is_printable(as_text(read(text_at, length)))) return false;
    const std::uint64_t text_end = text_at + length;
    std::uint64_t event_end = text_end;
    if (is_type && layout_ == Layout::bincode) {
        std::array<std::byte, 9> rest{};  // the option byte and the length of a name
        const std::size_t count = input_.read_at(text_end, rest);
        const bool has_name = rest[0] == std::byte{1};
        event_end += has_name ? rest.size() : 1;
        if (count == 0 || (rest[0] != std::byte{0} && !has_name) || event_end > payload_end_) return false;
        const auto name_size = load_le<std::uint64_t>(rest.data() + 1);
        if (has_name && name_size > payload_end_ - event_end) return false;
        event_end += has_name ? name_size : 0;
    }
    if (event_end >= payload_end_) return event_end == payload_end_;
    const std::uint64_t left = payload_end_ - event_end;
    return form(trusted_cores_).event_size(read(event_end, left), left, EventForm::Type::any) != 0;
}

/// Remembers the type of an event that another event follows, so that reading can continue with such events behind
/// damage.
void Scan::learn(std::string type, std::uint32_t number) {
    constexpr std::size_t most_own_types = 64;  // each one may repeat the search for the next known event
    if (type.empty() || type.size() > longest_type || own_types_.size() == most_own_types) return;
    if (is_known_type(type) || std::ranges::find(own_types_, type) != own_types_.end()) return;
    if (number != EventTypes::unmet) known_type_[number] = true;
    own_types_.push_back(std::move(type));
    next_known_ = 0;
}

/// Returns the offset of the first event at or after `from` that can be recognised in a damaged payload.
std::optional<std::uint64_t> Scan::next_known_event(std::uint64_t from) {
    if (next_known_ && *next_known_ < from) next_known_ = form(trusted_cores_).find(input_, from, payload_end_);
    return next_known_;
}

/// Returns true, after setting fault_, if the core of an event is implausible and the checksum of the payload is wrong:
/// then bytes have changed, and the core is more likely to be damaged than stated wrongly by its producer.
bool Scan::has_damaged_core(const Event& event) {
    if (event.core < trusted_cores_ || !header_.checksum || !whole_) [[likely]]
        return false;
    if (!changed_) {
        PayloadBytes all(input_, payload_begin_, payload_end_, true);
        all.skip_rest();
        changed_ = all.checksum() != *header_.checksum;
    }
    if (!*changed_) return false;
    fault_ = {Check::event_damaged, event_at_,
              std::string("a core below ").append(std::to_string(trusted_cores_)).append(", or the right checksum"),
              std::string("core ").append(std::to_string(event.core))};
    return true;
}

/// Returns true, after setting fault_, if an unusual event is a misreading of damaged bytes: no event follows it, the
/// payload is known to be damaged, and events that can be read come later.
bool Scan::is_damaged(const Event& event, std::uint64_t size) {
    PayloadBytes& bytes = *bytes_;
    const std::uint64_t behind = bytes.left() - size;
    if (behind == 0 || (!whole_ && behind < bincode_event_head_size)) return false;
    const EventForm after = form(std::max<std::uint64_t>(trusted_cores_, std::uint64_t{event.core} + 1));
    const bool printable = is_printable(type_) && (!event.has_name || is_printable(event.name));
    const std::string type(type_);  // the bytes move now
    if (!bytes.ensure(size + std::min<std::uint64_t>(behind, EventForm::view_size))) return false;
    const std::span<const std::byte> next = bytes.some().subspan(static_cast<std::size_t>(size));
    if (printable && after.event_size(next, behind, EventForm::Type::any) != 0) {
        learn(type, event.type);
        return false;
    }
    if (!sound_) sound_ = holds_whole_events(input_, payload_begin_, payload_end_, whole_, layout_, limits_);
    if (*sound_ || !next_known_event(event_at_ + 1)) return false;
    fault_ = {Check::event_damaged, event_at_, "a known type, a plausible core, and an event behind it",
              std::string("type ").append(shown(type)).append(", core ").append(std::to_string(event.core))};
    return true;
}

/// Reports a damaged event and continues with the next event that can be recognised. Returns false if there is none.
bool Scan::resume(Fault fault) {
    const std::optional<std::uint64_t> next = next_known_event(event_at_ + 1);
    if (!next && !whole_ && fault.may_be_cut) {  // reported as a cut file
        broken_ = true;
        return false;
    }
    if (next)
        fault.got.append("; ")
            .append(counted(*next - event_at_, "byte"))
            .append(" are skipped, up to byte ")
            .append(std::to_string(*next));
    stop(fault.check, fault.offset, std::move(fault.expected), std::move(fault.got));
    if (!next) return false;
    while (bytes_->offset() < *next) {
        const std::size_t some = bytes_->some().size();
        if (some == 0) return false;  // the file has become shorter
        bytes_->skip(static_cast<std::size_t>(std::min<std::uint64_t>(some, *next - bytes_->offset())));
    }
    resumed_ = true;
    return true;
}

}  // namespace hwtrace::pccx

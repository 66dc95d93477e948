// formats/pccx/bincode_events.cpp - the functions of Scan that read the events of a bincode payload, also behind
// damage.

#include <algorithm>
#include <utility>

#include "codec/value_text.hpp"
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
        if (size != 0) {
            if (event.type >= known_type_.size()) [[unlikely]]
                for (std::size_t i = known_type_.size(); i < types_.size(); ++i)
                    known_type_.push_back(is_known_type(types_.name(static_cast<std::uint32_t>(i))));
            const bool usual =
                known_type_[event.type] && event.core < trusted_cores_ && (!event.has_name || is_printable(event.name));
            if (!usual && sound_ != true) [[unlikely]]  // the examination may move the bytes of the event
                size = is_damaged(event, size) ? 0 : parse_bincode(event);
        }
        if (size != 0) {
            if (event.has_name) check_text(event.name, event_at_ + size - event.name.size());
            bytes_->skip(static_cast<std::size_t>(size));
            return true;
        }
        if (!resume(std::move(fault_))) return false;
    }
    return false;
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
        return fails({Check::text_too_long, length_at,
                      std::string("at most ").append(counted(bytes.left() - size, "byte")),
                      std::string("a string of ").append(counted(length, "byte")), length <= limits_.string});
    };
    if (type_size > bytes.left() - size) return too_long(type_size, at + 20);
    check_limit(type_size, limits_.string, "the name of an event type", "max-string");
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
            if (name_size > bytes.left() - size) return too_long(name_size, at + size - 8);
            check_limit(name_size, limits_.string, "the name of an API call", "max-string");
            event.has_name = true;
        }
    }
    if (!bytes.ensure(size + name_size)) return fails(missing(at));
    const std::byte* const begin = bytes.at();
    event.type = types_.number(as_text({begin + bincode_event_head_size, static_cast<std::size_t>(type_size)}));
    if (event.has_name) event.name = as_text({begin + size, static_cast<std::size_t>(name_size)});
    return size + name_size;
}

/// Returns the offset of the first event at or after `from` that can be recognised in a damaged payload.
std::optional<std::uint64_t> Scan::next_known_event(std::uint64_t from) {
    if (next_known_ && *next_known_ < from)
        next_known_ = EventForm(layout_, trusted_cores_).find(input_, from, payload_end_);
    return next_known_;
}

/// Returns true, after setting fault_, if an unusual event is a misreading of damaged bytes: no event follows it, the
/// payload is known to be damaged, and events that can be read come later.
bool Scan::is_damaged(const Event& event, std::uint64_t size) {
    PayloadBytes& bytes = *bytes_;
    const std::uint64_t behind = bytes.left() - size;
    if (behind == 0 || (!whole_ && behind < bincode_event_head_size)) return false;
    const EventForm form(layout_, std::max<std::uint64_t>(trusted_cores_, std::uint64_t{event.core} + 1));
    const bool printable = is_printable(types_.name(event.type)) && (!event.has_name || is_printable(event.name));
    if (!bytes.ensure(size + std::min<std::uint64_t>(behind, EventForm::view_size))) return false;
    const std::span<const std::byte> next = bytes.some().subspan(static_cast<std::size_t>(size));
    if (printable && form.event_size(next, behind, EventForm::Type::any) != 0) return false;
    if (!sound_) sound_ = is_sound_bincode(input_, payload_begin_, payload_end_, whole_, layout_, limits_);
    if (*sound_ || !next_known_event(event_at_ + 1)) return false;
    fault_ = {Check::event_damaged, event_at_, "a known type, a plausible core, and an event behind it",
              std::string("type ")
                  .append(shown(types_.name(event.type)))
                  .append(", core ")
                  .append(std::to_string(event.core))};
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

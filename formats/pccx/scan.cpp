#include "scan.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "event_search.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"

namespace hwtrace::pccx {

namespace {

constexpr std::size_t opaque_piece = 64u << 10;
constexpr std::uint64_t worth_a_thread = 1u << 20;  // minimum number of bytes to hash on a second thread

/// Returns "0x" and `width` hexadecimal digits.
std::string hex_text(std::uint64_t value, std::size_t width = 16) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
    const auto count = static_cast<std::size_t>(end.ptr - digits.data());
    return std::string("0x").append(width - std::min(width, count), '0').append(digits.data(), count);
}

Layout layout_of(std::string_view encoding) noexcept {
    if (encoding == encoding_bincode) return Layout::bincode;
    if (encoding == encoding_flatbuf) return Layout::flatbuf;
    if (encoding == encoding_json) return Layout::json;
    return Layout::opaque;
}

std::string_view name_of(Layout layout) noexcept {
    switch (layout) {
        case Layout::bincode:
            return "bincode, five fields";
        case Layout::bincode4:
            return "bincode, four fields";
        case Layout::flatbuf:
            return "flatbuf";
        case Layout::json:
            return "json";
        case Layout::opaque:
            return "opaque";
    }
    return "?";
}

}  // namespace

// --- types ---

std::uint32_t EventTypes::find_rare(std::string_view name) {
    const std::uint32_t number = names_.find(name);
    if (number == none) return unmet;
    recent_[place(name)] = {names_.names()[number], number};
    return number;
}

std::uint32_t EventTypes::add(std::string_view name) {
    const std::uint32_t number = names_.add(name);
    recent_.fill({});  // a new name may move the others in memory
    check_limit(size(), limits_.schema_objects, "the number of event types", "max-schema");
    check_limit(name_bytes_ += name.size(), limits_.block, "bytes of the names of event types", "max-block");
    return number;
}

std::uint32_t EventTypes::find_flat(std::uint32_t id) {
    if (id >= event_types.size()) return number(std::string(unnamed_type_prefix).append(std::to_string(id)));
    return flat_[id] = number(event_types[id]);
}

// --- opening ---

std::string Scan::shown(std::string_view text) {
    constexpr std::size_t most = 60;
    TextOutput out(-1, 4 * most);
    append_quoted(text.substr(0, most), out);
    return std::string(out.text());
}

Scan::Scan(Input& input, const Settings& settings, Findings& findings)
    : input_(input), limits_(settings.limits), findings_(findings), jobs_(settings.jobs) {
    file_size_ = input.size().value_or(0);
    read_prefix();
    open_payload(settings);
}

void Scan::report(Check check, ByteRange at, std::string expected, std::string got, std::string where) {
    Finding finding{&rule(check), at.offset, at.length};
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    finding.where = std::move(where);
    findings_.report(std::move(finding));
}

void Scan::read_prefix() {
    std::array<std::byte, prefix_size> prefix{};
    const std::size_t size = input_.read_at(0, prefix);
    const auto cut = [&](std::string expected) {
        const std::uint64_t there = file_size_ - (file_size_ < prefix_size ? 0 : prefix_size);
        report(Check::header_cut, file_size_, std::move(expected), counted(there, "byte"));
        fail(Failure::input, "the file ends inside its header");
    };
    const std::string_view begin = as_text(std::span(prefix).first(std::min(size, magic.size())));
    if (begin != magic) {
        if (!begin.empty() && magic.starts_with(begin)) cut("a prefix of 16 bytes");
        report(Check::no_magic, {0, magic.size()}, "PCCX", size < magic.size() ? counted(size, "byte") : "other bytes");
        fail(Failure::input, "not a .pccx file");
    }
    if (size < prefix_size) cut("a prefix of 16 bytes");
    const auto major = std::to_integer<std::uint8_t>(prefix[4]);
    header_.minor = std::to_integer<std::uint8_t>(prefix[5]);
    header_.reserved = load_le<std::uint16_t>(prefix.data() + 6);
    if (major != major_version) {
        report(Check::major_unsupported, 4, "1", std::to_string(major));
        fail(Failure::input, "unknown major version of the format; a newer hwtrace may read it");
    }
    if (header_.reserved != 0) report(Check::reserved_not_zero, {6, 2}, "0", hex_text(header_.reserved, 4));
    const auto length = load_le<std::uint64_t>(prefix.data() + 8);
    if (length > file_size_ - prefix_size)
        cut(std::string("a header of ").append(counted(length, "byte")).append(" at byte 16"));
    check_limit(length, limits_.string, "the header", "max-string");
    const std::vector<std::byte> text = input_.read_all_at(prefix_size, static_cast<std::size_t>(length));
    parse_header(as_text(text), prefix_size, limits_, findings_, header_);
    payload_begin_ = prefix_size + length;
}

void Scan::open_payload(const Settings& settings) {
    if (header_.format_minor.value_or(0) != header_.minor)
        report(Check::minors_differ, 5, std::to_string(header_.format_minor.value_or(0)).append(", as in format_minor"),
               std::to_string(header_.minor));
    if (header_.clock() == 0)
        report(Check::clock_unknown, header_.clock_at, "trace.clock_mhz", header_.clock_mhz ? "0" : "no clock");

    const std::uint64_t available = file_size_ - payload_begin_;
    const bool has_payload = header_.present[static_cast<std::size_t>(Object::payload)];
    // Without a usable length, the rest of the file is the payload.
    const std::uint64_t length = header_.byte_length.value_or(has_payload ? available : 0);
    payload_end_ = payload_begin_ + std::min(length, available);
    whole_ = length <= available;
    if (!whole_)
        report(Check::payload_cut, file_size_,
               std::string("a payload of ")
                   .append(counted(length, "byte"))
                   .append(" at byte ")
                   .append(std::to_string(payload_begin_)),
               counted(available, "byte"));
    if (available > length)
        report(Check::behind_payload, {payload_end_, available - length}, "the end of the file",
               counted(available - length, "byte"));

    const std::string_view encoding = header_.encoding ? std::string_view(*header_.encoding) : std::string_view();
    layout_ = layout_of(encoding);
    if (header_.checksum) checksum_ = Checksum::unchecked;
    constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
    cycles_ = header_.cycles.value_or(0) == 0 ? unlimited : *header_.cycles;
    cores_ = header_.cores.value_or(0) == 0 ? unlimited : *header_.cores;

    trusted_cores_ = header_.cores.value_or(0) == 0 ? usual_cores : cores_;
    if (has_payload && !header_.encoding) {
        layout_ = identify(input_, payload_begin_, payload_end_, trusted_cores_, limits_);
    } else if (layout_ == Layout::bincode) {
        layout_ = identify_bincode(input_, payload_begin_, payload_end_, whole_, trusted_cores_, limits_);
    }
    if (layout_ == Layout::opaque && encoding != encoding_raw && (has_payload || length != 0))
        report(Check::encoding_unknown, header_.encoding_at, "bincode, flatbuf, json or raw", shown(encoding),
               "payload.encoding");
    if (layout_ == Layout::bincode4)
        report(Check::layout_four_fields, {payload_begin_, payload_end_ - payload_begin_}, "events of five fields",
               "four");
    if (layout_ == Layout::json)
        report(Check::layout_json, {payload_begin_, payload_end_ - payload_begin_}, "bincode or flatbuf", "json");
    if (layout_ == Layout::flatbuf) {
        const auto known = surveyed_trailer(settings);
        trailer_ = known ? *known : find_trailer(input_, payload_begin_, payload_end_, whole_);
        names_.emplace(input_, trailer_, limits_);
    }
    // The checksum of a cut payload cannot match.
    const bool hashed = header_.checksum.has_value() && whole_;
    const bool in_background = hashed && jobs_ > 1 && payload_end_ - payload_begin_ >= worth_a_thread;
    if (in_background) background_.emplace(input_, payload_begin_, payload_end_);
    bytes_ = std::make_unique<PayloadBytes>(input_, payload_begin_, payload_end_, hashed && !in_background);
    if (layout_ == Layout::bincode || layout_ == Layout::bincode4) {
        if (!bytes_->ensure(bincode_head_size)) {
            broken_ = true;
            if (whole_) {
                Fault fault = missing(payload_begin_);
                stop(fault.check, fault.offset, std::move(fault.expected), std::move(fault.got));
            }
            return;
        }
        total_cycles_ = load_le<std::uint64_t>(bytes_->at());
        stated_events_ = load_le<std::uint64_t>(bytes_->at() + 8);
        bytes_->skip(bincode_head_size);
    }
    if (layout_ == Layout::json) {
        json_.emplace(*bytes_, limits_);
        json_->begin();
        total_cycles_ = json_->total_cycles();
    }
}

// --- events ---

bool Scan::next(Event& event) {
    if (ended_) return false;
    bool found = false;
    event_at_ = bytes_->offset();
    switch (layout_) {
        case Layout::bincode:
        case Layout::bincode4:
            found = next_bincode(event);
            break;
        case Layout::flatbuf:
            found = next_flat(event);
            break;
        case Layout::json:
            found = next_json(event);
            break;
        case Layout::opaque:
            break;
    }
    if (!found) {
        end();
        return false;
    }
    if (is_odd(event)) [[unlikely]]
        check_event(event);
    ++events_;
    last_start_ = event.start;
    return true;
}

std::span<const std::byte> Scan::next_bytes() {
    if (layout_ != Layout::opaque || ended_) return {};
    std::span<const std::byte> piece = bytes_->some();
    piece = piece.first(std::min(piece.size(), opaque_piece));
    bytes_->skip(piece.size());
    if (piece.empty()) end();
    return piece;
}

bool Scan::stop(Check check, std::uint64_t offset, std::string expected, std::string got) {
    Finding finding{&rule(check), offset};
    finding.ordinal = events_;
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    findings_.report(std::move(finding));
    broken_ = true;
    return false;
}

bool Scan::next_flat(Event& event) {
    PayloadBytes& bytes = *bytes_;
    for (;; bytes.skip(flat_event_size)) {
        event_at_ = bytes.offset();
        if (event_at_ + flat_event_size > trailer_.offset || !bytes.ensure(flat_event_size)) return false;
        event.core = load_le<std::uint32_t>(bytes.at());
        if (!has_damaged_core(event)) break;
        stop(fault_.check, event_at_, std::move(fault_.expected), std::move(fault_.got));
        for (const EventNames::Name* name = names_->peek(); name != nullptr && name->event <= flat_number();
             name = names_->peek())
            names_->take();
    }
    event.start = load_le<std::uint64_t>(bytes.at() + 4);
    event.duration = load_le<std::uint64_t>(bytes.at() + 12);
    event.type = types_.number_of_flat(load_le<std::uint32_t>(bytes.at() + 20));
    bytes.skip(flat_event_size);
    event.has_name = false;
    for (const EventNames::Name* name = names_->peek(); name != nullptr && name->event <= flat_number();
         name = names_->peek()) {
        if (event.has_name)
            report(Check::name_without_event, {name->offset, name_head_size + name->text.size()},
                   "one name for an event",
                   std::string("another name for event ").append(std::to_string(flat_number())));
        event.has_name = true;
        flat_name_ = name->text;  // the next peek() invalidates the text
        event.name = flat_name_;
        check_text(event.name, name->offset + name_head_size);
        names_->take();
    }
    return true;
}

bool Scan::next_json(Event& event) {
    for (;;) {
        const JsonPayload::Event* const found = json_->next();
        if (const auto fault = json_->take_fault()) {
            broken_ = true;
            if (!whole_ && fault->at_end) return false;
            report(Check::json_payload, fault->offset, fault->expected, fault->got,
                   std::string("event ").append(std::to_string(events_)));
            continue;
        }
        if (found == nullptr) return false;
        event_at_ = found->offset;
        event.core = found->core;
        event.start = found->start;
        event.duration = found->duration;
        event.type = types_.number(found->type);
        event.has_name = found->name.has_value();
        if (event.has_name) event.name = *found->name;
        return true;
    }
}

// --- checks of events ---

template <typename Describe>
void Scan::tally(Check check, const Event& event, Describe&& describe) {
    auto found = std::find_if(tallies_.begin(), tallies_.end(), [&](const Tally& t) { return t.check == check; });
    if (found == tallies_.end()) {
        Finding first{&rule(check), event_at_};
        if (layout_ != Layout::json) first.length = bytes_->offset() - event_at_;
        first.ordinal = events_;
        if (event.start <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            first.time = static_cast<std::int64_t>(event.start);
        describe(first);
        found = tallies_.insert(tallies_.end(), Tally{check, 0, std::move(first)});
    }
    ++found->count;
}

void Scan::check_text(std::string_view text, std::uint64_t at) {
    const std::size_t fault = find_not_utf8(text);
    if (fault == std::string_view::npos) return;
    Finding finding{&rule(Check::text_not_utf8), at + fault};
    finding.ordinal = events_;
    finding.expected = "UTF-8";
    finding.got = std::string("byte ").append(hex_text(static_cast<unsigned char>(text[fault]), 2));
    findings_.report(std::move(finding));
}

void Scan::check_event(const Event& event) {
    if (event.type >= known_types_) {
        known_types_ = event.type + 1;
        const std::string& name = types_.name(event.type);
        if (layout_ != Layout::flatbuf) check_text(name, event_at_ + bincode_event_head_size);
        if (std::find(event_types.begin(), event_types.end(), name) == event_types.end())
            tally(Check::type_unknown, event, [&](Finding& finding) {
                finding.expected = "a known event type";
                finding.got = shown(name);
            });
    }
    const std::uint64_t event_end = event.start + event.duration;
    if (event_end < event.start) {
        tally(Check::end_overflows, event, [&](Finding& finding) {
            finding.expected = "an end below 2^64";
            finding.got = std::to_string(event.start).append(" + ").append(std::to_string(event.duration));
        });
    } else if (event_end > cycles_) {
        tally(Check::ends_after_cycles, event, [&](Finding& finding) {
            finding.expected = std::string("at most ").append(std::to_string(cycles_));
            finding.got = std::to_string(event_end);
        });
    }
    if (event.core >= cores_)
        tally(Check::core_beyond_cores, event, [&](Finding& finding) {
            finding.expected = std::string("below ").append(std::to_string(cores_));
            finding.got = std::to_string(event.core);
        });
    if (layout_ != Layout::flatbuf) return;
    if (event.start < last_start_)
        tally(Check::not_sorted, event, [&](Finding& finding) {
            finding.expected = std::string("a start of at least ").append(std::to_string(last_start_));
            finding.got = std::to_string(event.start);
        });
    if (event.core == trailer_magic)
        tally(Check::core_is_magic, event, [&](Finding& finding) {
            finding.expected = "another number";
            finding.got = std::to_string(event.core);
        });
}

// --- the end ---

void Scan::end() {
    ended_ = true;
    const std::uint64_t at = bytes_->offset();
    if (layout_ == Layout::json) {
        total_cycles_ = json_->total_cycles();
        if (json_->unknown_keys() != 0)
            report(Check::json_unknown_key, {payload_begin_, payload_end_ - payload_begin_}, "known keys",
                   std::to_string(json_->unknown_keys()).append(" unknown"));
        if (!broken_ && json_->has_more())
            report(Check::behind_events, {bytes_->offset(), payload_end_ - bytes_->offset()}, "the end of the payload",
                   counted(payload_end_ - bytes_->offset(), "byte"));
    }
    if (layout_ == Layout::flatbuf) {
        if (trailer_.found && !trailer_.exact && whole_) {
            report(
                Check::trailer_damaged, {trailer_.end, std::max<std::uint64_t>(payload_end_ - trailer_.end, 1)},
                counted(trailer_.stated, "name").append(" up to the end of the payload"),
                counted(trailer_.names, "name").append(", then ").append(counted(payload_end_ - trailer_.end, "byte")));
        } else if (!trailer_.found && at < payload_end_ && whole_) {
            report(Check::flat_tail, {at, payload_end_ - at}, "24 bytes", counted(payload_end_ - at, "byte"));
        }
        for (const EventNames::Name* name = names_->peek(); name != nullptr; name = names_->peek()) {
            report(Check::name_without_event, {name->offset, name_head_size + name->text.size()},
                   std::string("an event below ").append(std::to_string((at - payload_begin_) / flat_event_size)),
                   std::to_string(name->event));
            names_->take();
        }
    } else if (layout_ == Layout::bincode || layout_ == Layout::bincode4) {
        if (!broken_ && at < payload_end_)
            report(Check::behind_events, {at, payload_end_ - at}, "the end of the payload",
                   counted(payload_end_ - at, "byte"));
    }
    if (total_cycles_ && header_.cycles && *total_cycles_ != *header_.cycles)
        report(Check::cycles_differ, {payload_begin_, layout_ == Layout::json ? payload_end_ - payload_begin_ : 8},
               std::to_string(*header_.cycles).append(", as in trace.cycles"), std::to_string(*total_cycles_));
    for (Tally& t : tallies_) {
        if (t.count > 1) t.first.got.append(" (the first of ").append(counted(t.count, "event")).append(")");
        findings_.report(std::move(t.first));
    }
    tallies_.clear();
    if (checksum_ != Checksum::unchecked || !whole_) return;
    if (!background_) bytes_->skip_rest();
    const std::uint64_t found = background_ ? background_->value() : bytes_->checksum();
    checksum_ = found == *header_.checksum ? Checksum::right : Checksum::wrong;
    if (checksum_ == Checksum::wrong)
        report(Check::checksum_mismatch, {payload_begin_, payload_end_ - payload_begin_}, hex_text(*header_.checksum),
               hex_text(found));
}

Facts Scan::facts() const {
    Facts facts;
    const auto fact = [&](std::string_view key, auto value) { facts.emplace_back(key, std::move(value)); };
    fact("version", std::string("1.").append(std::to_string(header_.minor)));
    if (header_.lab_version) fact("pccx_lab_version", *header_.lab_version);
    if (header_.mac_dims)
        fact("mac_dims",
             std::to_string((*header_.mac_dims)[0]).append(" x ").append(std::to_string((*header_.mac_dims)[1])));
    if (header_.isa_version) fact("isa_version", *header_.isa_version);
    if (header_.peak_tops) fact("peak_tops", real_text(*header_.peak_tops));
    if (header_.cycles) fact("cycles", *header_.cycles);
    if (header_.cores) fact("cores", *header_.cores);
    fact("clock", header_.clock() == 0 ? "unknown" : std::to_string(header_.clock()).append(" MHz"));
    if (total_cycles_) fact("total_cycles", *total_cycles_);
    fact("encoding", header_.encoding.value_or(""));
    fact("layout", std::string(name_of(layout_)));
    fact("payload_bytes", payload_end_ - payload_begin_);
    if (ended_ && layout_ != Layout::opaque) fact("events", events_);
    constexpr std::array<std::string_view, 4> states{"none", "not checked", "right", "wrong"};
    fact("checksum", std::string(states[static_cast<std::size_t>(checksum_)]));
    return facts;
}

}  // namespace hwtrace::pccx

#include "json_payload.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "domain/utf8.hpp"
#include "io/cursor.hpp"

namespace hwtrace::pccx {

namespace {

using Tree = nlohmann::json;

bool is_space(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Returns the beginning of `text` in printable form, for a message.
std::string excerpt(std::string_view text) {
    constexpr std::size_t most = 60;
    std::string shown;
    for (std::size_t at = 0; at < std::min(text.size(), most);) {
        const std::size_t length = utf8_length(text, at);
        const bool printable = length != 0 && static_cast<unsigned char>(text[at]) >= ' ';
        shown.append(printable ? text.substr(at, length) : "?");
        at += std::max<std::size_t>(length, 1);
    }
    return shown;
}

std::string shown(char c) {
    if (c == '\0') return "the end";
    return std::string("'").append(excerpt({&c, 1})).append("'");
}

}  // namespace

/// Skips white space and returns the next character without consuming it; NUL at the end.
char JsonPayload::peek() {
    for (;;) {
        if (!bytes_.ensure(1)) return '\0';
        const char c = static_cast<char>(*bytes_.at());
        if (!is_space(c)) return c;
        bytes_.skip(1);
    }
}

bool JsonPayload::expect(char c, std::string_view what) {
    const char found = peek();
    if (found != c) {
        fault(bytes_.offset(), what, shown(found), bytes_.left() == 0);
        return false;
    }
    bytes_.skip(1);
    return true;
}

void JsonPayload::fault(std::uint64_t at, std::string_view expected, std::string got, bool at_end) {
    place_ = Place::ended;
    fault_ = Fault{at, std::string(expected), std::move(got), at_end};
}

std::optional<JsonPayload::Fault> JsonPayload::take_fault() {
    std::optional<Fault> taken;
    taken.swap(fault_);
    return taken;
}

/// Consumes a JSON value and returns its characters; empty after a fault. Finds the end of the value but does not check
/// its contents.
std::string_view JsonPayload::value(std::string_view what) {
    const char first = peek();
    const std::uint64_t at = bytes_.offset();
    std::size_t size = 0;
    std::uint64_t depth = 0;
    bool in_text = false;
    for (;; ++size) {
        if (!bytes_.ensure(size + 1)) {
            if (size != 0 && depth == 0 && !in_text) break;
            fault(at, what, size == 0 ? "the end" : "only its beginning", true);
            return {};
        }
        check_limit(size, limits_.record, "a value of the JSON payload", "max-record");
        const char c = static_cast<char>(bytes_.at()[size]);
        if (in_text) {
            if (c == '\\' && bytes_.ensure(size + 2)) ++size;
            if (c != '"') continue;
            in_text = false;
            if (depth == 0) {
                ++size;
                break;
            }
        } else if (c == '"') {
            in_text = true;
        } else if (c == '{' || c == '[') {
            if (++depth > limits_.depth) refuse(depth, limits_.depth, "nesting of the JSON payload", "max-depth");
        } else if (c == '}' || c == ']') {
            if (depth == 0) break;  // the end of the enclosing value
            if (--depth == 0) {
                ++size;
                break;
            }
        } else if (depth == 0 && (c == ',' || c == ':' || is_space(c))) {
            break;
        }
    }
    if (size == 0) {
        fault(at, what, shown(first));
        return {};
    }
    const std::string_view text = as_text({bytes_.at(), size});
    bytes_.skip(size);
    return text;
}

void JsonPayload::begin() {
    if (expect('{', "the payload's JSON object")) read_members();
}

/// Reads members up to the events or the end of the object.
void JsonPayload::read_members() {
    place_ = Place::members;
    for (;;) {
        if (peek() == '}') {
            bytes_.skip(1);
            place_ = Place::ended;
            if (!had_events_ || !total_cycles_)
                fault(bytes_.offset() - 1, had_events_ ? "\"total_cycles\"" : "\"events\"", "the end of the object");
            return;
        }
        if (!first_member_ && !expect(',', "',' or '}'")) return;
        first_member_ = false;
        peek();
        const std::uint64_t at = bytes_.offset();
        const std::string_view key_text = value("a key");
        if (key_text.empty()) return;
        const Tree key = Tree::parse(key_text, nullptr, false);
        if (!key.is_string()) return fault(at, "a key", excerpt(key_text));
        if (!expect(':', "':'")) return;
        if (key == "events" || (key == "total_cycles" && total_cycles_)) {
            if (key != "events" || had_events_) return fault(at, "each key once", std::string(key_text.substr(0, 60)));
            had_events_ = true;
            if (!expect('[', "the array of events")) return;
            place_ = Place::events;
            return;
        }
        peek();
        const std::uint64_t value_at = bytes_.offset();
        const std::string_view text = value("a value");
        if (text.empty()) return;
        if (key != "total_cycles") {
            ++unknown_keys_;
            continue;
        }
        const Tree total = Tree::parse(text, nullptr, false);
        if (!total.is_number_unsigned()) return fault(value_at, "total_cycles as a number", excerpt(text));
        total_cycles_ = total.get<std::uint64_t>();
    }
}

const JsonPayload::Event* JsonPayload::next() {
    while (place_ == Place::events) {
        if (peek() == ']') {
            bytes_.skip(1);
            read_members();
            return nullptr;
        }
        if (!first_event_ && !expect(',', "',' or ']'")) return nullptr;
        first_event_ = false;
        peek();
        const std::uint64_t at = bytes_.offset();
        const std::string_view text = value("an event");
        if (text.empty()) return nullptr;
        if (take_event(text, at)) return &event_;
        if (fault_) return nullptr;  // the next call continues
    }
    return nullptr;
}

/// Parses an event. Returns false and sets a fault if `text` is not an event; the next event can still be read.
bool JsonPayload::take_event(std::string_view text, std::uint64_t at) {
    const auto wrong = [&](std::string_view expected) {
        fault(at, expected, excerpt(text));
        place_ = Place::events;
        return false;
    };
    // Drops unknown keys while parsing to save memory. Counts known keys, because the parser hides repetitions.
    constexpr std::array<std::string_view, 5> known{"core_id", "start_cycle", "duration", "event_type", "api_name"};
    std::array<unsigned, known.size()> met{};
    const auto keep = [&](int depth, Tree::parse_event_t event, Tree& parsed) {
        if (event != Tree::parse_event_t::key || depth != 1) return true;
        const auto* const found = std::find(known.begin(), known.end(), parsed.get_ref<const std::string&>());
        if (found == known.end()) {
            ++unknown_keys_;
            return false;
        }
        ++met[static_cast<std::size_t>(found - known.begin())];
        return true;
    };
    const Tree json = Tree::parse(text, keep, false);
    if (!json.is_object()) return wrong("an event as a JSON object");
    if (std::any_of(met.begin(), met.end(), [](unsigned count) { return count > 1; }))
        return wrong("an event with each key once");
    event_.offset = at;
    event_.name.reset();
    unsigned seen = 0;
    for (const auto& [key, member] : json.items()) {
        const bool natural = member.is_number_unsigned();
        if (key == "core_id" && natural && member.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max()) {
            event_.core = member.get<std::uint32_t>();
            seen |= 1;
        } else if (key == "start_cycle" && natural) {
            event_.start = member.get<std::uint64_t>();
            seen |= 2;
        } else if (key == "duration" && natural) {
            event_.duration = member.get<std::uint64_t>();
            seen |= 4;
        } else if (key == "event_type" && member.is_string()) {
            event_.type = member.get<std::string>();
            seen |= 8;
        } else if (key == "api_name" && (member.is_string() || member.is_null())) {
            if (member.is_string()) event_.name = member.get<std::string>();
        } else {
            return wrong(std::string("an event with a usable \"").append(key).append("\""));
        }
    }
    if (seen != 15) return wrong("an event with core_id, start_cycle, duration and event_type");
    return true;
}

}  // namespace hwtrace::pccx

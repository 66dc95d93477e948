// formats/pccx/event_search.hpp - recognises events in a damaged bincode payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/input.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

/// Core numbers below this are plausible in a file that does not state the number of its cores.
inline constexpr std::uint64_t usual_cores = 65'536;

/// Plausible length of a type, in bytes.
inline constexpr std::uint64_t longest_type = 64;

/// Returns true if `name` is one of the known event types, or a name that flatbuf gives to another type number.
bool is_known_type(std::string_view name) noexcept;
/// Returns true if a text has no control characters.
bool is_printable(std::string_view text) noexcept;

/// Recognises events of one bincode layout by their form: a plausible core and type, and a printable name.
class EventForm {
public:
    enum class Type : std::uint8_t {
        known,  ///< see is_known_type(), or one of the file's own types
        any,    ///< up to 64 printable characters
    };
    /// Number of bytes that is_event() looks at.
    static constexpr std::size_t view_size = 2048;

    /// `cores`: core numbers below this are plausible. `own_types` are known, too; they must outlive this object.
    EventForm(Layout layout, std::uint64_t cores, std::span<const std::string> own_types = {}) noexcept
        : layout_(layout), cores_(cores), own_types_(own_types) {}

    /// Returns the size of the event at the front of `bytes`, or 0 if there is none. `left` is the number of bytes up
    /// to the end of the payload, of which `bytes` are the first. An event may extend beyond `bytes`, not beyond
    /// `left`.
    std::uint64_t event_size(std::span<const std::byte> bytes, std::uint64_t left, Type type) const noexcept;
    /// Returns true if `bytes` begin with an event of a known type that another event follows. If the payload is
    /// `whole`, its end may follow instead.
    bool begins_events(std::span<const std::byte> bytes, std::uint64_t left, bool whole) const noexcept;

    /// Returns the offset of the first event of a known type in the bytes [begin, end) of a file.
    std::optional<std::uint64_t> find(const Input& input, std::uint64_t begin, std::uint64_t end) const;
    /// Counts the places for which begins_events() is true in the bytes [begin, end) of a file, at most to `last`.
    /// Continues behind each event.
    std::uint64_t count(const Input& input, std::uint64_t begin, std::uint64_t end, std::uint64_t last,
                        bool whole) const;

private:
    Layout layout_;
    std::uint64_t cores_;
    std::span<const std::string> own_types_;
};

}  // namespace hwtrace::pccx

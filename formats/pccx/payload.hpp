// formats/pccx/payload.hpp - payload bytes and their checksum, layout detection, the name table.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <span>
#include <vector>

#include "io/fnv1a.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "io/workers.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

/// Reads the bytes [begin, end) of a file once, in order. Pointers and spans are valid until the next ensure().
class PayloadBytes {
public:
    static constexpr std::size_t usual_window = 256u << 10;
    /// If `hashed`, checksum() is valid once all bytes have been read. `window` is the number of bytes per read.
    PayloadBytes(const Input& input, std::uint64_t begin, std::uint64_t end, bool hashed,
                 std::size_t window = usual_window);
    PayloadBytes(const PayloadBytes&) = delete;  // window_ refers to section_
    PayloadBytes& operator=(const PayloadBytes&) = delete;

    /// Makes at least `count` bytes available from at() on. Returns false if fewer are left.
    bool ensure(std::uint64_t count) {
        if (static_cast<std::uint64_t>(end_ - at_) >= count) [[likely]]
            return true;
        return fetch(count);
    }
    const std::byte* at() const noexcept { return at_; }
    void skip(std::size_t count) noexcept { at_ += count; }
    /// Returns the file offset of at().
    std::uint64_t offset() const noexcept {
        return begin_offset_ + window_.offset() + static_cast<std::uint64_t>(at_ - begin_);
    }
    std::uint64_t left() const noexcept { return end_offset_ - offset(); }
    /// Returns the bytes that are in memory; reads more if there are none. The result is empty only at the end.
    std::span<const std::byte> some();
    /// Reads the remaining bytes.
    void skip_rest();
    std::uint64_t checksum() const noexcept { return hash_.value(); }

private:
    bool fetch(std::uint64_t count);
    void pass();

    std::uint64_t begin_offset_, end_offset_;
    Section section_;
    Window window_;
    bool hashed_;
    Fnv1a64 hash_;
    const std::byte* begin_ = nullptr;  ///< start of the bytes that are not hashed yet
    const std::byte* at_ = nullptr;
    const std::byte* end_ = nullptr;
};

/// Computes the checksum of the bytes [begin, end) of a file on a second thread.
class BackgroundChecksum {
public:
    /// `input` must outlive this object.
    BackgroundChecksum(const Input& input, std::uint64_t begin, std::uint64_t end);
    /// Stops the thread and waits for it.
    ~BackgroundChecksum();
    BackgroundChecksum(const BackgroundChecksum&) = delete;
    BackgroundChecksum& operator=(const BackgroundChecksum&) = delete;

    /// Waits for the checksum. Rethrows read errors. Call once only.
    std::uint64_t value() { return value_.get(); }

private:
    std::atomic<bool> given_up_ = false;
    Workers worker_{1};
    std::future<std::uint64_t> value_;
};

/// Detects which bincode layout the payload [begin, end) has (formats/pccx/README.md#bincode-payload). `whole` is false
/// for a cut file. The first bytes decide, except for files constructed to fit both layouts. Core numbers below `cores`
/// are plausible.
Layout identify_bincode(const Input& input, std::uint64_t begin, std::uint64_t end, bool whole, std::uint64_t cores,
                        const Limits& limits);
/// Returns true if the payload [begin, end) consists of the events that it states, or of whole events with printable
/// texts in another number. A cut file may end inside an event.
bool holds_whole_events(const Input& input, std::uint64_t begin, std::uint64_t end, bool whole, Layout layout,
                        const Limits& limits);
/// Detects the layout of a payload whose encoding the header does not state. Returns Layout::opaque if it has none.
Layout identify(const Input& input, std::uint64_t begin, std::uint64_t end, std::uint64_t cores, const Limits& limits);

/// The location and state of the name table after flatbuf events (formats/pccx/README.md#flatbuf-payload).
struct Trailer {
    std::uint64_t offset = 0;  ///< file offset of the table's mark; the end of the payload if there is no table
    bool found = false;
    bool exact = false;        ///< the table is complete and ends at the end of the payload
    std::uint64_t stated = 0;  ///< number of names that the table states
    std::uint64_t names = 0;   ///< number of complete names
    std::uint64_t end = 0;     ///< end of the last complete name
    bool plausible = false;    ///< a writer could have written the readable part
    bool ascending = true;     ///< names are in event order, at most one per event
};
Trailer find_trailer(const Input& input, std::uint64_t begin, std::uint64_t end, bool whole);

/// Reads the names of flatbuf events, in event order.
class EventNames {
public:
    /// Throws Failure::limit if the names are unsorted and too many to sort in memory.
    EventNames(const Input& input, const Trailer& trailer, const Limits& limits);

    struct Name {
        std::uint64_t event = 0;
        std::uint64_t offset = 0;  ///< file offset of the table entry
        std::string_view text;     ///< valid until the next call
    };
    /// Returns the next name, or nullptr at the end. take() advances to the next name.
    const Name* peek();
    void take() noexcept { known_ = false; }

    /// The place of the next name.
    struct Next {
        std::uint64_t offset = 0, left = 0;  ///< in an ascending table
        std::uint64_t number = 0;            ///< in a sorted one
    };
    Next next() const noexcept {
        if (!places_.empty()) return {0, 0, next_place_ - (known_ ? 1u : 0u)};
        return {known_ ? name_.offset : bytes_.offset(), left_ + (known_ ? 1u : 0u), 0};
    }
    /// Skips the first names of a sorted table. Returns false if it has fewer.
    bool skip(std::uint64_t names) noexcept {
        next_place_ = static_cast<std::size_t>(std::min<std::uint64_t>(names, places_.size()));
        return names <= places_.size();
    }

private:
    struct Place {
        std::uint32_t event;
        std::uint32_t length;
        std::uint64_t offset;
    };
    const Input& input_;
    PayloadBytes bytes_;
    std::uint64_t left_;
    std::vector<Place> places_;  ///< sorted by event; used only if the table is unsorted
    std::size_t next_place_ = 0;
    std::vector<std::byte> text_;
    Name name_;
    bool known_ = false;
};

}  // namespace hwtrace::pccx

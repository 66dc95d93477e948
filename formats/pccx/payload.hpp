// formats/pccx/payload.hpp - the payload's bytes in order: hashed as they pass, told apart by structure.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <span>
#include <vector>

#include "io/fnv1a.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

/// Walks the bytes [begin, end) of a file once. Pointers and spans are valid until the next ensure().
class PayloadBytes {
public:
    static constexpr std::size_t usual_window = 256u << 10;
    /// `hashed`: checksum() shall be that of all bytes once they have been walked. `window`: bytes that are read at
    /// once.
    PayloadBytes(const Input& input, std::uint64_t begin, std::uint64_t end, bool hashed,
                 std::size_t window = usual_window);
    PayloadBytes(const PayloadBytes&) = delete;  // the window refers to the section
    PayloadBytes& operator=(const PayloadBytes&) = delete;

    /// Whether `count` bytes from the current place on can be looked at through at().
    bool ensure(std::uint64_t count) {
        if (static_cast<std::uint64_t>(end_ - at_) >= count) [[likely]]
            return true;
        return fetch(count);
    }
    const std::byte* at() const noexcept { return at_; }
    void skip(std::size_t count) noexcept { at_ += count; }
    /// Of the current place, in the file.
    std::uint64_t offset() const noexcept {
        return begin_offset_ + window_.offset() + static_cast<std::uint64_t>(at_ - begin_);
    }
    std::uint64_t left() const noexcept { return end_offset_ - offset(); }
    /// The bytes that are already there: none only at the end.
    std::span<const std::byte> some();
    /// Walks over all that is left.
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
    const std::byte* begin_ = nullptr;  ///< of what is not hashed yet
    const std::byte* at_ = nullptr;
    const std::byte* end_ = nullptr;
};

/// Computes the checksum of a file's bytes [begin, end) on a thread of its own, while they are read here.
class BackgroundChecksum {
public:
    /// `input` outlives this object.
    BackgroundChecksum(const Input& input, std::uint64_t begin, std::uint64_t end);
    /// Waits for the thread, which gives up.
    ~BackgroundChecksum();
    BackgroundChecksum(const BackgroundChecksum&) = delete;
    BackgroundChecksum& operator=(const BackgroundChecksum&) = delete;

    /// Waits for the value. Throws what reading throws. Once.
    std::uint64_t value() { return value_.get(); }

private:
    std::atomic<bool> given_up_ = false;
    std::future<std::uint64_t> value_;
};

/// Which of the two bincode layouts the payload [begin, end) has. `whole`: the file has all of it. A look at the first
/// bytes decides, but for files that are made to fit both (README.md, bincode).
Layout identify_bincode(const Input& input, std::uint64_t begin, std::uint64_t end, bool whole, const Limits& limits);

/// Where the table of names stands behind flat events, and what state it is in (README.md, flatbuf).
struct Trailer {
    std::uint64_t offset = 0;  ///< of its mark; the end of the payload when there is none
    bool found = false;
    bool exact = false;        ///< it ends where the payload ends, as it should
    std::uint64_t stated = 0;  ///< number of names by its head
    std::uint64_t names = 0;   ///< whole ones
    std::uint64_t end = 0;     ///< behind the last whole name
    bool plausible = false;    ///< as far as it goes, a table that a writer would make
    bool ascending = true;     ///< names come in order of their events, one each
};
Trailer find_trailer(const Input& input, std::uint64_t begin, std::uint64_t end, bool whole);

/// The names of flat events, asked for in order of events.
class EventNames {
public:
    /// Throws Failure::limit when names out of order are too many to be sorted in memory.
    EventNames(const Input& input, const Trailer& trailer, const Limits& limits);

    struct Name {
        std::uint64_t event = 0;
        std::uint64_t offset = 0;  ///< of its entry
        std::string_view text;     ///< valid until the next call
    };
    /// The name with the lowest event that has not been taken, or nullptr.
    const Name* peek();
    void take() noexcept { known_ = false; }

private:
    struct Place {
        std::uint32_t event;
        std::uint32_t length;
        std::uint64_t offset;
    };
    const Input& input_;
    PayloadBytes bytes_;
    std::uint64_t left_;
    std::vector<Place> places_;  ///< sorted, where the file's order is another
    std::size_t next_place_ = 0;
    std::vector<std::byte> text_;
    Name name_;
    bool known_ = false;
};

}  // namespace hwtrace::pccx

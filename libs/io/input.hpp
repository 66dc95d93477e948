// io/input.hpp - where bytes come from: files, pipes, memory, and decompressors stacked on them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/limits.hpp"

namespace hwtrace {

/// Bytes in order. Implementations: Input (a file, a pipe, memory) and the decompressors of io/compression.hpp.
class Source {
public:
    virtual ~Source() = default;
    /// Fills `into` from its front and returns the number of bytes read; 0 only at the end. Throws Error: Failure::io
    /// for the system, Failure::input for damaged compressed data.
    virtual std::size_t read(std::span<std::byte> into) = 0;
};

/// A named input. Opened once, read in order from its beginning; files and memory (and spooled pipes) also at any
/// offset.
class Input final : public Source {
public:
    /// Opens `path`, or standard input for "-". Throws Failure::io (missing, unreadable, a directory).
    static Input open(const std::string& path);
    /// Bytes already in memory; not copied, they must outlive the Input.
    static Input memory(std::string name, std::span<const std::byte> bytes);
    /// Takes over the open descriptor of a regular file and reads it from its beginning; `name` is for messages.
    static Input adopt(std::string name, int descriptor);

    Input(Input&&) noexcept;
    Input& operator=(Input&&) noexcept;
    ~Input() override;

    /// The path, or "<stdin>", for messages.
    const std::string& name() const noexcept;
    /// What is kept of a pipe for who asks for it: a block of zstd, and what stands in front of it.
    static constexpr std::size_t longest_head = (128u << 10) + 4096;
    /// The first bytes, at most `count` (<= longest_head), without consuming them; fewer only when the input is
    /// shorter. Waits until a pipe has brought them.
    std::span<const std::byte> head(std::size_t count = 4096);
    /// Reads on from the current position.
    std::size_t read(std::span<std::byte> into) override;
    /// The position of the next read().
    std::uint64_t position() const noexcept;

    /// True for regular files and memory.
    bool seekable() const noexcept;
    /// Bytes in all; none for a pipe.
    std::optional<std::uint64_t> size() const;
    /// Sets the position of the next read(). Only where seekable().
    void seek(std::uint64_t position);
    /// Fills `into` from `offset` without moving the position; returns fewer bytes only at the end. Only where
    /// seekable().
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> into) const;
    /// `count` bytes at `offset`; throws Truncated when the input ends before. Only where seekable().
    std::vector<std::byte> read_all_at(std::uint64_t offset, std::size_t count) const;
    /// Copies what is left of a pipe (head included) to an unlinked file in `directory`, after which the input is
    /// seekable. Nothing happens where it already is.
    void spool(const std::string& directory);

    /// Device and inode, to see whether an output is this very file; none for memory.
    struct Identity {
        std::uint64_t device = 0, inode = 0;
        friend bool operator==(const Identity&, const Identity&) = default;
    };
    std::optional<Identity> identity() const;
    /// The identity that open(path) would have, without opening it: a named pipe is opened only once. None where
    /// nothing is there.
    static std::optional<Identity> identity_of(const std::string& path) noexcept;

private:
    struct State;
    explicit Input(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// The bytes [begin, end) of a seekable Input, which outlives it; they end earlier where the input does.
class Section final : public Source {
public:
    Section(const Input& input, std::uint64_t begin, std::uint64_t end) noexcept
        : input_(&input), at_(begin), end_(end) {}
    std::size_t read(std::span<std::byte> into) override;

private:
    const Input* input_;
    std::uint64_t at_, end_;
};

/// A reused window over a Source: peek, then consume. Memory stays at the capacity plus the largest peek.
class Window {
public:
    /// `source` must outlive the window. `capacity` is how much is read ahead, in bytes.
    explicit Window(Source& source, std::size_t capacity = 512u << 10);

    /// The bytes from the current offset on: at least `count` of them, fewer only at the end of the source; often more.
    /// Valid until the next peek. The caller checks `count` against Limits first.
    std::span<const std::byte> peek(std::size_t count) {
        if (end_ - at_ < count) [[unlikely]]
            fill(count);
        return {buffer_.data() + at_, end_ - at_};
    }
    /// Moves on by `count` bytes, which a peek has shown.
    void consume(std::size_t count) noexcept { at_ += count; }
    /// The source has gone to another place: the next byte that it gives is the one at `offset`.
    void restart(std::uint64_t offset) noexcept {
        at_ = end_ = 0;
        base_ = offset;
        ended_ = false;
    }
    /// Offset of the next byte in the (decompressed) source.
    std::uint64_t offset() const noexcept { return base_ + at_; }

private:
    void fill(std::size_t count);

    Source* source_;
    std::size_t capacity_;
    std::vector<std::byte> buffer_;
    std::size_t at_ = 0, end_ = 0;
    std::uint64_t base_ = 0;
    bool ended_ = false;
};

}  // namespace hwtrace

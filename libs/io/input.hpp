// io/input.hpp - sources of bytes: files, pipes and memory. Decompressors are stacked on them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/limits.hpp"

namespace hwtrace {

/// Delivers bytes in order. Implemented by Input (a file, a pipe, memory), Section and the decompressors.
class Source {
public:
    virtual ~Source() = default;
    /// Reads up to `into.size()` bytes into the front of `into`. Returns the number of bytes read; 0 only at the end.
    /// Throws Failure::io for system errors, and Failure::input for damaged compressed data.
    virtual std::size_t read(std::span<std::byte> into) = 0;
};

/// A named input that is read in order. Files, URLs, memory and spooled pipes can also be read at any offset.
class Input final : public Source {
public:
    /// Opens a path, a URL (http, https) or "-", standard input. Throws Failure::io if it is missing or unreadable.
    static Input open(const std::string& path);
    /// Reads bytes in memory. They are not copied and must outlive the Input.
    static Input memory(std::string name, std::span<const std::byte> bytes);
    /// Takes ownership of the open descriptor of a regular file and reads the file from its beginning. `name` is for
    /// messages.
    static Input adopt(std::string name, int descriptor);

    Input(Input&&) noexcept;
    Input& operator=(Input&&) noexcept;
    ~Input() override;

    /// Returns the path, the URL without its query, or "<stdin>", for messages.
    const std::string& name() const noexcept;
    /// The size of the longest head, in bytes: one zstd block and the headers before it.
    static constexpr std::size_t longest_head = (128u << 10) + 4096;
    /// Returns the first `count` bytes (at most longest_head) without consuming them. Returns fewer only if the input
    /// is shorter. Waits until a pipe has delivered the bytes.
    std::span<const std::byte> head(std::size_t count = 4096);
    /// Reads from the current position; see Source::read().
    std::size_t read(std::span<std::byte> into) override;
    /// Returns the byte offset of the next read().
    std::uint64_t position() const noexcept;

    /// Returns true for regular files, memory, and URLs of servers with ranges. Other servers are read as pipes are.
    bool seekable() const noexcept;
    /// Returns the size of the input in bytes, or nullopt for a pipe.
    std::optional<std::uint64_t> size() const;
    /// Sets the offset of the next read(). Requires seekable().
    void seek(std::uint64_t position);
    /// Fills `into` from `offset` without moving the position. Returns fewer bytes only at the end. Requires
    /// seekable().
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> into) const;
    /// Returns `count` bytes at `offset`. Throws Truncated if the input ends earlier. Requires seekable().
    std::vector<std::byte> read_all_at(std::uint64_t offset, std::size_t count) const;
    /// Makes a pipe seekable: copies it, including its head, to an unlinked file in `directory`. Does nothing for other
    /// inputs. Throws Failure::io.
    void spool(const std::string& directory);

    /// The device and inode of a file, or a hash of a URL's version. Detects an output that would overwrite its input.
    struct Identity {
        std::uint64_t device = 0, inode = 0;
        friend bool operator==(const Identity&, const Identity&) = default;
    };
    /// Returns the identity of the open file, or nullopt for memory.
    std::optional<Identity> identity() const;
    /// Returns the identity of the file at `path`, or nullopt if the file does not exist. Does not open the file,
    /// because a named pipe can be opened only once.
    static std::optional<Identity> identity_of(const std::string& path) noexcept;

private:
    struct State;
    explicit Input(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// Reads the bytes [begin, end) of a seekable Input; fewer if the input is shorter. The input must outlive this object.
class Section final : public Source {
public:
    Section(const Input& input, std::uint64_t begin, std::uint64_t end) noexcept
        : input_(&input), at_(begin), end_(end) {}
    std::size_t read(std::span<std::byte> into) override;

private:
    const Input* input_;
    std::uint64_t at_, end_;
};

/// A read-ahead buffer over a Source. Callers peek at bytes, then consume them. Memory is limited to the capacity plus
/// the largest peek.
class Window {
public:
    /// `source` must outlive the window. `capacity` is the read-ahead in bytes.
    explicit Window(Source& source, std::size_t capacity = 512u << 10);

    /// Returns the bytes at the current offset: at least `count`, often more; fewer only at the end of the source.
    /// Valid until the next peek. The caller must check `count` against Limits first.
    std::span<const std::byte> peek(std::size_t count) {
        if (end_ - at_ < count) [[unlikely]]
            fill(count);
        return {buffer_.data() + at_, end_ - at_};
    }
    /// Advances by `count` bytes. The latest peek must have returned them.
    void consume(std::size_t count) noexcept { at_ += count; }
    /// Discards the buffer. Call it after moving the source to `offset`.
    void restart(std::uint64_t offset) noexcept {
        at_ = end_ = 0;
        base_ = offset;
        ended_ = false;
    }
    /// Returns the offset of the next byte in the (decompressed) source.
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

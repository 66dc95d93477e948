// io/descriptor.hpp - an owned file descriptor, and complete reads and writes on descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace hwtrace {

/// Owns an open file descriptor; -1 means none. Closes it on destruction.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { close(); }

    /// Returns the file descriptor, or -1.
    int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    /// Closes the descriptor. Returns false and sets errno if the system reports a late write error.
    bool close() noexcept;

private:
    int number_ = -1;
};

/// Calls read(2), and repeats the call if a signal interrupts it. Returns the number of bytes read; 0 only at the end.
/// Throws Failure::io. Here and below, `name` is the file's name in messages.
std::size_t read_some(int descriptor, std::span<std::byte> into, const std::string& name);
/// Fills `into` from file offset `offset`. Returns fewer bytes only at the end of the file. Throws Failure::io.
std::size_t read_whole_at(int descriptor, std::uint64_t offset, std::span<std::byte> into, const std::string& name);
/// Writes all of `bytes` at file offset `offset`. Throws Failure::io.
void write_whole_at(int descriptor, std::uint64_t offset, std::span<const std::byte> bytes, const std::string& name);
/// Writes all of `bytes` to a stream such as standard output. A broken pipe ends the process as SIGPIPE does. Throws
/// Failure::io for other errors.
void write_stream(int descriptor, std::span<const std::byte> bytes);

/// Creates a file without a name in `directory`. The system removes it when the process ends. Throws Failure::io.
Descriptor open_unlinked_file(const std::string& directory);

}  // namespace hwtrace

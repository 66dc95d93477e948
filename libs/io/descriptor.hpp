// io/descriptor.hpp - a file descriptor that closes itself, and whole reads and writes on descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace hwtrace {

/// Owns an open descriptor; -1 is none.
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

    int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    /// Closes it now; false when the system reports a write that failed late (errno says which).
    bool close() noexcept;

private:
    int number_ = -1;
};

/// One read(2), repeated when a signal interrupts it. Returns 0 only at the end; throws Failure::io.
std::size_t read_some(int descriptor, std::span<std::byte> into, const std::string& name);
/// Fills `into` from `offset`; fewer bytes only at the end. Throws Failure::io.
std::size_t read_whole_at(int descriptor, std::uint64_t offset, std::span<std::byte> into, const std::string& name);
/// Writes all of `bytes` at `offset`. Throws Failure::io.
void write_whole_at(int descriptor, std::uint64_t offset, std::span<const std::byte> bytes, const std::string& name);
/// Writes all of `bytes` to a stream such as standard output. A broken pipe ends the process as SIGPIPE does; other
/// failures throw Failure::io.
void write_stream(int descriptor, std::span<const std::byte> bytes);

/// A new file in `directory` that has no name, so that nothing is left however the process ends. Throws Failure::io.
Descriptor open_unlinked_file(const std::string& directory);

}  // namespace hwtrace

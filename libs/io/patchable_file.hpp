// io/patchable_file.hpp - buffered writing to a file, whose bytes can be patched and moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/byte_count.hpp"
#include "io/descriptor.hpp"
#include "io/input.hpp"
#include "io/write_behind.hpp"

namespace hwtrace {

/// Appends to a file through a buffer, and patches bytes in the buffer or in the file. Patches of the first bytes wait
/// for the next flush(), because some writers update a header after each small segment. Errors of the file are thrown
/// as Failure::io.
class PatchableFile {
public:
    /// Takes over the open file, which is empty. `name` is the file's name in messages.
    PatchableFile(Descriptor file, std::string name) : file_(std::move(file)), name_(std::move(name)) {
        buffer_.reserve(buffer_size);
    }

    /// Appends bytes.
    void append(std::span<const std::byte> bytes) {
        size_.add(bytes.size());
        if (bytes.size() > buffer_size - buffer_.size()) {
            flush();
            if (bytes.size() >= buffer_size) return write(bytes);
        }
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    }
    /// Replaces bytes from file offset `offset` on. All of them must have been appended before.
    void patch(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Moves all bytes from offset `from` on to offset `to`, as Output::shift does.
    void shift(std::uint64_t from, std::uint64_t to);
    /// Passes everything to the system.
    void flush();
    /// Does the same, and waits until the bytes are on the disk.
    void sync();
    /// Does the same as sync(), and closes the file.
    void close();
    /// Starts to write to the disk at once, see WriteBehind. For a file that nobody reads until it is complete.
    void write_behind() { write_behind_.emplace(); }
    /// Returns an Input that reads the bytes written so far through a separate descriptor.
    Input reopen();

    std::uint64_t size() const noexcept { return size_.get(); }
    const std::string& name() const noexcept { return name_; }
    int descriptor() const noexcept { return file_.get(); }

private:
    static constexpr std::size_t buffer_size = 256u << 10;
    static constexpr std::size_t head_size = 4096;

    void write(std::span<const std::byte> bytes);
    /// Patches bytes that have been written to the file.
    void patch_file(std::uint64_t offset, std::span<const std::byte> bytes);

    Descriptor file_;
    std::string name_;
    std::vector<std::byte> buffer_;
    std::uint64_t flushed_ = 0;
    std::optional<WriteBehind> write_behind_;
    ByteCount size_;
    std::vector<std::byte> head_;  // the first bytes of the file, with the patches that are not yet in the file
    bool keeps_head_ = true;
    std::size_t patched_begin_ = 0, patched_end_ = 0;  // range of these patches; may include unchanged bytes
};

}  // namespace hwtrace

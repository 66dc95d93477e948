#include "io/patchable_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "io/error.hpp"

namespace hwtrace {

namespace {

constexpr std::uint64_t shift_size = 4u << 20;  // bytes moved at a time

/// Repeats a system call until no signal interrupts it. Returns false on failure and sets errno.
template <typename Call>
bool succeeds(Call call) {
    while (call() != 0)
        if (errno != EINTR) return false;
    return true;
}

}  // namespace

void PatchableFile::patch(std::uint64_t offset, std::span<const std::byte> bytes) {
    if (offset > size() || bytes.size() > size() - offset)
        fail(Failure::internal, name_ + ": a patch reaches beyond the end of the output");
    if (offset < flushed_) {
        const auto in_file =
            bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), flushed_ - offset)));
        patch_file(offset, in_file);
        offset += in_file.size();
        bytes = bytes.subspan(in_file.size());
    }
    if (!bytes.empty()) std::memcpy(buffer_.data() + (offset - flushed_), bytes.data(), bytes.size());
}

void PatchableFile::shift(std::uint64_t from, std::uint64_t to) {
    if (from > size()) fail(Failure::internal, name_ + ": a shift from beyond the end of the output");
    flush();
    head_.clear();
    keeps_head_ = false;
    const std::uint64_t count = flushed_ - from;
    std::vector<std::byte> block(static_cast<std::size_t>(std::min<std::uint64_t>(count, shift_size)));
    for (std::uint64_t done = 0; done < count;) {
        const std::uint64_t size = std::min<std::uint64_t>(count - done, shift_size);
        // A move towards the end starts with the last bytes, so that no byte is overwritten before it is moved.
        const std::uint64_t at = to > from ? count - done - size : done;
        const std::span<std::byte> piece = std::span(block).first(static_cast<std::size_t>(size));
        if (read_whole_at(file_.get(), from + at, piece, name_) != piece.size())
            fail_errno(name_, "read back the written data", EIO);
        write_whole_at(file_.get(), to + at, piece, name_);
        done += size;
    }
    flushed_ = to + count;
    size_.set(flushed_);
    // Cut off the rest after a move towards the front, or extend the file if nothing was moved.
    if (!succeeds([&] { return ::ftruncate(file_.get(), static_cast<off_t>(flushed_)); }))
        fail_errno(name_, "write", errno);
}

void PatchableFile::flush() {
    write(buffer_);
    buffer_.clear();
    if (patched_begin_ == patched_end_) return;
    const std::span<const std::byte> patched = std::span(head_).first(patched_end_).subspan(patched_begin_);
    write_whole_at(file_.get(), patched_begin_, patched, name_);
    patched_begin_ = patched_end_ = 0;
}

void PatchableFile::sync() {
    flush();
    if (!succeeds([&] { return ::fdatasync(file_.get()); })) fail_errno(name_, "write", errno);
}

void PatchableFile::close() {
    flush();
    if (!succeeds([&] { return ::fsync(file_.get()); })) fail_errno(name_, "write", errno);
    if (!file_.close()) fail_errno(name_, "close", errno);
}

Input PatchableFile::reopen() {
    flush();
    write_behind_.reset();
    const int copy = ::fcntl(file_.get(), F_DUPFD_CLOEXEC, 0);
    if (copy < 0) fail_errno(name_, "read", errno);
    return Input::adopt(name_, copy);
}

void PatchableFile::write(std::span<const std::byte> bytes) {
    write_whole_at(file_.get(), flushed_, bytes, name_);
    if (keeps_head_ && head_.size() < head_size) {
        const auto first = bytes.first(std::min(bytes.size(), head_size - head_.size()));
        head_.insert(head_.end(), first.begin(), first.end());
    }
    flushed_ += bytes.size();
    if (!write_behind_) return;
    if (const int error = write_behind_->advance(file_.get(), flushed_)) fail_errno(name_, "write", error);
}

void PatchableFile::patch_file(std::uint64_t offset, std::span<const std::byte> bytes) {
    if (offset < head_.size()) {
        const auto at = static_cast<std::size_t>(offset);
        const auto in_head = bytes.first(std::min(bytes.size(), head_.size() - at));
        std::ranges::copy(in_head, head_.begin() + static_cast<std::ptrdiff_t>(at));
        const bool is_clean = patched_begin_ == patched_end_;
        patched_begin_ = is_clean ? at : std::min(patched_begin_, at);
        patched_end_ = is_clean ? at + in_head.size() : std::max(patched_end_, at + in_head.size());
        offset += in_head.size();
        bytes = bytes.subspan(in_head.size());
    }
    if (!bytes.empty()) write_whole_at(file_.get(), offset, bytes, name_);
}

}  // namespace hwtrace

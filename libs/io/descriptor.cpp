#include "io/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "io/error.hpp"
#include "io/output.hpp"

namespace hwtrace {

namespace {

std::string stream_name(int descriptor) {
    if (descriptor == STDOUT_FILENO) return "<stdout>";
    if (descriptor == STDERR_FILENO) return "<stderr>";
    return "<descriptor " + std::to_string(descriptor) + ">";
}

[[noreturn]] void end_by_broken_pipe() {
    remove_open_temporaries();
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
    std::_Exit(128 + SIGPIPE);  // reached only if SIGPIPE is blocked
}

/// Returns the descriptor from `open`. Repeats the call if a signal interrupts it.
template <typename Open>
int opened(Open open) {
    for (;;) {
        const int number = open();
        if (number >= 0 || errno != EINTR) return number;
    }
}

}  // namespace

bool Descriptor::close() noexcept {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0 || errno == EINTR;
}

std::size_t read_some(int descriptor, std::span<std::byte> into, const std::string& name) {
    for (;;) {
        const ssize_t count = ::read(descriptor, into.data(), into.size());
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) fail_errno(name, "read", errno);
    }
}

std::size_t read_whole_at(int descriptor, std::uint64_t offset, std::span<std::byte> into, const std::string& name) {
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t count =
            ::pread(descriptor, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
        if (count == 0) break;
        if (count > 0)
            done += static_cast<std::size_t>(count);
        else if (errno != EINTR)
            fail_errno(name, "read", errno);
    }
    return done;
}

void write_whole_at(int descriptor, std::uint64_t offset, std::span<const std::byte> bytes, const std::string& name) {
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(count));
            offset += static_cast<std::uint64_t>(count);
        } else if (count == 0) {
            fail_errno(name, "write", ENOSPC);
        } else if (errno != EINTR) {
            fail_errno(name, "write", errno);
        }
    }
}

void write_stream(int descriptor, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count > 0)
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        else if (count == 0)
            fail_errno(stream_name(descriptor), "write", ENOSPC);
        else if (errno == EPIPE)
            end_by_broken_pipe();
        else if (errno != EINTR)
            fail_errno(stream_name(descriptor), "write", errno);
    }
}

Descriptor open_unlinked_file(const std::string& directory) {
#ifdef O_TMPFILE
    if (Descriptor file{opened([&] { return ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); })}; file)
        return file;
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
        fail_errno(directory, "make a temporary file", errno);
#endif
    // Some file systems do not support unnamed files.
    std::string path;
    Descriptor file{opened([&] {
        path = directory + "/hwtrace-XXXXXX";
        return ::mkostemp(path.data(), O_CLOEXEC);
    })};
    if (!file) fail_errno(directory, "make a temporary file", errno);
    ::unlink(path.c_str());
    return file;
}

}  // namespace hwtrace

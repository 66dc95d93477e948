#include "io/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "io/advised_error.hpp"
#include "io/cursor.hpp"
#include "io/descriptor.hpp"
#include "io/error.hpp"
#include "io/http/http_source.hpp"
#include "io/http/url.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t head_size = Input::longest_head;
constexpr std::size_t first_read = 16u << 10;  // initial size of a window's buffer

struct stat status_of(int descriptor, const std::string& name) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) fail_errno(name, "open", errno);
    return status;
}

}  // namespace

struct Input::State {
    enum class Kind : std::uint8_t { file, pipe, memory, remote };

    std::string name;
    Kind kind = Kind::memory;
    Descriptor owned;  // empty for standard input, which stays open
    int descriptor = -1;
    std::uint64_t origin = 0;  // file offset of byte 0, because standard input may start inside a file
    std::uint64_t position = 0;
    std::span<const std::byte> bytes;    // Kind::memory
    std::unique_ptr<HttpSource> remote;  // Kind::remote; Kind::pipe: a server that ignores ranges, or null
    // The first bytes of the input. For a pipe, these are all bytes read so far, up to head_size. For other inputs,
    // they are as many bytes as were requested.
    std::vector<std::byte> head;
    bool pipe_ended = false;
    std::optional<Identity> identity;

    /// Reads the next bytes of the pipe.
    std::size_t read_next(std::span<std::byte> into) const {
        return remote ? remote->read(into) : read_some(descriptor, into, name);
    }

    /// Reads once from the pipe into the head.
    void extend_head() {
        const std::size_t had = head.size();
        head.resize(head_size);
        std::size_t count = 0;
        try {
            count = read_next(std::span(head).subspan(had));
        } catch (...) {
            head.resize(had);
            throw;
        }
        head.resize(had + count);
        if (count == 0) pipe_ended = true;
    }

    std::size_t read_pipe(std::span<std::byte> into) {
        if (position == head.size() && head.size() < head_size && !pipe_ended) extend_head();
        if (position < head.size()) {
            const std::size_t count = std::min<std::size_t>(into.size(), head.size() - position);
            std::memcpy(into.data(), head.data() + position, count);
            return count;
        }
        if (pipe_ended) return 0;
        const std::size_t count = read_next(into);
        if (count == 0) pipe_ended = true;
        return count;
    }

    std::size_t read_at(std::uint64_t offset, std::span<std::byte> into) const {
        if (kind == Kind::file) return read_whole_at(descriptor, origin + offset, into, name);
        if (kind == Kind::remote) return remote->read_at(offset, into);
        if (offset >= bytes.size() || into.empty()) return 0;
        const std::size_t count = std::min<std::size_t>(into.size(), bytes.size() - offset);
        std::memcpy(into.data(), bytes.data() + offset, count);
        return count;
    }
};

Input::Input(std::unique_ptr<State> state) : state_(std::move(state)) {}
Input::Input(Input&&) noexcept = default;
Input& Input::operator=(Input&&) noexcept = default;
Input::~Input() = default;

Input Input::open(const std::string& path) {
    auto state = std::make_unique<State>();
    if (is_url(path)) {
        state->name = shown_url(path);
        state->remote = HttpSource::open(path);
        state->identity = Identity{~std::uint64_t{0}, state->remote->fingerprint()};  // no file has this device
        state->kind = state->remote->size() ? State::Kind::remote : State::Kind::pipe;
        return Input(std::move(state));
    }
    if (path == "-") {
        state->name = "<stdin>";
        state->descriptor = STDIN_FILENO;
    } else {
        state->name = path;
        int descriptor = -1;
        do
            descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        while (descriptor < 0 && errno == EINTR);
        if (descriptor < 0) fail_errno(path, "open", errno);
        state->owned = Descriptor{descriptor};
        state->descriptor = descriptor;
    }
    const struct stat status = status_of(state->descriptor, state->name);
    if (S_ISDIR(status.st_mode))
        throw AdvisedError(Failure::io, state->name + ": is a folder", "give one of the files in it");
    state->identity = Identity{static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
    state->kind = S_ISREG(status.st_mode) ? State::Kind::file : State::Kind::pipe;
    if (state->kind == State::Kind::file) {
        const off_t at = ::lseek(state->descriptor, 0, SEEK_CUR);
        if (at < 0) fail_errno(state->name, "seek", errno);
        state->origin = static_cast<std::uint64_t>(at);
    }
    return Input(std::move(state));
}

Input Input::adopt(std::string name, int descriptor) {
    auto state = std::make_unique<State>();
    state->owned = Descriptor{descriptor};
    state->descriptor = descriptor;
    state->name = std::move(name);
    state->kind = State::Kind::file;
    const struct stat status = status_of(descriptor, state->name);
    state->identity = Identity{static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
    return Input(std::move(state));
}

Input Input::memory(std::string name, std::span<const std::byte> bytes) {
    auto state = std::make_unique<State>();
    state->name = std::move(name);
    state->bytes = bytes;
    return Input(std::move(state));
}

const std::string& Input::name() const noexcept {
    return state_->name;
}

std::span<const std::byte> Input::head(std::size_t count) {
    count = std::min(count, head_size);
    std::vector<std::byte>& head = state_->head;
    if (state_->kind == State::Kind::pipe) {
        while (head.size() < count && !state_->pipe_ended)
            state_->extend_head();
    } else if (head.size() < count) {
        head.resize(count);
        head.resize(state_->read_at(0, head));
    }
    return std::span<const std::byte>(head).first(std::min(count, head.size()));
}

std::size_t Input::read(std::span<std::byte> into) {
    if (into.empty()) return 0;
    const std::size_t count =
        state_->kind == State::Kind::pipe ? state_->read_pipe(into) : state_->read_at(state_->position, into);
    state_->position += count;
    return count;
}

std::uint64_t Input::position() const noexcept {
    return state_->position;
}

bool Input::seekable() const noexcept {
    return state_->kind != State::Kind::pipe;
}

std::optional<std::uint64_t> Input::size() const {
    switch (state_->kind) {
        case State::Kind::memory:
            return state_->bytes.size();
        case State::Kind::pipe:
            return std::nullopt;
        case State::Kind::remote:
            return state_->remote->size();
        case State::Kind::file:
            break;
    }
    const auto whole = static_cast<std::uint64_t>(status_of(state_->descriptor, state_->name).st_size);
    return whole > state_->origin ? whole - state_->origin : 0;
}

void Input::seek(std::uint64_t position) {
    if (!seekable()) fail(Failure::internal, name() + ": a pipe is not seekable");
    state_->position = position;
}

std::size_t Input::read_at(std::uint64_t offset, std::span<std::byte> into) const {
    if (!seekable()) fail(Failure::internal, name() + ": a pipe cannot be read at an offset");
    return state_->read_at(offset, into);
}

std::vector<std::byte> Input::read_all_at(std::uint64_t offset, std::size_t count) const {
    const std::uint64_t whole = size().value_or(0);
    const std::uint64_t left = offset < whole ? whole - offset : 0;
    if (left < count) throw Truncated(offset, count, left);
    std::vector<std::byte> bytes(count);
    if (const std::size_t got = read_at(offset, bytes); got < count) throw Truncated(offset, count, got);
    return bytes;
}

void Input::spool(const std::string& directory) {
    if (seekable()) return;
    if (state_->position > state_->head.size())
        fail(Failure::internal, name() + ": a pipe must be spooled before it is read");
    Descriptor file = open_unlinked_file(directory);
    const std::string file_name = "temporary file in " + directory;
    std::uint64_t written = state_->head.size();
    write_whole_at(file.get(), 0, state_->head, file_name);
    std::vector<std::byte> buffer(256u << 10);
    while (!state_->pipe_ended) {
        const std::size_t count = state_->read_next(buffer);
        if (count == 0) state_->pipe_ended = true;
        write_whole_at(file.get(), written, std::span(buffer).first(count), file_name);
        written += count;
    }
    state_->remote.reset();
    state_->owned = std::move(file);
    state_->descriptor = state_->owned.get();
    state_->kind = State::Kind::file;
    state_->origin = 0;
}

std::optional<Input::Identity> Input::identity() const {
    return state_->identity;
}

std::optional<Input::Identity> Input::identity_of(const std::string& path) noexcept {
    struct stat status {};
    if ((path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status)) != 0) return std::nullopt;
    return Identity{static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

std::size_t Section::read(std::span<std::byte> into) {
    if (at_ >= end_) return 0;
    const std::uint64_t left = end_ - at_;
    if (into.size() > left) into = into.first(static_cast<std::size_t>(left));
    const std::size_t count = input_->read_at(at_, into);
    at_ += count;
    return count;
}

Window::Window(Source& source, std::size_t capacity)
    : source_(&source), capacity_(std::max<std::size_t>(capacity, 1)), buffer_(std::min(capacity_, first_read)) {}

void Window::fill(std::size_t count) {
    if (ended_) return;
    const bool was_full = end_ == buffer_.size();
    if (at_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
        base_ += at_;
        end_ -= at_;
        at_ = 0;
    }
    // Grow gradually, so that a short input needs little memory.
    if (was_full && buffer_.size() < capacity_) buffer_.resize(std::min(capacity_, buffer_.size() * 8));
    // Leave extra room after a large peek, so that the next peeks do not move the same bytes again.
    const std::size_t room = count <= capacity_ / 4 ? capacity_ : capacity_ + count;
    while (end_ < count) {
        // Grow only as bytes arrive: the size in a damaged file may be wrong.
        if (end_ == buffer_.size()) buffer_.resize(std::min(room, buffer_.size() * 2));
        const std::size_t got = source_->read(std::span(buffer_).subspan(end_));
        if (got == 0) {
            ended_ = true;
            return;
        }
        end_ += got;
    }
}

}  // namespace hwtrace

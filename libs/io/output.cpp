#include "io/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "io/advised_error.hpp"
#include "io/descriptor.hpp"
#include "io/error.hpp"
#include "io/file_set.hpp"
#include "io/http/url.hpp"
#include "io/patchable_file.hpp"
#include "io/temporary_path.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t buffer_size = 256u << 10;

// --- a file --------------------------------------------------------------------------------------------------------

void keep_permissions(int descriptor, const std::string& target, const struct stat& replaced) {
    // Only root may give a file to another user. Otherwise the current user owns the file.
    [[maybe_unused]] const int given = ::fchown(descriptor, replaced.st_uid, replaced.st_gid);
    if (::fchmod(descriptor, replaced.st_mode & 07777) != 0) fail_errno(target, "keep the permissions", errno);
}

/// Creates a new file in the folder of `target` and stores the name of the new file in `path`. The file gets the
/// permissions of `replaced`, unless `replaced` is null.
Descriptor create_temporary(const std::string& target, const struct stat* replaced,
                            std::optional<TemporaryPath>& path) {
    constexpr int attempts = 100;
    const mode_t mode = replaced != nullptr ? 0600 : 0666;
    for (int i = 0; i < attempts; ++i) {
        path.emplace(temporary_name(target));
        Descriptor file{::open(path->c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)};
        if (file) {
            if (replaced != nullptr) keep_permissions(file.get(), target, *replaced);
            return file;
        }
        const int error = errno;
        path->release();
        if (error != EEXIST && error != EINTR) fail_errno(target, "create", error);
    }
    fail_errno(target, "create", EEXIST);
}

void flush_what_fits(PatchableFile& file) {
    try {
        file.flush();
    } catch (const Error&) {  // reported earlier or by the caller
    }
}

/// Keeps the temporary file. Returns its name, or an empty string if nothing was written.
std::string leave_temporary(PatchableFile& file, TemporaryPath& temporary) {
    flush_what_fits(file);
    struct stat status {};
    if (::stat(temporary.c_str(), &status) != 0 || status.st_size == 0) return {};
    std::string path = temporary.c_str();
    temporary.release();
    return path;
}

/// Moves the temporary file to `target`. Messages call the target `name`, as the user does.
void move_to(const std::string& target, TemporaryPath& temporary, Existing existing, const std::string& name) {
    const char* const from = temporary.c_str();
    const char* const to = target.c_str();
    const int error =
        existing == Existing::replace ? (std::rename(from, to) == 0 ? 0 : errno) : rename_to_free_name(from, to);
    if (error == EEXIST) throw OutputExists(name);
    if (error != 0) fail_errno(name, "rename the temporary file to it", error);
    temporary.release();
    sync_folder(folder_of(target));
}

class FileOutput final : public Output {
public:
    /// `target` is the final path. `name` is the path as the user wrote it.
    FileOutput(const std::string& name, std::string target, Existing existing, const struct stat* replaced)
        : target_(std::move(target)),
          existing_(existing),
          file_(create_temporary(target_, replaced, temporary_), name) {
        file_.write_behind();
    }

    const std::string& name() const noexcept override { return file_.name(); }
    void append(std::span<const std::byte> bytes) override { file_.append(bytes); }
    std::uint64_t size() const noexcept override { return file_.size(); }
    void patch(std::uint64_t offset, std::span<const std::byte> bytes) override { file_.patch(offset, bytes); }
    void shift(std::uint64_t from, std::uint64_t to) override { file_.shift(from, to); }
    void sync() override { file_.sync(); }
    std::optional<Input> reopen() override { return file_.reopen(); }
    std::string abandon() override { return leave_temporary(file_, *temporary_); }

    void commit() override {
        file_.close();
        move_to(target_, *temporary_, existing_, name());
    }

private:
    std::string target_;
    Existing existing_;
    std::optional<TemporaryPath> temporary_;
    PatchableFile file_;
};

// --- a file that others read while it grows -------------------------------------------------------------------------

class VisibleOutput final : public Output {
public:
    VisibleOutput(const std::string& name, std::string target, Existing existing, const struct stat* replaced)
        : target_(std::move(target)),
          existing_(existing),
          file_(create_temporary(target_, replaced, temporary_), name) {}

    const std::string& name() const noexcept override { return file_.name(); }
    void append(std::span<const std::byte> bytes) override { file_.append(bytes); }
    std::uint64_t size() const noexcept override { return file_.size(); }
    void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
        file_.flush();
        file_.patch(offset, bytes);
        file_.flush();
    }
    void shift(std::uint64_t, std::uint64_t) override {
        fail(Failure::internal, name() + ": bytes that readers can already see cannot be moved");
    }
    void sync() override {
        file_.sync();
        appear();
    }
    void commit() override {
        file_.close();
        appear();
    }
    std::string abandon() override {
        if (temporary_) return leave_temporary(file_, *temporary_);
        flush_what_fits(file_);
        return name();
    }
    std::optional<Input> reopen() override { return file_.reopen(); }

private:
    /// Gives the file its final name. A program that has opened a replaced file continues to read the replaced file.
    void appear() {
        if (!temporary_) return;
        move_to(target_, *temporary_, existing_, name());
        temporary_.reset();
    }

    std::string target_;
    Existing existing_;
    std::optional<TemporaryPath> temporary_;  // until the file has its final name
    PatchableFile file_;
};

// --- standard output -----------------------------------------------------------------------------------------------

const std::string stdout_name = "<stdout>";

/// Writes bytes to standard output. On a terminal, writes control characters as \xNN, because a terminal would
/// interpret them.
class StdoutBytes {
public:
    explicit StdoutBytes(bool is_terminal) : is_terminal_(is_terminal) {}

    void write(std::span<const std::byte> bytes) {
        if (!is_terminal_) return write_stream(STDOUT_FILENO, bytes);
        shown_.clear();
        for (const std::byte byte : bytes)
            append(std::to_integer<unsigned char>(byte));
        write_stream(STDOUT_FILENO, std::as_bytes(std::span(shown_)));
    }

private:
    /// Appends a byte. Holds 0xC2 back, because it begins the two bytes of U+0080 to U+009F.
    void append(unsigned char byte) {
        constexpr unsigned char c1_lead = 0xC2;
        const bool is_c1 = is_held_ && byte >= 0x80 && byte < 0xA0;
        if (std::exchange(is_held_, false)) append_as(c1_lead, is_c1);
        if (byte == c1_lead)
            is_held_ = true;
        else
            append_as(byte, is_c1 || byte == 0x7F || (byte < 0x20 && byte != '\n' && byte != '\t'));
    }
    void append_as(unsigned char byte, bool escaped) {
        constexpr std::string_view digits = "0123456789abcdef";
        if (!escaped) return shown_.push_back(static_cast<char>(byte));
        shown_.append("\\x").append(1, digits[byte / 16]).append(1, digits[byte % 16]);
    }

    bool is_terminal_;
    bool is_held_ = false;
    std::string shown_;
};

class StreamOutput final : public Output {
public:
    explicit StreamOutput(bool is_terminal) : stream_(is_terminal) { buffer_.reserve(buffer_size); }

    const std::string& name() const noexcept override { return stdout_name; }
    void append(std::span<const std::byte> bytes) override {
        if (bytes.size() > buffer_size - buffer_.size()) flush();
        if (bytes.size() >= buffer_size)
            stream_.write(bytes);
        else
            buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
        size_.add(bytes.size());
    }
    std::uint64_t size() const noexcept override { return size_.get(); }
    void patch(std::uint64_t, std::span<const std::byte>) override {
        fail(Failure::internal, "standard output cannot be patched");
    }
    void shift(std::uint64_t, std::uint64_t) override { fail(Failure::internal, "standard output cannot be shifted"); }
    void sync() override {
        flush();
        ::fdatasync(STDOUT_FILENO);  // fails harmlessly for pipes
    }
    void commit() override { flush(); }
    std::optional<Input> reopen() override { return std::nullopt; }

private:
    void flush() {
        stream_.write(buffer_);
        buffer_.clear();
    }

    StdoutBytes stream_;
    std::vector<std::byte> buffer_;
    ByteCount size_;
};

class SpooledOutput final : public Output {
public:
    SpooledOutput(const std::string& directory, bool is_terminal)
        : stream_(is_terminal), file_(open_unlinked_file(directory), stdout_name) {}

    const std::string& name() const noexcept override { return file_.name(); }
    void append(std::span<const std::byte> bytes) override { file_.append(bytes); }
    std::uint64_t size() const noexcept override { return file_.size(); }
    void patch(std::uint64_t offset, std::span<const std::byte> bytes) override { file_.patch(offset, bytes); }
    void shift(std::uint64_t from, std::uint64_t to) override { file_.shift(from, to); }
    void sync() override { file_.flush(); }
    std::optional<Input> reopen() override { return file_.reopen(); }
    void commit() override {
        file_.flush();
        std::vector<std::byte> buffer(buffer_size);
        for (std::uint64_t at = 0; at < file_.size();) {
            const std::size_t count = read_whole_at(file_.descriptor(), at, buffer, name());
            if (count == 0) fail_errno(name(), "read back the spooled data", EIO);
            stream_.write(std::span(buffer).first(count));
            at += count;
        }
    }

private:
    StdoutBytes stream_;
    PatchableFile file_;
};

// --- memory --------------------------------------------------------------------------------------------------------

class MemoryOutput final : public Output {
public:
    MemoryOutput(std::string name, std::function<void(std::vector<std::byte>)> done)
        : name_(std::move(name)), done_(std::move(done)) {}

    const std::string& name() const noexcept override { return name_; }
    void append(std::span<const std::byte> bytes) override { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    std::uint64_t size() const noexcept override { return bytes_.size(); }
    void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
        if (offset > bytes_.size() || bytes.size() > bytes_.size() - offset)
            fail(Failure::internal, name_ + ": a patch reaches beyond the end of the output");
        if (!bytes.empty()) std::memcpy(bytes_.data() + offset, bytes.data(), bytes.size());
    }
    void shift(std::uint64_t from, std::uint64_t to) override {
        if (from > bytes_.size()) fail(Failure::internal, name_ + ": a shift from beyond the end of the output");
        const auto at = bytes_.begin() + static_cast<std::ptrdiff_t>(from);
        if (to > from)
            bytes_.insert(at, static_cast<std::size_t>(to - from), std::byte{0});
        else
            bytes_.erase(at - static_cast<std::ptrdiff_t>(from - to), at);
    }
    void sync() override {}
    void commit() override { done_(std::move(bytes_)); }
    std::optional<Input> reopen() override { return Input::memory(name_, bytes_); }

private:
    std::string name_;
    std::function<void(std::vector<std::byte>)> done_;
    std::vector<std::byte> bytes_;
};

}  // namespace

namespace {

/// The final path of an output, and the file that the output replaces.
struct Target {
    std::string path;
    std::optional<struct stat> replaced;
    bool exchanged = false;  ///< the replaced file is now at the temporary path

    const struct stat* old() const noexcept { return replaced ? &*replaced : nullptr; }
};

/// Returns the path at the end of a chain of dangling symbolic links. The output is created there, and the links are
/// kept.
std::string end_of_links(const std::string& path) {
    constexpr int most_links = 40;  // the limit of the system
    std::filesystem::path end = path;
    for (int links = 0; links < most_links; ++links) {
        std::error_code error;
        const std::filesystem::path next = std::filesystem::read_symlink(end, error);
        if (error) return end.string();
        end = end.parent_path() / next;
    }
    fail_errno(path, "create", ELOOP);
}

/// Returns the path of the file behind symbolic links. Replacing this file keeps the links.
std::string file_behind_links(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> file(::realpath(path.c_str(), nullptr), &std::free);
    if (!file) fail_errno(path, "create", errno);
    return file.get();
}

Target find_target(const std::string& path, Existing existing,
                   const std::vector<std::optional<Input::Identity>>& inputs) {
    refuse_url_as_output(path);
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno != ENOENT || path.empty()) fail_errno(path, "create", errno);
        return {end_of_links(path), std::nullopt, false};
    }
    const Input::Identity identity{static_cast<std::uint64_t>(status.st_dev),
                                   static_cast<std::uint64_t>(status.st_ino)};
    if (std::find(inputs.begin(), inputs.end(), identity) != inputs.end())
        fail(Failure::usage, path + ": the output is the input itself; name another one");
    if (S_ISDIR(status.st_mode)) fail_errno(path, "create", EISDIR);
    if (!S_ISREG(status.st_mode))
        throw AdvisedError(Failure::usage, path + ": the output is not a regular file",
                           "write to - and redirect it there");
    if (existing == Existing::refuse) throw OutputExists(path);
    return {file_behind_links(path), status, false};
}

}  // namespace

std::unique_ptr<Output> open_file_output(const std::string& path, Existing existing,
                                         const std::vector<std::optional<Input::Identity>>& inputs) {
    const Target target = find_target(path, existing, inputs);
    return std::make_unique<FileOutput>(path, target.path, existing, target.old());
}

void remove_replaced(const std::string& path, Existing existing) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno == ENOENT) return;
        fail_errno(path, "create", errno);
    }
    if (!S_ISREG(status.st_mode)) fail(Failure::usage, path + ": is no regular file; name another one");
    if (existing == Existing::refuse) throw OutputExists(path);
    if (::unlink(file_behind_links(path).c_str()) != 0) fail_errno(path, "replace", errno);
}

std::unique_ptr<Output> open_visible_output(const std::string& path, Existing existing) {
    const Target target = find_target(path, existing, {});
    return std::make_unique<VisibleOutput>(path, target.path, existing, target.old());
}

std::unique_ptr<Output> open_stdout_output(bool patchable, const std::string& spool_directory, Content content) {
    const bool is_terminal = ::isatty(STDOUT_FILENO) != 0;
    if (is_terminal && content == Content::binary)
        fail(Failure::usage, "<stdout>: binary data is not written to a terminal; redirect it or name a file");
    if (patchable) return std::make_unique<SpooledOutput>(spool_directory, is_terminal);
    return std::make_unique<StreamOutput>(is_terminal);
}

std::unique_ptr<Output> open_memory_output(std::string name, std::function<void(std::vector<std::byte>)> done) {
    return std::make_unique<MemoryOutput>(std::move(name), std::move(done));
}

// --- several files -------------------------------------------------------------------------------------------------

struct FileSet::State {
    /// Creates a new folder beside the first target.
    void make_folder(const std::string& name) {
        constexpr int attempts = 100;
        for (int i = 0; i < attempts; ++i) {
            folder.emplace(temporary_name(targets.front().path), targets.size());
            if (::mkdir(folder->c_str(), 0700) == 0) return;
            const int error = errno;
            folder->release();
            if (error != EEXIST && error != EINTR) fail_errno(name, "create a temporary folder beside it", error);
        }
        fail_errno(name, "create a temporary folder beside it", EEXIST);
    }
    std::string staged(std::size_t index) const { return std::string(folder->c_str()) + '/' + std::to_string(index); }
    /// Moves one file into place. Returns 0, or errno on failure.
    int place(std::size_t index) noexcept {
        const std::string from = staged(index);
        const char* const to = targets[index].path.c_str();
        if (existing == Existing::refuse) return rename_to_free_name(from.c_str(), to);
        if (targets[index].replaced) {
            // Keep the replaced file in the temporary folder until all files are moved.
            if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to, RENAME_EXCHANGE) == 0) {
                targets[index].exchanged = true;
                return 0;
            }
            // Use a plain rename if the file system does not support RENAME_EXCHANGE, or if the replaced file was
            // removed meanwhile.
            if (errno != EINVAL && errno != ENOSYS && errno != ENOENT) return errno;
        }
        return std::rename(from.c_str(), to) == 0 ? 0 : errno;
    }
    /// Undoes the first `count` moves as far as possible.
    void take_back(std::size_t count) const noexcept {
        for (std::size_t index = 0; index < count; ++index) {
            const Target& target = targets[index];
            const std::string to = staged(index);
            if (target.exchanged)
                ::renameat2(AT_FDCWD, target.path.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE);
            else if (!target.replaced)
                std::rename(target.path.c_str(), to.c_str());
        }
    }

    std::vector<std::string> names;
    Existing existing;
    std::vector<Target> targets{};
    std::optional<TemporaryPath> folder{};
};

FileSet::FileSet(std::vector<std::string> paths, Existing existing,
                 const std::vector<std::optional<Input::Identity>>& inputs)
    : state_(new State{std::move(paths), existing}) {
    for (const std::string& path : state_->names)
        state_->targets.push_back(find_target(path, existing, inputs));
    if (!state_->names.empty()) state_->make_folder(state_->names.front());
}

FileSet::~FileSet() = default;

std::unique_ptr<Output> FileSet::open(std::size_t index) {
    return std::make_unique<FileOutput>(state_->names[index], state_->staged(index), Existing::refuse,
                                        state_->targets[index].old());
}

void FileSet::commit() {
    // Defer signals: a signal between two moves would leave only some files in place.
    const SignalsWait wait;
    for (std::size_t index = 0; index < state_->names.size(); ++index) {
        const int error = state_->place(index);
        if (error == 0) continue;
        state_->take_back(index);
        if (error == EEXIST) throw OutputExists(state_->names[index]);
        fail_errno(state_->names[index], "rename the temporary file to it", error);
    }
    if (!state_->names.empty()) sync_folder(folder_of(state_->targets.front().path));
    state_->folder.reset();
}

}  // namespace hwtrace

#include "io/output_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "io/advised_error.hpp"
#include "io/byte_count.hpp"
#include "io/descriptor.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/temporary_path.hpp"

namespace hwtrace {
namespace {

namespace fs = std::filesystem;

/// Throws Failure::usage if a folder contains anything that an earlier output cannot have written, or an input.
void check_replaceable(const std::string& path, const std::string& name, std::string_view extension,
                       const std::vector<std::optional<Input::Identity>>& inputs) {
    std::error_code error;
    for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
        const std::string file = at->path().string();
        struct stat status {};
        if (::lstat(file.c_str(), &status) != 0) fail_errno(name, "replace", errno);
        const Input::Identity identity{static_cast<std::uint64_t>(status.st_dev),
                                       static_cast<std::uint64_t>(status.st_ino)};
        if (std::ranges::find(inputs, identity) != inputs.end())
            fail(Failure::usage, name + ": the folder contains the input " + file);
        if (!S_ISREG(status.st_mode) || !file.ends_with(extension))
            throw AdvisedError(Failure::usage,
                               name + ": the folder contains " + at->path().filename().string() +
                                   ", which is no table, so it is not replaced",
                               "name another folder");
    }
    if (error) fail_errno(name, "replace", error.value());
}

void sync_file(const std::string& path, const std::string& name) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file || ::fsync(file.get()) != 0) fail_errno(name, "write", errno);
}

}  // namespace

struct OutputFolder::State {
    struct File {
        std::string name;
        std::uint64_t size = 0;
    };

    std::string staged(std::size_t file) const { return std::string(folder->c_str()) + '/' + std::to_string(file); }
    void find_target();
    void check_target() const;
    void keep_mode() const;
    void make_folder();
    void sync_files();
    void place();
    /// Removes the temporary folder when its files have their final names, or a replaced file.
    void remove_staged() noexcept {
        std::error_code ignored;
        fs::remove_all(folder->c_str(), ignored);
        folder.reset();
    }
    void remove_replaced();

    std::string name;
    std::string path;  ///< without slashes at the end, and with links followed
    Existing existing;
    std::string extension;
    std::vector<std::optional<Input::Identity>> inputs;
    bool replaces = false;
    bool is_named = false;  ///< the files have their final names
    std::optional<TemporaryPath> folder{};
    std::vector<File> files{};
    ByteCount size{};        ///< of all files
    std::size_t opened = 0;  ///< the file of `descriptor`
    Descriptor descriptor{};
};

void OutputFolder::State::find_target() {
    path = name;
    while (path.size() > 1 && path.ends_with('/'))
        path.pop_back();
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno != ENOENT || path.empty()) fail_errno(name, "create", errno);
        return;
    }
    const Input::Identity identity{static_cast<std::uint64_t>(status.st_dev),
                                   static_cast<std::uint64_t>(status.st_ino)};
    if (std::ranges::find(inputs, identity) != inputs.end())
        fail(Failure::usage, name + ": the output is the input itself; name another one");
    if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode))
        fail(Failure::usage, name + ": the output is neither a folder nor a file");
    if (existing == Existing::refuse) throw OutputExists(name);
    const std::unique_ptr<char, decltype(&std::free)> target(::realpath(path.c_str(), nullptr), &std::free);
    if (!target) fail_errno(name, "create", errno);
    path = target.get();
    replaces = true;
    check_target();
}

void OutputFolder::State::check_target() const {
    struct stat status {};
    if (replaces && ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
        check_replaceable(path, name, extension, inputs);
}

/// Gives the folder the permissions of the one that it replaces.
void OutputFolder::State::keep_mode() const {
    constexpr mode_t permissions = 07777;
    struct stat status {};
    if (!replaces || ::stat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return;
    if (::chmod(folder->c_str(), status.st_mode & permissions) != 0) fail_errno(name, "set the mode of", errno);
}

void OutputFolder::State::make_folder() {
    constexpr int attempts = 100;
    for (int i = 0; i < attempts; ++i) {
        folder.emplace(temporary_name(path), 1);
        if (::mkdir(folder->c_str(), 0777) == 0) return;
        const int error = errno;
        folder->release();
        if (error != EEXIST && error != EINTR) fail_errno(name, "create a temporary folder beside it", error);
    }
    fail_errno(name, "create a temporary folder beside it", EEXIST);
}

void OutputFolder::State::sync_files() {
    constexpr std::size_t many = 64;  // beyond that, to sync the whole file system is faster
    if (files.size() > many) {
        const Descriptor whole{::open(folder->c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
        if (!whole || ::syncfs(whole.get()) != 0) fail_errno(name, "write", errno);
        return;
    }
    for (std::size_t i = 0; i < files.size(); ++i)
        sync_file(staged(i), name);
}

void OutputFolder::State::place() {
    is_named = true;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string to = std::string(folder->c_str()) + '/' + files[i].name;
        if (std::rename(staged(i).c_str(), to.c_str()) != 0) fail_errno(name + '/' + files[i].name, "create", errno);
    }
    sync_folder(folder->c_str());
    check_target();  // again, because a conversion can take hours
    keep_mode();
    const char* const from = folder->c_str();
    int error = 0;
    if (!replaces) {
        error = ::renameat2(AT_FDCWD, from, AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
        // Without that flag, a folder replaces at most an empty folder.
        if (error == EINVAL || error == ENOSYS) error = std::rename(from, path.c_str()) == 0 ? 0 : errno;
        if (error == 0) folder->release();
    } else {
        error = exchange_paths(from, path);
    }
    if (error == EEXIST || error == ENOTEMPTY) throw OutputExists(name);
    if (error != 0) fail_errno(name, "rename the temporary folder to it", error);
}

/// Removes what was replaced, but no file that appeared after check_target() and that no earlier output can have
/// written.
void OutputFolder::State::remove_replaced() {
    const std::string old = folder->c_str();
    struct stat status {};
    if (::lstat(old.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return remove_staged();
    std::vector<std::string> tables;
    std::error_code error;
    for (fs::directory_iterator at(old, error), end; !error && at != end; at.increment(error))
        if (at->path().string().ends_with(extension)) tables.push_back(at->path().string());
    for (const std::string& table : tables)
        if (::lstat(table.c_str(), &status) == 0 && S_ISREG(status.st_mode)) ::unlink(table.c_str());
    const bool is_empty = ::rmdir(old.c_str()) == 0;
    folder->release();
    folder.reset();
    if (!is_empty)
        throw AdvisedError(Failure::io,
                           name + ": is complete, but files appeared in the replaced folder, which is now " + old,
                           "move these files and delete that folder");
}

OutputFolder::OutputFolder(const std::string& path, Existing existing, std::string_view extension,
                           const std::vector<std::optional<Input::Identity>>& inputs)
    : state_(new State{path, {}, existing, std::string(extension), inputs}) {
    refuse_url_as_output(path);
    state_->find_target();
    state_->make_folder();
}

OutputFolder::~OutputFolder() {
    if (!state_->folder) return;
    state_->descriptor = {};
    if (state_->is_named) state_->remove_staged();
}

OutputFolder::FileId OutputFolder::add_file(std::string_view name) {
    State& s = *state_;
    const std::size_t number = s.files.size();
    s.folder->set_files(number + 1);
    const std::string path = s.staged(number);
    const Descriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
    if (!file) fail_errno(s.name + '/' + std::string(name), "create", errno);
    s.files.push_back({std::string(name), 0});
    return static_cast<FileId>(number);
}

void OutputFolder::append_to(FileId file, std::span<const std::byte> bytes) {
    State& s = *state_;
    State::File& into = s.files.at(file);
    if (bytes.empty()) return;
    const std::string name = s.name + '/' + into.name;
    if (!s.descriptor || s.opened != file) {
        s.descriptor = Descriptor(::open(s.staged(file).c_str(), O_WRONLY | O_CLOEXEC));
        if (!s.descriptor) fail_errno(name, "open", errno);
        s.opened = file;
    }
    write_whole_at(s.descriptor.get(), into.size, bytes, name);
    into.size += bytes.size();
    s.size.add(bytes.size());
}

std::uint64_t OutputFolder::size_of(FileId file) const {
    return state_->files.at(file).size;
}

const std::string& OutputFolder::name() const noexcept {
    return state_->name;
}

std::uint64_t OutputFolder::size() const noexcept {
    return state_->size.get();
}

void OutputFolder::commit() {
    State& s = *state_;
    if (s.descriptor && !s.descriptor.close()) fail_errno(s.name, "close", errno);
    s.sync_files();
    // Defer signals: their handler knows only the temporary names of the files.
    const SignalsWait wait;
    s.place();
    sync_folder(folder_of(s.path));
    if (s.replaces)
        s.remove_replaced();
    else
        s.folder.reset();
}

void OutputFolder::append(std::span<const std::byte>) {
    fail(Failure::internal, name() + ": a folder has no bytes");
}

void OutputFolder::patch(std::uint64_t, std::span<const std::byte>) {
    fail(Failure::internal, name() + ": a folder cannot be patched");
}

void OutputFolder::shift(std::uint64_t, std::uint64_t) {
    fail(Failure::internal, name() + ": a folder cannot be shifted");
}

// --- names -----------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t longest_name = 200;  // a file name may have 255 bytes, and a number follows

std::string lower_case(std::string text) {
    for (char& letter : text)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return text;
}

/// Returns true for a name that Windows reserves for a device.
bool is_reserved(const std::string& name) {
    static constexpr std::array<std::string_view, 6> devices{"con", "prn", "aux", "nul", "com", "lpt"};
    const std::string lower = lower_case(name.substr(0, name.find('.')));
    if (lower.size() == 4 && lower[3] >= '0' && lower[3] <= '9')
        return std::ranges::find(devices.begin() + 4, devices.end(), lower.substr(0, 3)) != devices.end();
    return std::ranges::find(devices.begin(), devices.begin() + 4, lower) != devices.begin() + 4;
}

}  // namespace

std::string file_name_of(std::string_view name, std::string_view extension) {
    constexpr std::string_view refused = "/\\:*?\"<>|%$`'";
    std::string file;
    for (const char letter : name.substr(0, longest_name))
        file.push_back(static_cast<unsigned char>(letter) <= 0x20 || letter == 0x7F ||
                               refused.find(letter) != std::string_view::npos
                           ? '_'
                           : letter);
    // Do not cut a character of UTF-8 in two.
    if (name.size() > longest_name)
        while (!file.empty() && (static_cast<unsigned char>(name[file.size()]) & 0xC0) == 0x80)
            file.pop_back();
    if (file.empty() || file[0] == '.' || file[0] == '-' || is_reserved(file)) file.insert(0, 1, '_');
    return file.append(extension);
}

struct FileNames::State {
    std::string extension;
    std::set<std::string> given{};
    std::map<std::string, std::size_t> last_numbers{};  // by name without number, in lower case
};

FileNames::FileNames(std::string_view extension) : state_(new State{std::string(extension)}) {}
FileNames::~FileNames() = default;

std::string FileNames::add(std::string_view name) {
    const std::string stem = file_name_of(name, "");
    std::string file = stem + state_->extension;
    std::size_t& last = state_->last_numbers[lower_case(stem)];
    while (!state_->given.insert(lower_case(file)).second) {
        last = std::max(last + 1, std::size_t{2});
        file = stem + '_' + std::to_string(last) + state_->extension;
    }
    return file;
}

}  // namespace hwtrace

#include "io/temporary_path.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <exception>
#include <random>
#include <string_view>

#include "io/descriptor.hpp"
#include "io/error.hpp"
#include "io/output.hpp"

namespace hwtrace {

// An entry of the table of temporary files. The table has a fixed size, because a signal handler may neither lock nor
// use the heap.
struct Temporary {
    enum State : int { unused, claimed, live };
    std::atomic<int> state{unused};
    std::atomic<pid_t> owner{0};
    std::atomic<std::size_t> files{0};  ///< 0: a file; otherwise a folder with up to this many files, named 0, 1, …
    std::array<char, PATH_MAX> path{};

    void remove() const noexcept {
        if (owner.load() != ::getpid()) return;
        if (files.load() == 0)
            ::unlink(path.data());
        else
            remove_folder();
    }

private:
    void remove_folder() const noexcept {
        std::array<char, PATH_MAX + 32> file{};
        const std::size_t length = std::strlen(path.data());
        std::memcpy(file.data(), path.data(), length);
        file[length] = '/';
        for (std::size_t number = 0; number < files.load(); ++number) {
            char* const end = std::to_chars(file.data() + length + 1, file.data() + file.size() - 1, number).ptr;
            *end = '\0';
            ::unlink(file.data());
        }
        ::rmdir(path.data());
    }
};

namespace {

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);
constexpr std::size_t most_temporaries = 64;
std::array<Temporary, most_temporaries> temporaries;

}  // namespace

TemporaryPath::TemporaryPath(const std::string& path, std::size_t files) {
    if (path.size() >= PATH_MAX) fail_errno(path, "create", ENAMETOOLONG);
    for (Temporary& entry : temporaries) {
        int expected = Temporary::unused;
        if (!entry.state.compare_exchange_strong(expected, Temporary::claimed)) continue;
        std::memcpy(entry.path.data(), path.c_str(), path.size() + 1);
        entry.owner.store(::getpid());
        entry.files.store(files);
        entry.state.store(Temporary::live);
        entry_ = &entry;
        return;
    }
    fail(Failure::usage, path + ": more than " + std::to_string(most_temporaries) + " outputs are open at once");
}

TemporaryPath::~TemporaryPath() {
    if (entry_ != nullptr) entry_->remove();
    release();
}

const char* TemporaryPath::c_str() const noexcept {
    return entry_->path.data();
}

void TemporaryPath::set_files(std::size_t files) noexcept {
    entry_->files.store(files);
}

void TemporaryPath::release() noexcept {
    if (entry_ != nullptr) entry_->state.store(Temporary::unused);
    entry_ = nullptr;
}

void remove_open_temporaries() noexcept {
    // Remove files before folders, because the folders contain some of the files.
    for (const bool folders : {false, true})
        for (Temporary& entry : temporaries)
            if (entry.state.load() == Temporary::live && (entry.files.load() != 0) == folders) entry.remove();
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::string temporary_name(const std::string& target) {
    constexpr std::size_t longest_name = 200;  // a file name may have 255 bytes
    constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
    static_assert(alphabet.size() == 36);
    const std::size_t slash = target.rfind('/');
    std::string name = slash == std::string::npos ? target : target.substr(slash + 1);
    name.resize(std::min(name.size(), longest_name));
    const std::string folder = folder_of(target);
    std::string path = folder == "/" ? "/." : folder + "/.";
    path.append(name).append(".hwtrace-");
    std::random_device random;
    for (int i = 0; i < 6; ++i)
        path.push_back(alphabet[random() % alphabet.size()]);
    return path;
}

int rename_to_free_name(const char* from, const char* to) noexcept {
    if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // The file system does not support the flag. A hard link does not replace a file either.
    if (::link(from, to) != 0) return errno;
    ::unlink(from);
    return 0;
}

int exchange_paths(const std::string& a, const std::string& b) noexcept {
    if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return 0;
    return errno == EINVAL || errno == ENOSYS ? exchange_paths_by_renames(a, b) : errno;
}

int exchange_paths_by_renames(const std::string& a, const std::string& b) noexcept {
    try {
        const std::string aside = temporary_name(b);
        if (std::rename(b.c_str(), aside.c_str()) != 0) return errno;
        if (std::rename(a.c_str(), b.c_str()) != 0) {
            const int error = errno;
            std::rename(aside.c_str(), b.c_str());
            return error;
        }
        return std::rename(aside.c_str(), a.c_str()) == 0 ? 0 : errno;
    } catch (const std::exception&) {  // no memory for the name, or no random number
        return ENOMEM;
    }
}

void sync_folder(const std::string& folder) noexcept {
    // Ignore failures: the data is safe and the name is visible already.
    if (const Descriptor descriptor{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)}; descriptor)
        ::fsync(descriptor.get());
}

SignalsWait::SignalsWait() noexcept {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&ending, signal);
    ::pthread_sigmask(SIG_BLOCK, &ending, &before_);
}

SignalsWait::~SignalsWait() {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace hwtrace

#include "unlinked_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "io/descriptor.hpp"
#include "io/error.hpp"

namespace hwtrace::sqlite {
namespace {

/// An open file. The base class comes first, as SQLite demands.
struct UnlinkedFile : sqlite3_file {
    UnlinkedFiles* owner = nullptr;
    Descriptor descriptor;
};

UnlinkedFile& file_of(sqlite3_file* file) noexcept {
    return *static_cast<UnlinkedFile*>(file);
}

/// Runs a call of SQLite. An exception is kept, and becomes this result code.
template <typename Work>
int guarded(UnlinkedFiles& owner, int failure, Work&& work) noexcept {
    try {
        return work();
    } catch (...) {
        owner.keep_error();
        return failure;
    }
}

int close_file(sqlite3_file* file) {
    file_of(file).~UnlinkedFile();
    return SQLITE_OK;
}

int read_file(sqlite3_file* file, void* into, int count, sqlite3_int64 offset) {
    UnlinkedFile& from = file_of(file);
    return guarded(*from.owner, SQLITE_IOERR_READ, [&] {
        const std::span bytes(static_cast<std::byte*>(into), static_cast<std::size_t>(count));
        const std::size_t got =
            read_whole_at(from.descriptor.get(), static_cast<std::uint64_t>(offset), bytes, from.owner->folder());
        std::ranges::fill(bytes.subspan(got), std::byte{0});
        return got == bytes.size() ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
    });
}

int write_file(sqlite3_file* file, const void* from, int count, sqlite3_int64 offset) {
    UnlinkedFile& to = file_of(file);
    return guarded(*to.owner, SQLITE_IOERR_WRITE, [&] {
        const std::span bytes(static_cast<const std::byte*>(from), static_cast<std::size_t>(count));
        write_whole_at(to.descriptor.get(), static_cast<std::uint64_t>(offset), bytes,
                       "temporary file in " + to.owner->folder());
        return SQLITE_OK;
    });
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
    return ::ftruncate(file_of(file).descriptor.get(), static_cast<off_t>(size)) == 0 ? SQLITE_OK
                                                                                      : SQLITE_IOERR_TRUNCATE;
}

int size_of_file(sqlite3_file* file, sqlite3_int64* size) {
    struct stat status {};
    if (::fstat(file_of(file).descriptor.get(), &status) != 0) return SQLITE_IOERR_FSTAT;
    *size = static_cast<sqlite3_int64>(status.st_size);
    return SQLITE_OK;
}

// No other process can open the files, so that they need no locks, and they vanish in a crash, so that they need no
// syncs.
int do_nothing(sqlite3_file*, int) {
    return SQLITE_OK;
}
int is_not_reserved(sqlite3_file*, int* is_reserved) {
    *is_reserved = 0;
    return SQLITE_OK;
}
int know_no_control(sqlite3_file*, int, void*) {
    return SQLITE_NOTFOUND;
}
int sector_size(sqlite3_file*) {
    constexpr int bytes = 4096;
    return bytes;
}
int characteristics(sqlite3_file*) {
    return 0;
}

constexpr sqlite3_io_methods methods_of_files() {
    sqlite3_io_methods methods{};
    methods.iVersion = 1;
    methods.xClose = close_file;
    methods.xRead = read_file;
    methods.xWrite = write_file;
    methods.xTruncate = truncate_file;
    methods.xSync = do_nothing;
    methods.xFileSize = size_of_file;
    methods.xLock = do_nothing;
    methods.xUnlock = do_nothing;
    methods.xCheckReservedLock = is_not_reserved;
    methods.xFileControl = know_no_control;
    methods.xSectorSize = sector_size;
    methods.xDeviceCharacteristics = characteristics;
    return methods;
}
constexpr sqlite3_io_methods file_methods = methods_of_files();

int open_file(sqlite3_vfs* system, const char*, sqlite3_file* file, int flags, int* opened) {
    auto& owner = *static_cast<UnlinkedFiles*>(system->pAppData);
    auto* const made = new (file) UnlinkedFile();
    made->owner = &owner;
    const int result = guarded(owner, SQLITE_CANTOPEN, [&] {
        made->descriptor = open_unlinked_file(owner.folder());
        return SQLITE_OK;
    });
    if (result != SQLITE_OK) {
        made->~UnlinkedFile();
        return result;
    }
    made->pMethods = &file_methods;
    if (opened != nullptr) *opened = flags;
    return SQLITE_OK;
}

int remove_file(sqlite3_vfs*, const char*, int) {
    return SQLITE_OK;
}
int has_access(sqlite3_vfs*, const char*, int, int* result) {
    *result = 0;
    return SQLITE_OK;
}
int full_name(sqlite3_vfs*, const char* name, int count, char* into) {
    sqlite3_snprintf(count, into, "%s", name);
    return SQLITE_OK;
}

}  // namespace

UnlinkedFiles::UnlinkedFiles(std::string folder)
    : folder_(std::move(folder)), name_("hwtrace-" + std::to_string(reinterpret_cast<std::uintptr_t>(this))) {
    sqlite3_initialize();
    const sqlite3_vfs* const standard = sqlite3_vfs_find(nullptr);
    if (standard == nullptr) fail(Failure::internal, "SQLite has no file system");
    system_ = *standard;  // with its clock and its random numbers
    system_.iVersion = 1;
    system_.szOsFile = sizeof(UnlinkedFile);
    system_.pNext = nullptr;
    system_.zName = name_.c_str();
    system_.pAppData = this;
    system_.xOpen = open_file;
    system_.xDelete = remove_file;
    system_.xAccess = has_access;
    system_.xFullPathname = full_name;
    if (sqlite3_vfs_register(&system_, 0) != SQLITE_OK) fail(Failure::internal, "SQLite takes no file system");
}

UnlinkedFiles::~UnlinkedFiles() {
    sqlite3_vfs_unregister(&system_);
}

void UnlinkedFiles::throw_error() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace hwtrace::sqlite

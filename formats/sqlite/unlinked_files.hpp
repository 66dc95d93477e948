// formats/sqlite/unlinked_files.hpp - lets SQLite write to files without names, which vanish with the process.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>

namespace hwtrace::sqlite {

/// A file system for one connection of SQLite: the database and all temporary files are unlinked files in a folder.
/// SQLite has its own files only by name, but an output has its final name only when it is complete.
class UnlinkedFiles {
public:
    /// Registers the file system.
    explicit UnlinkedFiles(std::string folder);
    ~UnlinkedFiles();
    UnlinkedFiles(const UnlinkedFiles&) = delete;
    UnlinkedFiles& operator=(const UnlinkedFiles&) = delete;

    /// Returns the name under which it is registered, for sqlite3_open_v2.
    const char* name() const noexcept { return name_.c_str(); }
    /// Throws the last error of a file, if there was one.
    void throw_error();

    /// The state of an open file. Public, so that the functions of an open file can use it.
    const std::string& folder() const noexcept { return folder_; }
    void keep_error() noexcept { error_ = std::current_exception(); }

private:
    std::string folder_, name_;
    std::exception_ptr error_;
    sqlite3_vfs system_{};
};

}  // namespace hwtrace::sqlite

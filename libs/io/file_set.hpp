// io/file_set.hpp - several files that appear together: all of them, or none.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/input.hpp"
#include "io/output.hpp"

namespace hwtrace {

/// Writes several files of one folder. They are written to a temporary folder in it and moved into place when all are
/// complete. Destruction without commit() leaves no trace of them.
class FileSet {
public:
    /// `paths` are distinct. Throws, before anything is written, if open_file_output would refuse one of them.
    FileSet(std::vector<std::string> paths, Existing existing,
            const std::vector<std::optional<Input::Identity>>& inputs);
    ~FileSet();
    FileSet(const FileSet&) = delete;
    FileSet& operator=(const FileSet&) = delete;

    /// Returns the output of file `index`; call it once per file. Its commit() completes the file within the set.
    /// Destroy it before the set.
    std::unique_ptr<Output> open(std::size_t index);
    /// Moves the files into place, one after the other. All must be complete. If one cannot be moved, undoes the
    /// earlier moves. (On file systems that cannot exchange two files, it undoes only those that replaced nothing.)
    /// Throws Failure::io, or Failure::usage for a name that was taken meanwhile. SIGINT, SIGTERM and SIGHUP are
    /// deferred until it is done.
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace

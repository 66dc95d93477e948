// io/file_set.hpp - writes several files that become visible together or not at all.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/input.hpp"
#include "io/output.hpp"

namespace hwtrace {

/// Writes several files to one folder. The files are first written to a temporary folder inside this folder. commit()
/// moves them into place when all are complete. Destruction without commit() removes them.
class FileSet {
public:
    /// `paths` must be distinct. Checks all paths before anything is written, and throws as open_file_output does.
    FileSet(std::vector<std::string> paths, Existing existing,
            const std::vector<std::optional<Input::Identity>>& inputs);
    ~FileSet();
    FileSet(const FileSet&) = delete;
    FileSet& operator=(const FileSet&) = delete;

    /// Returns the output of file `index`. Call open() once per file. The output's commit() completes the file within
    /// the set. Destroy the output before the set.
    std::unique_ptr<Output> open(std::size_t index);
    /// Moves the files into place, one after the other. All files must be complete. If a move fails, the earlier moves
    /// are undone. (On file systems that cannot exchange two files, a move that replaced a file is not undone.) Throws
    /// Failure::io, or Failure::usage if another program has created a file with one of the names. SIGINT, SIGTERM and
    /// SIGHUP are deferred during the call.
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace

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

/// Files of one folder, each written by itself into a temporary folder in it and moved to its place when all are whole.
/// Destruction without commit() leaves no trace of them.
class FileSet {
public:
    /// `paths` are different from each other. Refuses, before anything is written, what open_file_output refuses of
    /// each.
    FileSet(std::vector<std::string> paths, Existing existing,
            const std::vector<std::optional<Input::Identity>>& inputs);
    ~FileSet();
    FileSet(const FileSet&) = delete;
    FileSet& operator=(const FileSet&) = delete;

    /// The output of the file `index`, once for each; its commit() makes it a whole one of the set. Destroyed before
    /// the set.
    std::unique_ptr<Output> open(std::size_t index);
    /// Moves the files, all of which are whole, to their places, one after the other. Where one cannot be moved, those
    /// before it are taken back (on file systems that cannot exchange two files, only those that replaced nothing);
    /// throws Failure::io, or Failure::usage for a name that was taken meanwhile. SIGINT, SIGTERM and SIGHUP wait for
    /// all of it.
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace

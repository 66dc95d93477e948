// cli/exit_code.hpp - the exit codes of all binaries.
#pragma once

#include <cstdint>

#include "io/error.hpp"

namespace hwtrace::cli {

enum class Exit : std::uint8_t {
    done = 0,
    no = 1,  ///< the answer is no: validate found errors, diff found differences
    usage = 2,
    incomplete = 3,  ///< done, but data was lost or the input was incomplete
    input = 4,       ///< the input cannot be processed
    io = 5,
    limit = 6,
    bug = 70,
};

constexpr Exit exit_of(Failure failure) noexcept {
    switch (failure) {
        case Failure::usage:
            return Exit::usage;
        case Failure::input:
            return Exit::input;
        case Failure::io:
            return Exit::io;
        case Failure::limit:
            return Exit::limit;
        case Failure::internal:
            return Exit::bug;
    }
    return Exit::bug;
}

/// Returns the worse of two results, for a run over several files. From best to worst: done, incomplete, no, usage,
/// limit, input, io, bug.
Exit worse(Exit a, Exit b) noexcept;

}  // namespace hwtrace::cli

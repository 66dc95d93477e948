// formats/stf/api/guarded.hpp - converts the library's errors and findings to Error and Fault of the C++ interface.
#pragma once

#include <utility>
#include <vector>

#include "codec/findings.hpp"
#include "io/error.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

/// Calls `work` and returns its result. Rethrows hwtrace::Error as stf::Error.
template <typename Work>
decltype(auto) guarded(Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const hwtrace::Error& error) {
        throw Error(static_cast<Error::Kind>(error.failure()), error.what());
    }
}
static_assert(static_cast<int>(Error::Kind::usage) == static_cast<int>(Failure::usage) &&
              static_cast<int>(Error::Kind::limit) == static_cast<int>(Failure::limit) &&
              static_cast<int>(Error::Kind::bug) == static_cast<int>(Failure::internal));

/// Converts the stored findings to faults.
std::vector<Fault> faults_of(const Findings& findings);

}  // namespace hwtrace::stf

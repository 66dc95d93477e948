// io/advised_error.hpp - errors with advice for command-line users.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/error.hpp"

namespace hwtrace {

/// An error whose message is a fact, a semicolon and advice for the user.
class AdvisedError : public Error {
public:
    AdvisedError(Failure failure, const std::string& fact, const std::string& advice)
        : Error(failure, fact + "; " + advice), fact_(fact.size()) {}
    /// Returns the fact without the advice, for callers without a command line. Valid for the lifetime of the error.
    std::string_view fact() const noexcept { return {what(), fact_}; }

private:
    std::size_t fact_;
};

/// The error for an output file that exists and may not be replaced.
class OutputExists : public AdvisedError {
public:
    explicit OutputExists(const std::string& path)
        : AdvisedError(Failure::usage, path + ": the output already exists", "--force replaces it") {}
};

}  // namespace hwtrace

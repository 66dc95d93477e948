// io/advised_error.hpp - an error that says what somebody at a command line can do about it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/error.hpp"

namespace hwtrace {

/// what() is the fact, a semicolon and the advice.
class AdvisedError : public Error {
public:
    AdvisedError(Failure failure, const std::string& fact, const std::string& advice)
        : Error(failure, fact + "; " + advice), fact_(fact.size()) {}
    /// what() without the advice, for callers who have no command line. Lives as long as the error.
    std::string_view fact() const noexcept { return {what(), fact_}; }

private:
    std::size_t fact_;
};

}  // namespace hwtrace

#include "io/error.hpp"

#include <string_view>
#include <system_error>

namespace hwtrace {

void fail(Failure failure, const std::string& message) {
    throw Error(failure, message);
}

void fail_errno(const std::string& file, std::string_view what, int error) {
    std::string message = file;
    message.append(": cannot ").append(what).append(": ").append(std::generic_category().message(error));
    throw Error(Failure::io, message);
}

}  // namespace hwtrace

// io/named_error.hpp - names the file in the message of an error.
#pragma once

#include <string>
#include <string_view>

#include "io/error.hpp"

namespace hwtrace {

/// Returns "FILE: message", or `message` alone if it already begins with the name of the file.
std::string about(std::string_view file, std::string_view message);
/// Returns the message without a leading "FILE: ".
std::string_view without(std::string_view file, std::string_view message) noexcept;

/// Runs `work` and adds the name `file` to every Error that leaves it.
template <typename Work>
auto naming(std::string_view file, Work&& work) {
    try {
        return work();
    } catch (const Error& error) {
        throw Error(error.failure(), about(file, error.what()));
    }
}

}  // namespace hwtrace

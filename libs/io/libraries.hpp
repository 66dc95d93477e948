// io/libraries.hpp - the versions of the compression libraries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hwtrace {

struct Library {
    std::string_view name;  ///< "zstd"
    std::string version;    ///< version of the loaded library, not of its headers: "1.5.4"
};

/// Returns the libraries on which compressed bytes depend, sorted by name.
std::vector<Library> compression_libraries();

}  // namespace hwtrace

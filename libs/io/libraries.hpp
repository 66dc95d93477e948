// io/libraries.hpp - the versions of the compression libraries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hwtrace {

struct Library {
    std::string_view name;  ///< "zstd"
    std::string version;    ///< version of the loaded library, not of the headers: "1.5.4"
};

/// Returns the compression libraries, sorted by name. Their versions may affect compressed output.
std::vector<Library> compression_libraries();

}  // namespace hwtrace

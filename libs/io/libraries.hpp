// io/libraries.hpp - which libraries compress and decompress.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hwtrace {

struct Library {
    std::string_view name;  ///< "zstd"
    std::string version;    ///< of the one that is loaded, not of its headers: "1.5.4"
};

/// What compressed bytes depend on, in order of their names.
std::vector<Library> compression_libraries();

}  // namespace hwtrace

#include "io/libraries.hpp"

#include <lz4.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

namespace hwtrace {

std::vector<Library> compression_libraries() {
    return {{"lz4", LZ4_versionString()},
            {"lzma", lzma_version_string()},
            {"zlib", zlibVersion()},
            {"zstd", ZSTD_versionString()}};
}

}  // namespace hwtrace

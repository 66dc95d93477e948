// cli/serve_command.hpp - the command hwtrace-serve.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/common_options.hpp"

namespace hwtrace::cli {

struct ServeOptions {
    explicit ServeOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::vector<std::string> inputs;
    std::string listen = "127.0.0.1:8080";
    bool remote = false;             ///< allows an address that other machines can reach
    std::vector<std::string> hosts;  ///< further names of this server
    std::uint64_t timeout = 30;      ///< seconds per request
    std::uint64_t max_rows = 100000;
};

/// Serves the files until SIGINT or SIGTERM.
Exit serve_command(const ServeOptions& options);

}  // namespace hwtrace::cli

// cli/recover_command.hpp - what hwtrace-recover does.
#pragma once

#include <string>

#include "cli/common_options.hpp"
#include "cli/conversion.hpp"

namespace hwtrace::cli {

struct RecoverOptions {
    explicit RecoverOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::string input;
    TargetOptions target;
    bool explain = false;
};

/// Writes what can be read of a damaged trace. The output appears only when it is whole and valid.
Exit recover_command(const RecoverOptions& options);

}  // namespace hwtrace::cli

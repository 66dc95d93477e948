// cli/recover_command.hpp - the command hwtrace-recover.
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
};

/// Salvages a valid trace from a damaged file. The output is checked first, then written atomically.
Exit recover_command(const RecoverOptions& options);

}  // namespace hwtrace::cli

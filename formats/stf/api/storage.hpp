// formats/stf/api/storage.hpp - opens the output file of the C++ interface's writers.
#pragma once

#include <memory>
#include <string>

#include "codec/settings.hpp"
#include "io/output.hpp"
#include "stf/container_writer.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

/// Translates storage options into the settings of the format's writers. Throws Failure::usage for invalid options.
Settings settings_of(const Storage& storage, const std::string& path);
Wrapping wrapping_of(const Storage& storage, const std::string& path);
std::unique_ptr<Output> open_output(const Storage& storage, const std::string& path);

}  // namespace hwtrace::stf

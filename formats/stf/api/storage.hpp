// formats/stf/api/storage.hpp - the file that the writers of the C++ interface make.
#pragma once

#include <memory>
#include <string>

#include "codec/settings.hpp"
#include "io/output.hpp"
#include "stf/container_writer.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

/// What the writers of the format understand. Throws Failure::usage for what they do not take.
Settings settings_of(const Storage& storage, const std::string& path);
Wrapping wrapping_of(const Storage& storage, const std::string& path);
std::unique_ptr<Output> open_output(const Storage& storage, const std::string& path);

}  // namespace hwtrace::stf

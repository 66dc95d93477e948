// formats/formats.hpp - the list of all formats.
#pragma once

#include "codec/format.hpp"

namespace hwtrace {

/// Returns the formats that hold traces: each can be read and written. The order is that of formats/formats.cpp.
FormatList formats() noexcept;
/// Returns all formats: formats(), followed by the pictures (WriteCapabilities::is_picture) and the formats that are
/// only read, whose `make_writer` is null. Some pictures can also be read: Format::can_read().
FormatList targets() noexcept;
/// Returns the formats that can hold arbitrary transactions. A program that uses only this list (library
/// hwtrace::transaction_formats) links no other format.
FormatList transaction_formats() noexcept;

}  // namespace hwtrace

// formats/stf/api/trace_header.hpp - the header of the C++ interface, from records and as metadata.
#pragma once

#include <span>
#include <vector>

#include "model/schema.hpp"
#include "stf/scanner.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

/// Of the records that Scanner::read_header() gives. What does not stand there keeps the value of a fresh Header, but
/// for generators, of which there are none then.
Header header_of(std::span<const HeaderRecord> records);
/// Of the header that a reader's metadata stand for.
Header header_of(const Schema& schema);
/// Adds the metadata that stand for `header`.
void describe_header(const Header& header, Schema& schema);

}  // namespace hwtrace::stf

// formats/stf/api/trace_header.hpp - converts header records and metadata to a Header of the C++ interface, and a
// Header to metadata.
#pragma once

#include <span>
#include <vector>

#include "model/schema.hpp"
#include "stf/scanner.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

/// Converts the records of Scanner::read_header(). Members without a record keep the value of a default Header, but
/// `generators` is empty without a TRACE_INFO record.
Header header_of(std::span<const HeaderRecord> records);
/// Converts the `stf.*` metadata of a reader's schema.
Header header_of(const Schema& schema);
/// Adds the metadata of `header` to the schema.
void describe_header(const Header& header, Schema& schema);

}  // namespace hwtrace::stf

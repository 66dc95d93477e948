// formats/stf/header_facts.hpp - describes a trace's header and container as metadata and facts.
#pragma once

#include "codec/reader.hpp"
#include "scanner.hpp"

namespace hwtrace::stf {

/// Adds one metadata entry for a header record. The writer converts the entry back. Adds a fact if users need to see
/// the record.
void describe_header_record(const RawRecord& record, Schema& schema, Facts& facts);

/// Adds the facts of the container. Totals are added only if the scan has `ended`.
void add_container_facts(const Scanner& scanner, bool ended, Facts& facts);

}  // namespace hwtrace::stf

// formats/stf/header_facts.hpp - what the readers say of a trace's header and container.
#pragma once

#include "codec/reader.hpp"
#include "scanner.hpp"

namespace hwtrace::stf {

/// A header record becomes one metadata entry, which the writer turns back into the record, and, where people want to
/// know it, a fact.
void describe_header_record(const RawRecord& record, Schema& schema, Facts& facts);

/// The container's facts; those about all of it only where the scan has `ended`.
void add_container_facts(const Scanner& scanner, bool ended, Facts& facts);

}  // namespace hwtrace::stf

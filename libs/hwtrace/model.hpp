// hwtrace/model.hpp - what a trace is: schema, records in batches, time, the state of storages, the text of values,
// and a trace as tables with typed columns.
#pragma once

#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "domain/slot_rows.hpp"
#include "domain/table_chunk.hpp"
#include "domain/table_rows.hpp"
#include "domain/trace_tables.hpp"
#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "hwtrace/record_view.hpp"
#include "model/hash.hpp"
#include "model/pool.hpp"
#include "model/record.hpp"
#include "model/record_kinds.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"
#include "model/time.hpp"

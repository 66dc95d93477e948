// hwtrace/tables.hpp - a trace as tables with typed columns, one table per track.
#pragma once

#include "domain/slot_rows.hpp"
#include "domain/table_chunk.hpp"
#include "domain/table_rows.hpp"
#include "domain/trace_tables.hpp"

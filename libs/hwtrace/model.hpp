// hwtrace/model.hpp - what a trace is: schema, records in batches, time, the state of tables, and the text of values.
#pragma once

#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
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

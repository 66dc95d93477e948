// hwtrace/hwtrace.hpp - reads, converts and validates traces of every format. Most programs include only this header.
//
//     hwtrace::Trace trace = hwtrace::Trace::open("soc.ftr");
//     for (const hwtrace::RecordView& record : trace.records())
//         std::cout << record.time() << ' ' << record.path() << '\n';
//
//     hwtrace::convert("core.zstf", "core.uscope");
//     hwtrace::validate("soc.ftr").is_valid();
#pragma once

#include "hwtrace/conversion.hpp"
#include "hwtrace/trace.hpp"
#include "hwtrace/validation.hpp"
#include "io/error.hpp"

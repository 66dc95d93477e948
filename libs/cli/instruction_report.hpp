// cli/instruction_report.hpp - prints the instruction statistics of hwtrace-info, as text and as JSON.
#pragma once

#include "cli/json.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "views/instruction_statistics.hpp"

namespace hwtrace::cli {

void print_instructions(const InstructionStatistics& statistics, TextOutput& out);
Json instructions_json(const InstructionStatistics& statistics, JsonIntegers integers);

}  // namespace hwtrace::cli

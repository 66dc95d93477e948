// cli/profile_report.hpp - prints the profile of the instructions of hwtrace-info, as text and as JSON.
#pragma once

#include "cli/function_report.hpp"
#include "cli/json.hpp"
#include "cli/messages.hpp"
#include "io/text_output.hpp"
#include "views/instruction_profile.hpp"

namespace hwtrace::cli {

void print_profile(const InstructionProfile& profile, const AddressNames& names, Volume volume, TextOutput& out);
Json profile_json(const InstructionProfile& profile, const AddressNames& names, JsonIntegers integers);

}  // namespace hwtrace::cli

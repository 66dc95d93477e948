// formats/stf/code_text.hpp - prints STF's codes and small records for all views.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/text_output.hpp"
#include "wire.hpp"

namespace hwtrace::stf {

/// Appends `name`, or `unknown(number)` if `name` is empty.
void append_name_or_number(std::string_view name, std::uint64_t number, TextOutput& out);
/// Appends "PC", "REG_5", "REG_F5", "REG_V5", "REG_CSR_SATP", "REG_CSR_UNK_1234" or "unknown(9)_5".
void append_register_name(unsigned type, std::uint16_t number, TextOutput& out);
/// Appends the name of an event id as stored in a record: "LOAD_PAGE_FAULT", "INT_PLATFORM_4", "unknown(999)".
void append_event_name(std::uint64_t id, bool event64, TextOutput& out);
/// Returns the name of a mode in a MODE_CHANGE, such as "USER". Returns an empty string if the mode is undefined.
std::string_view mode_name(std::uint64_t mode) noexcept;
/// Appends `text` on one line. Prints control characters (C0 and C1, except the tab) and bytes that are not UTF-8 as
/// \xNN.
void append_one_line(std::string_view text, TextOutput& out);
/// Appends a page table walk: "0000000000001000 size 00001000 first_count 0000000000000000", then one line per entry.
void append_page_table_walk(const RawRecord& record, TextOutput& out);

}  // namespace hwtrace::stf

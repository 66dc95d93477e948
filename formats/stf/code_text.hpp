// formats/stf/code_text.hpp - STF's codes and small records as text, the same in every view.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/text_output.hpp"
#include "wire.hpp"

namespace hwtrace::stf {

/// `name`, or where it is empty `unknown(number)`.
void append_name_or_number(std::string_view name, std::uint64_t number, TextOutput& out);
/// "PC", "REG_5", "REG_F5", "REG_V5", "REG_CSR_SATP", "REG_CSR_UNK_1234", "unknown(9)_5".
void append_register_name(unsigned type, std::uint16_t number, TextOutput& out);
/// Of the id as it stands in the record: "LOAD_PAGE_FAULT", "INT_PLATFORM_4", "unknown(999)".
void append_event_name(std::uint64_t id, bool event64, TextOutput& out);
/// USER to MACHINE, for MODE_CHANGE; empty where the value is none of them.
std::string_view mode_name(std::uint64_t mode) noexcept;
/// `text` on one line: control characters (those of C1 too, but not the tab), and bytes that are not UTF-8, as \xNN.
void append_one_line(std::string_view text, TextOutput& out);
/// From the address on: "0000000000001000 size 00001000 first_count 0000000000000000", and lines for its entries.
void append_page_table_walk(const RawRecord& record, TextOutput& out);

}  // namespace hwtrace::stf

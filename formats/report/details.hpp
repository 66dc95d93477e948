// formats/report/details.hpp - the values of records as lines of text for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::report {

/// Appends a value: a label, a text, a number. Long texts are cut, and state their length.
void append_cell(const Schema& schema, const Field& field, std::uint64_t cell, std::string& text);
/// Appends a line "name: value".
void append_line(std::string_view name, std::string_view value, std::string& lines);
void append_line(std::string_view name, std::uint64_t value, std::string& lines);
/// Appends a line for each attribute. Stops after about 2 KB, and states how many are missing.
void append_attributes(const Schema& schema, const Track& track, std::span<const Attribute> attributes,
                       std::string& lines);
/// Appends a line for each cell of an event.
void append_cells(const Schema& schema, const Track& track, std::span<const std::uint64_t> cells, std::string& lines);
/// Returns UTF-8 of at most about `most` bytes. A longer text is cut, and states its length.
std::string short_text(std::string_view text, std::size_t most);

}  // namespace hwtrace::report

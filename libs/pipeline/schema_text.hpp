// pipeline/schema_text.hpp - objects of a schema as text, for marks that remember what a trace was made of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/text_cursor.hpp"
#include "model/schema.hpp"

namespace hwtrace {

// Each put_…() appends what the read_…() of the same name takes off the front of a text; that is false where the text
// does not go on so.

/// "=5:value": with its length, so that it may hold anything.
void append_sized(std::string& text, std::string_view name);
bool read_sized(TextCursor& at, std::string& name);
/// "t1/1000": t seconds, c cycles, o ordinal.
void append_base(std::string& text, const TimeBase& base);
bool read_base(TextCursor& at, TimeBase& base);
/// A letter for the type, * for a repeated one, w and a width, e and an enumeration, p and a phase, r and the role and
/// pair of a property ("r1/2") where it has them, and the name.
void append_field(std::string& text, const Field& field);
bool read_field(TextCursor& at, Field& field);
/// "{...}".
void append_fields(std::string& text, const std::vector<Field>& fields);
bool read_fields(TextCursor& at, std::vector<Field>& fields);
/// "7=4:high": number and name.
void append_label(std::string& text, const EnumValue& label);
bool read_label(TextCursor& at, EnumValue& label);

/// Clocks, scopes, enumerations and tracks of a schema. No metadata, no strings.
std::string objects_text(const Schema& schema);
/// Declares them in `schema`, which has none. False, with an unusable schema, where the rest of the text is anything
/// else, or refers to objects that it does not have.
bool read_objects(TextCursor& at, Schema& schema);

}  // namespace hwtrace

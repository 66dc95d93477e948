// domain/schema_text.hpp - writes and parses schema objects as text, for the marks that describe the source of a
// trace.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/text_cursor.hpp"
#include "model/schema.hpp"

namespace hwtrace {

// Each append_…() has a read_…() that parses its output at a cursor. A read_…() returns false if the text at the cursor
// has another form.

/// Appends "=5:value". The stated length allows any contents.
void append_sized(std::string& text, std::string_view name);
bool read_sized(TextCursor& at, std::string& name);
/// Appends "t1/1000": t for seconds, c for cycles, o for ordinal.
void append_base(std::string& text, const TimeBase& base);
bool read_base(TextCursor& at, TimeBase& base);
/// Appends a letter for the type, then optional items, then the name. The items are * if the field is repeated, w with
/// the width, e with the enum, p with the phase, and r with the role and pair of a property ("r1/2").
void append_field(std::string& text, const Field& field);
bool read_field(TextCursor& at, Field& field);
/// Appends "{...}".
void append_fields(std::string& text, const std::vector<Field>& fields);
bool read_fields(TextCursor& at, std::vector<Field>& fields);
/// Appends "7=4:high": value and name.
void append_label(std::string& text, const EnumValue& label);
bool read_label(TextCursor& at, EnumValue& label);

/// Returns the clocks, scopes, enums and tracks of a schema as text. Metadata and strings are not included.
std::string objects_text(const Schema& schema);
/// Parses the rest of the text and declares the objects in `schema`, which must have none yet. Returns false if the
/// text is invalid or refers to missing objects. Then, `schema` is unusable.
bool read_objects(TextCursor& at, Schema& schema);

}  // namespace hwtrace

#include "rules.hpp"

#include <array>

namespace hwtrace::jsonl {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    {"JSL001", error, damaged, "no JSON object at the start of the file", "File",
     "The file has another format, or lost its beginning. The first line is {\"schema\":\"hwtrace-jsonl/1\"}. Add it "
     "in front of your lines; if the file has another format, leave out --from jsonl."},
    {"JSL002", error, damaged, "unknown version", "File",
     "The meaning of the lines is unknown. This hwtrace reads hwtrace-jsonl/1. Convert newer lines with the hwtrace "
     "that wrote them."},
    {"JSL003", warning, harmless, "missing head", "File",
     "Nothing is lost, but the file is recognised only with --from jsonl. Write {\"schema\":\"hwtrace-jsonl/1\"} "
     "first."},
    {"JSL004", error, damaged, "a line is no JSON object", "File",
     "The line is skipped. Each line is exactly one object, in UTF-8. Correct the line that the message names; put "
     "JSON that spreads over several lines on one line."},
    {"JSL005", note, harmless, "empty line", "File", "It has no meaning; remove it."},
    {"JSL006", error, damaged, "unknown type of line", "File",
     "The line is skipped because its meaning is unknown. A field with the name type belongs in \"fields\"."},
    {"JSL007", error, damaged, "a member is missing or has the wrong form", "Lines",
     "The line is skipped, or that part of it. The message names the member and the expected form. "
     "hwtrace-jsonl.schema.json, beside README.md, describes each line."},
    {"JSL008", note, harmless, "unknown member", "Lines", "It is ignored; its name may be misspelt."},
    {"JSL009", error, damaged, "a line refers to an undeclared object", "Lines",
     "The line is skipped. Clocks, scopes, enumerations and tracks are declared before lines refer to them. Move the "
     "declaration up, or correct the number."},
    {"JSL010", error, damaged, "a declaration's id is not the next one", "Lines",
     "Lines are missing or in another order, so references to this object may lead to another one. Leave out ids, or "
     "count them from 0."},
    {"JSL011", error, damaged, "a record does not fit its track", "Records",
     "The track has another kind, or several tracks have its name. The record is skipped. Give its scope, or "
     "track_id."},
    {"JSL012", error, damaged, "a value does not fit its field's type", "Values",
     "The value is skipped; in an event, a table or an instruction it becomes 0 or an empty text. Correct the value, "
     "or declare the field with a type that holds it."},
    {"JSL013", error, damaged, "a value has no field in its track", "Records",
     "The value is skipped. Add the field to the track's declaration, or leave out \"fields\" there."},
    {"JSL014", note, harmless, "a field has no value", "Records",
     "An event has all fields of its track; the missing one becomes 0 or an empty text. Write the value if 0 is "
     "wrong."},
    {"JSL015", warning, harmless, "a record has no time", "Time",
     "It gets the time of the record before it. If that record counts other ticks, it gets the time of the last record "
     "on its track, or 0. Write \"time\" in each record."},
    {"JSL016", error, damaged, "a time is no number of ticks of its track", "Time",
     "The record is skipped. A time is a whole number below 2^63, or a text with a unit if the track's ticks have a "
     "length. Write it in one of these forms."},
    {"JSL017", warning, harmless, "a time lies between two ticks of its track", "Time",
     "It is rounded down to the earlier tick. Give the track a finer unit."},
    {"JSL018", note, harmless, "a record has other fields than earlier records of its track", "Records",
     "All events of a track have the same fields, so a second track with this name begins here. Declare the track with "
     "all its fields before its first record."},
    {"JSL019", note, harmless, "the last line has no line end", "File",
     "The file may have been cut. End every line, including the last one."},
    {"JSL020", error, incomplete, "the file ends inside a line", "File",
     "The file was cut, or its writer was stopped. All lines before this one are delivered. Fetch the file again, or "
     "remove the rest of the line."},
    {"JSL021", error, incomplete, "the compressed data is cut", "File",
     "The file ends inside its gzip, LZ4, zstd or xz data. The lines before the cut are delivered. Fetch the file "
     "again, or run hwtrace-recover to get a complete file of these lines."},
    {"JSL022", error, damaged, "the compressed data is damaged", "File",
     "Decompression fails here, or a checksum is wrong. The lines before this place are delivered. Fetch the file "
     "again; without another copy, run hwtrace-recover to keep these lines."},
    {"JSL023", error, damaged, "an object has two members with the same name", "File",
     "Only one of the two values counts, or both become values of an interval's attribute. Keep one member; write "
     "several values of an attribute as a list."},
    {"JSL024", warning, harmless, "a whole number is rounded to a floating-point number", "Values",
     "The number has more digits than its field's type. An undeclared field of numbers beyond 64 bits has the type "
     "f64. Write the number as a text, or declare the field with a type that holds it."},
    {"JSL025", warning, harmless, "a time has no unit on a track whose times have units", "Time",
     "The number counts ticks of the track, which are picoseconds or femtoseconds. Write the unit, or declare the "
     "track with the unit of its plain numbers."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::jsonl

#include "rules.hpp"

#include <array>

namespace hwtrace::jsonl {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    {"JSL001", error, damaged, "the file does not begin with a JSON object", "File",
     "It is something else, or its beginning is lost. The first line is {\"schema\":\"hwtrace-jsonl/1\"}. Write that "
     "line in front of lines that are such ones; leave --from jsonl out where the file is something else."},
    {"JSL002", error, damaged, "the version of the lines is not known", "File",
     "What they mean is not known. This hwtrace reads hwtrace-jsonl/1. Read newer lines with the hwtrace that wrote "
     "them, and convert them there."},
    {"JSL003", warning, harmless, "the head is missing", "File",
     "Nothing is lost, but only --from jsonl tells what the file is. Write {\"schema\":\"hwtrace-jsonl/1\"} first."},
    {"JSL004", error, damaged, "a line is no JSON object", "File",
     "The line is left out. Each line is one object in UTF-8, of one piece, and nothing else stands on it. Mend the "
     "line that the message names: JSON that is spread over several lines has to be put on one."},
    {"JSL005", note, harmless, "a line is empty", "File", "It says nothing; remove it."},
    {"JSL006", error, damaged, "the type of a line is not known", "File",
     "What the line says is not known; it is left out. A field that is called type stands in \"fields\"."},
    {"JSL007", error, damaged, "a member is missing, or is not what it should be", "Lines",
     "What the line says cannot be told; it is left out, or as much of it as cannot be told. The message names the "
     "member and what was expected of it; hwtrace-jsonl.schema.json, beside README.md, describes each line."},
    {"JSL008", note, harmless, "a member is not known", "Lines", "It is ignored; perhaps its name is misspelt."},
    {"JSL009", error, damaged, "a line refers to an object that is not declared", "Lines",
     "The line is left out. Clocks, scopes, enumerations and tracks are declared before lines that name them. Put the "
     "declaration in front, or mend the number."},
    {"JSL010", error, damaged, "a declaration has another id than the next", "Lines",
     "Lines are missing, or stand in another order: numbers that refer to this object may lead to another one. Leave "
     "out ids, or count them from 0."},
    {"JSL011", error, damaged, "a record does not belong on its track", "Records",
     "The track is of another kind, or its name is that of several; the record is left out. State its scope, or "
     "track_id."},
    {"JSL012", error, damaged, "a value is not one of its field's type", "Values",
     "The value is left out; of an event, a table or an instruction, 0 or an empty text takes its place. Mend the "
     "value, or declare the field with a type that holds it."},
    {"JSL013", error, damaged, "a value has no field in its track", "Records",
     "The value is left out. Name the field where the track is declared, or leave \"fields\" out there."},
    {"JSL014", note, harmless, "a field has no value", "Records",
     "Events have all fields of their track: it is 0, or an empty text. State it where 0 is not what is meant."},
    {"JSL015", warning, harmless, "a record has no time", "Time",
     "It gets that of the record before it, or where that counts other ticks, of the last one on its track, or 0. "
     "State \"time\" in each record."},
    {"JSL016", error, damaged, "a time is no number of ticks of its track", "Time",
     "The record is left out. A time is a whole number below 2^63, or a text with a unit where the track has a length "
     "of its ticks. State it so."},
    {"JSL017", warning, harmless, "a time lies between two ticks of its track", "Time",
     "The earlier one is taken. Give the track a finer unit."},
    {"JSL018", note, harmless, "a record has fields that those of its track before it had not", "Records",
     "Events of one track have the same fields: from here on it is another track of that name. Declare it before its "
     "first record, with all of its fields."},
    {"JSL019", note, harmless, "the last line has no line end", "File",
     "It may have been cut. End each line, also the last one."},
    {"JSL020", error, incomplete, "the file ends inside a line", "File",
     "The file was cut, or its writer was stopped. All lines before this one are delivered. Fetch the file again, or "
     "remove the rest of the line."},
    {"JSL021", error, incomplete, "the compressed data is cut", "File",
     "The file ends inside its gzip, LZ4, zstd or xz data. The lines that could be decompressed are delivered. Fetch "
     "the file again; hwtrace-recover makes a whole file of these."},
    {"JSL022", error, damaged, "the compressed data is damaged", "File",
     "Decompression fails here or a checksum is wrong. The lines before it are delivered. Fetch the file again; where "
     "there is no other copy, hwtrace-recover makes a sound file of these."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::jsonl

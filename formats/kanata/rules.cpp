#include "rules.hpp"

#include <array>

namespace hwtrace::kanata {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    {"KAN001", error, damaged, "the first line does not begin with Kanata", "First line",
     "Readers recognise the format by this word. The file has another format, or its beginning is lost. Begin a log "
     "with 'Kanata', a tab and '0004'; if a simulator prints other lines first, remove them.",
     "Header"},
    {"KAN002", warning, harmless, "the version is not 0004", "First line",
     "Only version 0004 is documented, and hwtrace reads the log as 0004. Write 'Kanata', a tab and '0004'.", "Header"},
    {"KAN003", warning, harmless, "a line is not a known command", "Other lines",
     "Konata warns about the line, or refuses the log. hwtrace keeps it unchanged but assigns it to no instruction. "
     "The commands are C=, C, I, "
     "L, "
     "S, E, R and W. Write the contents of the line as a label (L).",
     "Command Reference"},
    {"KAN004", note, harmless, "a line is a comment", "Other lines",
     "The format has no comments: Konata warns about the line, or refuses the log. hwtrace keeps it unchanged. Write "
     "it as a label (L), "
     "which "
     "viewers show, or leave it out."},
    {"KAN005", error, damaged, "a command has missing, malformed or too large columns", "Commands",
     "The meaning of the command is unknown. One tab separates columns; ids, threads, lanes and types are decimal "
     "numbers below 2^32. hwtrace keeps the line unchanged. hwtrace-recover leaves it out.",
     "Log Body"},
    {"KAN006", error, damaged, "the cycle goes back", "Cycles",
     "Time never decreases in a log. hwtrace places the following commands at the latest cycle so far. Write commands "
     "in order of cycles.",
     "Introduction"},
    {"KAN007", note, harmless, "a command refers to an instruction that is no longer in flight", "Instruction lifetime",
     "Viewers warn about labels after the R and ignore other commands. hwtrace keeps the command in its place. Write "
     "the R after all other commands of an instruction.",
     "R"},
    {"KAN008", warning, harmless, "an instruction begins that is already in flight", "Instruction lifetime",
     "Viewers forget the commands of the first instruction. Give each instruction its own id.", "Instruction ID"},
    {"KAN009", warning, harmless, "an instruction retires that is not in flight", "Instruction lifetime",
     "The instruction retired before, or it never began, so nothing leaves the pipeline. Write one R for each I.", "R"},
    {"KAN010", warning, harmless, "the last line has no line end", "File layout",
     "The line may have been cut, so that a number or a name lost its end. End every line, including the "
     "last one."},
    {"KAN011", error, incomplete, "the log ends inside a command", "File layout",
     "The file was cut, or its writer was stopped. All earlier commands are delivered. hwtrace-recover writes them as "
     "a "
     "whole log."},
    {"KAN012", note, harmless, "text follows the last column of a command", "Commands",
     "Viewers ignore the text, and hwtrace drops it. Write text that is worth keeping as a label."},
    {"KAN013", error, incomplete, "the compressed data is cut", "File layout",
     "The file ends inside its gzip, LZ4, zstd or xz data. The commands that could be decompressed are delivered. Copy "
     "the file again; hwtrace-recover writes a whole log of these commands."},
    {"KAN014", error, damaged, "the compressed data is damaged", "File layout",
     "Decompression fails here, or the checksum is wrong. The commands before it are delivered. Copy the file again; "
     "if "
     "no other copy exists, hwtrace-recover writes a sound log of these commands."},
    {"KAN015", warning, harmless, "a command refers to an instruction that has not begun", "Instruction lifetime",
     "Viewers ignore commands of an instruction before its I. hwtrace keeps the command in its place. Write the I "
     "first.",
     "I"},
    {"KAN016", warning, harmless, "more instructions are in flight than a table can hold", "Entity slots",
     "The table has too few slots, so a new instruction takes the slot of an older instruction. A state of the table "
     "is then "
     "incomplete, but no command is lost. If instructions never leave the pipeline, write an R for each."},
    {"KAN017", warning, harmless, "more stages occur than an enum can name", "Stage numbers",
     "hwtrace writes stages as four-byte numbers that index the list of names. No record is lost, but other tools "
     "cannot "
     "read the stages of a µScope file made from this log: they expect one byte (USC051). Use fewer stage names."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::kanata

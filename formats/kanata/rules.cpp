#include "rules.hpp"

#include <array>

namespace hwtrace::kanata {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    {"KAN001", error, damaged, "the first line does not begin with Kanata", "File",
     "Readers know the format by this word. The file is something else, or its beginning is lost. Begin a log with "
     "'Kanata', a tab and '0004'; where a simulator prints other lines first, remove these."},
    {"KAN002", warning, harmless, "the version is not 0004", "File",
     "Only version 0004 is documented; it is read as such. Write 'Kanata', a tab and '0004'."},
    {"KAN003", warning, harmless, "a line is no known command", "Commands",
     "Viewers skip the line. It is kept as it stands, but says nothing about any instruction. The commands are C=, C, "
     "I, L, S, E, R and W: write what the line says as a label (L)."},
    {"KAN004", note, harmless, "a line is a comment", "Commands",
     "The format has no comments; viewers skip the line. It is kept as it stands. Write it as a label (L), which "
     "viewers show, or leave it out."},
    {"KAN005", error, damaged, "columns of a command are missing, or are no numbers, or too large", "Commands",
     "What the command says is not known. Columns are separated by one tab each; ids, threads, lanes and types are "
     "decimal numbers below 2^32. The line is kept as it stands. hwtrace-recover leaves it out."},
    {"KAN006", error, damaged, "the cycle goes back", "Cycles",
     "Time never decreases in a log. What follows is put at the latest cycle so far. Write commands in order of "
     "cycles."},
    {"KAN007", note, harmless, "a command names an instruction that is no longer in flight", "Commands",
     "Viewers warn about labels behind the R, and ignore the rest. It is kept in its place. Write the R behind all "
     "that is said of an instruction."},
    {"KAN008", warning, harmless, "an instruction begins that is in flight already", "Commands",
     "Viewers forget what was said of the first one. Give each instruction an id of its own."},
    {"KAN009", warning, harmless, "an instruction retires that is not in flight", "Commands",
     "It has retired before, or has never begun, so that nothing leaves the pipeline. Write one R for each I."},
    {"KAN010", note, harmless, "the last line has no line end", "File",
     "It may have been cut: a number or a name may be shorter than it was. End each line, also the last one."},
    {"KAN011", error, incomplete, "the log ends inside a command", "File",
     "The file was cut, or its writer was stopped. All commands before this one are delivered. hwtrace-recover writes "
     "them as a whole log."},
    {"KAN012", note, harmless, "there is text behind the last column of a command", "Commands",
     "Viewers ignore it, and it is not kept. Put what is worth keeping into a label."},
    {"KAN013", error, incomplete, "the compressed data is cut", "File",
     "The file ends inside its gzip, LZ4, zstd or xz data. The commands that could be decompressed are delivered. "
     "Fetch the file again; hwtrace-recover makes a whole log of these."},
    {"KAN014", error, damaged, "the compressed data is damaged", "File",
     "Decompression fails here or the checksum is wrong. The commands before it are delivered. Fetch the file again; "
     "where there is no other copy, hwtrace-recover makes a sound log of these."},
    {"KAN015", warning, harmless, "a command names an instruction that has not begun", "Commands",
     "Viewers ignore what is said of an instruction before its I. It is kept in its place; write the I first."},
    {"KAN016", warning, harmless, "more instructions are in flight than a table can hold", "Model",
     "Those beyond the table's slots push others out of it: a state of the table does not show all. No command is "
     "lost. Where instructions never leave, write an R for each."},
    {"KAN017", warning, harmless, "there are more stages than an enum can name", "Model",
     "Stages become plain numbers of four bytes into the list of names. Nothing is lost, but no other tool reads the "
     "stages of a µScope file that is made of this log: they take a stage for one byte, which USC051 reports there. "
     "Name fewer stages where others shall see them."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::kanata

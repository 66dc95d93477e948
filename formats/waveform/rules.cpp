#include "rules.hpp"

namespace hwtrace::waveform {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(VcdCheck::count)> vcd_rule_table{{
    {"VCD001", error, damaged, "the file does not begin with a keyword of VCD", "VCD files",
     "Readers recognise the format by words such as $date, $timescale or $scope. The file has another format, or its "
     "beginning is lost.",
     "18.2"},
    {"VCD002", error, incomplete, "the file ends inside its declarations", "VCD files",
     "The file was cut, or its writer was stopped, before $enddefinitions. It has no changes.", "18.2.3.4"},
    {"VCD003", warning, harmless, "a keyword is unknown", "VCD files",
     "hwtrace skips everything up to the next $end. Keywords that other tools do not know make them refuse the file.",
     "18.2.1"},
    {"VCD004", error, damaged, "a declaration is malformed", "VCD files",
     "A $var has a type, a size, an identifier code and a name; a $scope has a type and a name. Changes of a variable "
     "without a valid declaration are lost.",
     "18.2.3.8"},
    {"VCD005", error, damaged, "the timescale is malformed", "VCD files",
     "A timescale is 1, 10 or 100, and one of s, ms, us, ns, ps and fs. hwtrace reads the file as if a tick lasted 1 "
     "ns.",
     "18.2.3.6"},
    {"VCD006", note, harmless, "the file has no timescale", "VCD files",
     "The length of a tick is unknown; hwtrace and other readers assume 1 ns. Write a $timescale.", "18.2.3.6"},
    {"VCD007", warning, harmless, "an $upscope closes no scope", "VCD files",
     "The hierarchy is wrong from here on. Write one $upscope for each $scope.", "18.2.3.7"},
    {"VCD008", error, damaged, "a change has an undeclared identifier code", "VCD files",
     "Nobody knows which variable changed, so the change is lost. Declare each code with a $var before "
     "$enddefinitions.",
     "18.2.1"},
    {"VCD009", error, damaged, "time goes back", "VCD files",
     "Times never decrease. hwtrace shows the following changes at the latest time so far.", "18.2.1"},
    {"VCD010", error, damaged, "a time is malformed", "VCD files",
     "A time is # and a decimal number below 2^63. hwtrace shows the following changes at the time before it.",
     "18.2.1"},
    {"VCD011", error, damaged, "a value is malformed", "VCD files",
     "The states of a bit are 0, 1, x and z (and u, w, h, l and - in extensions); a real is a decimal number. The "
     "change is lost.",
     "18.2.1"},
    {"VCD012", warning, harmless, "a value has more bits than its variable", "VCD files",
     "The size in the declaration is too small, or the value belongs to another variable. hwtrace drops the first "
     "bits.",
     "18.2.2"},
    {"VCD013", error, damaged, "a value does not fit the type of its variable", "VCD files",
     "A real number, a text or a vector needs a variable of that type. The change is lost.", "18.2.3.8"},
    {"VCD014", error, incomplete, "the file ends inside a change", "VCD files",
     "The file was cut, or its writer was stopped. All earlier changes are delivered."},
    {"VCD015", warning, harmless, "no line end follows the last word", "VCD files",
     "The word may have been cut, so that a code or a number lost its end. End the last line as well."},
    {"VCD016", error, damaged, "the file has values of ports", "VCD files",
     "This is an extended VCD file ($dumpports), whose values hwtrace does not read. Dump variables with $dumpvars.",
     "18.3"},
    {"VCD017", error, damaged, "a word is neither a time nor a change", "VCD files",
     "hwtrace skips the word. The bytes may be damaged, or they belong to another format.", "18.2.1"},
    {"VCD018", warning, harmless, "variables of one code have different sizes", "VCD files",
     "Variables that share an identifier code share their values. hwtrace reads each value with the size of the first "
     "declaration.",
     "18.2.3.8"},
    {"VCD019", error, incomplete, "the compressed data is cut", "VCD files",
     "The file ends inside its gzip, LZ4, zstd or xz data. The changes that could be decompressed are delivered. Copy "
     "the file again."},
    {"VCD020", error, damaged, "the compressed data is damaged", "VCD files",
     "Decompression fails here, or the checksum is wrong. The changes before it are delivered. Copy the file again."},
}};

constexpr std::array<Rule, static_cast<std::size_t>(FstCheck::count)> fst_rule_table{{
    {"FST001", error, damaged, "the file does not begin with a header block", "FST files",
     "Readers recognise the format by the header. The file has another format, or its beginning is lost."},
    {"FST002", error, incomplete, "the file ends inside its header", "FST files",
     "The file was cut, or its writer was stopped. It has no changes."},
    {"FST003", error, damaged, "the header does not tell the byte order of real numbers", "FST files",
     "The number that tells it is e, in one of two byte orders. hwtrace reads real numbers as little-endian ones, "
     "which "
     "may be wrong."},
    {"FST004", warning, harmless, "a block has an unknown type", "FST files",
     "hwtrace skips the block. A newer writer may have made the file."},
    {"FST005", error, incomplete, "the file ends inside a block", "FST files",
     "The file was cut, or its writer was stopped. All complete blocks are read."},
    {"FST006", error, damaged, "the size of a block is too small", "FST files",
     "A size includes its own 8 bytes and the fields at fixed places. Nothing after this block can be found."},
    {"FST007", error, incomplete, "a block was never completed", "FST files",
     "The writer was stopped while it wrote this block. hwtrace reads the blocks before it."},
    {"FST008", error, incomplete, "the file has no hierarchy", "FST files",
     "Most writers add the names of variables at the end. Without them, nobody knows what changed. A file NAME.hier "
     "beside the file may hold them; finish it with GTKWave's tools."},
    {"FST009", error, damaged, "the hierarchy cannot be decompressed", "FST hierarchy",
     "The names of variables are lost, so no change is delivered. Copy the file again."},
    {"FST010", error, damaged, "the hierarchy is malformed", "FST hierarchy",
     "Scopes and variables behind this place are lost."},
    {"FST011", error, damaged, "the geometry is damaged", "FST files",
     "The sizes of values are read from the hierarchy instead."},
    {"FST012", note, harmless, "the file has no geometry", "FST files",
     "The sizes of values are read from the hierarchy instead. Writers that were stopped leave such files."},
    {"FST013", error, damaged, "the times of a block are damaged", "FST changes",
     "No change of this block is delivered. Copy the file again."},
    {"FST014", error, damaged, "the initial values of a block are damaged", "FST changes",
     "The values at the beginning of the file are lost."},
    {"FST015", error, damaged, "the index of a block is damaged", "FST changes",
     "The index tells where the changes of each variable are. Those behind this place are lost."},
    {"FST016", error, damaged, "the changes of a variable cannot be decompressed", "FST changes",
     "The changes of the variable in this block are lost. Copy the file again."},
    {"FST017", error, damaged, "the changes of a variable are malformed", "FST changes",
     "A change ends early, or it has a time that the block lacks. The rest of the variable's changes in this block is "
     "lost."},
    {"FST018", error, damaged, "time goes back", "FST changes",
     "Times never decrease. hwtrace shows the changes at the latest time so far."},
    {"FST019", error, incomplete, "the file has fewer blocks of changes than its header states", "FST files",
     "The file was cut, or a block was lost. The other blocks are delivered."},
    {"FST020", error, damaged, "the timescale is out of range", "FST files",
     "A tick lasts from 1 fs to 100 s. hwtrace reads the file as if a tick lasted 1 ns."},
    {"FST021", error, incomplete, "the compressed file inside the file is cut or damaged", "FST files",
     "The whole file is stored in gzip. hwtrace reads what can be decompressed. Copy the file again."},
    {"FST022", error, damaged, "a value has characters that are no states", "FST changes",
     "The states are 0, 1, x, z, h, u, w, l and -. The change is lost."},
}};

const Rule& rule(FstCheck check) noexcept {
    return fst_rule_table[static_cast<std::size_t>(check)];
}

const Rule& rule(VcdCheck check) noexcept {
    return vcd_rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::waveform

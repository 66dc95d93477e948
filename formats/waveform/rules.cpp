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
    {"VCD015", note, harmless, "no line end follows the last word", "VCD files",
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

const Rule& rule(VcdCheck check) noexcept {
    return vcd_rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::waveform

#include "rules.hpp"

#include <array>

namespace hwtrace::txlog {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    {"TXL001", error, damaged, "the log does not begin with scv_tr_stream", "File",
     "Readers know the format by these thirteen characters. The file is something else, or its beginning is lost. "
     "Begin the log with the declaration of a stream; where a simulator prints other lines first, remove these."},
    {"TXL002", error, damaged, "a line is no statement", "Statements",
     "SCViewer gives up here. The line is left out; it may be the rest of a text with line breaks, or damage. Write "
     "texts on one line; converting the log to txlog writes one that SCViewer reads."},
    {"TXL003", warning, harmless, "a line is empty", "Statements",
     "SCViewer gives up here. The line says nothing; remove it."},
    {"TXL004", error, damaged, "parts of a statement are missing or wrong", "Statements",
     "What the line says is not known; it is left out. Ids are decimal numbers below 2^64, times numbers with a blank "
     "and fs, ps, ns, us, ms or s behind them. The message shows the line: mend it, or what writes it."},
    {"TXL005", error, harmless, "a generator names a stream that is not declared", "Statements",
     "Viewers cannot place the generator. It is kept in a stream without a name. Declare streams first."},
    {"TXL006", error, harmless, "a transaction names a generator that is not declared", "Statements",
     "Viewers cannot place the transaction. It is kept with a generator without a name. Declare generators first."},
    {"TXL007", warning, harmless, "a stream or generator is declared twice", "Statements",
     "What names the number belongs to the later one from there on. Give each a number of its own."},
    {"TXL008", warning, harmless, "the declaration of a generator is not closed", "Statements",
     "A line with a closing parenthesis ends it. What follows is read as if it stood there. Write it; converting the "
     "log does."},
    {"TXL009", error, damaged, "an attribute is declared outside of a generator", "Statements",
     "Nobody knows what it belongs to. Declarations stand between a generator and its closing parenthesis. Put it "
     "there."},
    {"TXL010", warning, harmless, "a transaction begins that is under way already", "Statements",
     "The one before it has no end: it gets the length 0. Give each transaction a number of its own."},
    {"TXL011", error, damaged, "a statement names a transaction that is not under way", "Statements",
     "It has ended, or has never begun; the statement is left out. Attributes stand between tx_begin and tx_end. Look "
     "for a number that is used twice (TXL010)."},
    {"TXL012", warning, harmless, "a transaction ends with another generator than it began with", "Statements",
     "It is kept with the generator of its tx_begin, as viewers do. State the same generator in both."},
    {"TXL013", error, damaged, "a transaction ends before it begins", "Times",
     "Its end is not known: it gets the length 0. Look for what the recording passes as its end: a time from before "
     "the beginning, or one that wrapped round."},
    {"TXL014", warning, incomplete, "a transaction never ends", "The model",
     "The log was cut, the simulation was stopped, or the program did not end it. It gets the length 0, and stands "
     "behind all others. End transactions before the simulation stops; those that are under way in truth may stay "
     "so."},
    {"TXL015", warning, harmless, "a statement is earlier than the one before it", "Times",
     "Writers of today log what happens when it happens, but for delayed begins and ends. Nothing is lost; what "
     "hwtrace writes is in order of time. Nothing needs to be done."},
    {"TXL016", error, damaged, "a value stands where no attribute is declared", "Values",
     "Lines of values follow a tx_begin or tx_end, as many as the generator declares attributes. The value is left "
     "out. Declare another attribute where the value is meant."},
    {"TXL017", note, harmless, "values of declared attributes are missing", "Values",
     "The transaction does not have these attributes. Write UNDEFINED where a value was not given."},
    {"TXL018", error, damaged, "a value is not one of its type, or needs more than 64 bits", "Values",
     "The value is left out. Declare the type that the values have, STRING for what is longer."},
    {"TXL019", note, harmless, "an unsigned value is negative", "Values",
     "It is taken modulo 2^64: some recorders pass unsigned numbers as signed ones. Record it as a signed one where it "
     "is meant to be below 0."},
    {"TXL020", error, damaged, "a type is not known", "Values",
     "What its values mean is not known: they are left out. Declare the attribute with a type that README.md names, "
     "such as STRING."},
    {"TXL021", note, harmless, "a text holds quotes", "Values",
     "Nothing escapes them. A text is taken to end at the last quote of its line. It is right unless another quote "
     "stands behind the text; texts without quotes leave no doubt."},
    {"TXL022", warning, harmless, "a text goes on in the next line", "Values",
     "Nothing escapes line breaks, and SCViewer gives up here. The lines up to the next statement are taken for the "
     "text, because the last of them ends in a quote. Replace line breaks before a text is recorded."},
    {"TXL023", warning, damaged, "a text has no closing quote", "Values",
     "It is taken to end with its line; the rest may be what TXL002 reports. Fetch the log again where it was cut; "
     "else replace line breaks before a text is recorded."},
    {"TXL024", warning, harmless, "a name holds what SCViewer cannot read", "Statements",
     "It splits lines of attributes and relations at blanks, and ends names at a quote; here it gives up. Nothing is "
     "lost otherwise. Name attributes and relations without blanks and quotes; converting the log to txlog changes the "
     "names."},
    {"TXL025", error, damaged, "a time is too large", "Times",
     "It does not fit a signed number of 64 bits: the greatest there is takes its place. Look for a time that wrapped "
     "round, or simulate in a coarser unit."},
    {"TXL026", note, harmless, "the last line has no line end", "File",
     "It may have been cut: a number or a text may be shorter than it was. End each line, also the last one."},
    {"TXL027", error, incomplete, "the log ends inside a statement", "File",
     "The file was cut, or its writer was stopped. All statements before this one are delivered. hwtrace-recover makes "
     "a whole log of these."},
    {"TXL028", error, incomplete, "the compressed data is cut", "File",
     "The file ends inside its gzip, LZ4, zstd or xz data. The statements that could be decompressed are delivered. "
     "Fetch the file again; hwtrace-recover makes a whole log of these."},
    {"TXL029", error, damaged, "the compressed data is damaged", "File",
     "Decompression fails here or a checksum is wrong. The statements before it are delivered. Fetch the file again; "
     "where there is no other copy, hwtrace-recover makes a sound log of these."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::txlog

#include "rules.hpp"

#include <array>

namespace hwtrace::txlog {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    {"TXL001", error, damaged, "the log does not start with scv_tr_stream", "File",
     "Readers recognise the format by this word. The file has another format, or its beginning is lost. Start the log "
     "with the declaration of a stream; if a simulator prints other lines first, remove them."},
    {"TXL002", error, damaged, "a line is not a statement", "Statements",
     "SCViewer stops here. The line is skipped; it may be damaged, or the rest of a string with line breaks. Write "
     "strings on one line, or convert the log to txlog to make it readable for SCViewer."},
    {"TXL003", warning, harmless, "a line is empty", "Statements",
     "SCViewer stops here. The line has no meaning; remove it."},
    {"TXL004", error, damaged, "a statement is malformed", "Statements",
     "The statement is skipped. Ids are decimal numbers below 2^64. Times are numbers followed by a blank and fs, ps, "
     "ns, us, ms or s. The message shows the line: correct the line, or the program that writes it."},
    {"TXL005", error, harmless, "a generator refers to an undeclared stream", "Statements",
     "Viewers cannot place the generator. It is read into a stream without a name. Declare each stream before its "
     "generators."},
    {"TXL006", error, harmless, "a transaction refers to an undeclared generator", "Statements",
     "Viewers cannot place the transaction. It is read with a generator without a name. Declare each generator before "
     "its transactions."},
    {"TXL007", warning, harmless, "a stream or generator is declared twice", "Statements",
     "From the second declaration on, the id refers to the new stream or generator. Give each stream and each "
     "generator a unique id."},
    {"TXL008", warning, harmless, "the declaration of a generator is not closed", "Statements",
     "A line with a closing parenthesis must end the declaration. The following lines are read as if that line were "
     "there. Add the line, or convert the log to txlog."},
    {"TXL009", error, damaged, "an attribute is declared outside a generator", "Statements",
     "The declaration belongs to no generator and is ignored. Move it between the line of its generator and the "
     "closing parenthesis."},
    {"TXL010", warning, harmless, "a transaction begins twice without an end", "Statements",
     "The earlier transaction has no end and is read with length 0. Give each transaction a unique id."},
    {"TXL011", error, damaged, "a statement refers to a transaction that is not open", "Statements",
     "The transaction has ended or never began, so the statement is skipped. Attributes belong between tx_begin and "
     "tx_end. Look for an id that is used twice (TXL010)."},
    {"TXL012", warning, harmless, "tx_begin and tx_end of a transaction name different generators", "Statements",
     "The generator of tx_begin is used, as in viewers. Write the same generator in both statements."},
    {"TXL013", error, damaged, "a transaction ends before it begins", "Times",
     "The end is unknown, so the transaction is read with length 0. Check the end time that the model records: it "
     "precedes the begin, or it wrapped around."},
    {"TXL014", warning, incomplete, "a transaction never ends", "Model mapping",
     "The log was cut, the simulation was stopped, or the program did not end the transaction. It is read with length "
     "0, after all others. End every transaction before the simulation stops, unless it really lasts longer."},
    {"TXL015", warning, harmless, "a statement is earlier than the statement before it", "Times",
     "In logs of current writers, only delayed begins and ends cause this. Nothing is lost, and no action is needed. "
     "hwtrace writes logs sorted by time."},
    {"TXL016", error, damaged, "a value has no declared attribute", "Values",
     "Value lines follow a tx_begin or tx_end, at most one for each declared attribute of the generator. The value is "
     "omitted. Declare another attribute if the value is intended."},
    {"TXL017", note, harmless, "values of declared attributes are missing", "Values",
     "The transaction lacks these attributes. Write UNDEFINED for a value that was not given."},
    {"TXL018", error, damaged, "a value does not match its type, or needs more than 64 bits", "Values",
     "The value is omitted. Declare the type that the values have, or STRING for longer values."},
    {"TXL019", note, harmless, "an unsigned value is negative", "Values",
     "It is read modulo 2^64, because some recorders pass unsigned numbers as signed ones. Record it as signed if it "
     "can be below 0."},
    {"TXL020", error, damaged, "a type is unknown", "Values",
     "The meaning of its values is unknown, so they are omitted. Declare the attribute with a type of the table of "
     "values, such as STRING."},
    {"TXL021", note, harmless, "a string contains quotes", "Values",
     "The format has no escapes, so a string ends at the last quote of its line. This is wrong only if another quote "
     "follows the string on its line. Avoid quotes in strings to be sure."},
    {"TXL022", warning, harmless, "a string continues on the next line", "Values",
     "The format has no escapes for line breaks, and SCViewer stops here. The lines up to the next statement are read "
     "as part of the string, because the last of them ends in a quote. Replace line breaks before recording a string."},
    {"TXL023", warning, damaged, "a string has no closing quote", "Values",
     "The string is read up to the end of its line; TXL002 may report the rest. Fetch the log again if it was cut; "
     "otherwise replace line breaks before recording a string."},
    {"TXL024", warning, harmless, "a name contains characters that SCViewer cannot read", "Statements",
     "SCViewer splits attribute and relation lines at blanks, and ends names at a quote, so it stops here. hwtrace "
     "reads the name. Use names without blanks and quotes, or convert the log to txlog, which changes the names."},
    {"TXL025", error, damaged, "a time is too large", "Times",
     "The time exceeds 2^63 - 1 ticks and is read as that value. Look for a time that wrapped around, or simulate with "
     "a coarser unit."},
    {"TXL026", warning, harmless, "the last line has no line end", "File",
     "The line may be cut, so a number or string may be incomplete. End each line with a line feed, including the last "
     "line."},
    {"TXL027", error, incomplete, "the log ends inside a statement", "File",
     "The file was cut, or its writer was stopped. All statements before this one are read. hwtrace-recover salvages a "
     "valid log from them."},
    {"TXL028", error, incomplete, "the compressed data is cut", "File",
     "The file ends inside its gzip, LZ4, zstd or xz data. The statements that could be decompressed are read. Fetch "
     "the file again; if there is no other copy, hwtrace-recover salvages a valid log from these statements."},
    {"TXL029", error, damaged, "the compressed data is damaged", "File",
     "Decompression fails here, or a checksum is wrong. The statements before this place are read. Fetch the file "
     "again; if there is no other copy, hwtrace-recover salvages a valid log from them."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::txlog

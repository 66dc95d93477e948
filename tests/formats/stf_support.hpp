// tests/formats/stf_support.hpp - makes STF bytes from hexadecimal digits, and prints the records of a trace as lines.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "domain/conventions.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "support/lines.hpp"

namespace hwtrace {
extern const Format stf_format;
}

namespace hwtrace::test {

using Bytes = std::vector<std::byte>;

inline Bytes operator+(Bytes left, const Bytes& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

/// Parses hexadecimal digits. Skips blanks. Copies 'text' in apostrophes unchanged.
inline Bytes hex(std::string_view digits) {
    Bytes bytes;
    const auto value = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
    for (std::size_t i = 0; i < digits.size();) {
        if (digits[i] == ' ') {
            ++i;
        } else if (digits[i] == '\'') {
            for (++i; digits[i] != '\''; ++i)
                bytes.push_back(static_cast<std::byte>(digits[i]));
            ++i;
        } else {
            bytes.push_back(static_cast<std::byte>(value(digits[i]) * 16 + value(digits[i + 1])));
            i += 2;
        }
    }
    return bytes;
}

/// Returns the header of a small RV64 trace that starts at 0x1000, without END_HEADER: 44 bytes, 7 records.
inline Bytes open_header() {
    return hex(
        "01'STF' 02 01000000 05000000 04 0100 05 0200 06 0c 01 01 00 0000 07 2100080000000000 09 0010000000000000");
}
/// Returns the same header with END_HEADER: 45 bytes, 8 records.
inline Bytes header() {
    return open_header() + hex("13");
}
inline Bytes nop() {
    return hex("f0 13000000");
}

/// The result of reading a file.
struct Seen {
    std::vector<std::string> metadata;
    std::vector<std::string> records;   ///< one line per record, see append_lines()
    std::vector<std::string> findings;  ///< "STF020@51"
    Facts facts;
    std::optional<Failure> failure;
    std::string message;
    Effect effect = Effect::harmless;
};

inline std::string hex_number(std::uint64_t value) {
    std::ostringstream out;
    out << std::hex << value;
    return out.str();
}

/// Appends a line per record of a batch: "event stf.force_pc @0 1000", "inst @0 pc=1000 13/4 x1<=5 order=...".
inline void append_lines(const Schema& schema, const Batch& batch, std::vector<std::string>& lines) {
    for (const Record& record : batch.records()) {
        std::ostringstream out;
        out << std::hex << name_of(record.kind) << ' ' << schema.tracks()[record.track].name << " @" << record.time;
        if (record.kind == Kind::event || record.kind == Kind::relation) {
            for (const std::uint64_t cell : batch.cells(record))
                out << ' ' << cell;
        } else if (record.kind == Kind::interval) {
            const std::vector<Field>& fields = schema.tracks()[record.track].fields;
            for (const Attribute& attribute : batch.attributes(record))
                out << ' ' << fields[attribute.field].name << '=' << attribute.value;
        } else if (record.kind == Kind::note) {
            out << " '" << batch.text(record) << '\'';
        } else if (record.kind == Kind::native) {
            out << ' ';
            for (const std::byte byte : batch.bytes(record))
                out << "0123456789abcdef"[static_cast<unsigned>(byte) >> 4]
                    << "0123456789abcdef"[static_cast<unsigned>(byte) & 15];
        } else {
            const Instruction& instruction = batch.instruction(record);
            out << " pc=" << record.value << " bits=" << instruction.encoding << '/' << unsigned{instruction.size};
            if (instruction.has_target) out << " to=" << instruction.target;
            for (const Operand& operand : batch.operands(instruction)) {
                out << ' ' << name_of(operand.role) << ' ' << name_of(operand.register_class) << operand.number << '=';
                if (operand.register_class == RegisterClass::vector) {
                    for (const std::uint64_t word : batch.cells(operand.words))
                        out << word << ',';
                } else {
                    out << operand.value;
                }
            }
            for (const Access& access : batch.accesses(instruction)) {
                out << ' ' << name_of(access.type) << '[' << access.address << ' ' << access.size << ' '
                    << access.attributes << "]=";
                for (const std::uint64_t word : batch.cells(access.data))
                    out << word << ',';
            }
            if (instruction.order.count > 0) {
                out << " order=";
                for (const Part part : batch.order(instruction))
                    out << conventions::part_letters[static_cast<unsigned>(part)];
            }
        }
        lines.push_back(out.str());
    }
}

inline std::vector<std::string> finding_lines(const Findings& findings) {
    std::vector<std::string> lines;
    for (const Finding& finding : findings.kept())
        lines.push_back(std::string(finding.rule->id) + "@" + std::to_string(finding.offset));
    return lines;
}

inline Seen read_input(Input& input, const Settings& settings = {}) {
    Seen seen;
    Findings findings;
    try {
        const auto reader = stf_format.open(input, settings, findings);
        for (const Metadata& entry : reader->schema().metadata())
            seen.metadata.push_back(entry.key + "=" + entry.value);
        Batch batch;
        try {
            while (reader->read(batch)) {
                append_lines(reader->schema(), batch, seen.records);
                batch.clear();
            }
        } catch (const Error& error) {
            seen.failure = error.failure();
            seen.message = error.what();
        }
        seen.facts = reader->facts();
    } catch (const Error& error) {
        seen.failure = error.failure();
        seen.message = error.what();
    }
    seen.findings = finding_lines(findings);
    seen.effect = findings.effect();
    return seen;
}

inline Seen read_bytes(const Bytes& bytes, const Settings& settings = {}) {
    Input input = Input::memory("memory", bytes);
    return read_input(input, settings);
}

/// Renders the view "records". If an Error ends the view, returns the lines before the error.
inline std::string view_input(Input& input, const Settings& settings = {}) {
    TextOutput out(-1);
    Findings findings;
    try {
        stf_format.views.front().render(input, out, settings, findings);
    } catch (const Error&) {
    }
    return std::string(out.text());
}

inline std::string view_bytes(const Bytes& bytes) {
    Input input = Input::memory("memory", bytes);
    return view_input(input);
}

inline Settings choose(std::initializer_list<std::pair<std::string_view, std::string>> chosen) {
    Settings settings;
    for (const auto& [key, value] : chosen) {
        for (const Option& option : stf_format.options)
            if (option.key == key) settings.set(option, value);
    }
    return settings;
}

struct Written {
    Bytes bytes;
    Losses losses;
};

/// Reads `input` and writes it again.
inline Written rewrite_input(Input& input, Settings settings) {
    settings.source_format = "stf";
    Written written;
    Findings findings;
    const auto reader = stf_format.open(input, settings, findings);
    const auto output = open_memory_output("memory", [&](Bytes bytes) { written.bytes = std::move(bytes); });
    const auto writer = stf_format.create(*output, reader->schema(), settings, written.losses);
    Batch batch;
    while (reader->read(batch)) {
        writer->write(batch);
        batch.clear();
    }
    writer->finish();
    output->commit();
    return written;
}

inline Written rewrite_bytes(const Bytes& bytes, const Settings& settings = {}) {
    Input input = Input::memory("memory", bytes);
    return rewrite_input(input, settings);
}

inline std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace hwtrace::test

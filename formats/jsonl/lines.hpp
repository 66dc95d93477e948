// formats/jsonl/lines.hpp - splits a plain or compressed file into lines that are JSON objects. Broken lines become
// findings.
#pragma once

#include <cstdint>
#include <string>

#include "codec/findings.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "io/text_lines.hpp"
#include "io/unpacked.hpp"
#include "json_text.hpp"
#include "rules.hpp"

namespace hwtrace::jsonl {

/// Shortens a string from the file to the length that findings show.
std::string shown(std::string_view text);

/// Reads the lines of a file one by one. Empty and broken lines are reported and skipped.
class Lines {
public:
    /// All arguments must outlive this object. Reading starts at the current position of `input`, which must be the
    /// beginning of the file.
    Lines(Input& input, const Limits& limits, Findings& findings);

    /// Moves to the first line. Returns false if it is not an object, as in a file of another format.
    bool first();
    /// Reports a file that ends or is damaged within its first line, and returns a message. Returns an empty string for
    /// any other file. Must be called after first() returned false.
    std::string_view end_in_first();
    /// Moves to the next line that is an object. Returns false at the end.
    bool next();
    /// Returns the members of the current line, valid until the next call of next().
    const std::vector<JsonMember>& members() const noexcept { return line_.members(); }
    std::string_view text() const noexcept { return lines_.text(); }
    std::uint64_t number() const noexcept { return lines_.number(); }
    std::uint64_t offset() const noexcept { return lines_.offset(); }
    Packing packing() const noexcept { return bytes_.packing(); }

    /// Reports a finding about the current line at offset `at`.
    void report(Check check, std::string expected = {}, std::string got = {}, std::size_t at = 0);

private:
    void check_object();
    void check_end();

    Findings& findings_;
    Unpacked bytes_;
    TextLines lines_;
    JsonLine line_;
    bool may_go_on_ = false;  ///< the incomplete first line may be the beginning of an object
};

}  // namespace hwtrace::jsonl

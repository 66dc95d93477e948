// formats/jsonl/lines.hpp - a file as lines that are JSON objects, compressed or not; faults of single lines become
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

/// As much of a text of the file as a finding shows.
std::string shown(std::string_view text);

class Lines {
public:
    /// All three outlive it. The input is read from where it stands, its beginning.
    Lines(Input& input, const Limits& limits, Findings& findings);

    /// Goes to the first line; false where that is no object, as of a file of another format.
    bool first();
    /// Where first() was false because the file ends in that line, or before it, or is damaged there: what to say of
    /// that, which is reported; else empty.
    std::string_view end_in_first();
    /// The next line that is an object; false at the end.
    bool next();
    /// Its members, valid until the next call of next().
    const std::vector<JsonMember>& members() const noexcept { return line_.members(); }
    std::string_view text() const noexcept { return lines_.text(); }
    std::uint64_t number() const noexcept { return lines_.number(); }
    std::uint64_t offset() const noexcept { return lines_.offset(); }
    Packing packing() const noexcept { return bytes_.packing(); }

    /// About this line, from its byte `at` on.
    void report(Check check, std::string expected = {}, std::string got = {}, std::size_t at = 0);

private:
    void check_end();

    Findings& findings_;
    Unpacked bytes_;
    TextLines lines_;
    JsonLine line_;
    bool may_go_on_ = false;  ///< the first line is the beginning of an object, as far as it goes
};

}  // namespace hwtrace::jsonl

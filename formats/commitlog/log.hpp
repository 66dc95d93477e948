// formats/commitlog/log.hpp - reads the lines of a plain or compressed log. Reports faulty lines.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "io/input.hpp"
#include "io/text_lines.hpp"
#include "io/unpacked.hpp"
#include "line.hpp"
#include "rules.hpp"

namespace hwtrace {
class Appender;
class Cursor;
}  // namespace hwtrace

namespace hwtrace::commitlog {

/// Returns true if a file with this head is a log, plain or compressed: text whose first lines have an instruction.
bool recognise(std::span<const std::byte> head);
/// Returns true if the file is shorter than the first instruction of a log, and may be the beginning of one.
bool is_too_young(const Input& input);

/// The facts that the beginning of a log shows. If the file is plain, the survey searches all of it for the length of
/// vector registers.
struct Survey {
    bool has_instruction = false;
    Dialect dialect = Dialect::spike;
    bool is_rv64 = true;
    std::uint64_t vector_bits = 0;     ///< length of a vector register; 0: unknown
    std::vector<std::uint64_t> harts;  ///< in order of appearance
};

/// Reads a log from its current position, which must be the beginning.
class Log {
public:
    /// Looks at the first lines. Throws Failure::input, after reporting a finding, if the whole file has no instruction
    /// and is shorter than the part that is looked at. All arguments must outlive the log.
    Log(Input& input, const Settings& settings, Findings& findings);

    const Survey& survey() const noexcept { return survey_; }
    /// Reads the next line that belongs to the log. Returns false at the end, after reporting damage. Strings of the
    /// line are valid until the next call. Throws Failure::limit for a line longer than Limits::string.
    bool next(Line& line);
    /// Reports the findings that are counted. Call it once, after the last line.
    void finish();

    /// Reports a finding about the current line.
    void report(Check check, std::string expected = {}, std::string got = {});
    /// Counts a finding about the current line. finish() reports the first one with the total.
    void count(Check check);

    /// Prepares for save_place(). Call it before the first next(). Returns false if the file cannot be read from a
    /// place inside.
    bool keep_places() { return !is_growing_ && bytes_.keep_places(); }
    /// Appends the place of the next line.
    void save_place(Appender& out) const;
    /// Continues where another object called save_place(). Returns false if the file lacks the place.
    bool restore_place(Cursor& in);

    /// Returns true if next() would wait until the file has grown (Settings::wait_for_growth).
    bool would_wait();

    Packing packing() const noexcept { return bytes_.packing(); }
    std::uint64_t lines() const noexcept { return lines_.number(); }
    std::uint64_t foreign() const noexcept {
        return foreign_before_ + tallies_[static_cast<std::size_t>(Check::foreign_lines)].total;
    }

private:
    /// A finding that is reported at the end.
    struct Tally {
        std::uint64_t total = 0;
        Finding first;
    };

    /// The bytes of a plain file that another process is writing.
    class GrowingFile final : public Source {
    public:
        GrowingFile(Input& input, const Settings& settings) : input_(input), settings_(settings) {}
        std::size_t read(std::span<std::byte> into) override;

    private:
        Input& input_;
        const Settings& settings_;
    };

    Finding finding(Check check, std::string expected, std::string got) const;

    Input& input_;
    Findings& findings_;
    Unpacked bytes_;
    GrowingFile growing_;
    bool is_growing_;
    TextLines lines_;
    LineParser parser_;
    Survey survey_;
    std::array<Tally, static_cast<std::size_t>(Check::count)> tallies_;
    std::uint64_t foreign_before_ = 0;  ///< other lines before the place that was restored
    bool met_ = false;                  ///< an instruction was read
    /// The last line that next() returned. At the end, findings are about it.
    struct Place {
        std::uint64_t offset = 0, size = 0, number = 0;
    } last_;
    bool at_end_ = false;
};

}  // namespace hwtrace::commitlog

// codec/resumable.hpp - readers that can continue at a place where another reader of the same input has been.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/settings.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "model/schema.hpp"

namespace hwtrace {

class Appender;

/// An interface that a Reader implements in addition if an index can hold checkpoints of its traces.
class Resumable {
public:
    virtual ~Resumable() = default;
    /// Prepares the reader for save_state(). Call it before the first read(). Returns false if save_state() never
    /// succeeds for this input.
    virtual bool keep_states() = 0;
    /// Appends the state of decoding before the next record. Another reader of the same input that restores it cannot
    /// be told apart from this one. Returns false and appends nothing at a place where that is impossible, such as
    /// inside a group of records.
    virtual bool save_state(Appender& out) = 0;
    /// Continues where another reader of the same input called save_state(). Returns false and changes nothing if the
    /// state does not fit the input. Throws Truncated or Failure::input if that is found out too late.
    virtual bool restore_state(Cursor& in) = 0;
    /// Adds a text to the schema and returns its id. Call it behind restore_state(), before the first read(). Returns
    /// nullopt if the caller can do that himself, because the schema of the reader is its only one.
    virtual std::optional<StringId> add_text(std::string_view text) {
        static_cast<void>(text);
        return std::nullopt;
    }
    /// Returns false if restore_state() always fails, such as for a reader that leaves out records itself.
    virtual bool can_restore() const { return true; }
    /// Returns true if every finding is about a place, and is reported there, so that a reader which has restored a
    /// state misses none about what follows. That is not so if some findings are about the whole input, such as a
    /// checksum, or if they are counted and reported at the end.
    virtual bool finds_locally() const { return false; }
    /// Appends what the reader learned about the whole input when it was opened, so that another reader need not learn
    /// it again: see set_survey(). Appends nothing if opening takes no longer for a longer input.
    virtual void save_survey(Appender& out) const { static_cast<void>(out); }
};

/// The option that carries a survey to Format::open. No user sets it.
inline constexpr std::array survey_options{Option{"survey", "text", "", "what an index states about the whole input"}};

/// Makes readers that are opened with `settings` use what Resumable::save_survey() appended for the same input.
inline void set_survey(Settings& settings, std::string survey) {
    settings.set(survey_options.front(), std::move(survey));
}
/// Returns the survey that was set, or nullopt.
inline std::optional<std::string> survey_in(const Settings& settings) {
    constexpr std::string_view key = survey_options.front().key;
    return settings.chosen(key) ? std::optional(settings.text(survey_options, key)) : std::nullopt;
}
/// Throws Failure::input: the trace has what the survey in an index excludes, or the survey is forged.
[[noreturn]] inline void refuse_survey() {
    fail(Failure::input, "the index beside the trace does not fit it; make it again with hwtrace-index --force");
}
/// Returns what `read` reads from a survey. Throws Failure::input, which names the remedy, if `read` throws that or
/// leaves bytes over: an index may be forged.
template <typename Read>
auto read_survey(const std::string& survey, Read&& read) {
    try {
        Cursor in(std::as_bytes(std::span(survey)));
        auto result = read(in);
        if (in.at_end()) return result;
    } catch (const Error& error) {
        if (error.failure() != Failure::input) throw;
    }
    refuse_survey();
}

}  // namespace hwtrace

// codec/losses.hpp - information that a conversion loses, assumptions that it makes, and warnings about its output.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hwtrace {

/// The kinds of information loss.
enum class Loss : std::uint8_t {
    kind_dropped,
    field_dropped,
    value_narrowed,
    type_changed,
    time_rounded,
    order_changed,
    name_changed,
    scope_flattened,
    metadata_dropped,
    native_dropped,
    relation_dropped,
    part_dropped,
};
/// Returns the stable code in reports, such as "kind-dropped".
std::string_view name_of(Loss loss) noexcept;

/// The subject of a loss. Refers to the caller's string without copying it. Usually the subject is a name in the trace:
/// a track, field, scope or metadata key. A general subject, such as "instruction encoding", names nothing in the
/// trace, even if a track has the same name. An unused subject is a track without records.
class Subject {
public:
    /// Creates the subject for a name in the trace.
    template <std::convertible_to<std::string_view> Name>
    constexpr Subject(const Name& name) noexcept : text_(name) {}
    /// Returns a general subject.
    static constexpr Subject general(std::string_view text) noexcept {
        Subject subject(text);
        subject.is_general_ = true;
        return subject;
    }
    /// Returns a subject for a track without records.
    static constexpr Subject unused(std::string_view name) noexcept {
        Subject subject(name);
        subject.is_unused_ = true;
        return subject;
    }

    constexpr std::string_view text() const noexcept { return text_; }
    constexpr bool is_general() const noexcept { return is_general_; }
    constexpr bool is_unused() const noexcept { return is_unused_; }

private:
    std::string_view text_;
    bool is_general_ = false;
    bool is_unused_ = false;
};

/// A loss that a conversion may have.
struct ExpectedLoss {
    Loss loss;
    std::string subject;  ///< name of a track, field, scope or metadata key; "*" for any
    std::string why;
    bool is_general = false;  ///< see Subject::is_general
};

/// Counts losses by code and subject, and keeps the first example of each.
class Losses {
public:
    /// The losses with the same code and subject.
    struct Entry {
        std::uint64_t count = 0;
        std::string first;        ///< "instruction 12: size 96"
        bool is_general = false;  ///< true if any subject was general
        /// The number of losses in `count` that have unused subjects. `first` describes a used subject if there is one.
        std::uint64_t unused = 0;
        std::uint64_t step = 0;  ///< the step of `first`, see at_step()
    };
    using Key = std::pair<Loss, std::string>;

    /// Counts `count` losses of `subject`. `first` returns an example. This function is called for the first loss of a
    /// code and subject, and again when a used subject follows unused subjects.
    template <typename Describe>
    void count(Loss loss, Subject subject, Describe&& first, std::uint64_t count = 1) {
        Entry& entry = entries_[Key{loss, std::string(subject.text())}];
        if (entry.count == 0 || (entry.count == entry.unused && !subject.is_unused())) {
            entry.first = first();
            entry.step = step_;
        }
        entry.count += count;
        entry.is_general = entry.is_general || subject.is_general();
        if (subject.is_unused()) entry.unused += count;
    }
    /// Adds losses that were counted elsewhere.
    void add(const Key& key, const Entry& entry);
    /// Sets the step of the work to which the following losses belong. Steps never decrease. They order losses that two
    /// threads count in objects of their own.
    void at_step(std::uint64_t step) noexcept { step_ = step; }
    /// Adds what another thread counted. The result is the same as if one thread had done the work of both threads step
    /// by step, the part of this object first.
    void merge(const Losses& behind);
    /// Adds an assumption that the output relies on, such as "clock: 1 ns for an instruction".
    void assume(std::string text);
    /// Adds a warning: the output is complete, but other programs cannot read all of it.
    void warn(std::string text);

    /// Returns true if nothing was lost.
    bool none() const noexcept { return entries_.empty(); }
    const std::map<Key, Entry>& entries() const noexcept { return entries_; }
    const std::vector<std::string>& assumptions() const noexcept { return assumptions_.texts; }
    const std::vector<std::string>& warnings() const noexcept { return warnings_.texts; }

private:
    /// Different texts in order of the steps that added them.
    struct Remarks {
        void add(std::string text, std::uint64_t step);
        void merge(const Remarks& behind);

        std::vector<std::string> texts;
        std::vector<std::uint64_t> steps;  ///< by text
    };

    std::map<Key, Entry> entries_;
    Remarks assumptions_, warnings_;
    std::uint64_t step_ = 0;
};

}  // namespace hwtrace

// codec/losses.hpp - what a conversion cannot carry over, and what it had to invent.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hwtrace {

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
/// "kind-dropped", ...: the stable code in reports.
std::string_view name_of(Loss loss) noexcept;

/// What a loss is of: something that the trace names, such as a track, a field, a scope or a fact, or something
/// general, such as "instruction encoding", which no name of the trace means, though a track may be called so; or
/// something unused, a track of which there is no record. Refers to a text of the caller.
class Subject {
public:
    template <std::convertible_to<std::string_view> Name>
    constexpr Subject(const Name& name) noexcept : text_(name) {}
    static constexpr Subject general(std::string_view text) noexcept {
        Subject subject(text);
        subject.is_general_ = true;
        return subject;
    }
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

/// A loss that a conversion can have.
struct ExpectedLoss {
    Loss loss;
    std::string subject;  ///< the track or metadata key; "*": any
    std::string why;
    bool is_general = false;  ///< Subject::is_general
};

/// Losses counted by code and subject (a track or metadata key), the first example of each kept.
class Losses {
public:
    struct Entry {
        std::uint64_t count = 0;
        std::string first;         ///< "instruction 12: size 96"
        bool is_general = false;   ///< some of it: Subject::is_general
        std::uint64_t unused = 0;  ///< of `count`, those of unused subjects; `first` is of another where there is one
    };
    using Key = std::pair<Loss, std::string>;

    /// Counts `count` losses of `subject`. `first` is called only for the first one of its key.
    template <typename Describe>
    void count(Loss loss, Subject subject, Describe&& first, std::uint64_t count = 1) {
        Entry& entry = entries_[Key{loss, std::string(subject.text())}];
        if (entry.count == 0 || (entry.count == entry.unused && !subject.is_unused())) entry.first = first();
        entry.count += count;
        entry.is_general = entry.is_general || subject.is_general();
        if (subject.is_unused()) entry.unused += count;
    }
    /// Counts what was counted elsewhere.
    void add(const Key& key, const Entry& entry);
    /// Facts that had to be made up for the output to make sense: "clock: 1 ns for an instruction".
    void assume(std::string text);

    bool none() const noexcept { return entries_.empty(); }
    const std::map<Key, Entry>& entries() const noexcept { return entries_; }
    const std::vector<std::string>& assumptions() const noexcept { return assumptions_; }

private:
    std::map<Key, Entry> entries_;
    std::vector<std::string> assumptions_;
};

}  // namespace hwtrace

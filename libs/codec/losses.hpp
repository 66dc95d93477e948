// codec/losses.hpp - what a conversion cannot carry over, and what it had to invent.
#pragma once

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

/// A loss that a conversion can have.
struct ExpectedLoss {
    Loss loss;
    std::string subject;  ///< the track or metadata key; "*": any
    std::string why;
};

/// Losses counted by code and subject (a track or metadata key), the first example of each kept.
class Losses {
public:
    struct Entry {
        std::uint64_t count = 0;
        std::string first;  ///< "instruction 12: size 96"
    };
    using Key = std::pair<Loss, std::string>;

    /// Counts `count` losses of `subject`. `first` is called only for the first one of its key.
    template <typename Describe>
    void count(Loss loss, std::string_view subject, Describe&& first, std::uint64_t count = 1) {
        Entry& entry = entries_[Key{loss, std::string(subject)}];
        if (entry.count == 0) entry.first = first();
        entry.count += count;
    }
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

// domain/stretches.hpp - the borders of what a shard of a trace covers, so that shards can be joined.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/saved_state.hpp"

namespace hwtrace {

/// Stretches of time, in order. A shard keeps its first and last `most_kept` ones and settles those in between: they
/// become one stretch. Joined stretches are exact as long as no stretch begins or ends within a settled one.
///
/// `Settle` is called with two neighbours that become one, before it ends where the later one ends.
class Stretches {
public:
    __extension__ using Wide = __int128;

    struct Stretch {
        Wide begin = 0, end = 0;
        Wide inside = 0;  ///< whatever the owner sums up

        static auto members(auto& self) { return std::tie(self.begin, self.end, self.inside); }
    };

    const std::vector<Stretch>& all() const noexcept { return all_; }
    std::vector<Stretch>& all() noexcept { return all_; }

    /// Settles the stretches in the middle if there are many.
    template <typename Settle>
    void settle(Settle&& settle) {
        if (all_.size() < 3 * most_kept) return;
        Stretch& into = all_[most_kept];
        const auto first = all_.begin() + static_cast<std::ptrdiff_t>(most_kept) + 1;
        const auto last = all_.end() - static_cast<std::ptrdiff_t>(most_kept);
        for (auto next = first; next != last; ++next) {
            settle(into, *next);
            into.end = std::max(into.end, next->end);
        }
        all_.erase(first, last);
    }
    /// Adds the stretches of another shard. They may be out of order afterwards.
    void add(StateIn& in) {
        const std::size_t before = all_.size();
        for (std::size_t left = in.count(); left > 0; --left) {
            Stretch& one = all_.emplace_back();
            in(one);
            StateIn::require(one.begin <= one.end);
        }
        const auto middle = all_.begin() + static_cast<std::ptrdiff_t>(before);
        const auto order = [](const Stretch& a, const Stretch& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
        };
        StateIn::require(std::is_sorted(middle, all_.end(), order));
        std::inplace_merge(all_.begin(), middle, all_.end(), order);
    }
    void save(StateOut& out) const { out(all_); }

private:
    static constexpr std::size_t most_kept = 2048;

    std::vector<Stretch> all_;
};

/// The time in which at least one of some intervals was active.
class Coverage {
public:
    using Wide = Stretches::Wide;

    /// Adds an interval. Requires that no earlier one began later.
    void add(Wide begin, Wide end) {
        std::vector<Stretches::Stretch>& all = stretches_.all();
        if (!all.empty() && begin <= all.back().end) {
            if (end <= all.back().end) return;
            all.back().inside += end - all.back().end;
            all.back().end = end;
            return;
        }
        all.push_back({begin, end, end - begin});
        stretches_.settle([](auto& into, const auto& next) { into.inside += next.inside; });
    }
    void save(StateOut& out) const { stretches_.save(out); }
    /// Adds the time of another shard, which may overlap.
    void add(StateIn& in) {
        stretches_.add(in);
        std::vector<Stretches::Stretch>& all = stretches_.all();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            StateIn::require(all[i].inside >= 0 && all[i].inside <= all[i].end - all[i].begin);
            if (kept == 0 || all[kept - 1].end < all[i].begin)
                all[kept++] = all[i];
            else
                join(all[kept - 1], all[i]);
        }
        all.resize(kept);
        stretches_.settle([](auto& into, const auto& next) { into.inside += next.inside; });
    }
    Wide busy() const {
        Wide sum = 0;
        for (const Stretches::Stretch& one : stretches_.all())
            sum += one.inside;
        return sum;
    }
    /// Returns false if intervals overlapped settled time, so that busy() is unknown.
    bool exact() const noexcept { return is_exact_; }

private:
    static bool is_solid(const Stretches::Stretch& one) noexcept { return one.inside == one.end - one.begin; }

    /// Joins a stretch with one that begins within it or at its end.
    void join(Stretches::Stretch& one, const Stretches::Stretch& next) {
        const bool touches = next.begin == one.end;
        if (is_solid(one) && next.end <= one.end) return;
        if (touches || (is_solid(one) && is_solid(next))) {
            one.inside += next.inside - (one.end - next.begin);
        } else if (is_solid(next) && next.begin == one.begin) {
            one.inside = next.end - next.begin;
        } else {
            is_exact_ = false;
            one.inside = 0;
        }
        one.end = std::max(one.end, next.end);
        if (!is_exact_) one.inside = 0;
    }

    Stretches stretches_;
    bool is_exact_ = true;
};

}  // namespace hwtrace

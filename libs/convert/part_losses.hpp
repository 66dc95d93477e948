// convert/part_losses.hpp - removes losses that concern only data outside the converted slice of a trace.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Adds the losses, assumptions and warnings in `some` to `to`.
void add_losses(const Losses& some, Losses& to);

/// Corrects the losses of a conversion of a slice. Data that the user left out on purpose is not lost. This applies to
/// records, and to names, scopes and fields of tracks without a record in the slice. A selection knows those tracks
/// only after the last record, so its schema keeps them, and later stages and the writer count losses for them. This
/// class removes those counts.
class PartLosses {
public:
    /// `losses` are the losses of the conversion and must outlive this object.
    explicit PartLosses(Losses& losses) : losses_(&losses) {}

    /// Registers a selection. Its output is the output of the first `stages` stages. `whole` is the schema before the
    /// selection, `part` the schema after it. Both must outlive this object and may grow.
    void follow(const Schema& whole, const Schema& part, std::size_t stages);
    /// Registers `target`, the schema after all `stages` stages. It must outlive this object.
    void follow_target(const Schema& target, std::size_t stages);
    /// Marks the tracks that have records. `batch` is the output of the first `stages` stages.
    void see(const Batch& batch, std::size_t stages);

    /// Removes the losses of tracks without records. Call it after the last record. If the slice is empty, removes all
    /// losses except losses of metadata.
    void settle();

    /// Removes from `expected` the losses that concern only tracks outside the slice. This does not depend on records.
    void settle(std::vector<ExpectedLoss>& expected) const;
    /// Does the same for the losses that were counted before the first record.
    void settle_before_records();
    /// Returns true if losses were removed: the output then lacks objects of the slice's schema.
    bool took_back() const noexcept { return took_back_; }

private:
    using Names = std::set<std::string, std::less<>>;
    struct Place {
        const Schema* whole;  ///< null: nothing is left out here
        const Schema* part;
        std::size_t stages;
        std::vector<bool> used;  ///< by track of `part`
    };
    enum class Seen : bool { not_yet, all };

    Names left_out(Seen seen) const;
    bool is_empty() const;
    template <typename LeavesOut>
    void take_back(LeavesOut&& leaves_out);

    Losses* losses_;
    std::vector<Place> places_;
    bool took_back_ = false;
};

}  // namespace hwtrace

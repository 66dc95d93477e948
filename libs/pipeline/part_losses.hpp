// pipeline/part_losses.hpp - of a conversion of a part of a trace: which losses concern nothing that is in the part.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Adds the losses and the assumptions of one conversion to those of others.
void add_losses(const Losses& some, Losses& to);

/// What the user left out on purpose is no loss: not its records, and neither the names, the scopes and the fields of
/// tracks of which the part has no record. A selection cannot know them before the last record, so their tracks and
/// scopes go on in its schema, and whoever cannot hold them counts them. What is counted of them is taken back here.
class PartLosses {
public:
    /// `losses` are those of the conversion, and outlive this object.
    explicit PartLosses(Losses& losses) : losses_(&losses) {}

    /// A selection, whose records are those behind `stages` stages: `whole` is what it is made of, `part` what comes
    /// out. Both outlive this object, and may grow.
    void follow(const Schema& whole, const Schema& part, std::size_t stages);
    /// What comes out behind all `stages` stages is of the schema `target`, which outlives this object.
    void follow_target(const Schema& target, std::size_t stages);
    /// The records that come out behind `stages` stages.
    void see(const Batch& batch, std::size_t stages);

    /// Takes back what was counted of what the part has no record of, when all of them have been seen. Of an empty part
    /// that is all but facts about the trace.
    void settle();

    /// Takes out what concerns only tracks that are in no record of the part, whatever its records are.
    void settle(std::vector<ExpectedLoss>& expected) const;
    /// The same, of what was counted before the first record.
    void settle_before_records();
    /// Something was taken back: the output has less than the part's schema says.
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

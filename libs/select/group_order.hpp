// select/group_order.hpp - corrects Instruction::order when a slice omits records of the instruction's group.
#pragma once

#include <cstddef>
#include <vector>

#include "model/record.hpp"

namespace hwtrace {

/// Follows an instruction trace while its records are either copied or omitted, one by one.
class GroupOrder {
public:
    /// Must be called for every record of the source. If `kept`, the record must be the last one in `out`.
    void follow(const Batch& in, const Record& record, bool kept, Batch& out) {
        if (record.kind == Kind::instruction) {
            if (kept && any_left_out_ && record.time == time_) drop_left_out(in, in.instruction(record), out);
            forget();
            return;
        }
        if (record.time != time_) forget();  // the earlier records belong to a lost instruction
        time_ = record.time;
        if (left_out_.size() == piece_records) left_out_.clear();
        left_out_.push_back(!kept);
        any_left_out_ = any_left_out_ || !kept;
    }

private:
    /// Longer runs of records without an instruction are handled in pieces of this size.
    static constexpr std::size_t piece_records = 65'536;

    void forget() noexcept {
        left_out_.clear();
        any_left_out_ = false;
    }

    /// Removes the entries of omitted records from Instruction::order of the last instruction in `out`. Before the
    /// call, this order still has an entry for every record of the group.
    void drop_left_out(const Batch& in, const Instruction& whole, Batch& out) {
        if (whole.order.count == 0) return;
        order_.clear();
        std::size_t next = 0;
        for (const Part part : in.order(whole)) {
            const bool dropped = part == Part::record && next < left_out_.size() && left_out_[next];
            if (part == Part::record) ++next;
            if (!dropped) order_.push_back(part);
        }
        out.set_order(out.mutable_instruction(out.records().back()), order_);
    }

    std::vector<bool> left_out_;  // by record of the next instruction's group: true if omitted
    bool any_left_out_ = false;
    Tick time_ = 0;
    std::vector<Part> order_;  // reused
};

}  // namespace hwtrace

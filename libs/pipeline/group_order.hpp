// pipeline/group_order.hpp - the order of what stands around an instruction, where some of it is left out.
#pragma once

#include <cstddef>
#include <vector>

#include "model/record.hpp"

namespace hwtrace {

/// Of a trace of instructions whose records are copied one by one, or left out.
class GroupOrder {
public:
    /// To be told of every record of the source; where it was `kept`, it is the last one of `out`.
    void follow(const Batch& in, const Record& record, bool kept, Batch& out) {
        if (record.kind == Kind::instruction) {
            if (kept && any_left_out_ && record.time == time_) drop_left_out(in, in.instruction(record), out);
            forget();
            return;
        }
        if (record.time != time_) forget();  // what stood before it belongs to an instruction that was lost
        time_ = record.time;
        if (left_out_.size() == piece_records) left_out_.clear();
        left_out_.push_back(!kept);
        any_left_out_ = any_left_out_ || !kept;
    }

private:
    /// A longer run of records without an instruction has an order of its own for each so many.
    static constexpr std::size_t piece_records = 65'536;

    void forget() noexcept {
        left_out_.clear();
        any_left_out_ = false;
    }

    /// The instruction appended last has a place in its order for every record of its group.
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

    std::vector<bool> left_out_;  // which records of the next instruction's group were
    bool any_left_out_ = false;
    Tick time_ = 0;
    std::vector<Part> order_;  // reused
};

}  // namespace hwtrace

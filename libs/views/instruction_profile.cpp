#include "views/instruction_profile.hpp"

#include <algorithm>
#include <string>

#include "domain/conventions.hpp"

namespace hwtrace {

InstructionProfileMeter::InstructionProfileMeter(const Schema& schema, ReuseMode reuse)
    : schema_(schema), code_(std::make_unique<HotCode>()) {
    const auto is_one = [&](std::string_view key) {
        const std::string* const value = schema.metadata(key);
        return value != nullptr && *value == "1";
    };
    riscv_ = is_one(conventions::isa);
    xlen_ = is_one(conventions::instruction_mode) ? riscv::Xlen::rv32 : riscv::Xlen::rv64;
    if (reuse == ReuseMode::measured) reuse_.emplace();
}

void InstructionProfileMeter::add(const Batch& batch) {
    if (runs_.size() < schema_.tracks().size()) runs_.resize(schema_.tracks().size());
    if (is_shard_) heads_.resize(runs_.size());
    for (const Record& record : batch.records())
        if (record.kind == Kind::instruction) take(record, batch);
}

void InstructionProfileMeter::take(const Record& record, const Batch& batch) {
    const Instruction& instruction = batch.instruction(record);
    Run& run = runs_[record.track];
    if (run.instructions != 0 && record.value != run.next) end_run_of(record.track);  // an interrupt, or a gap
    if (run.instructions++ == 0) run.begin = record.value;
    run.next = record.value + instruction.size;
    HotCode::Instruction now;
    now.encoding = instruction.encoding;
    for (const Access& access : batch.accesses(instruction)) {
        ++(access.type == AccessType::write ? now.stores : now.loads);
        count_access(access);
    }
    if (instruction.has_target) {
        now.taken = 1;
        count_target(record.value, instruction.target);
    }
    code_->add(record.value, now);
    if (instruction.has_target) end_run_of(record.track);
}

void InstructionProfileMeter::end_run(Run& run) {
    code_->add_block(run.begin, run.next, run.instructions);
    run.instructions = 0;
}

void InstructionProfileMeter::end_run_of(TrackId track) {
    if (is_shard_ && !heads_[track].is_met) {
        heads_[track] = {true, true, runs_[track]};
        runs_[track].instructions = 0;
        return;
    }
    end_run(runs_[track]);
}

void InstructionProfileMeter::count_target(std::uint64_t pc, std::uint64_t target, std::uint64_t times) {
    const auto known = targets_.find(pc);
    if (known == targets_.end() && targets_.size() == most_branches) {
        targets_omitted_ += times;
        return;
    }
    Targets& targets = known != targets_.end() ? known->second : targets_[pc];
    for (Target& one : targets.targets) {
        if (one.times != 0 && one.pc != target) continue;
        one.pc = target;
        one.times += times;
        return;
    }
    targets.others += times;
    if (is_shard_) keep_other(pc, target);
}

void InstructionProfileMeter::keep_other(std::uint64_t pc, std::uint64_t target) {
    OtherTargets& others = other_targets_[pc];
    const auto [place, is_new] = others.places.try_emplace(target, others.targets.size());
    if (!is_new) {
        ++others.targets[place->second].times;
    } else if (others_kept_ == most_others) {
        has_all_targets_ = false;
        others.places.erase(place);
    } else {
        ++others_kept_;
        others.targets.push_back({target, 1});
    }
}

void InstructionProfileMeter::save(StateOut& out) const {
    std::vector<TrackId> met;
    for (TrackId track = 0; track < heads_.size(); ++track)
        if (heads_[track].is_met || runs_[track].instructions != 0) met.push_back(track);
    out(met.size());
    for (const TrackId track : met) {
        const bool is_open = !heads_[track].is_met;  // one run from the begin to the end
        out(track, is_open ? Head{true, false, runs_[track]} : heads_[track], is_open ? Run{} : runs_[track]);
    }
    code_->save(out);
    std::vector<std::uint64_t> branches;
    for (const auto& [pc, targets] : targets_)
        branches.push_back(pc);
    std::ranges::sort(branches);
    out(has_all_targets_, targets_omitted_, branches.size());
    for (const std::uint64_t pc : branches) {
        const auto others = other_targets_.find(pc);
        out(pc, targets_.at(pc).targets,
            others != other_targets_.end() ? others->second.targets : std::vector<Target>());
    }
    out(memory_.reads, memory_.writes, memory_.bytes_read, memory_.bytes_written);
    lines_.save(out);
    pages_.save(out);
}

void InstructionProfileMeter::add_head(TrackId track, const Head& head, const Run& open) {
    Run& run = runs_[track];
    if (head.is_met && head.run.instructions != 0) {
        if (run.instructions != 0 && run.next != head.run.begin) end_run(run);
        if (run.instructions == 0) run.begin = head.run.begin;
        run.instructions += head.run.instructions;
        run.next = head.run.next;
        if (!head.has_ended) return;
        end_run(run);
    }
    run = open;
}

void InstructionProfileMeter::add(StateIn& in) {
    runs_.resize(schema_.tracks().size());
    for (std::size_t left = in.count(); left > 0; --left) {
        const auto track = static_cast<TrackId>(in.below(runs_.size()));
        const auto head = in.get<Head>();
        add_head(track, head, in.get<Run>());
    }
    code_->add(in);
    has_all_targets_ = in.get<bool>() && has_all_targets_;
    targets_omitted_ += in.get<std::uint64_t>();
    for (std::size_t left = in.count(); left > 0; --left) {
        const auto pc = in.get<std::uint64_t>();
        const auto first = in.get<std::array<Target, most_targets>>();
        const auto others = in.get<std::vector<Target>>();
        for (const Target& target : first)
            if (target.times != 0) count_target(pc, target.pc, target.times);
        for (const Target& target : others)
            if (target.times != 0) count_target(pc, target.pc, target.times);
    }
    memory_.reads += in.get<std::uint64_t>();
    memory_.writes += in.get<std::uint64_t>();
    memory_.bytes_read += in.get<std::uint64_t>();
    memory_.bytes_written += in.get<std::uint64_t>();
    lines_.add(in);
    pages_.add(in);
}

std::string_view InstructionProfileMeter::not_reduced() const noexcept {
    if (code_->instructions_omitted() + code_->blocks_omitted() + targets_omitted_ != 0)
        return "there are too many pcs, blocks or branches";
    return has_all_targets_ ? std::string_view() : "branches have too many targets";
}

void InstructionProfileMeter::count_access(const Access& access) {
    const bool writes = access.type == AccessType::write;
    ++(writes ? memory_.writes : memory_.reads);
    (writes ? memory_.bytes_written : memory_.bytes_read) += access.size;
    constexpr std::uint64_t lines_per_page = InstructionProfile::page_bytes / InstructionProfile::line_bytes;
    const std::uint64_t first = access.address / InstructionProfile::line_bytes;
    const std::uint64_t beyond = access.size == 0 ? 0 : access.size - std::uint64_t{1};
    const std::uint64_t room = ~std::uint64_t{0} - access.address;
    const std::uint64_t last = (access.address + std::min(beyond, room)) / InstructionProfile::line_bytes;
    for (std::uint64_t line = first; line <= last; ++line) {
        if (reuse_) reuse_->add(line);
        if (line + 1 == last_line_) continue;
        last_line_ = line + 1;  // not 0, which is no line
        lines_.add(line);
        if (const std::uint64_t page = line / lines_per_page; page + 1 != last_page_) {
            last_page_ = page + 1;
            pages_.add(page);
        }
    }
}

std::vector<InstructionProfile::Branch> InstructionProfileMeter::branches() const {
    const auto class_of = [&](const HotCode::Instruction& what) {
        const unsigned size = (what.encoding & 3) == 3 ? 4 : 2;
        return riscv::class_of(what.encoding, size, xlen_);
    };
    const auto is_branch = [&](const HotCode::Instruction& what) {
        return what.taken != 0 || (riscv_ && class_of(what) == riscv::Class::branch);
    };
    std::vector<InstructionProfile::Branch> result;
    for (const auto& [pc, what] : code_->hottest(most_listed, is_branch)) {
        InstructionProfile::Branch& branch = result.emplace_back();
        branch.pc = pc;
        if (riscv_) branch.kind = riscv::name_of(class_of(what));
        branch.taken = what.taken;
        branch.not_taken = what.count - what.taken;
        const auto known = targets_.find(pc);
        if (known == targets_.end()) continue;
        for (const InstructionProfile::Branch::Target& target : known->second.targets)
            if (target.times != 0) branch.targets.push_back(target);
        std::ranges::stable_sort(branch.targets, std::ranges::greater{}, &InstructionProfile::Branch::Target::times);
        branch.other_targets = known->second.others;
    }
    return result;
}

std::optional<InstructionProfile> InstructionProfileMeter::result() {
    if (code_->total().count == 0) return std::nullopt;
    for (Run& run : runs_)
        if (run.instructions != 0) end_run(run);
    InstructionProfile result;
    for (const auto& [pc, what] : code_->hottest(most_listed))
        result.pcs.push_back({pc, what.encoding, what.count, what.loads, what.stores});
    for (const auto& [begin, block] : code_->hottest_blocks(most_listed))
        result.blocks.push_back({begin, block.end, block.runs, block.instructions});
    result.branches = branches();
    result.different_pcs = code_->pcs();
    result.different_blocks = code_->blocks();
    result.omitted_pcs = code_->instructions_omitted();
    result.omitted_blocks = code_->blocks_omitted();
    if (memory_.reads + memory_.writes != 0) {
        result.memory = memory_;
        result.memory->lines = lines_.count();
        result.memory->lines_exact = lines_.exact();
        result.memory->pages = pages_.count();
        result.memory->pages_exact = pages_.exact();
        if (reuse_)
            result.reuse = InstructionProfile::Reuse{reuse_->references(), reuse_->first_uses(), reuse_->counts(),
                                                     reuse_->sampled()};
    }
    return result;
}

}  // namespace hwtrace

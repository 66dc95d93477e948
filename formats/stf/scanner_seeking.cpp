// formats/stf/scanner_seeking.cpp - the functions of Scanner that go to another place of the trace.
#include "scanner.hpp"

#include <algorithm>
#include <limits>

#include "domain/value_text.hpp"

namespace hwtrace::stf {

bool Scanner::seek(std::uint64_t instruction) {
    if (!header_whole_) return false;
    const auto chunk = container_.chunk_of(instruction);
    if (!chunk || !holds_what_is_said(*chunk)) return false;
    go_to(*chunk);
    lost_ = 0;
    return true;
}

/// Checks the header's chunk size before the first seek. Counts the instructions of `chunk`. The last chunk may hold
/// fewer, so for the last chunk, the chunk before it is counted instead. Returns false, without moving, if the count
/// differs from the chunk size. An unreadable chunk counts as correct.
bool Scanner::holds_what_is_said(std::size_t chunk) {
    if (chunk == 0 || chunk_size_checked_) return true;
    chunk_size_checked_ = true;
    const std::size_t sample = chunk + 1 < container_.index().size() ? chunk : chunk - 1;
    const std::uint64_t here = offset(), wanted = container_.chunk_size();
    // After resume() has skipped damage, records are not counted, so the scan returns to the current chunk.
    const std::size_t chunk_here = counts_records_ ? 0 : chunks_.size() - (chunk_left_ ? 0 : 1);
    quiet_ = true;
    container_.peek_at(sample);
    begin_chunk(sample);
    const std::uint64_t first = instructions_;
    RawRecord record;
    while (chunks_.size() <= sample + 1 && next(record))
        continue;
    const std::uint64_t count = (chunks_.size() > sample + 1 ? chunk_first_instruction_ : instructions_) - first;
    const bool differs = chunks_.size() > sample + 1 && count != wanted;
    quiet_ = false;
    if (!differs) return true;
    report_chunk(container_.index()[sample].raw_offset, first, Check::chunk_markers, markers_text(wanted),
                 std::to_string(count));
    told_chunk_ = sample;
    quiet_ = true;
    go_to(chunk_here);
    while (offset() < here && next(record))
        continue;
    quiet_ = false;
    return false;
}

bool Scanner::resume() {
    if (!header_whole_ || !(stopped_ || container_.broken()) || chunks_.empty()) return false;
    const std::size_t last = chunks_.size() - 1;
    const std::uint64_t whole = container_.chunk_size(), given = instructions_ - chunk_first_instruction_;
    const bool last_is_whole = given >= whole;  // the damage is at the beginning of the next chunk
    const std::size_t lost = last_is_whole ? last + 1 : last;
    const auto next = container_.chunk_behind(last, chunks_.back().file_offset);
    if (!next) return resume_by_search(lost, last_is_whole ? 0 : given);
    const std::uint64_t before = instructions_;
    go_to(*next);
    lost_ += instructions_ - before;
    report_chunk(container_.index()[lost].raw_offset, before, Check::chunk_lost, markers_text(whole * (*next - lost)),
                 last_is_whole ? "none" : std::to_string(given));
    return true;
}

/// Continues without an index. Assumes that only chunk `lost` is lost, after `given` of its instructions were read.
bool Scanner::resume_by_search(std::size_t lost, std::uint64_t given) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const std::uint64_t whole = container_.chunk_size(), last_at = chunks_.back().file_offset;
    const auto found = container_.find_chunk_behind(last_at);
    if (!found || whole > most / (lost + 2)) return false;
    const std::uint64_t before = instructions_, raw_offset = offset(), first = (lost + 1) * whole;
    const std::uint64_t lost_at = lost < chunks_.size() ? last_at : found->searched_from;
    chunks_.back().raw_size = raw_offset - chunks_.back().raw_offset;
    chunks_.resize(lost + 1, Chunk{lost_at, raw_offset, 0, 0, whole});
    report_chunk(chunks_.back().raw_offset, before, Check::chunk_lost, markers_text(whole),
                 given == 0 ? "none" : std::to_string(given));
    container_.go_to_found(found->file_offset, raw_offset, lost + 1);
    begin_at(raw_offset, first, 0);
    have(1);
    enter_chunks();
    if (!transactions_) skip_unknown_pcs();
    lost_ += instructions_ - before;
    std::string what = "the next readable chunk, " + hwtrace::counted(found->file_offset - lost_at, "byte") + " later";
    if (instructions_ > first)
        what += "; its first " + markers_text(instructions_ - first) + " are left out, because their pc is unknown";
    report_chunk(raw_offset, first, Check::chunk_found, "an index that states the chunk number", std::move(what));
    return true;
}

/// Skips instructions until the pc of the next instruction is known.
void Scanner::skip_unknown_pcs() {
    RawRecord record;
    for (bool known = false; !(known && is_marker(last_)) && next(record);)
        known = known || record.descriptor == Descriptor::force_pc || record.descriptor == Descriptor::inst_pc_target ||
                record.descriptor == Descriptor::event_pc_target;
}

/// Moves to the first record of a chunk, and takes the state from the index.
void Scanner::go_to(std::size_t chunk) {
    container_.go_to(chunk);
    begin_chunk(chunk);
}

/// Sets the scanner's state for the first record of a chunk. The container must already be at this chunk.
void Scanner::begin_chunk(std::size_t chunk) {
    const ChunkIndex& index = container_.index();
    // The last chunk of the list may not have been read to its end.
    chunks_.resize(std::min(chunks_.empty() ? 0 : chunks_.size() - 1, chunk));
    while (chunks_.size() < chunk) {
        const std::size_t number = chunks_.size();
        const ChunkPlace& place = index[number];
        chunks_.push_back({place.file_offset, place.raw_offset, index.raw_size(number),
                           number == 0 ? header_pc_ : place.start_pc, container_.chunk_size()});
    }
    begin_at(index[chunk].raw_offset, chunk * container_.chunk_size(), chunk == 0 ? header_pc_ : index[chunk].start_pc);
    counts_records_ = chunk == 0;
    if (chunk == 0) skip_header();
}

void Scanner::begin_at(std::uint64_t raw_offset, std::uint64_t instruction, std::uint64_t pc) {
    chunk_left_ = true;
    base_ = raw_offset;
    window_.restart(base_);
    begin_ = at_ = end_ = window_end_ = nullptr;

    ended_ = ended_whole_ = stopped_ = false;
    instructions_ = instruction;
    tracker_ = {};
    tracker_.force(pc);
    event64_ = header_event64_;
    vector_words_ = header_vector_words_;
    last_ = Descriptor::inst_opcode32;
    records_ = header_records_;
    counts_records_ = false;
}

void Scanner::skip_header() {
    skip_to(header_end_);
}

/// Skips bytes of the stream up to `raw_offset`. Returns false if the stream ends earlier.
bool Scanner::skip_to(std::uint64_t raw_offset) {
    while (offset() < raw_offset) {
        const std::size_t left = have(1);
        if (left == 0) return false;
        enter_chunks();
        at_ += static_cast<std::size_t>(std::min<std::uint64_t>(left, raw_offset - offset()));
    }
    limit_to_chunk();
    return offset() == raw_offset;
}

}  // namespace hwtrace::stf

#include "scanner.hpp"

#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "transaction_wire.hpp"

namespace hwtrace::stf {

Scanner::Scanner(Input& input, const Limits& limits, Findings& findings, unsigned jobs)
    : input_(input),
      limits_(limits),
      findings_(findings),
      container_(input, limits, findings, jobs),
      window_(container_.stream()) {}

// --- the window ------------------------------------------------------------------------------------------------------

/// Returns the number of bytes available from at_ on. The result is less than `count` only at the end of the stream.
std::size_t Scanner::have(std::size_t count) {
    if (static_cast<std::size_t>(window_end_ - at_) < count) {
        window_.consume(static_cast<std::size_t>(at_ - begin_));
        base_ = window_.offset();
        const auto bytes = window_.peek(count);
        begin_ = at_ = bytes.data();
        window_end_ = begin_ + bytes.size();
        limit_to_chunk();
    }
    return static_cast<std::size_t>(window_end_ - at_);
}

/// Limits the fast path of next() to the current chunk, so that next() need not check for chunk boundaries.
void Scanner::limit_to_chunk() {
    end_ = window_end_;
    const auto frames = container_.frames();
    if (chunks_.size() >= frames.size()) return;
    const std::uint64_t next_chunk = frames[chunks_.size()].raw_offset;
    const std::uint64_t here = offset();
    if (next_chunk <= here) {
        end_ = at_;
    } else if (next_chunk - here < static_cast<std::uint64_t>(window_end_ - at_)) {
        end_ = at_ + (next_chunk - here);
    }
}

void Scanner::enter_chunks() {
    const auto frames = container_.frames();
    while (chunks_.size() < frames.size() && frames[chunks_.size()].raw_offset <= offset()) {
        const ZstdSource::Frame& frame = frames[chunks_.size()];
        if (!chunks_.empty() && !chunk_left_) {
            chunks_.back().raw_size = frame.raw_offset - chunks_.back().raw_offset;
            end_chunk();
            const std::uint64_t wanted = container_.chunk_size();
            if (wanted != 0 && chunks_.back().markers != wanted && told_chunk_ != chunks_.size() - 1) {
                report_chunk(chunks_.back().raw_offset, chunk_first_instruction_, Check::chunk_markers,
                             markers_text(wanted), std::to_string(chunks_.back().markers));
            }
            if (container_.kind() == ContainerKind::zstf) {
                if (frame.raw_offset != offset()) {
                    report_chunk(frame.raw_offset, instructions_, Check::chunk_not_at_marker, "the start of a record",
                                 "the middle of a record");
                } else if (!is_marker(last_) && last_ != Descriptor::transaction) {
                    report_chunk(frame.raw_offset, instructions_, Check::chunk_not_at_marker,
                                 transactions_ ? "a transaction before it" : "an instruction before it",
                                 std::string(name_of(last_)));
                }
            }
        }
        chunks_.push_back({frame.file_offset, frame.raw_offset, 0, tracker_.next, 0});
        chunk_left_ = false;
        chunk_first_instruction_ = instructions_;
    }
    limit_to_chunk();
}

void Scanner::end_chunk() {
    chunks_.back().markers = instructions_ - chunk_first_instruction_;
}

// --- records ---------------------------------------------------------------------------------------------------------

bool Scanner::next_is_slow(Descriptor descriptor) {
    if (ended_ || have(1) == 0) return false;
    return static_cast<Descriptor>(*at_) == descriptor;
}

bool Scanner::next_slow(RawRecord& record) {
    if (ended_) return false;
    const std::size_t left = have(1);
    enter_chunks();
    if (left == 0) {
        ended_whole_ = container_.sound();
        finish();
        return false;
    }
    const auto descriptor = static_cast<Descriptor>(*at_);
    const auto size = record_size(descriptor, left);
    if (!size) return false;
    if (const std::size_t got = have(*size); got < *size)
        return stop(Check::record_cut, hwtrace::counted(*size, "byte") + " of " + std::string(name_of(descriptor)),
                    hwtrace::counted(got, "byte"));
    accept(descriptor, *size, record);
    if (descriptor == Descriptor::transaction) ++instructions_;
    if (descriptor == Descriptor::protocol_id) protocol_ = record.at<std::uint8_t>(1);
    limit_to_chunk();
    return true;
}

/// Returns the size of the record at at_. If the head is cut, returns the size of the head. Returns nullopt if the scan
/// has ended.
std::optional<std::size_t> Scanner::record_size(Descriptor descriptor, std::size_t left) {
    const auto ended = [](bool) { return std::optional<std::size_t>{}; };
    const auto with_text = [&](std::size_t head, std::uint64_t text) -> std::optional<std::size_t> {
        if (!bound(head + text, limits_.string, name_of(descriptor), "--max-string")) return std::nullopt;
        return head + static_cast<std::size_t>(text);
    };
    switch (descriptor) {
        case Descriptor::comment:
        case Descriptor::isa_extended:
            if (have(comment_head) < comment_head) return comment_head;
            return with_text(comment_head, load_le<std::uint32_t>(at_ + 1));
        case Descriptor::trace_info:
            if (have(trace_info_head) < trace_info_head) return trace_info_head;
            return with_text(trace_info_head, load_le<std::uint16_t>(at_ + 5));
        case Descriptor::page_table_walk:
            if (have(page_walk_head) < page_walk_head) return page_walk_head;
            return page_walk_head + page_walk_entry * static_cast<std::size_t>(at_[page_walk_head - 1]);
        case Descriptor::event: {
            const std::size_t head = event64_ ? event_head64 : event_head32;
            if (have(head) < head) return head;
            return head + 8 * static_cast<std::size_t>(at_[head - 1]);
        }
        case Descriptor::inst_reg: {
            if (have(vector_head) < vector_head || !is_vector(at_, static_cast<std::uint8_t>(descriptor))) break;
            if (vector_words_ == 0)
                return ended(stop(Check::vector_unsized, "an earlier VLEN_CONFIG of at least 64 bits", "none"));
            const std::uint64_t size = vector_head + 8 * std::uint64_t{vector_words_};
            if (!bound(size, limits_.record, "a vector register", "--max-record")) return std::nullopt;
            return static_cast<std::size_t>(size);
        }
        case Descriptor::reserve_end:
            if (left > 1 || have(2) > 1) break;
            report_next(Check::reserve_end, {}, {});
            ++at_;
            finish();
            return std::nullopt;
        case Descriptor::reserved:
            return ended(stop(Check::descriptor_reserved, "a defined descriptor", "0"));
        case Descriptor::protocol_id:
        case Descriptor::clock_id:
        case Descriptor::transaction:
        case Descriptor::transaction_dependency:
            return transaction_size(descriptor);
        default:
            break;
    }
    const std::size_t size = fixed_sizes[static_cast<std::size_t>(descriptor)];
    if (size == 0) {
        return ended(stop(Check::descriptor_undefined, "a defined descriptor",
                          std::to_string(static_cast<unsigned>(descriptor))));
    }
    return size;
}

/// Like record_size(), for the records of transaction traces.
std::optional<std::size_t> Scanner::transaction_size(Descriptor descriptor) {
    const auto end = [&](Check check, std::string expected, std::string got) {
        stop(check, std::move(expected), std::move(got));
        return std::optional<std::size_t>{};
    };
    if (!transactions_)
        return end(Check::transaction_record, "a record of an instruction trace", std::string(name_of(descriptor)));
    if (descriptor == Descriptor::protocol_id) return protocol_id_size;
    if (descriptor == Descriptor::transaction_dependency) return dependency_size;
    if (descriptor == Descriptor::clock_id)
        return have(clock_id_head) < clock_id_head ? clock_id_head : clock_id_head + load_le<std::uint16_t>(at_ + 2);
    if (protocol_ != protocol_tilelink)
        return end(Check::protocol_unknown, "protocol 1, TileLink", std::to_string(protocol_));
    using State = TransactionExtent::State;
    for (std::size_t wanted = transaction_head;;) {
        const std::size_t seen = have(wanted);
        if (seen < wanted) return wanted;
        const TransactionExtent extent = transaction_extent({at_, seen});
        const auto undefined = [&](Check check, std::string expected) {
            return end(check, std::move(expected),
                       std::to_string(extent.code) + " in byte " + std::to_string(extent.at) + " of the record");
        };
        switch (extent.state) {
            case State::whole:
                return extent.size;
            case State::more:
                wanted = extent.size;
                break;
            case State::metadata_undefined:
                return undefined(Check::metadata_type, "a type from 0 to 3");
            case State::channel_undefined:
                return undefined(Check::channel_undefined, "a channel from 1 to 5");
        }
    }
}

/// Returns false and ends the scan if a record of `size` bytes exceeds the file. Throws Failure::limit if the record
/// may be in the file but exceeds `limit`.
bool Scanner::bound(std::uint64_t size, std::uint64_t limit, std::string_view what, std::string_view option) {
    if (size <= limit && size <= static_cast<std::uint64_t>(window_end_ - at_)) return true;
    if (container_.kind() == ContainerKind::plain) {
        if (const auto total = input_.size(); total && size > *total - offset()) {
            return stop(Check::record_cut, hwtrace::counted(size, "byte") + " of " + std::string(what),
                        hwtrace::counted(*total - offset(), "byte"));
        }
    }
    check_limit(size, limit, what, option);
    return true;
}

void Scanner::configure_vectors(std::uint32_t bits) {
    vector_words_ = words_of_vector(bits);
}

// --- the end ---------------------------------------------------------------------------------------------------------

void Scanner::finish() {
    ended_ = true;
    end_ = at_;
    if (!chunks_.empty() && !chunk_left_) {
        chunks_.back().raw_size = offset() - chunks_.back().raw_offset;
        end_chunk();
        const std::uint64_t wanted = container_.chunk_size();
        if (wanted != 0 && chunks_.back().markers > wanted) {
            report_chunk(chunks_.back().raw_offset, chunk_first_instruction_, Check::chunk_markers,
                         "at most " + markers_text(wanted), std::to_string(chunks_.back().markers));
        }
    }
    if (!quiet_) container_.check_end(chunks_, header_pc_);
}

/// Ends the scan at the record that begins at at_. Always returns false.
bool Scanner::stop(Check check, std::string expected, std::string got) {
    // If the container is cut or damaged, a cut record is not reported separately.
    const bool cut = check == Check::record_cut;
    if (!cut || container_.sound())
        report_next(check, std::move(expected), std::move(got),
                    cut ? static_cast<std::uint64_t>(window_end_ - at_) : 1);
    stopped_ = !cut;
    if (cut && have(1) > 0) at_ = window_end_;
    ended_ = true;
    end_ = at_;
    // After other damage the rest was not scanned, so the end of the container cannot be checked.
    if (cut) finish();
    return false;
}

void Scanner::report(Check check, std::string expected, std::string got) {
    report_at(place(), check, std::move(expected), std::move(got));
}

void Scanner::report_next(Check check, std::string expected, std::string got, std::uint64_t size) {
    report_at({offset(), counted(records_), instructions_, size}, check, std::move(expected), std::move(got));
}

void Scanner::report_chunk(std::uint64_t stream_offset, std::uint64_t instruction, Check check, std::string expected,
                           std::string got) {
    report_at({stream_offset, std::nullopt, instruction, 1}, check, std::move(expected), std::move(got));
}

void Scanner::report_at(const Place& place, Check check, std::string expected, std::string got) {
    if (quiet_) return;
    const std::uint64_t stream_offset = place.offset;
    Finding finding{.rule = &rule(check),
                    .offset = stream_offset,
                    .length = place.size,
                    .ordinal = place.record,
                    .time = static_cast<std::int64_t>(place.instruction),
                    .expected = std::move(expected),
                    .got = std::move(got)};
    if (container_.kind() != ContainerKind::plain) {
        finding.offset = 0;
        finding.length = 1;
        finding.inner_offset = stream_offset;
        const auto behind =
            std::upper_bound(chunks_.begin(), chunks_.end(), stream_offset,
                             [](std::uint64_t at, const Chunk& chunk) { return at < chunk.raw_offset; });
        if (behind != chunks_.begin()) {
            const Chunk& chunk = *(behind - 1);
            finding.offset = chunk.file_offset;
            finding.inner_offset = stream_offset - chunk.raw_offset;
            finding.where = "chunk " + std::to_string(&chunk - chunks_.data());
        }
    }
    if (!place.record) {  // instruction numbers, as --range counts them
        if (!finding.where.empty()) finding.where += ", ";
        finding.where += (transactions_ ? "transaction #" : "instruction #") + std::to_string(place.instruction);
    }
    findings_.report(std::move(finding));
}

}  // namespace hwtrace::stf

#include "scanner.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <limits>

#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "transaction_wire.hpp"

namespace hwtrace::stf {
namespace {

std::string version_text(const RawRecord& version) {
    return std::to_string(version.at<std::uint32_t>(1)) + "." + std::to_string(version.at<std::uint32_t>(5));
}

constexpr std::uint32_t only_major = 1, oldest_minor = 2, newest_minor = 6;
constexpr std::uint32_t shortest_vector = 64;

}  // namespace

std::uint64_t features_of(std::span<const HeaderRecord> header) noexcept {
    std::uint64_t features = 0;
    for (const HeaderRecord& record : header)
        if (record.descriptor == Descriptor::trace_info_feature) features = record.raw().at<std::uint64_t>(1);
    return features;
}

bool is_rv64(std::span<const HeaderRecord> header) noexcept {
    const auto mode = [](const HeaderRecord& record) { return record.descriptor == Descriptor::inst_iem; };
    const auto found = std::find_if(header.begin(), header.end(), mode);
    return found == header.end() || found->raw().at<std::uint16_t>(1) == iem_rv64;
}

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

// --- seeking ---------------------------------------------------------------------------------------------------------

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

// --- the header ------------------------------------------------------------------------------------------------------

std::vector<HeaderRecord> Scanner::read_header() {
    static constexpr std::string_view identifier{"\x01STF"};
    std::vector<HeaderRecord> header;
    RawRecord record;
    const std::size_t got = have(identifier.size());
    enter_chunks();
    const bool identified =
        got >= identifier.size() && std::equal(identifier.begin(), identifier.end(), at_,
                                               [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
    if (!identified) {
        if (got < identifier.size()) finish();
        if (got == 0 && container_.kind() == ContainerKind::zstf)
            fail(Failure::input, input_.name() + ": the ZSTF file holds no chunk");
        if (got < identifier.size() && !container_.sound())  // already reported as a fault of the container
            fail(Failure::input, input_.name() + ": the compressed data ends inside the trace's identifier");
        report_next(Check::no_identifier, "01 'S' 'T' 'F'", got == 0 ? "nothing" : "other bytes");
        fail(Failure::input, input_.name() + ": the stream does not begin with the STF identifier");
    }
    next(record);

    std::bitset<256> seen;
    std::uint64_t total = 0;
    for (bool first = true;; first = false) {
        if (have(1) == 0) {
            next(record);
            if (container_.sound()) report_next(Check::header_cut, "END_HEADER", "the end of the trace");
            break;
        }
        const auto descriptor = static_cast<Descriptor>(*at_);
        choose_kind(header, descriptor);
        const bool known = fixed_sizes[static_cast<std::size_t>(descriptor)] != 0 || descriptor == Descriptor::event ||
                           descriptor == Descriptor::page_table_walk || (transactions_ && is_transaction(descriptor));
        if (known && !is_header_record(descriptor)) {
            report_next(Check::header_not_ended, "END_HEADER", std::string(name_of(descriptor)));
            check_mandatory(header);
            break;
        }
        if (!next(record)) break;
        if (descriptor == Descriptor::end_header) {
            check_mandatory(header);
            break;
        }
        if (first && descriptor != Descriptor::version)
            report(Check::version_not_second, "VERSION", std::string(name_of(descriptor)));
        const bool repeats = descriptor == Descriptor::comment || descriptor == Descriptor::trace_info ||
                             descriptor == Descriptor::clock_id;
        const auto code = static_cast<std::size_t>(descriptor);
        if ((seen[code] && !repeats) || descriptor == Descriptor::identifier)
            report(Check::header_duplicate, "one " + std::string(name_of(descriptor)), "another");
        seen[code] = true;
        check_header_code(record);
        if (descriptor == Descriptor::identifier) continue;
        total += record.size;
        check_limit(total, limits_.record, "the header", "--max-record");
        check_limit(header.size() + 1, limits_.schema_objects, "a number of header records", "--max-schema");
        header.push_back({descriptor, {record.bytes().begin(), record.bytes().end()}});
    }
    header_whole_ = !ended_;
    header_end_ = offset();
    header_records_ = records_;
    header_vector_words_ = vector_words_;
    header_event64_ = event64_;
    return header;
}

/// Decides from the header so far and the next record whether the trace has instructions or transactions. Without
/// header records for instructions, the feature bit suffices for transactions. A missing PROTOCOL_ID is then reported
/// as missing, not as damage of an instruction trace.
void Scanner::choose_kind(std::span<const HeaderRecord> header, Descriptor next) {
    if (next == Descriptor::protocol_id || next == Descriptor::clock_id) transactions_ = true;
    if (next != Descriptor::end_header && !is_transaction(next)) return;
    bool features = false;
    for (const HeaderRecord& record : header) {
        if (record.descriptor == Descriptor::isa || record.descriptor == Descriptor::inst_iem) return;
        if (record.descriptor == Descriptor::trace_info_feature)
            features = (record.raw().at<std::uint64_t>(1) & feature_transactions) != 0;
    }
    transactions_ = transactions_ || features;
}

std::string Scanner::markers_text(std::uint64_t count) const {
    return hwtrace::counted(count, transactions_ ? "transaction" : "instruction");
}

void Scanner::check_header_code(const RawRecord& record) {
    switch (record.descriptor) {
        case Descriptor::version:
            check_version(record);
            break;
        case Descriptor::isa:
            if (isa_name(record.at<std::uint16_t>(1)).empty())
                report(Check::header_code_unknown, "an ISA from 1 to 4", std::to_string(record.at<std::uint16_t>(1)));
            break;
        case Descriptor::inst_iem:
            if (iem_name(record.at<std::uint16_t>(1)).empty())
                report(Check::header_code_unknown, "encoding mode 1 or 2", std::to_string(record.at<std::uint16_t>(1)));
            break;
        case Descriptor::trace_info:
            if (const auto generator = record.at<std::uint8_t>(1); generator == 0 || generator_name(generator).empty())
                report(Check::generator_unknown, "a known generator", std::to_string(generator));
            break;
        case Descriptor::vlen_config:
            if (record.at<std::uint32_t>(1) < shortest_vector)
                report(Check::vlen_invalid, "at least 64 bits", std::to_string(record.at<std::uint32_t>(1)));
            break;
        case Descriptor::force_pc:
            header_pc_ = record.at<std::uint64_t>(1);
            break;
        default:
            break;
    }
}

void Scanner::check_version(const RawRecord& version) {
    const auto major = version.at<std::uint32_t>(1);
    const auto minor = version.at<std::uint32_t>(5);
    if (major != only_major || minor < oldest_minor) {
        report(Check::version_unsupported, "1.2 to 1.6", version_text(version));
        fail(Failure::input, input_.name() + ": unsupported version " + version_text(version) + " of STF");
    }
    if (minor > newest_minor) report(Check::version_newer, "1.2 to 1.6", version_text(version));
}

void Scanner::check_mandatory(std::span<const HeaderRecord> header) {
    using enum Descriptor;
    constexpr std::array of_instructions{version, isa, inst_iem, trace_info, trace_info_feature, force_pc};
    constexpr std::array of_transactions{version, trace_info, trace_info_feature, protocol_id, clock_id};
    const auto has = [&](Descriptor wanted) {
        return std::any_of(header.begin(), header.end(),
                           [wanted](const HeaderRecord& record) { return record.descriptor == wanted; });
    };
    for (const Descriptor needed :
         transactions_ ? std::span<const Descriptor>(of_transactions) : std::span<const Descriptor>(of_instructions))
        if (!has(needed)) report_next(Check::header_missing, std::string(name_of(needed)), "none");
    if (!transactions_) return;
    for (const Descriptor foreign : {isa, inst_iem, process_id_ext, force_pc, vlen_config, isa_extended})
        if (has(foreign))
            report_next(Check::instruction_record, "a header of a transaction trace", std::string(name_of(foreign)));
    std::bitset<256> clocks;
    for (const HeaderRecord& record : header) {
        if (record.descriptor != clock_id) continue;
        const auto id = record.raw().at<std::uint8_t>(1);
        if (id == 0 || clocks[id]) report_next(Check::clock_id, "a unique clock id above 0", std::to_string(id));
        clocks[id] = true;
    }
}

}  // namespace hwtrace::stf

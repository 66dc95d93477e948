// formats/stf/scanner.hpp - scans an STF file tolerantly: whole records in order, from any container.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "container.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "rules.hpp"
#include "wire.hpp"

namespace hwtrace::stf {

/// A copy of a header record.
struct HeaderRecord {
    Descriptor descriptor;
    std::vector<std::byte> bytes;

    RawRecord raw() const noexcept { return {descriptor, bytes.data(), bytes.size()}; }
};

/// Returns the feature bits of a header, or 0 if the header has none.
std::uint64_t features_of(std::span<const HeaderRecord> header) noexcept;
/// Returns true if a header states RV64 or no encoding mode.
bool is_rv64(std::span<const HeaderRecord> header) noexcept;

/// Reads whole records in order. Tracks the pc and the state that record sizes depend on: event width, vector length
/// and protocol. Reports every fault of the framing and the container. Damage ends the scan. Exceptions are thrown only
/// for limits, system errors and inputs that are not traces.
class Scanner {
public:
    /// Opens the container. Throws Failure::input if `input` is not STF. With `jobs` above 1, other threads decompress
    /// ahead. All arguments must outlive the scanner.
    Scanner(Input& input, const Limits& limits, Findings& findings, unsigned jobs = 1);

    /// Reads the header and returns its records, without the identifier and END_HEADER. Call once, before any other
    /// function. Reports a finding if the header is cut or lacks records. Throws Failure::input for a missing
    /// identifier or an unsupported version.
    std::vector<HeaderRecord> read_header();

    /// Uses the index to move to the beginning of the chunk that holds an instruction. Call after read_header(), any
    /// number of times. Decompresses no earlier chunk, but the first call counts the instructions of one chunk. Returns
    /// false, without moving, if there is no usable index or if the count differs from the header's chunk size. Reports
    /// a fault of the index or the chunk size.
    bool seek(std::uint64_t instruction);
    /// Continues after damage, once next() has returned false. Continues with the next chunk of the index or, without
    /// an index, with the next readable chunk. Reports the loss. Returns false at the end, or if no chunk follows.
    bool resume();

    /// See Resumable::keep_states(), Resumable::save_state() and Resumable::restore_state(). Call them after
    /// read_header(). States are saved only while nothing was skipped.
    bool keep_states();
    bool save_state(Appender& out) const;
    bool restore_state(Cursor& in);

    /// Reads the next whole record, which is valid until the next call. Returns false at the end and at damage. Throws
    /// Failure::limit if the record is too large.
    bool next(RawRecord& record) {
        const auto left = static_cast<std::size_t>(end_ - at_);
        if (left > 0) [[likely]] {
            const auto code = static_cast<std::uint8_t>(*at_);
            const std::size_t size = fixed_sizes[code];
            if (size != 0 && size <= left && !is_vector(at_, code)) [[likely]] {
                accept(static_cast<Descriptor>(code), size, record);
                return true;
            }
        }
        return next_slow(record);
    }
    /// Returns true if the next record has this descriptor. The record may still be cut.
    bool next_is(Descriptor descriptor) {
        if (at_ == end_) [[unlikely]]
            return next_is_slow(descriptor);
        return static_cast<Descriptor>(*at_) == descriptor;
    }

    /// Returns true for a transaction trace, in which TRANSACTION ends a group and chunks count transactions. Valid
    /// after read_header().
    bool transactions() const noexcept { return transactions_; }
    /// Returns the pc of the instruction that next() returned last.
    std::uint64_t pc() const noexcept { return pc_; }
    /// Returns the pc of the next instruction according to the records read so far.
    std::uint64_t next_pc() const noexcept { return tracker_.next; }
    /// Returns true if event ids have 64 bits from here on.
    bool event64() const noexcept { return event64_; }
    /// Returns the number of 64-bit words in a vector register from here on, or 0 without a usable VLEN_CONFIG.
    std::size_t vector_words() const noexcept { return vector_words_; }
    std::uint64_t records() const noexcept { return records_; }  ///< records read so far, including the header
    /// Returns false if chunks were skipped, so that records() is unknown.
    bool counts_records() const noexcept { return counts_records_; }
    /// Returns the number of instructions (or transactions) before the next record, including lost ones.
    std::uint64_t instructions() const noexcept { return instructions_; }
    /// Returns the number of damaged instructions (or transactions) that resume() has skipped.
    std::uint64_t lost() const noexcept { return lost_; }
    /// Returns the offset of the next record in the decompressed stream.
    std::uint64_t offset() const noexcept { return base_ + static_cast<std::uint64_t>(at_ - begin_); }
    /// Returns true if the scan reached the end of a sound stream, at the end of a record.
    bool ended_whole() const noexcept { return ended_whole_; }
    const Container& container() const noexcept { return container_; }
    std::span<const Chunk> chunks() const noexcept { return chunks_; }

    /// The position of a record, for findings that are reported later.
    struct Place {
        std::uint64_t offset = 0;               ///< offset of the record's first byte in the stream
        std::optional<std::uint64_t> record{};  ///< record number; none: not counted
        std::uint64_t instruction = 0;          ///< index of the record's instruction
        std::uint64_t size = 1;                 ///< size in bytes; 1 if unknown
    };
    /// Returns the position of the record that next() returned last.
    Place place() const noexcept {
        const bool ends_group = is_marker(last_) || last_ == Descriptor::transaction;
        return {offset() - last_size_, counted(records_ - 1), instructions_ - (ends_group ? 1 : 0), last_size_};
    }
    void report_at(const Place& place, Check check, std::string expected, std::string got);
    /// Reports a finding about the record that next() returned last.
    void report(Check check, std::string expected, std::string got);

private:
    template <Descriptor descriptor>
    static constexpr std::size_t fixed_size = fixed_sizes[static_cast<std::size_t>(descriptor)];

    static bool is_vector(const std::byte* at, std::uint8_t code) noexcept {
        return code == static_cast<std::uint8_t>(Descriptor::inst_reg) &&
               (static_cast<unsigned>(at[3]) & 0xFu) == register_vector;
    }
    /// Accepts a record. The most frequent records have constant sizes here, so that the position of the next record
    /// depends on a predicted branch instead of a load.
    void accept(Descriptor descriptor, std::size_t size, RawRecord& record) {
        const std::byte* const begin = at_;
        ++records_;
        switch (descriptor) {
            case Descriptor::inst_reg:
                if (size == fixed_size<Descriptor::inst_reg>) [[likely]]
                    return take(descriptor, begin, fixed_size<Descriptor::inst_reg>, record);
                break;
            case Descriptor::inst_opcode32:
                ++instructions_;
                pc_ = tracker_.step(4);
                return take(descriptor, begin, fixed_size<Descriptor::inst_opcode32>, record);
            case Descriptor::inst_opcode16:
                ++instructions_;
                pc_ = tracker_.step(2);
                return take(descriptor, begin, fixed_size<Descriptor::inst_opcode16>, record);
            case Descriptor::inst_pc_target:
            case Descriptor::event_pc_target:
                tracker_.branch(load_le<std::uint64_t>(begin + 1));
                break;
            case Descriptor::inst_mem_access:
                return take(descriptor, begin, fixed_size<Descriptor::inst_mem_access>, record);
            case Descriptor::inst_mem_content:
                return take(descriptor, begin, fixed_size<Descriptor::inst_mem_content>, record);
            case Descriptor::force_pc:
                tracker_.force(load_le<std::uint64_t>(begin + 1));
                break;
            case Descriptor::trace_info_feature:
                event64_ = (load_le<std::uint64_t>(begin + 1) & feature_event64) != 0;
                break;
            case Descriptor::vlen_config:
                configure_vectors(load_le<std::uint32_t>(begin + 1));
                break;
            default:
                break;
        }
        take(descriptor, begin, size, record);
    }
    void take(Descriptor descriptor, const std::byte* begin, std::size_t size, RawRecord& record) {
        record = {descriptor, begin, size};
        at_ = begin + size;
        last_size_ = size;
        last_ = descriptor;
    }
    std::optional<std::uint64_t> counted(std::uint64_t record) const noexcept {
        return counts_records_ ? std::optional(record) : std::nullopt;
    }
    /// Reports a finding about the next record, which has `size` bytes.
    void report_next(Check check, std::string expected, std::string got, std::uint64_t size = 1);
    /// Reports a finding about the chunk that begins at stream offset `offset` with instruction `instruction`.
    void report_chunk(std::uint64_t offset, std::uint64_t instruction, Check check, std::string expected,
                      std::string got);
    bool next_slow(RawRecord& record);
    bool next_is_slow(Descriptor descriptor);
    std::size_t have(std::size_t count);
    void limit_to_chunk();
    void enter_chunks();
    bool holds_what_is_said(std::size_t chunk);
    void go_to(std::size_t chunk);
    void begin_chunk(std::size_t chunk);
    void begin_at(std::uint64_t raw_offset, std::uint64_t instruction, std::uint64_t pc);
    bool resume_by_search(std::size_t lost, std::uint64_t given);
    void skip_unknown_pcs();
    void skip_header();
    bool skip_to(std::uint64_t raw_offset);
    void end_chunk();
    std::optional<std::size_t> transaction_size(Descriptor descriptor);
    std::optional<std::size_t> record_size(Descriptor descriptor, std::size_t left);
    bool bound(std::uint64_t size, std::uint64_t limit, std::string_view what, std::string_view option);
    void configure_vectors(std::uint32_t bits);
    bool stop(Check check, std::string expected, std::string got);
    void finish();
    void check_header_code(const RawRecord& record);
    void choose_kind(std::span<const HeaderRecord> header, Descriptor next);
    std::string markers_text(std::uint64_t count) const;
    void check_mandatory(std::span<const HeaderRecord> header);
    void check_version(const RawRecord& version);

    Input& input_;
    const Limits& limits_;
    Findings& findings_;
    Container container_;
    Window window_;

    // The current window. next() reads from at_ to end_, which is at most the end of the chunk.
    const std::byte* begin_ = nullptr;
    const std::byte* at_ = nullptr;
    const std::byte* end_ = nullptr;
    const std::byte* window_end_ = nullptr;
    std::uint64_t base_ = 0;  ///< stream offset of begin_

    PcTracker tracker_;
    std::uint64_t pc_ = 0;
    std::uint64_t header_pc_ = 0;
    std::uint64_t records_ = 0;
    std::uint64_t instructions_ = 0;
    std::uint64_t lost_ = 0;
    std::size_t vector_words_ = 0;
    std::size_t last_size_ = 0;
    Descriptor last_ = Descriptor::reserved;
    bool event64_ = false;
    bool transactions_ = false;
    std::uint8_t protocol_ = 0;  ///< PROTOCOL_ID
    bool ended_ = false;
    bool ended_whole_ = false;

    std::vector<Chunk> chunks_;
    std::uint64_t chunk_first_instruction_ = 0;
    bool chunk_left_ = false;  ///< true: a seek left the last chunk in chunks_, so this chunk is not checked
    bool stopped_ = false;     ///< true: an unreadable record ended the scan
    bool counts_records_ = true;
    bool chunk_size_checked_ = false;
    bool quiet_ = false;                     ///< suppresses findings while bytes are read a second time
    std::optional<std::size_t> told_chunk_;  ///< the chunk whose wrong instruction count is already reported

    // The state after the header. Seeks restore it.
    std::uint64_t header_end_ = 0, header_records_ = 0;
    std::size_t header_vector_words_ = 0;
    bool header_event64_ = false;
    bool header_whole_ = false;
};

}  // namespace hwtrace::stf

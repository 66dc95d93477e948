#include "container.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "domain/value_text.hpp"
#include "frame_search.hpp"
#include "io/error.hpp"
#include "io/limits.hpp"
#include "io/unpacked.hpp"
#include "rules.hpp"
#include "wire.hpp"

namespace hwtrace::stf {
namespace {

constexpr std::array identifier{std::byte{1}, std::byte{'S'}, std::byte{'T'}, std::byte{'F'}};
constexpr std::array zstf_magic{std::byte{'Z'}, std::byte{'S'}, std::byte{'T'}, std::byte{'F'}};
constexpr std::array gzip_magic{std::byte{0x1F}, std::byte{0x8B}};
constexpr std::size_t whole_head = 4096;

template <typename Magic>
bool begins_with(std::span<const std::byte> head, const Magic& magic) {
    return head.size() >= magic.size() && std::equal(magic.begin(), magic.end(), head.begin());
}

/// Reads until `into` is full or the source ends. Returns the number of bytes read.
std::size_t read_whole(Source& source, std::span<std::byte> into) {
    std::size_t have = 0;
    while (have < into.size()) {
        const std::size_t got = source.read(into.subspan(have));
        if (got == 0) break;
        have += got;
    }
    return have;
}

/// Returns true if `source` begins with STF's identifier, or if a full head decompresses to nothing.
bool holds_stf(Source& source, std::size_t head_size) {
    std::array<std::byte, identifier.size()> first{};
    const std::size_t got = read_whole(source, first);
    return got == first.size() ? first == identifier : got == 0 && head_size >= whole_head;
}

}  // namespace

std::string_view name_of(ContainerKind kind) noexcept {
    switch (kind) {
        case ContainerKind::plain:
            return "plain STF";
        case ContainerKind::zstf:
            return "ZSTF";
        case ContainerKind::gzip:
            return "STF in gzip";
        case ContainerKind::zstd:
            return "STF in zstd";
        case ContainerKind::xz:
            return "STF in xz";
    }
    return {};
}

std::optional<ContainerKind> recognise(std::span<const std::byte> head) {
    if (begins_with(head, identifier)) return ContainerKind::plain;
    if (begins_with(head, zstf_magic)) return ContainerKind::zstf;
    Input memory = Input::memory("head", head);
    if (begins_with(head, gzip_magic)) {
        GzipSource source(memory);
        if (holds_stf(source, head.size())) return ContainerKind::gzip;
    } else if (begins_xz(head)) {
        const Limits limits;
        XzSource source(memory, limits);
        if (holds_stf(source, head.size()) || source.limit_refused()) return ContainerKind::xz;
    } else if (begins_zstd(head)) {
        const Limits limits;
        ZstdSource source(memory, 0, 0, limits);
        // If the window exceeds the limit, the contents are unknown. Opening the file then reports the limit.
        if (holds_stf(source, head.size()) || source.limit_refused()) return ContainerKind::zstd;
    }
    return std::nullopt;
}

Container::Container(Input& input, const Limits& limits, Findings& findings, unsigned jobs)
    : input_(input), limits_(limits), findings_(findings), jobs_(jobs) {
    const auto kind = recognise(input.head(whole_head));
    if (!kind) {
        report_cut_beginning();
        findings.report(
            {.rule = &rule(Check::no_identifier), .expected = "01 'S' 'T' 'F', plain or in ZSTF, gzip, xz or zstd"});
        fail(Failure::input, input.name() + ": not an STF trace");
    }
    kind_ = *kind;
    switch (kind_) {
        case ContainerKind::plain:
            break;
        case ContainerKind::zstf:
            read_zstf_header();
            // The index is expected at the end of the frames, not at the header's offset, so a wrong header loses no
            // record.
            zstd_.emplace(input, zstf_header_size, limits);
            if (jobs > 1 && has_index()) zstd_->read_ahead(*index_, 0, jobs - 1);
            break;
        case ContainerKind::gzip:
            gzip_.emplace(input);
            break;
        case ContainerKind::zstd:
            zstd_.emplace(input, 0, limits);
            break;
        case ContainerKind::xz:
            xz_.emplace(input, limits);
            break;
    }
}

/// Throws if the input ends inside the identifier.
void Container::report_cut_beginning() {
    const auto head = input_.head(whole_head);
    const auto begins = [&](const auto& magic) {
        return !head.empty() && head.size() < magic.size() && std::equal(head.begin(), head.end(), magic.begin());
    };
    const bool plain = begins(identifier);
    if (!plain && !begins(zstf_magic)) return report_cut_packing();
    findings_.report({.rule = &rule(plain ? Check::header_cut : Check::container_header),
                      .offset = head.size(),
                      .expected = plain ? "01 'S' 'T' 'F'" : "ZSTF",
                      .got = counted(head.size(), "byte") + " of it"});
    fail(Failure::input, input_.name() + ": the trace ends inside its identifier");
}

/// Throws if compressed data ends inside the identifier.
void Container::report_cut_packing() {
    const Packing packing = packing_of(input_.head(whole_head));
    if (packing == Packing::plain || packing == Packing::lz4) return;
    Unpacked unpacked(input_, limits_);
    std::array<std::byte, identifier.size()> first{};
    const std::size_t got = read_whole(unpacked, first);
    const bool is_begin =
        std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(got), identifier.begin());
    if (unpacked.state() != Unpacked::State::truncated || !is_begin) return;
    const Check cut = packing == Packing::gzip ? Check::gzip_cut
                      : packing == Packing::xz ? Check::xz_cut
                                               : Check::frame_cut;
    findings_.report({.rule = &rule(cut),
                      .offset = unpacked.file_offset(),
                      .expected = "01 'S' 'T' 'F'",
                      .got = counted(got, "byte") + " of it"});
    fail(Failure::input, input_.name() + ": the compressed data ends inside the trace's identifier");
}

void Container::read_zstf_header() {
    std::array<std::byte, zstf_header_size> header{};
    const std::size_t got = read_whole(input_, header);
    if (got < header.size()) {
        findings_.report({.rule = &rule(Check::container_header),
                          .offset = got,
                          .where = "ZSTF header",
                          .expected = "20 bytes",
                          .got = counted(got, "byte")});
        fail(Failure::input, input_.name() + ": the ZSTF header is cut");
    }
    chunk_size_ = load_le<std::uint64_t>(header.data() + 4);
    index_offset_ = load_le<std::uint64_t>(header.data() + zstf_index_at);
    if (chunk_size_ == 0) {
        findings_.report({.rule = &rule(Check::chunk_size_zero),
                          .offset = 4,
                          .where = "ZSTF header",
                          .expected = "at least 1",
                          .got = "0"});
    }
}

Source& Container::stream() noexcept {
    if (zstd_) return *zstd_;
    if (gzip_) return *gzip_;
    if (xz_) return *xz_;
    return input_;
}

std::span<const ZstdSource::Frame> Container::frames() const noexcept {
    return zstd_ ? zstd_->frames() : std::span<const ZstdSource::Frame>{};
}

bool Container::sound() const noexcept {
    if (zstd_) return zstd_->state() != ZstdSource::State::truncated && zstd_->state() != ZstdSource::State::damaged;
    if (gzip_) return gzip_->state() != GzipSource::State::truncated && gzip_->state() != GzipSource::State::damaged;
    if (xz_) return xz_->state() != XzSource::State::truncated && xz_->state() != XzSource::State::damaged;
    return true;
}

/// Returns true if the index is usable. The first call reads the index.
bool Container::has_index() {
    if (!index_read_ && kind_ == ContainerKind::zstf && chunk_size_ != 0 && input_.seekable())
        index_ = ChunkIndex::read(input_, index_offset_, limits_, index_fault_);
    index_read_ = true;
    return index_.has_value();
}

bool Container::begins_frame(std::size_t chunk) const {
    std::array<std::byte, 4> magic{};
    return begins_zstd(std::span(magic).first(input_.read_at((*index_)[chunk].file_offset, magic)));
}

std::optional<std::size_t> Container::chunk_of(std::uint64_t instruction) {
    if (!has_index()) {
        if (index_fault_.rule != nullptr && !index_told_) {
            findings_.report(index_fault_);
            index_told_ = true;
        }
        return std::nullopt;
    }
    const std::size_t last = index_->size() - 1;
    const auto chunk = static_cast<std::size_t>(std::min<std::uint64_t>(instruction / chunk_size_, last));
    return begins_frame(chunk) ? std::optional(chunk) : std::nullopt;
}

std::optional<std::size_t> Container::chunk_behind(std::size_t chunk, std::uint64_t file_offset) {
    if (!has_index() || chunk >= index_->size() || (*index_)[chunk].file_offset != file_offset) return std::nullopt;
    while (++chunk < index_->size())
        if (begins_frame(chunk)) return chunk;
    return std::nullopt;
}

std::optional<Container::FoundChunk> Container::find_chunk_behind(std::uint64_t file_offset) {
    if (kind_ != ContainerKind::zstf || chunk_size_ == 0 || !input_.seekable() || has_index()) return std::nullopt;
    const std::uint64_t from = std::max(file_offset + 1, no_frame_at_);
    const auto found = find_chunk(input_, from, limits_);
    return found ? std::optional(FoundChunk{from, *found}) : std::nullopt;
}

void Container::go_to_found(std::uint64_t file_offset, std::uint64_t raw_offset, std::size_t chunk) {
    broken_ = false;
    searched_ = true;
    zstd_->go_to_found(file_offset, raw_offset, chunk);
}

void Container::go_to(std::size_t chunk) {
    broken_ = false;
    if (jobs_ > 1)
        zstd_->read_ahead(*index_, chunk, jobs_ - 1);
    else
        zstd_->go_to(*index_, chunk);
}

void Container::peek_at(std::size_t chunk) {
    broken_ = false;
    zstd_->go_to(*index_, chunk);
}

std::size_t Container::read_behind(std::span<std::byte> into) {
    std::size_t have = 0;
    while (have < into.size()) {
        const std::size_t got = zstd_->read_behind(into.subspan(have));
        if (got == 0) break;
        have += got;
    }
    return have;
}

void Container::check_end(std::span<const Chunk> chunks, std::uint64_t header_pc) {
    if (gzip_ && !sound()) {
        const bool cut = gzip_->state() == GzipSource::State::truncated;
        findings_.report({.rule = &rule(cut ? Check::gzip_cut : Check::gzip_damaged), .offset = gzip_->file_offset()});
    }
    if (xz_ && !sound()) {
        if (xz_->limit_refused()) {
            refuse(xz_->demanded(), limits_.zstd_window,
                   "memory for the xz data at byte " + std::to_string(xz_->file_offset()), "--max-window");
        }
        const bool cut = xz_->state() == XzSource::State::truncated;
        findings_.report({.rule = &rule(cut ? Check::xz_cut : Check::xz_damaged), .offset = xz_->file_offset()});
    }
    if (!zstd_) return;
    if (!sound()) {
        broken_ = true;
        const std::uint64_t at = zstd_->file_offset();
        if (zstd_->limit_refused()) {
            refuse(zstd_->demanded(), limits_.zstd_window,
                   "the window of the zstd frame at byte " +
                       std::to_string(chunks.empty() ? at : chunks.back().file_offset),
                   "--max-window");
        }
        const bool cut = zstd_->state() == ZstdSource::State::truncated;
        const bool known = !zstd_->frames().empty();
        findings_.report({.rule = &rule(cut ? Check::frame_cut : Check::frame_damaged),
                          .offset = at,
                          .where = known ? "chunk " + std::to_string(zstd_->frames().size() - 1) +
                                               ", which begins at byte " +
                                               std::to_string(zstd_->frames().back().file_offset)
                                         : std::string()});
        return;
    }
    if (kind_ == ContainerKind::zstf) {
        check_index(chunks, header_pc);
    } else if (const std::uint64_t begin = zstd_->file_offset(), count = rest_size(); count > 0) {
        report_no_frame(begin, "a zstd frame, or the end", count);
    }
}

/// Reports that no frame begins at `begin`. The bytes may be a frame with a damaged head, so records may be missing.
void Container::report_no_frame(std::uint64_t begin, std::string expected, std::uint64_t count) {
    broken_ = true;
    no_frame_at_ = begin;
    findings_.report({.rule = &rule(Check::frame_damaged),
                      .offset = begin,
                      .expected = std::move(expected),
                      .got = std::to_string(count) + " other bytes"});
}

/// Reads and counts the remaining bytes.
std::uint64_t Container::rest_size() {
    std::array<std::byte, 4096> bytes;
    std::uint64_t count = 0;
    while (const std::size_t got = read_behind(bytes))
        count += got;
    return count;
}

void Container::check_unclaimed(std::uint64_t begin) {
    std::array<std::byte, zstf_magic.size()> first{};
    std::size_t count = 0;
    while (const std::size_t got = read_behind(std::span(first).subspan(count)))
        count += got;
    if (count == 0) return;
    const Check what = begins_with(first, zstf_magic) ? Check::second_trace : Check::bytes_unclaimed;
    findings_.report({.rule = &rule(what), .offset = begin, .got = counted(count + rest_size(), "byte")});
}

/// Reports a fault of the index, unless chunk_of() has already reported it.
void Container::report_index(Finding finding) {
    if (index_told_ && finding.rule == index_fault_.rule && finding.offset == index_fault_.offset) return;
    findings_.report(std::move(finding));
}

void Container::check_index(std::span<const Chunk> chunks, std::uint64_t header_pc) {
    const std::uint64_t begin = zstd_->file_offset();
    if (index_offset_ == 0) {
        report_index({.rule = &rule(Check::index_absent),
                      .offset = zstf_index_at,
                      .where = "ZSTF header",
                      .expected = "the offset of the chunk index",
                      .got = "0"});
        check_unclaimed(begin);
        return;
    }
    std::array<std::byte, 8> head{};
    const std::size_t got = read_behind(head);
    const auto count = load_le<std::uint64_t>(head.data());
    if (searched_ && got > 0) {  // some chunks are unknown, so the entries cannot be compared
        const std::uint64_t rest = rest_size();
        const bool is_index = got == head.size() && rest % zstf_entry_size == 0 && rest / zstf_entry_size == count;
        if (!is_index)
            report_no_frame(begin, "a zstd frame, or the chunk index", got + rest);
        else if (index_fault_.rule != nullptr)
            report_index(index_fault_);
        return;
    }
    if (index_offset_ != begin) {
        // Neither the header nor these bytes show that the chunks end here, so chunks may be missing.
        if (got == 0) {
            broken_ = true;
            findings_.report({.rule = &rule(Check::frame_cut),
                              .offset = begin,
                              .expected = "another chunk, or the chunk index",
                              .got = "the end of the file"});
            return;
        }
        if (got < head.size() || count != chunks.size()) {
            report_no_frame(begin, "a zstd frame, or the chunk index", got + rest_size());
            return;
        }
        report_index({.rule = &rule(Check::index_misplaced),
                      .offset = zstf_index_at,
                      .where = "ZSTF header",
                      .expected = std::to_string(begin) + ", where the chunks end",
                      .got = std::to_string(index_offset_)});
    }
    if (got < head.size()) {
        report_index({.rule = &rule(Check::index_cut),
                      .offset = begin + got,
                      .where = "chunk index",
                      .expected = "a count of 8 bytes",
                      .got = counted(got, "byte")});
        return;
    }
    if (count != chunks.size()) {
        report_index({.rule = &rule(Check::index_count),
                      .offset = begin,
                      .where = "chunk index",
                      .expected = counted(chunks.size(), "chunk"),
                      .got = std::to_string(count)});
    }
    for (std::size_t number = 0; number < std::min<std::uint64_t>(count, chunks.size()); ++number) {
        std::array<std::byte, zstf_entry_size> entry{};
        const std::uint64_t at = begin + head.size() + number * zstf_entry_size;
        if (const std::size_t have = read_behind(entry); have < entry.size()) {
            report_index({.rule = &rule(Check::index_cut),
                          .offset = at + have,
                          .where = "chunk index, entry " + std::to_string(number),
                          .expected = "24 bytes",
                          .got = counted(have, "byte")});
            return;
        }
        check_entry(chunks, number, entry, at, header_pc);
    }
    // With a wrong count, index entries cannot be distinguished from other bytes.
    if (count == chunks.size()) check_unclaimed(begin + head.size() + count * zstf_entry_size);
}

void Container::check_entry(std::span<const Chunk> chunks, std::size_t number, std::span<const std::byte> entry,
                            std::uint64_t at, std::uint64_t header_pc) {
    const Chunk& chunk = chunks[number];
    const auto compare = [&](Check check, std::size_t field, std::uint64_t expected) {
        const auto value = load_le<std::uint64_t>(entry.data() + field);
        if (value == expected) return;
        report_index({.rule = &rule(check),
                      .offset = at + field,
                      .where = "chunk index, entry " + std::to_string(number),
                      .expected = std::to_string(expected),
                      .got = std::to_string(value)});
    };
    compare(Check::index_offset, 0, chunk.file_offset);
    compare(Check::index_raw_size, 16, chunk.raw_size);
    const auto start_pc = load_le<std::uint64_t>(entry.data() + 8);
    // The entry of chunk 0 usually has start pc 0. The header's pc then applies.
    if (number > 0 || (start_pc != 0 && start_pc != header_pc)) compare(Check::index_start_pc, 8, chunk.start_pc);
}

}  // namespace hwtrace::stf

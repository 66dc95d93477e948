#include "fst_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <unistd.h>

#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/descriptor.hpp"
#include "io/error.hpp"

namespace hwtrace::waveform {
namespace {

constexpr std::size_t block_head = 9;  ///< type and size
constexpr std::size_t wrapper_head = 1 + 8 + 8;
constexpr std::size_t changes_head = 8 + 24;  ///< size, begin, end, memory
constexpr std::size_t changes_tail = 8 + 24;  ///< size of the index; sizes and number of times

std::string text_at(std::span<const std::byte> bytes, std::size_t at, std::size_t room) {
    const std::string_view text = as_text(bytes.subspan(at, room));
    std::string until_zero(text.substr(0, text.find('\0')));
    while (!until_zero.empty() && (until_zero.back() == '\n' || until_zero.back() == '\r'))
        until_zero.pop_back();
    return until_zero;
}

/// Returns the least size of a block, without its type.
std::uint64_t least_size(fst::Block type) noexcept {
    switch (type) {
        case fst::Block::changes:
        case fst::Block::changes_alias:
        case fst::Block::changes_alias_2:
            return changes_head + changes_tail;
        case fst::Block::header:
            return fst::header_size - 1;
        case fst::Block::geometry:
            return 24;
        case fst::Block::hierarchy:
        case fst::Block::hierarchy_lz4:
        case fst::Block::hierarchy_lz4_twice:
            return 16;
        default:
            return 8;
    }
}

}  // namespace

void FstFindings::report(FstCheck check, std::uint64_t offset, std::uint64_t length, std::string expected,
                         std::string got) const {
    Finding finding{.rule = &rule(check), .offset = offset, .length = std::max<std::uint64_t>(length, 1)};
    if (packed_size_ != 0) {
        finding.inner_offset = offset;
        finding.offset = 0;
        finding.length = packed_size_;
    }
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    findings_.report(std::move(finding));
}

bool unpack_zlib(std::span<const std::byte> data, std::span<std::byte> raw) noexcept {
    if (data.size() != raw.size()) return inflate_whole(data, raw);
    std::ranges::copy(data, raw.begin());
    return true;
}

FstFile::FstFile(Input& input, const Settings& settings, FstFindings& findings) : input_(input) {
    size_ = input_.size().value_or(0);
    std::array<std::byte, 1> type{};
    if (input_.read_at(0, type) == 1 && static_cast<fst::Block>(type[0]) == fst::Block::wrapper)
        unpack(settings, findings);
    read_header(findings);
    find_blocks(findings);
}

void FstFile::unpack(const Settings& settings, FstFindings& findings) {
    if (size_ < wrapper_head) {
        findings.report(FstCheck::header_cut, 0, size_, std::to_string(wrapper_head) + " bytes", std::to_string(size_));
        fail(Failure::input, input_.name() + ": the FST file ends inside its header");
    }
    Section packed(input_, wrapper_head, size_);
    GzipSource source(packed);
    Descriptor file = open_unlinked_file(settings.temporary_folder);
    std::vector<std::byte> piece(64u << 10);
    const std::uint64_t wanted = fst::load_be(bytes_at(1 + 8, 8).data());
    std::uint64_t written = 0;
    bool is_longer = false;
    while (std::size_t count = source.read(piece)) {
        is_longer = count > wanted - written;
        if (is_longer) count = static_cast<std::size_t>(wanted - written);
        write_whole_at(file.get(), written, std::span(piece).first(count), settings.temporary_folder);
        written += count;
        if (is_longer) break;
    }
    if (is_longer || source.state() != GzipSource::State::ended || written < wanted)
        findings.report(FstCheck::wrapper_damaged, source.file_offset() + wrapper_head, 1,
                        std::to_string(wanted) + " bytes", is_longer ? "more" : std::to_string(written));
    findings.set_unpacked(size_);
    unpacked_.emplace(Input::adopt(input_.name(), ::dup(file.get())));
    size_ = written;
}

void FstFile::read_header(const FstFindings& findings) {
    const std::vector<std::byte> bytes = bytes_at(0, std::min<std::uint64_t>(size_, fst::header_size));
    const bool has_size = bytes.size() >= block_head;
    const bool is_cut = bytes.empty() && unpacked_;
    const bool is_header = is_cut || (!bytes.empty() && static_cast<fst::Block>(bytes[0]) == fst::Block::header &&
                                      (!has_size || fst::load_be(bytes.data() + 1) == fst::header_size - 1));
    if (!is_header) {
        findings.report(FstCheck::no_magic, 0, std::min<std::uint64_t>(size_, block_head), "a header block", {});
        fail(Failure::input, input_.name() + ": not an FST file");
    }
    if (bytes.size() < fst::header_size) {
        findings.report(FstCheck::header_cut, 0, bytes.size(), std::to_string(fst::header_size) + " bytes",
                        std::to_string(bytes.size()));
        fail(Failure::input, input_.name() + ": the FST file ends inside its header");
    }
    const auto number = [&](std::size_t at) { return fst::load_be(bytes.data() + at); };
    header_.start = number(fst::at_start);
    header_.end = number(fst::at_end);
    header_.sections = number(fst::at_sections);
    const auto test = std::bit_cast<std::uint64_t>(fst::endian_test);
    header_.is_swapped = number(fst::at_endian) == test;
    if (!header_.is_swapped && load_le<std::uint64_t>(bytes.data() + fst::at_endian) != test)
        findings.report(FstCheck::endian_unknown, fst::at_endian, 8, "e", {});
    constexpr int finest = -15, coarsest = 2;
    const int exponent = static_cast<std::int8_t>(bytes[fst::at_timescale]);
    if (exponent < finest || exponent > coarsest)
        findings.report(FstCheck::timescale_wrong, fst::at_timescale, 1, "-15 to 2", std::to_string(exponent));
    else
        header_.exponent = exponent;
    header_.version = text_at(bytes, fst::at_version, fst::version_size);
    header_.date = text_at(bytes, fst::at_date, fst::date_size);
    header_.time_zero = static_cast<std::int64_t>(number(fst::at_time_zero));
}

void FstFile::find_blocks(const FstFindings& findings) {
    for (std::uint64_t at = 0; at < size_;) {
        const std::vector<std::byte> head = bytes_at(at, std::min<std::uint64_t>(size_ - at, block_head));
        if (head.size() < block_head) {
            findings.report(FstCheck::block_cut, at, head.size(), "a type and a size", {});
            break;
        }
        const FstBlock block{static_cast<fst::Block>(head[0]), at, fst::load_be(head.data() + 1)};
        if (block.type == fst::Block::skip) {
            findings.report(FstCheck::block_unfinished, at, block_head);
            break;
        }
        if (block.size < least_size(block.type)) {
            findings.report(FstCheck::block_size_wrong, at, block_head,
                            "at least " + std::to_string(least_size(block.type)), std::to_string(block.size));
            break;
        }
        if (block.size > size_ - at - 1) {
            findings.report(FstCheck::block_cut, at, size_ - at, std::to_string(block.size) + " bytes behind its type",
                            std::to_string(size_ - at - 1));
            break;
        }
        switch (block.type) {
            case fst::Block::changes:
            case fst::Block::changes_alias:
            case fst::Block::changes_alias_2:
                changes_.push_back(block);
                break;
            case fst::Block::geometry:
                geometry_ = block;
                break;
            case fst::Block::hierarchy:
            case fst::Block::hierarchy_lz4:
            case fst::Block::hierarchy_lz4_twice:
                hierarchy_ = block;
                break;
            case fst::Block::blackout:
                ++blackouts_;
                break;
            case fst::Block::header:
                break;
            default:
                findings.report(FstCheck::block_unknown, at, block_head, {},
                                std::to_string(static_cast<unsigned>(block.type)));
        }
        at += block.size + 1;
    }
    if (changes_.size() < header_.sections)
        findings.report(FstCheck::blocks_missing, fst::at_sections, 8, std::to_string(header_.sections),
                        std::to_string(changes_.size()));
}

}  // namespace hwtrace::waveform

#include "chunks.hpp"

#include <algorithm>
#include <utility>

#include "io/compression.hpp"
#include "io/counted.hpp"
#include "io/cursor.hpp"

namespace hwtrace::ftr {

namespace {

constexpr std::size_t window = 4096;             // bytes read at once; usually includes small chunks that follow
constexpr std::size_t longest_chunk_head = 128;  // allows for wide integers
constexpr std::uint64_t wrapper_tag = 24;        // "encoded CBOR data item" of RFC 8949
constexpr std::size_t greatest_expansion = 255;  // maximum ratio of an LZ4 block
constexpr std::byte break_byte{0xFF};

bool is_known(std::uint64_t kind) noexcept {
    return kind == 6 || (kind >= 8 && kind <= 15);
}

bool is_compressed(std::uint64_t kind) noexcept {
    return kind >= 8 && kind % 2 == 1;
}

bool is_block(std::uint64_t kind) noexcept {
    return kind == static_cast<std::uint64_t>(Chunk::block) || kind == static_cast<std::uint64_t>(Chunk::block_lz4);
}

bool begins_chunk(std::byte first) noexcept {
    constexpr unsigned tag_major = 6u << 5;
    const auto byte = std::to_integer<unsigned>(first);
    return byte >= tag_major && is_known(byte - tag_major);
}

/// Returns the number of elements of the array that contains the content, or 0 if there is no array.
std::uint64_t head_elements(std::uint64_t kind) noexcept {
    return (is_block(kind) ? 4u : is_compressed(kind) ? 1u : 0u) + (is_compressed(kind) ? 1u : 0u);
}

std::span<std::byte> room(std::vector<std::byte>& buffer, std::size_t size) {
    if (buffer.size() < size) buffer.resize(size);
    return {buffer.data(), size};
}

}  // namespace

std::string_view name_of_chunk(std::uint64_t kind) noexcept {
    switch (static_cast<Chunk>(kind)) {
        case Chunk::info:
            return "info";
        case Chunk::dictionary:
        case Chunk::dictionary_lz4:
            return "dictionary";
        case Chunk::directory:
        case Chunk::directory_lz4:
            return "directory";
        case Chunk::block:
        case Chunk::block_lz4:
            return "transaction block";
        case Chunk::relations:
        case Chunk::relations_lz4:
            return "relations";
    }
    return "unknown";
}

// --- the walk ---

ChunkWalk::ChunkWalk(const Input& input, const Limits& limits, Findings* findings)
    : input_(input), limits_(limits), findings_(findings), size_(input.size().value_or(0)) {}

void ChunkWalk::report(Check check, std::uint64_t offset, std::string expected, std::string got) {
    if (findings_ == nullptr) return;
    Finding finding{&rule(check), offset};
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    findings_->report(std::move(finding));
}

std::span<const std::byte> ChunkWalk::peek(std::uint64_t at) {
    const std::uint64_t wanted = std::min<std::uint64_t>(longest_chunk_head, size_ - std::min(at, size_));
    Buffer& buffer = buffers_[used_buffer_];
    if (at < buffer.at || at + wanted > buffer.at + buffer.size) {
        buffer.at = at;
        buffer.size = input_.read_at(at, room(buffer.bytes, window));
    }
    const std::size_t begin = static_cast<std::size_t>(at - buffer.at);
    if (begin >= buffer.size) return {};
    return std::span(buffer.bytes).subspan(begin, buffer.size - begin);
}

bool ChunkWalk::begin() {
    const std::span<const std::byte> bytes = peek(0);
    if (!bytes.empty() && bytes.size() < frame_head.size() &&
        std::ranges::equal(bytes, std::as_bytes(std::span(frame_head)).first(bytes.size()))) {
        report(Check::no_end, size_, "d9 d9 f7 9f", counted(bytes.size(), "byte") + " of it");
        begin_is_cut_ = true;
        return false;
    }
    CborCursor cursor(bytes);
    CborHead head;
    bool tagged = false;
    if (!cursor.peek(head)) {
        report(Check::no_frame, 0, "d9 d9 f7 9f", cursor.fault().found);
        return false;
    }
    if (head.major == CborMajor::tag && head.argument == self_described) {
        tagged = true;
        std::uint64_t number = 0;
        cursor.tag(number);
    }
    if (!cursor.array(items_)) {
        report(Check::no_frame, cursor.offset(), tagged ? "an array of indefinite length" : "d9 d9 f7 9f",
               cursor.fault().found);
        return false;
    }
    if (!tagged) {  // Many files start with an array, so this one must contain a chunk.
        CborHead first;
        if (!cursor.peek(first) || first.major != CborMajor::tag || !is_known(first.argument)) {
            report(Check::no_frame, 0, "d9 d9 f7 9f", "something else");
            return false;
        }
        report(Check::no_tag, 0, "tag 55799", "an array");
    }
    if (!items_.indefinite)
        report(Check::frame_with_length, cursor.offset() - 1, "an array of indefinite length",
               std::string("an array of ").append(std::to_string(items_.left)));
    at_ = cursor.offset();
    return true;
}

bool ChunkWalk::next(ChunkHead& chunk) {
    while (!ended_) {
        if (!items_.indefinite && items_.left == 0) {
            if (at_ < size_) report(Check::behind_end, at_, "the end of the file", counted(size_ - at_, "byte"));
            ended_ = true;
            return false;
        }
        if (at_ >= size_) {
            report(
                Check::no_end, size_, items_.indefinite ? "ff" : "another chunk",
                std::string("the end of the file; ").append(counted(chunks_, "chunk is usable", "chunks are usable")));
            ended_ = true;
            return false;
        }
        const std::span<const std::byte> bytes = peek(at_);
        if (bytes.empty()) {  // the file shrank
            size_ = at_;
            continue;
        }
        if (items_.indefinite && bytes[0] == break_byte) {
            if (at_ + 1 < size_)
                report(Check::behind_end, at_ + 1, "the end of the file", counted(size_ - at_ - 1, "byte"));
            ended_ = true;
            at_ = size_;
            return false;
        }
        if (!items_.indefinite) --items_.left;
        chunk = ChunkHead{};
        chunk.offset = at_;
        switch (parse(chunk)) {
            case Outcome::chunk:
                if (!goes_on()) end_in_front_of_next(chunk);
                at_ = behind_;
                ++chunks_;
                return true;
            case Outcome::skipped:
                at_ = behind_;
                break;
            case Outcome::cut: {
                // The length may be damaged instead. Other chunks then begin before the end that it states.
                const bool has_length = chunk.content != 0 && chunk.form == ChunkHead::Form::bytes;
                if (has_length && find_again(chunk.content, size_)) {
                    chunk.stored = at_ - chunk.content;
                    report(Check::no_chunk, chunk.content, "a length that ends before the next chunk",
                           std::string("a length that exceeds the end of the file; the next chunk is at byte ")
                               .append(std::to_string(at_)));
                    ++chunks_;
                    return true;
                }
                const bool known = is_known(chunk.kind);
                report(Check::cut_in_chunk, size_,
                       std::string("the rest of the ")
                           .append(known ? name_of_chunk(chunk.kind) : "")
                           .append(known ? " chunk" : "chunk")
                           .append(" at byte ")
                           .append(std::to_string(chunk.offset)),
                       std::string("the end of the file; ").append(counted(chunks_, "whole chunk")).append(" before"));
                ended_ = true;
                chunk.cut = true;
                at_ = size_;
                return known && chunk.content != 0;
            }
            case Outcome::damaged: {
                report(Check::no_chunk, fault_.offset, fault_.expected, fault_.found);
                if (!find_again(fault_.offset + 1, size_)) {
                    ended_ = true;
                    at_ = size_;
                    return false;
                }
                break;
            }
        }
    }
    return false;
}

ChunkWalk::Outcome ChunkWalk::fault(const CborCursor& cursor) {
    fault_ = cursor.fault();
    const bool near_end = cursor.offset() + longest_chunk_head / 2 >= size_;
    return fault_.at_end && near_end ? Outcome::cut : Outcome::damaged;
}

ChunkWalk::Outcome ChunkWalk::parse(ChunkHead& chunk) {
    CborCursor cursor(peek(at_), at_);
    CborHead head;
    if (!cursor.peek(head)) return fault(cursor);
    if (head.major != CborMajor::tag) {
        cursor.fail_at(at_, "the tag of a chunk");
        return fault(cursor);
    }
    cursor.tag(chunk.kind);
    if (!is_known(chunk.kind)) {
        if (probing_) return Outcome::damaged;
        const Outcome outcome = skip_item();
        if (outcome == Outcome::skipped)
            report(Check::unknown_chunk, chunk.offset, "a tag of 6 or 8 to 15", std::to_string(chunk.kind));
        return outcome;
    }
    const std::uint64_t elements = head_elements(chunk.kind);
    CborItems items;
    if (elements != 0) {
        if (!cursor.array(items)) return fault(cursor);
        if (!items.indefinite && items.left != elements) {
            cursor.fail_at(cursor.offset() - 1, is_block(chunk.kind) && is_compressed(chunk.kind) ? "an array of 5"
                                                : is_block(chunk.kind)                            ? "an array of 4"
                                                                                                  : "an array of 2");
            return fault(cursor);
        }
        if (is_block(chunk.kind))
            if (!cursor.unsigned_integer(chunk.stream) || !cursor.unsigned_integer(chunk.start) ||
                !cursor.unsigned_integer(chunk.end))
                return fault(cursor);
        if (is_compressed(chunk.kind)) {
            std::uint64_t raw = 0;
            if (!cursor.unsigned_integer(raw)) return fault(cursor);
            chunk.raw = raw;
        }
    }
    Outcome outcome = parse_content(cursor, chunk);
    if (outcome == Outcome::chunk && items.indefinite) {
        const std::span<const std::byte> behind = peek(behind_);
        if (behind.empty()) return Outcome::cut;
        if (behind[0] != break_byte) {
            fault_ = {behind_, "a break", "something else", false};
            return Outcome::damaged;
        }
        ++behind_;
    }
    if (outcome == Outcome::chunk && (chunk.odd || items.indefinite))
        report(Check::content_form, chunk.content, "one byte string",
               chunk.form == ChunkHead::Form::item     ? "the content itself"
               : chunk.form == ChunkHead::Form::pieces ? "a byte string in pieces"
               : items.indefinite                      ? "an array of indefinite length around it"
                                                       : "a tag before it");
    return outcome;
}

ChunkWalk::Outcome ChunkWalk::parse_content(CborCursor& cursor, ChunkHead& chunk) {
    CborHead head;
    if (!cursor.peek(head)) return fault(cursor);
    while (!probing_ && head.major == CborMajor::tag && head.argument == wrapper_tag && cursor.left() > 16) {
        chunk.odd = true;
        if (!cursor.head(head) || !cursor.peek(head)) return fault(cursor);
    }
    chunk.content = cursor.offset();
    if (probing_ && (head.major != CborMajor::bytes || head.indefinite())) return Outcome::damaged;
    if (head.major != CborMajor::bytes) {
        // Only a container can replace the byte string; anything else is damage.
        if ((head.major != CborMajor::array && head.major != CborMajor::map) || is_compressed(chunk.kind)) {
            cursor.fail_at(cursor.offset(), "a byte string");
            return fault(cursor);
        }
        chunk.odd = true;
        chunk.form = ChunkHead::Form::item;
        return measure_item(chunk);
    }
    cursor.head(head);
    chunk.content = cursor.offset();
    if (head.indefinite()) {
        chunk.odd = true;
        chunk.form = ChunkHead::Form::pieces;
        return measure_pieces(chunk);
    }
    chunk.stored = std::min(head.argument, size_ - chunk.content);
    behind_ = chunk.content + chunk.stored;
    return chunk.stored == head.argument ? Outcome::chunk : Outcome::cut;
}

ChunkWalk::Outcome ChunkWalk::measure_pieces(ChunkHead& chunk) {
    std::uint64_t at = chunk.content;
    for (;;) {
        CborCursor cursor(peek(at), at);
        CborHead head;
        chunk.stored = std::min(at, size_) - chunk.content;
        if (cursor.at_end()) return Outcome::cut;
        if (!cursor.peek(head)) return fault(cursor);
        if (head.is_break()) break;
        if (head.major != CborMajor::bytes || head.indefinite()) {
            cursor.fail_at(at, "a piece of a byte string");
            return fault(cursor);
        }
        cursor.head(head);
        if (head.argument > size_ - cursor.offset()) {
            chunk.stored = size_ - chunk.content;
            return Outcome::cut;
        }
        at = cursor.offset() + head.argument;
    }
    behind_ = at + 1;
    return Outcome::chunk;
}

/// Finds the end of an item by parsing it. Reads more bytes of the file until they contain the whole item.
ChunkWalk::Outcome ChunkWalk::measure_item(ChunkHead& chunk) {
    const std::uint64_t there = size_ - chunk.content;
    for (std::uint64_t count = window;; count *= 4) {
        const bool all = count >= there;
        check_limit(all ? there : count, limits_.block, "a chunk", "max-block");
        const auto bytes = room(item_, static_cast<std::size_t>(all ? there : count));
        CborCursor cursor(bytes.first(input_.read_at(chunk.content, bytes)), chunk.content);
        if (cursor.skip(limits_.depth)) {
            chunk.stored = cursor.offset() - chunk.content;
            behind_ = cursor.offset();
            return Outcome::chunk;
        }
        fault_ = cursor.fault();
        if (!fault_.at_end) return Outcome::damaged;
        chunk.stored = there;
        if (all) return Outcome::cut;
    }
}

ChunkWalk::Outcome ChunkWalk::skip_item() {
    ChunkHead item;
    item.content = at_;
    const Outcome outcome = measure_item(item);
    return outcome == Outcome::chunk ? Outcome::skipped : outcome;
}

/// Returns true if the end of the file or a chunk in the usual form follows the latest parsed chunk.
bool ChunkWalk::goes_on() {
    const std::span<const std::byte> bytes = peek(behind_);
    if (bytes.empty() || (!items_.indefinite && items_.left == 0)) return true;
    if (bytes[0] == break_byte) return behind_ + 1 == size_;
    const std::uint64_t at = at_, behind = behind_;
    probing_ = true;
    at_ = behind_;
    ChunkHead next;
    const bool is_chunk = begins_chunk(bytes[0]) && parse(next) == Outcome::chunk;
    probing_ = false;
    at_ = at;
    behind_ = behind;
    return is_chunk;
}

/// Shortens a chunk whose length is damaged. The length is damaged if the chunk seems to end inside another chunk and
/// several consecutive chunks begin before this end.
void ChunkWalk::end_in_front_of_next(ChunkHead& chunk) {
    const std::uint64_t at = at_;
    if (!chunk.odd && find_again(chunk.content, behind_)) {
        report(Check::no_chunk, chunk.content, "a length that ends before the next chunk",
               std::string("a length that ends inside the next chunk, which is at byte ").append(std::to_string(at_)));
        chunk.stored = at_ - chunk.content;
        behind_ = at_;
    }
    at_ = at;
}

/// Finds the next offset before `until` where several chunks follow each other. A single chunk head proves nothing,
/// because compressed contents often contain such bytes.
bool ChunkWalk::find_again(std::uint64_t from, std::uint64_t until) {
    constexpr std::size_t most = 64u << 10;
    ChunkWalk probe(input_, limits_, nullptr);
    probe.probing_ = true;
    std::size_t step = 256;  // usually the next chunk is near
    for (; from < until; from += step, step = std::min(4 * step, most)) {
        const auto bytes = room(item_, static_cast<std::size_t>(std::min<std::uint64_t>(step, until - from)));
        const std::size_t count = input_.read_at(from, bytes);
        for (std::size_t i = 0; i < count; ++i) {
            if (!begins_chunk(bytes[i]) || !probe.leads_on(from + i)) continue;
            at_ = from + i;
            return true;
        }
        if (count < step) break;
    }
    return false;
}

/// Returns true if several chunks follow each other at `at`, or one chunk precedes the end mark.
bool ChunkWalk::leads_on(std::uint64_t at) {
    constexpr unsigned enough = 4;
    at_ = at;
    used_buffer_ = 0;
    for (unsigned chain = 1;; ++chain) {
        ChunkHead chunk;
        if (parse(chunk) != Outcome::chunk || chunk.odd || chunk.stored == 0) return false;
        at_ = behind_;
        if (chain == enough) return true;
        used_buffer_ = chain;
        const std::span<const std::byte> behind = peek(at_);
        if (behind.empty()) return chain > 1;
        if (behind[0] == break_byte) return at_ + 1 == size_;
        if (!begins_chunk(behind[0])) return false;
    }
}

// --- contents ---

std::span<const std::byte> ContentSource::stored(const ChunkHead& chunk) {
    // A cut chunk is incomplete anyway, so its bytes up to the limit suffice.
    const std::uint64_t wanted = chunk.cut ? std::min(chunk.stored, limits_.block) : chunk.stored;
    check_limit(wanted, limits_.block, "a chunk", "max-block");
    const auto bytes = room(stored_, static_cast<std::size_t>(wanted));
    const std::span<const std::byte> there = bytes.first(input_.read_at(chunk.content, bytes));
    if (chunk.form != ChunkHead::Form::pieces) return there;
    joined_.clear();
    CborCursor cursor(there);
    CborHead head;
    while (!cursor.at_end() && cursor.head(head)) {
        const std::size_t count = std::min<std::uint64_t>(head.argument, cursor.left());
        joined_.insert(joined_.end(), cursor.at(), cursor.at() + count);
        cursor.advance(count);
    }
    return joined_;
}

bool ContentSource::fetch(const ChunkHead& chunk, Content& content) {
    const std::span<const std::byte> bytes = stored(chunk);
    content = {bytes, chunk.content, chunk.form != ChunkHead::Form::pieces};
    if (!content.in_file) content.base = 0;
    if (!chunk.raw) return true;
    if (chunk.cut) return false;  // reported before
    const auto report = [&](Check check, std::string expected, std::string got) {
        Finding finding{&rule(check), chunk.offset, chunk.size()};
        finding.where = name_of_chunk(chunk.kind);
        finding.expected = std::move(expected);
        finding.got = std::move(got);
        findings_.report(std::move(finding));
    };
    content.in_file = false;
    content.base = 0;
    // An LZ4 block cannot expand further. A larger size is wrong, and no memory is allocated for it.
    const std::uint64_t possible = bytes.size() * greatest_expansion + 64;
    if (*chunk.raw <= possible) {
        check_limit(*chunk.raw, limits_.block, "a decompressed chunk", "max-block");
        const auto raw = room(raw_, static_cast<std::size_t>(*chunk.raw));
        if (Lz4::decompress(bytes, raw)) {
            content.bytes = raw;
            return true;
        }
    }
    const auto most = room(raw_, static_cast<std::size_t>(std::min(possible, limits_.block)));
    const auto size = Lz4::decompress_any(bytes, most);
    if (!size) {
        report(Check::block_damaged, std::string("an LZ4 block of ").append(counted(*chunk.raw, "byte")),
               counted(bytes.size(), "byte").append(" that are not an LZ4 block"));
        return false;
    }
    report(Check::size_wrong, counted(*chunk.raw, "byte"), counted(*size, "byte"));
    content.bytes = most.first(*size);
    return true;
}

}  // namespace hwtrace::ftr

#include "entries.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "block_prefix.hpp"
#include "codec/line_findings.hpp"
#include "domain/value_text.hpp"
#include "io/compression.hpp"
#include "io/error.hpp"
#include "io/fastlz.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::size_t first_bytes = 2 + magic.size();  ///< entry mark, tag and magic of a HEAD
constexpr std::size_t search_window = 64u << 10;
constexpr std::size_t search_overlap = 64;  ///< longer than the checked fields of a HEAD or packed block
constexpr std::uint64_t largest_probe = 4u << 20, smallest_probe = 4u << 10;
constexpr std::uint64_t most_probed = 512u << 20;  ///< total bytes of all probes of a stream
constexpr std::size_t largest_kept = 4u << 20;     ///< the memory of larger blocks is released after use

/// Returns true if a stream may begin with these bytes. If there are fewer than `first_bytes`, they are the whole
/// stream.
bool may_begin(std::span<const std::byte> bytes) noexcept {
    if (bytes.empty()) return true;
    if (bytes.front() != entry_mark) return false;
    if (bytes.size() == 1 || begins(bytes, 0, Tag::packed)) return true;
    return begins(bytes, 0, Tag::head) &&
           std::ranges::all_of(as_text(bytes.subspan(2)), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

Entries::Entries(Input& input, const Settings& settings, Findings& findings)
    : limits_(settings.limits),
      findings_(findings),
      file_size_(input.seekable() && packing_of(input.head()) == Packing::plain ? input.size() : std::nullopt),
      unpacked_(input, limits_),
      window_(unpacked_) {
    const std::span<const std::byte> first = window_.peek(first_bytes);
    begins_well_ = may_begin(first.first(std::min(first.size(), first_bytes)));
}

std::uint64_t Entries::position() const noexcept {
    return unpacked_.packing() == Packing::plain ? window_.offset() : unpacked_.file_offset();
}

// --- findings ---

/// Returns the file offset after the current entry. For a packed entry, this is the end of the outermost block.
std::uint64_t Entries::end_in_file() const noexcept {
    const auto last = levels_.begin() + static_cast<std::ptrdiff_t>(depth_);
    const auto packed = std::find_if(levels_.begin(), last, [](const Level& level) { return level.packed; });
    return packed == last ? cursor_.offset() : packed->outer.offset();
}

Finding Entries::finding(Check check) const {
    Finding finding{.rule = &rule(check), .offset = packed_ != 0 ? block_at_ : entry_at_};
    const std::uint64_t end = end_in_file();
    if (end > finding.offset) finding.length = end - finding.offset;
    if (packed_ != 0) finding.inner_offset = entry_at_;
    if (unpacked_.packing() != Packing::plain) {
        finding.inner_offset = finding.offset;
        finding.offset = unpacked_.file_offset();
        finding.length = 1;
    }
    return finding;
}

void Entries::report(Check check, std::string expected, std::string got) {
    Finding found = finding(check);
    found.expected = std::move(expected);
    found.got = std::move(got);
    findings_.report(std::move(found));
}

// --- entries ---

bool Entries::slow_next(Entry& entry) {
    EntryFault fault;
    while (!ended_) {
        if (cursor_.at_end()) {
            if (!advance()) return false;
            continue;
        }
        entry_at_ = cursor_.offset();
        try {
            if (begins(cursor_.rest(), 0, Tag::section)) {
                if (depth_ != packed_)
                    damaged("an entry other than a section", "a section inside a section");
                else
                    open_sections();
                continue;
            }
            find_layout_here();
            if (!parse_entry(cursor_, layout(), entry, fault)) {
                damaged(std::move(fault.expected), std::move(fault.found));
                continue;
            }
        } catch (const Truncated& truncated) {
            if (!cut(truncated)) return false;
            continue;
        }
        if (entry.tag == Tag::head || entry.tag == Tag::switch_trace) select_trace(entry);
        if (entry.tag != Tag::packed) return true;
        open_block(entry);
    }
    return false;
}

/// Finds the layout of the current trace if the entry at the cursor is a definition that may show it.
void Entries::find_layout_here() {
    const std::span<const std::byte> rest = cursor_.rest();
    if (layout_->is_decided || rest.size() < 2 || rest.front() != entry_mark) return;
    const auto tag = static_cast<Tag>(rest[1]);
    if ((tag < Tag::scope || tag > Tag::scattered_reference) && tag != Tag::member) return;
    const std::size_t available = cursor_.left();
    const std::optional<Layout> known = layout_->is_known ? std::optional(layout_->layout) : std::nullopt;
    Rest behind = depth_ != 0 ? Rest::block : Rest::arriving;
    LayoutSearch search;
    while ((search = find_layout(cursor_.rest(), behind, known)).needs_more)
        if (!need(std::max(available, cursor_.left()) + 1)) behind = Rest::nothing;
    if (search.layout)
        *layout_ = {*search.layout, true, true};
    else
        layout_->is_known = true;  // the definition is read in this layout
}

/// Selects the trace of a HEAD or SWTH. A HEAD that restarts a trace keeps its items, and therefore its layout until a
/// definition shows another one.
void Entries::select_trace(const Entry& entry) {
    layout_ = &layouts_[entry.item];
    if (entry.tag != Tag::head) return;
    if (entry.version == version_4)
        *layout_ = {Layout::emitters_4, true, true};
    else if (layout_->layout == Layout::emitters_4)
        *layout_ = {};
    else if (entry.type == 0)
        layout_->is_decided = false;
}

/// Refills the cursor at its end. Returns false at the end of the stream.
bool Entries::advance() {
    if (depth_ != 0) {
        next_piece();
        return true;
    }
    window_.consume(static_cast<std::size_t>(cursor_.offset() - window_.offset()));
    const std::span<const std::byte> bytes = window_.peek(1);
    cursor_ = Cursor(bytes, window_.offset());
    if (!bytes.empty()) return true;
    end();
    return false;
}

void Entries::end() {
    ended_ = true;
    if (ending_ == Ending::whole && unpacked_.state() == Unpacked::State::truncated) ending_ = Ending::cut;
    if (ending_ == Ending::whole && unpacked_.state() == Unpacked::State::damaged) ending_ = Ending::damaged;
    report_packing(unpacked_, rule(Check::packing_cut), rule(Check::packing_damaged), findings_);
}

/// Makes `count` bytes available at the cursor, which must be at the start of the current entry. Returns false if the
/// stream or block has fewer.
bool Entries::need(std::uint64_t count) {
    if (cursor_.left() >= count) return true;
    if (depth_ != 0) return false;
    window_.consume(static_cast<std::size_t>(cursor_.offset() - window_.offset()));
    const std::span<const std::byte> bytes = window_.peek(static_cast<std::size_t>(count));
    cursor_ = Cursor(bytes, window_.offset());
    return bytes.size() >= count;
}

/// Handles an entry that is incomplete in the cursor's bytes. Returns false if the stream ends there.
bool Entries::cut(const Truncated& truncated) {
    const std::uint64_t before = truncated.offset() - entry_at_;
    const std::uint64_t wanted =
        truncated.needed() > ~std::uint64_t{0} - before ? ~std::uint64_t{0} : before + truncated.needed();
    std::string expected = counted(wanted, "byte") + " of an entry";
    if (depth_ != 0) {
        damaged(std::move(expected), counted(cursor_.left(), "byte"));
        return true;
    }
    const bool is_block = begins(cursor_.rest(), 0, Tag::packed);
    const std::uint64_t limit = is_block ? limits_.block : limits_.record;
    // A size beyond the end of the file may be damage; entries after it may still be readable.
    const bool fits = !file_size_ || (entry_at_ <= *file_size_ && wanted <= *file_size_ - entry_at_);
    if (fits) {
        check_limit(wanted, limit, is_block ? "a packed block" : "an entry", is_block ? "--max-block" : "--max-record");
        if (need(wanted)) return true;
    }
    const Finding found = finding(Check::cut_entry);
    const std::uint64_t left = left_of_stream();
    if (!(is_block && is_cut_block()) && find_again()) {
        Finding damage = found;
        damage.rule = &rule(Check::no_entry);
        damage.expected = std::move(expected);
        damage.got = "a size that points beyond the next block or HEAD";
        findings_.report(std::move(damage));
        gap_ = Gap::damage;
        return true;
    }
    Finding end_of_stream = found;
    if (file_size_) end_of_stream.length = left;
    end_of_stream.expected = std::move(expected);
    end_of_stream.got = counted(left, "byte");
    findings_.report(std::move(end_of_stream));
    if (ending_ == Ending::whole) ending_ = Ending::cut;
    end();
    return false;
}

/// Returns the number of bytes from the current entry to the end of the file. Counts only the available bytes if the
/// file size is unknown.
std::uint64_t Entries::left_of_stream() const noexcept {
    return file_size_ ? *file_size_ - std::min(*file_size_, entry_at_) : cursor_.left();
}

/// Decides why the current packed block extends beyond the stream. Returns true if the block was cut, false if its
/// size is wrong.
bool Entries::is_cut_block() {
    if (probed_ >= most_probed) return false;
    need(std::min({left_of_stream(), limits_.block, most_probed - probed_}));
    probed_ += std::max<std::uint64_t>(cursor_.left(), smallest_probe);
    Cursor block = cursor_;
    try {
        block.skip(2);
        const auto mode = static_cast<Pack>(block.le<std::uint8_t>());
        const std::uint64_t raw_size = block.leb128();
        block.leb128();  // packed size
        return may_begin_block(mode, block.rest(), raw_size);
    } catch (const Truncated&) {
        return true;
    } catch (const Error&) {  // a number of more than 64 bits
        return false;
    }
}

/// Reports the current entry as unreadable. Skips the rest of its block or section; outside of both, skips to the next
/// HEAD or block.
void Entries::damaged(std::string expected, std::string found) {
    Check check = Check::no_entry;
    if (depth_ == 0 && entry_at_ == 0) {
        check = Check::not_flux;
        ending_ = Ending::not_flux;
    }
    if (depth_ != 0 && !levels_[depth_ - 1].packed) check = Check::section_damaged;
    report(check, std::move(expected), std::move(found));
    gap_ = Gap::damage;
    if (depth_ != 0)
        next_piece();
    else if (!find_again())
        end();
}

/// Moves the cursor to the next HEAD or packed block after the current entry. Returns false if there is none.
bool Entries::find_again() {
    std::uint64_t from = entry_at_ + 1;
    for (;;) {
        window_.consume(static_cast<std::size_t>(from - window_.offset()));
        std::span<const std::byte> bytes = window_.peek(search_window);
        const bool is_rest = bytes.size() < search_window;
        const std::size_t last = is_rest ? bytes.size() : bytes.size() - search_overlap;
        for (std::size_t at = 0; at < last; ++at) {
            const void* const zero = std::memchr(bytes.data() + at, 0, last - at);
            if (zero == nullptr) break;
            at = static_cast<std::size_t>(static_cast<const std::byte*>(zero) - bytes.data());
            const bool found = begins_something(bytes, at);
            bytes = window_.peek(search_window);  // a probe may have moved the window's memory
            if (!found) continue;
            window_.consume(at);
            cursor_ = Cursor(window_.peek(1), window_.offset());
            return true;
        }
        if (is_rest) {
            window_.consume(bytes.size());
            cursor_ = Cursor({}, window_.offset());
            return false;
        }
        from += last;
    }
}

/// Returns true if a HEAD, or a block that can be unpacked, begins at index `at` of the window's bytes.
bool Entries::begins_something(std::span<const std::byte> bytes, std::size_t at) {
    if (begins(bytes, at, Tag::head)) {
        const std::span<const std::byte> behind = bytes.subspan(at + 2);
        return behind.size() > magic.size() && as_text(behind.first(magic.size())) == magic &&
               (behind[magic.size()] == std::byte{version_4} || behind[magic.size()] == std::byte{version_6});
    }
    if (!begins(bytes, at, Tag::packed) || probed_ >= most_probed) return false;
    Entry entry;
    EntryFault fault;
    for (bool more = true; more;) {
        more = false;
        Cursor cursor(bytes.subspan(at));
        try {
            if (!parse_entry(cursor, layout(), entry, fault) || entry.from > largest_probe) return false;
        } catch (const Truncated& truncated) {
            const std::uint64_t wanted = truncated.offset() + truncated.needed();
            if (truncated.needed() > largest_probe || at + wanted <= bytes.size()) return false;
            bytes = window_.peek(at + static_cast<std::size_t>(wanted));
            if (bytes.size() < at + wanted) return false;
            more = true;
        }
    }
    probed_ += std::max(entry.from, smallest_probe);
    std::vector<std::byte> raw;
    return entry.from != 0 && unpack(entry, raw);
}

// --- blocks ---

void Entries::open_block(const Entry& entry) {
    if (entry.type > static_cast<std::uint8_t>(Pack::gzip)) {
        report(Check::block_mode, "0 to 3", std::to_string(entry.type));
        gap_ = Gap::damage;
        return;
    }
    if (packed_ >= limits_.depth) {
        report(Check::block_depth, "at most " + counted(limits_.depth, "nested block"), "another one");
        gap_ = Gap::damage;
        return;
    }
    std::uint64_t open_bytes = entry.from;
    for (std::size_t i = 0; i < depth_; ++i)
        open_bytes += levels_[i].bytes.size();
    check_limit(std::max(open_bytes, entry.from), limits_.block, "a packed block and the blocks around it",
                "--max-block");
    const std::uint64_t entry_at = entry_at_;
    Level& level = push(true);
    if (!unpack(entry, level.bytes)) {
        const std::size_t size = entry.bytes.size();
        --depth_;
        --packed_;
        report(Check::block_damaged, counted(entry.from, "byte") + " of " + counted(size, "packed byte"),
               "bytes that cannot be unpacked to this size");
        gap_ = Gap::damage;
        return;
    }
    ++counts_.blocks;
    counts_.raw_bytes += entry.from;
    counts_.packed_bytes += entry.bytes.size();
    if (packed_ == 1) block_at_ = entry_at;
    level.pieces.push_back({0, level.bytes.size(), 0});
    next_piece();
}

bool Entries::unpack(const Entry& entry, std::vector<std::byte>& raw) const {
    if (entry.from > entry.bytes.size() * largest_expansion + smallest_block) return false;
    raw.resize(static_cast<std::size_t>(entry.from));
    switch (static_cast<Pack>(entry.type)) {
        case Pack::lz4:
            return Lz4::decompress(entry.bytes, raw);
        case Pack::fastlz:
            return decompress_fastlz(entry.bytes, raw);
        case Pack::zlib:
        case Pack::gzip:
            return inflate_whole(entry.bytes, raw);
    }
    return false;
}

Entries::Level& Entries::push(bool packed) {
    if (levels_.size() == depth_) levels_.emplace_back();
    Level& level = levels_[depth_++];
    level.pieces.clear();
    level.next_piece = 0;
    level.packed = packed;
    level.outer = cursor_;
    if (packed) ++packed_;
    return level;
}

/// Moves the cursor to the next piece of the innermost level; after the last piece, leaves the level.
void Entries::next_piece() {
    Level& level = levels_[depth_ - 1];
    if (level.next_piece < level.pieces.size()) {
        const Level::Piece& piece = level.pieces[level.next_piece++];
        cursor_ = Cursor(std::span(level.bytes).subspan(piece.begin, piece.size), piece.offset);
        return;
    }
    cursor_ = level.outer;
    if (level.bytes.capacity() > largest_kept) level.bytes = {};
    --depth_;
    if (level.packed) --packed_;
}

}  // namespace hwtrace::flux

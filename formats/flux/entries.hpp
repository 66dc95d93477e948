// formats/flux/entries.hpp - reads the entries of a stream in order, through packed blocks and ring sections.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "entry.hpp"
#include "io/cursor.hpp"
#include "io/unpacked.hpp"
#include "layout.hpp"
#include "model/hash.hpp"
#include "rules.hpp"

namespace hwtrace {
class Appender;
}  // namespace hwtrace

namespace hwtrace::flux {

/// The kind of gap before an entry.
enum class Gap : std::uint8_t {
    none,
    damage,  ///< unreadable entries
    ring,    ///< entries that a ring overwrote
};

/// Reads a stream entry by entry. Unpacks blocks, orders ring sections and continues after damage.
class Entries {
public:
    /// All arguments must outlive this object.
    Entries(Input& input, const Settings& settings, Findings& findings);

    /// Reads the next entry. Blocks and sections are replaced by the entries inside them. Strings and bytes of the
    /// entry are valid until the next call. Returns false at the end, after reporting all findings.
    bool next(Entry& entry) {
        if (cursor_.left() >= fast_window && cursor_.rest().front() != std::byte{0}) [[likely]]
            if (fast_sample(entry)) return true;
        return slow_next(entry);
    }
    /// Returns the available bytes after the current entry, which may be more or fewer than the rest of the stream.
    std::span<const std::byte> rest() const noexcept { return cursor_.rest(); }
    /// Skips samples, which are the bytes of rest() up to `end`. The last one, at `last`, becomes the current entry.
    void skip_samples(const std::byte* last, const std::byte* end) {
        const std::byte* const begin = cursor_.rest().data();
        entry_at_ = cursor_.offset() + static_cast<std::uint64_t>(last - begin);
        cursor_.skip(static_cast<std::size_t>(end - begin));
    }
    /// Returns the layout of the current trace. Until a definition shows another one, this is Layout::emitters_6.
    Layout layout() const noexcept { return layout_->layout; }

    /// Returns the gap before the current entry and clears it.
    Gap take_gap() noexcept {
        const Gap gap = gap_;
        gap_ = Gap::none;
        return gap;
    }
    bool has_gap() const noexcept { return gap_ != Gap::none; }

    /// Returns a finding at the current entry.
    Finding finding(Check check) const;
    void report(Check check, std::string expected, std::string got);
    void report(Finding finding) { findings_.report(std::move(finding)); }
    /// Returns the size of the current entry in bytes.
    std::uint64_t size() const noexcept { return cursor_.offset() - entry_at_; }
    /// Returns the number of packed blocks around the current entry; 0: it is in the file itself.
    std::size_t depth() const noexcept { return packed_; }
    /// Returns the offset of the current entry: in the file if depth() is 0, else in the unpacked innermost block.
    std::uint64_t offset() const noexcept { return entry_at_; }
    /// Returns the offset of the outermost block around the current entry.
    std::uint64_t block_offset() const noexcept { return block_at_; }

    /// How the stream ends, as far as it has been read.
    enum class Ending : std::uint8_t {
        whole,
        cut,       ///< the stream ends inside an entry, or the compressed file is cut
        damaged,   ///< the compressed file is damaged
        not_flux,  ///< the first bytes are not an entry
    };
    Ending ending() const noexcept { return ending_; }
    /// Returns true if the available bytes at the start of the stream match a HEAD or a packed block.
    bool begins_well() const noexcept { return begins_well_; }

    /// Prepares for save_place(). Returns false if the input cannot be read from a place inside.
    bool keep_places() { return unpacked_.keep_places(); }
    /// Appends the place of the next entry. Returns false and appends nothing inside a section or a nested block.
    bool save_place(std::uint64_t trace, Appender& out) const;
    /// Continues where another object called save_place(), and returns its `trace`. Returns nullopt if the input lacks
    /// the place.
    std::optional<std::uint64_t> restore_place(Cursor& in);

    std::uint64_t position() const noexcept;
    Packing packing() const noexcept { return unpacked_.packing(); }
    struct Counts {
        std::uint64_t blocks = 0, raw_bytes = 0, packed_bytes = 0, sections = 0;
    };
    const Counts& counts() const noexcept { return counts_; }

private:
    /// Upper bound for the size of the fields before a sample's value: three numbers and a tag.
    static constexpr std::size_t fast_window = 32;

    /// The content of a packed block or of all sections of a ring.
    struct Level {
        struct Piece {
            std::size_t begin = 0, size = 0;  ///< in `bytes`
            std::uint64_t offset = 0;         ///< value of offset() at the first byte
        };
        std::vector<std::byte> bytes;
        std::vector<Piece> pieces;  ///< in reading order
        std::size_t next_piece = 0;
        bool packed = false;
        Cursor outer{{}};  ///< continues after the block or ring
    };

    bool fast_sample(Entry& entry) {
        const std::byte* const begin = cursor_.rest().data();
        const std::byte* at = begin;
        const std::byte* const last = begin + fast_window;
        std::uint64_t front = 0, header = 0;
        if (!fast_number(at, last, front)) return false;
        entry.mark = static_cast<std::uint8_t>(front & flag_marked);
        if ((front & flag_tag) != 0) entry.mark = std::to_integer<std::uint8_t>(*at++);
        entry.delta = 0;
        if ((front & flag_delta) != 0 && !fast_number(at, last, entry.delta)) return false;
        if (!fast_number(at, last, header)) return false;
        const auto head = static_cast<std::size_t>(at - begin);
        const std::uint64_t size = header >> size_shift;
        if (size > cursor_.left() - head || front >> item_shift == 0) return false;
        entry_at_ = cursor_.offset();
        entry.tag = Tag::sample;
        entry.item = front >> item_shift;
        entry.flags = static_cast<std::uint8_t>(front & 7u);
        entry.nibble = static_cast<std::uint8_t>(header & nibble_mask);
        entry.bytes = {at, static_cast<std::size_t>(size)};
        cursor_.skip(head + static_cast<std::size_t>(size));
        return true;
    }
    /// Reads a number of at most 56 bits.
    static bool fast_number(const std::byte*& at, const std::byte* last, std::uint64_t& number) noexcept {
        std::uint64_t value = std::to_integer<std::uint64_t>(*at++);
        if (value >= 0x80) [[unlikely]] {
            value &= 0x7F;
            for (unsigned shift = 7;; shift += 7) {
                if (shift > 49 || at >= last) return false;
                const auto byte = std::to_integer<std::uint64_t>(*at++);
                value |= (byte & 0x7F) << shift;
                if (byte < 0x80) break;
            }
        }
        number = value;
        return at < last;
    }

    std::uint64_t end_in_file() const noexcept;
    bool slow_next(Entry& entry);
    void find_layout_here();
    void select_trace(const Entry& entry);
    bool advance();
    bool need(std::uint64_t count);
    bool cut(const Truncated& truncated);
    void damaged(std::string expected, std::string found);
    std::uint64_t left_of_stream() const noexcept;
    bool is_cut_block();
    bool find_again();
    bool begins_something(std::span<const std::byte> bytes, std::size_t at);
    void open_block(const Entry& entry);
    bool unpack(const Entry& entry, std::vector<std::byte>& raw) const;
    void open_sections();
    bool take_section(Level& level, std::vector<std::uint8_t>& laps);
    void order_sections(Level& level, const std::vector<std::uint8_t>& laps);
    Level& push(bool packed);
    void next_piece();
    void end();

    const Limits limits_;
    Findings& findings_;
    const std::optional<std::uint64_t> file_size_;  ///< none if the whole file is compressed
    Unpacked unpacked_;
    Window window_;
    Cursor cursor_{{}};
    /// The layout of a trace. After a HEAD, the next definition that shows a layout decides again.
    struct TraceLayout {
        Layout layout = Layout::emitters_6;
        bool is_known = false;    ///< an entry of the trace has shown it, or was read in it
        bool is_decided = false;  ///< an entry since the last HEAD has shown it
    };
    HashMap<std::uint64_t, TraceLayout> layouts_;  ///< by trace
    TraceLayout* layout_ = &layouts_[0];           ///< that of the current trace
    std::uint64_t entry_at_ = 0, block_at_ = 0;
    std::size_t depth_ = 0, packed_ = 0;  ///< number of levels in use; number of packed levels among them
    std::deque<Level> levels_;
    std::uint64_t probed_ = 0;  ///< bytes unpacked so far to check whether a block begins
    Gap gap_ = Gap::none;
    Counts counts_;
    bool ended_ = false, begins_well_ = false;
    Ending ending_ = Ending::whole;
};

}  // namespace hwtrace::flux

#include "codec/trace_index.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "codec/format.hpp"
#include "codec/resumable.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/fnv1a.hpp"

namespace hwtrace {

namespace {

// The file: a head, the compressed states, the directory, and a tail of fixed size that locates the directory.
constexpr std::string_view head_magic("HWTIDX\r\n", 8);
constexpr std::string_view tail_magic("\r\nXDITWH", 8);
constexpr std::size_t head_size = 16;   // magic, version u32, zero u32
constexpr std::size_t tail_size = 32;   // offset, size and checksum of the directory u64, magic
constexpr std::size_t part_size = 24;   // of an IndexPart in the directory
constexpr std::size_t entry_size = 56;  // of a checkpoint in the directory
constexpr std::uint64_t largest_directory = std::uint64_t{1} << 30;
constexpr std::uint32_t largest_state = 256u << 20;

std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept {
    Fnv1a64 sum;
    sum.add(bytes);
    return sum.value();
}

std::uint64_t bits_of(Tick time) noexcept {
    return static_cast<std::uint64_t>(time);
}

IndexPart part_at(Cursor& in) {
    IndexPart part;
    part.offset = in.le<std::uint64_t>();
    part.size = in.le<std::uint32_t>();
    part.raw_size = in.le<std::uint32_t>();
    part.checksum = in.le<std::uint64_t>();
    return part;
}

/// Returns true if the part lies in front of the directory, which begins at `end`.
bool is_inside(const IndexPart& part, std::uint64_t end) noexcept {
    return part.offset >= head_size && part.offset <= end && part.size <= end - part.offset &&
           part.raw_size <= largest_state;
}

void append_part(const IndexPart& part, Appender& out) {
    out.le(part.offset);
    out.le(part.size);
    out.le(part.raw_size);
    out.le(part.checksum);
}

}  // namespace

std::string index_path(std::string_view path) {
    return std::string(path).append(".hwtidx");
}

std::uint64_t samples_of(const Input& input) {
    constexpr std::uint64_t end_size = 64u << 10, block = 4096, blocks = 62;
    const std::uint64_t size = input.size().value_or(0);
    std::vector<std::byte> bytes(end_size);
    Fnv1a64 sum;
    const auto add = [&](std::uint64_t offset, std::uint64_t count) {
        const std::span<std::byte> part = std::span(bytes).first(static_cast<std::size_t>(count));
        sum.add(part.first(input.read_at(offset, part)));
    };
    add(0, std::min(size, end_size));
    if (size <= end_size) return sum.value();
    for (std::uint64_t i = 1; i <= blocks; ++i)
        add(size / (blocks + 1) * i, block);
    add(size - end_size, end_size);
    return sum.value();
}

// --- reading ---------------------------------------------------------------------------------------------------------

std::shared_ptr<TraceIndex> TraceIndex::open(Input file, const Input& trace, std::string_view format, Fault& fault) {
    std::shared_ptr<TraceIndex> index(new TraceIndex(std::move(file)));
    std::optional<Fault> found;
    try {
        found = index->read(format);
    } catch (const Error& error) {
        if (error.failure() == Failure::io) throw;
        found = Fault::damaged;
    }
    const TraceIdentity& told = index->identity_;
    if (!found && (trace.size() != told.size || samples_of(trace) != told.samples)) found = Fault::other_trace;
    if (!found) return index;
    fault = *found;
    return nullptr;
}

std::shared_ptr<TraceIndex> TraceIndex::open(std::vector<std::byte> bytes, const Input& trace, std::string_view format,
                                             Fault& fault) {
    std::shared_ptr<TraceIndex> index = open(Input::memory("index of " + trace.name(), bytes), trace, format, fault);
    // The bytes keep their address, so that the input remains valid.
    if (index) index->memory_ = std::move(bytes);
    return index;
}

/// Reads and checks everything but the states. Returns the reason why the index cannot be used.
std::optional<TraceIndex::Fault> TraceIndex::read(std::string_view format) {
    const std::uint64_t size = file_.size().value_or(0);
    if (size < head_size + tail_size) return Fault::damaged;
    const std::vector<std::byte> head = file_.read_all_at(0, head_size);
    if (as_text(head).substr(0, head_magic.size()) != head_magic) return Fault::damaged;
    const auto version = load_le<std::uint32_t>(head.data() + head_magic.size());
    if (version > newest_version) return Fault::newer;
    if (version == 0) return Fault::damaged;
    if (version < newest_version) return Fault::older;
    const std::vector<std::byte> tail = file_.read_all_at(size - tail_size, tail_size);
    Cursor at(tail);
    const auto offset = at.le<std::uint64_t>(), bytes = at.le<std::uint64_t>(), checksum = at.le<std::uint64_t>();
    if (as_text(at.rest()) != tail_magic || bytes > largest_directory || bytes > size - tail_size - head_size ||
        offset != size - tail_size - bytes)
        return Fault::damaged;
    const std::vector<std::byte> directory = file_.read_all_at(offset, static_cast<std::size_t>(bytes));
    if (checksum_of(directory) != checksum) return Fault::damaged;

    Cursor in(directory, offset);
    const std::string told(as_text(in.take(in.le<std::uint8_t>())));
    identity_ = {in.le<std::uint64_t>(), in.le<std::uint64_t>(), in.le<std::uint64_t>()};
    totals_.positions = in.le<std::uint64_t>();
    totals_.records = in.le<std::uint64_t>();
    totals_.every = in.le<std::uint64_t>();
    const auto flags = in.le<std::uint8_t>();
    totals_.has_one_time = (flags & 1u) != 0;
    totals_.has_relations = (flags & 4u) != 0;
    totals_.has_texts = (flags & 8u) != 0;
    const auto first = in.le<std::int64_t>(), last = in.le<std::int64_t>();
    if ((flags & 2u) != 0) totals_.first_time = first, totals_.last_time = last;
    const auto count = in.le<std::uint64_t>();
    const std::size_t behind = extras_.size() * part_size;
    if (in.left() < behind || count != (in.left() - behind) / entry_size || (in.left() - behind) % entry_size != 0)
        return Fault::damaged;
    checkpoints_.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        Checkpoint entry;
        entry.position = in.le<std::uint64_t>();
        entry.records = in.le<std::uint64_t>();
        entry.latest = in.le<std::int64_t>();
        entry.ids_below = in.le<std::uint64_t>();
        entry.state = part_at(in);
        const bool is_ordered = checkpoints_.empty() || (entry.position >= checkpoints_.back().position &&
                                                         entry.latest >= checkpoints_.back().latest &&
                                                         entry.ids_below >= checkpoints_.back().ids_below);
        if (!is_inside(entry.state, offset) || !is_ordered) return Fault::damaged;
        checkpoints_.push_back(entry);
    }
    for (IndexPart& extra : extras_) {
        extra = part_at(in);
        if (extra.size != 0 && !is_inside(extra, offset)) return Fault::damaged;
    }
    return told == format ? std::nullopt : std::optional(Fault::other_format);
}

const Checkpoint* TraceIndex::before_position(std::uint64_t position) const noexcept {
    const auto behind = std::ranges::upper_bound(checkpoints_, position, {}, &Checkpoint::position);
    return behind == checkpoints_.begin() ? nullptr : &*(behind - 1);
}

const Checkpoint* TraceIndex::before_time(Tick time) const noexcept {
    if (!totals_.has_one_time) return nullptr;
    const auto behind = std::ranges::lower_bound(checkpoints_, time, {}, &Checkpoint::latest);
    return behind == checkpoints_.begin() ? nullptr : &*(behind - 1);
}

const Checkpoint* TraceIndex::before_id(std::uint64_t id) const noexcept {
    if (id == std::numeric_limits<std::uint64_t>::max()) return nullptr;
    const auto behind = std::ranges::upper_bound(checkpoints_, id, {}, &Checkpoint::ids_below);
    return behind == checkpoints_.begin() ? nullptr : &*(behind - 1);
}

std::optional<std::vector<std::byte>> TraceIndex::content_of(const IndexPart& part) const {
    std::vector<std::byte> packed(part.size);
    packed.resize(file_.read_at(part.offset, packed));
    std::vector<std::byte> content(part.raw_size);
    ZstdBlock zstd;
    if (packed.size() == part.size && checksum_of(packed) == part.checksum && zstd.decompress(packed, content))
        return content;
    if (on_damage && !std::exchange(told_, true)) on_damage("a checkpoint of the index is damaged");
    return std::nullopt;
}

std::optional<CheckpointState> TraceIndex::state_of(const Checkpoint& checkpoint) const {
    std::optional<std::vector<std::byte>> content = content_of(checkpoint.state);
    if (!content) return std::nullopt;
    CheckpointState state{std::move(*content), 0};
    const bool has_size = state.bytes.size() >= sizeof(std::uint32_t);
    if (has_size) {
        state.reader_size = load_le<std::uint32_t>(state.bytes.data());
        state.bytes.erase(state.bytes.begin(), state.bytes.begin() + sizeof(std::uint32_t));
    }
    if (has_size && state.reader_size <= state.bytes.size()) return state;
    if (on_damage && !std::exchange(told_, true)) on_damage("a checkpoint of the index is damaged");
    return std::nullopt;
}

std::optional<std::vector<std::byte>> TraceIndex::extra(IndexExtra which) const {
    const IndexPart& part = extras_[static_cast<std::size_t>(which)];
    return part.size == 0 ? std::nullopt : content_of(part);
}

void refuse_index(const TraceIndex& index) {
    fail(Failure::input, index.name() + ": does not fit the trace; make it again with hwtrace-index --force");
}

void use_survey(const TraceIndex* index, Settings& settings) {
    if (index == nullptr) return;
    if (const auto survey = index->extra(IndexExtra::survey)) set_survey(settings, std::string(as_text(*survey)));
}

std::optional<TraceOutline> outline_in(const TraceIndex& index) {
    const auto bytes = index.extra(IndexExtra::outline);
    if (!bytes) return std::nullopt;
    try {
        Cursor in(*bytes);
        TraceOutline outline = restore_outline(in);
        if (in.at_end()) return outline;
    } catch (const Error& error) {
        if (error.failure() != Failure::input) throw;
    }
    refuse_index(index);
}

std::shared_ptr<const TraceIndex> index_for(const Format& to, const Settings& settings,
                                            std::shared_ptr<const TraceIndex> index) {
    const bool keeps_texts = to.writes.keeps_texts != nullptr && to.writes.keeps_texts(settings);
    if (index && keeps_texts && index->totals().has_texts) return nullptr;
    return index;
}

// --- writing ---------------------------------------------------------------------------------------------------------

TraceIndexWriter::TraceIndexWriter(Output& output) : output_(output) {
    raw_.text(head_magic);
    raw_.le(TraceIndex::newest_version);
    raw_.le(std::uint32_t{0});
    output_.append(raw_.span());
}

IndexPart TraceIndexWriter::part_of(std::span<const std::byte> content) {
    check_limit(content.size(), largest_state, "the state at a checkpoint", "--every");
    packed_.clear();
    zstd_.compress(content, packed_);
    const IndexPart part{output_.size(), static_cast<std::uint32_t>(packed_.size()),
                         static_cast<std::uint32_t>(content.size()), checksum_of(packed_.span())};
    output_.append(packed_.span());
    return part;
}

void TraceIndexWriter::add(Checkpoint checkpoint, std::span<const std::byte> reader, std::span<const std::byte> stage) {
    raw_.clear();
    raw_.le(static_cast<std::uint32_t>(reader.size()));
    raw_.bytes(reader);
    raw_.bytes(stage);
    checkpoint.state = part_of(raw_.span());
    checkpoints_.push_back(checkpoint);
}

void TraceIndexWriter::add(IndexExtra which, std::span<const std::byte> content) {
    if (!content.empty()) extras_[static_cast<std::size_t>(which)] = part_of(content);
}

void TraceIndexWriter::finish(const TraceIdentity& identity, std::string_view format, const IndexTotals& totals) {
    Appender out;
    out.le(static_cast<std::uint8_t>(format.size()));
    out.text(format);
    for (const std::uint64_t number :
         {identity.size, identity.samples, identity.whole, totals.positions, totals.records, totals.every})
        out.le(number);
    const bool has_times = totals.first_time && totals.last_time;
    out.le(static_cast<std::uint8_t>((totals.has_one_time ? 1u : 0u) | (has_times ? 2u : 0u) |
                                     (totals.has_relations ? 4u : 0u) | (totals.has_texts ? 8u : 0u)));
    out.le(totals.first_time.value_or(0));
    out.le(totals.last_time.value_or(0));
    out.le(std::uint64_t{checkpoints_.size()});
    for (const Checkpoint& entry : checkpoints_) {
        for (const std::uint64_t number : {entry.position, entry.records, bits_of(entry.latest), entry.ids_below})
            out.le(number);
        append_part(entry.state, out);
    }
    for (const IndexPart& extra : extras_)
        append_part(extra, out);
    const std::uint64_t offset = output_.size(), size = out.size(), checksum = checksum_of(out.span());
    output_.append(out.span());
    out.clear();
    for (const std::uint64_t number : {offset, size, checksum})
        out.le(number);
    out.text(tail_magic);
    output_.append(out.span());
}

}  // namespace hwtrace

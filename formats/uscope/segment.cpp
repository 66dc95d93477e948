#include "segment.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "model/state.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::size_t load_slack = 8;          // fields are loaded as 8 bytes each
constexpr std::uint64_t lz4_best_ratio = 255;  // highest compression ratio of LZ4 blocks
constexpr std::size_t most_missing_texts = 65'536;
constexpr std::uint32_t zstd_magic = 0xFD2F'B528;
constexpr std::uint64_t latest_time = std::numeric_limits<std::int64_t>::max();

bool is_zstd(std::span<const std::byte> bytes) noexcept {
    return bytes.size() >= 4 && load_le<std::uint32_t>(bytes.data()) == zstd_magic;
}

}  // namespace

SegmentLoader::SegmentLoader(const Input& input, const FileHeader& header, const Limits& limits, Findings& findings)
    : input_(input), file_(header), limits_(limits), findings_(&findings) {}

void SegmentLoader::fault(Check check, ByteRange at, std::string expected, std::string got) const {
    Place place;
    place.where = "segment " + std::to_string(number_);
    report(*findings_, check, at, std::move(expected), std::move(got), std::move(place));
}

bool SegmentLoader::load(std::size_t number, std::uint64_t offset, std::uint64_t end, bool with_checkpoint) {
    if (!begin(number, offset, end, with_checkpoint)) return false;
    const std::uint64_t at = offset + segment_header_size + segment_.checkpoint_size;
    return read_frames(at, end_ - std::min(end_, at));
}

bool SegmentLoader::load_checkpoint(std::size_t number, std::uint64_t offset, std::uint64_t end) {
    return begin(number, offset, end, true);
}

/// Reports a part that exceeds the file or reaches into the next segment.
void SegmentLoader::no_room(std::uint64_t needed, std::string_view what, std::uint64_t left) const {
    std::string expected = counted(needed, "byte").append(" of ").append(what);
    if (end_ == size_)
        fault(Check::truncated, size_, std::move(expected), std::to_string(left));
    else
        fault(Check::segment_header, {offset_, segment_header_size}, std::move(expected),
              std::to_string(left) + " before the next segment at byte " + std::to_string(end_));
}

/// Reads everything before the frames.
bool SegmentLoader::begin(std::size_t number, std::uint64_t offset, std::uint64_t end, bool with_checkpoint) {
    size_ = input_.size().value_or(0);
    end_ = std::min(size_, end);
    number_ = number;
    offset_ = offset;
    cut_ = false;
    raw_size_ = 0;
    checkpoint_.clear();
    if (!read_header(offset)) return false;
    const std::uint64_t left = end_ - std::min(end_, offset + segment_header_size);
    if (segment_.checkpoint_size > left) {
        no_room(segment_.checkpoint_size, "checkpoint", left);
        return false;
    }
    if (with_checkpoint) {
        check_limit(segment_.checkpoint_size, limits_.block, "a checkpoint", "--max-block");
        checkpoint_.resize(segment_.checkpoint_size);
        return read_exactly(offset + segment_header_size, checkpoint_);
    }
    return true;
}

/// Fills `bytes` from the file. Returns false after a finding if the file has become shorter.
bool SegmentLoader::read_exactly(std::uint64_t at, std::span<std::byte> bytes) const {
    const std::size_t got = input_.read_at(at, bytes);
    if (got == bytes.size()) return true;
    fault(Check::truncated, at + got, counted(bytes.size(), "byte") + " of a segment", std::to_string(got));
    return false;
}

bool SegmentLoader::read_header(std::uint64_t offset) {
    std::array<std::byte, segment_header_size> bytes{};
    const std::size_t got = input_.read_at(offset, bytes);
    if (got < bytes.size()) {
        fault(Check::truncated, size_, "56 bytes of segment header", std::to_string(got));
        return false;
    }
    if (!has_segment_magic(bytes)) {
        fault(Check::segment_header, {offset, 4}, "uSEG", "another magic");
        return false;
    }
    segment_ = SegmentHeader::decode(bytes);
    if (segment_.time_start <= latest_time) return true;
    fault(Check::segment_header, {offset + 8, 8}, "a start of at most 2^63-1 ps", std::to_string(segment_.time_start));
    return false;
}

std::span<std::byte> SegmentLoader::raw_space(std::size_t size) {
    if (raw_.size() < size + load_slack) raw_.resize(size + load_slack);
    raw_size_ = size;
    return std::span(raw_).first(size);
}

bool SegmentLoader::read_frames(std::uint64_t at, std::uint64_t left) {
    std::uint64_t stored_size = segment_.compressed_size;
    if (!file_.compressed()) {
        if (segment_.raw_size != stored_size) {
            fault(Check::segment_header, {offset_ + 0x28, 4},
                  "a raw size of " + std::to_string(stored_size) + ", the stored size",
                  std::to_string(segment_.raw_size));
        }
        if (stored_size > left) {
            no_room(stored_size, "frames", left);
            cut_ = true;
            stored_size = left;
        }
        check_limit(stored_size, limits_.block, "the frames of a segment", "--max-block");
        return read_exactly(at, raw_space(static_cast<std::size_t>(stored_size)));
    }
    if (stored_size > left) {
        no_room(stored_size, "compressed frames", left);
        return read_cut_frames(at, left);
    }
    if (file_.method() == method_lz4 && segment_.raw_size > stored_size * lz4_best_ratio) {
        fault(Check::compressed_data, {offset_ + 0x28, 4},
              "at most " + counted(stored_size * lz4_best_ratio, "byte") + " from an LZ4 block of " +
                  std::to_string(stored_size),
              std::to_string(segment_.raw_size));
        return false;
    }
    check_limit(segment_.raw_size, limits_.block, "the frames of a segment", "--max-block");
    check_limit(stored_size, limits_.block, "the compressed frames of a segment", "--max-block");
    if (stored_.size() < stored_size) stored_.resize(static_cast<std::size_t>(stored_size));
    const auto stored = std::span(stored_).first(static_cast<std::size_t>(stored_size));
    if (!read_exactly(at, stored)) return false;
    if (decompress(stored)) return true;
    raw_size_ = 0;
    fault(Check::compressed_data, at,
          counted(segment_.raw_size, "byte") + " from a block of " + std::to_string(stored_size), "damaged data");
    return false;
}

/// Decompresses the `left` bytes that remain of compressed frames. Returns false if they yield nothing.
bool SegmentLoader::read_cut_frames(std::uint64_t at, std::uint64_t left) {
    std::uint64_t most = segment_.raw_size;
    if (file_.method() == method_lz4) most = std::min(most, left * lz4_best_ratio);
    if (most > limits_.block || left > limits_.block) return false;
    if (stored_.size() < left) stored_.resize(static_cast<std::size_t>(left));
    const auto stored = std::span(stored_).first(static_cast<std::size_t>(left));
    if (!read_exactly(at, stored)) return false;
    raw_size_ = decompress_front(stored, raw_space(static_cast<std::size_t>(most)));
    cut_ = true;
    return raw_size_ != 0;
}

std::size_t SegmentLoader::decompress_front(std::span<const std::byte> stored, std::span<std::byte> raw) {
    const bool is_zstd_method = file_.method() == method_zstd;
    const bool sized = stored.size() >= 4 && load_le<std::uint32_t>(stored.data()) == segment_.raw_size;
    if (sized && !(is_zstd_method && is_zstd(stored))) stored = stored.subspan(4);
    if (!is_zstd_method) return Lz4::decompress_front(stored, raw);
    if (is_zstd(stored))
        check_limit(zstd_window_of(stored), limits_.zstd_window, "the window of a segment's zstd frame",
                    "--max-window");
    return zstd_.decompress_front(stored, raw, limits_.zstd_window);
}

bool SegmentLoader::decompress(std::span<const std::byte> stored) {
    const std::span<std::byte> raw = raw_space(segment_.raw_size);
    const bool sized = stored.size() >= 4 && load_le<std::uint32_t>(stored.data()) == segment_.raw_size;
    if (file_.method() == method_zstd) {
        if (is_zstd(stored)) return zstd_.decompress(stored, raw);
        return sized && zstd_.decompress(stored.subspan(4), raw);
    }
    if (sized && Lz4::decompress(stored.subspan(4), raw)) return true;
    if (!Lz4::decompress(stored, raw)) return false;
    if (!std::exchange(bare_block_reported_, true))
        fault(Check::bare_block, offset_ + segment_header_size + segment_.checkpoint_size,
              "the size " + std::to_string(segment_.raw_size) + " before the block", "none");
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------

FrameDecoder::FrameDecoder(Schema& schema, const FileHeader& header, const Preamble& preamble, std::size_t strings,
                           Findings& findings, Verification* verification)
    : schema_(schema),
      file_(header),
      findings_(&findings),
      verification_(verification),
      strings_(strings),
      first_event_(static_cast<TrackId>(preamble.storages)),
      item_track_(schema.find_track(Track::Kind::native, item_track)),
      frame_track_(schema.find_track(Track::Kind::native, frame_track)),
      old_frames_(!header.interleaved()),
      old_compact_allowed_((header.flags & flag_compact_deltas) != 0) {
    for (std::size_t i = 0; i < preamble.storages; ++i) {
        const Track& track = schema.tracks()[i];
        StoragePlan plan;
        plan.fields = static_cast<std::uint32_t>(track.fields.size());
        plan.properties = static_cast<std::uint32_t>(track.properties.size());
        plan.first_field = static_cast<std::uint32_t>(columns_.size());
        add_columns(track.fields, plan.has_text);
        add_columns(track.properties, plan.has_text);
        storages_.push_back(plan);
    }
    first_event_column_ = columns_.size();
    for (std::size_t i = 0; i < preamble.events; ++i) {
        const Track& track = schema.tracks()[first_event_ + i];
        EventPlan plan;
        plan.fields = static_cast<std::uint32_t>(track.fields.size());
        plan.first_field = static_cast<std::uint32_t>(columns_.size());
        bool has_text = false;
        add_columns(track.fields, has_text);
        for (const Field& field : track.fields)
            plan.payload += static_cast<std::uint32_t>(slot_width(field.type));
        events_.push_back(plan);
    }
}

void FrameDecoder::add_columns(const std::vector<Field>& fields, bool& has_text) {
    for (const Field& field : fields) {
        Column column;
        column.width = static_cast<std::uint8_t>(slot_width(field.type));
        column.is_signed = field.type == Type::i8 || field.type == Type::i16 || field.type == Type::i32;
        column.is_text = field.type == Type::text;
        has_text = has_text || column.is_text;
        columns_.push_back(column);
    }
}

void FrameDecoder::begin(std::span<const std::byte> frames, Tick start, std::size_t number, ByteRange segment,
                         bool cut) {
    cut_ = cut;
    bytes_ = frames;
    at_ = 0;
    time_ = start;
    items_left_ = events_left_ = 0;
    number_ = number;
    segment_ = segment;
    frames_ = active_frames_ = items_ = 0;
    misfits_ = lost_texts_ = {};
}

Place FrameDecoder::place(std::uint64_t inner) const {
    Place place;
    place.where = "segment " + std::to_string(number_);
    place.inner_offset = inner;
    place.time = time_;
    return place;
}

FrameDecoder::Status FrameDecoder::damaged(Check check, std::uint64_t inner, std::string expected, std::string got) {
    report(*findings_, check, segment_, std::move(expected), std::move(got), place(inner));
    return Status::damaged;
}

void FrameDecoder::report_misfits() {
    misfits_.report(*findings_, Check::item_fit, segment_, place(0), "items that fit the schema", "other item",
                    "other items");
    report_missing(lost_texts_.total, segment_, place(lost_texts_.first), *findings_);
    lost_texts_ = {};
}

void FrameDecoder::report_missing(std::uint64_t count, ByteRange at, Place place, Findings& findings) const {
    if (count == 0 || strings_expected_) return;
    const bool is_whole = file_.complete() && !strings_lost_;
    report(findings, is_whole ? Check::unknown_string : Check::missing_string, at,
           "indices below " + std::to_string(strings_), counted(count, "other index", "other indices"),
           std::move(place));
}

Record& FrameDecoder::keep(std::span<const std::byte> item, Batch& batch) {
    misfits_.count(inner(item.data()));
    return batch.native(item_track_, time_, old_frames_ ? interleaved(item) : item);
}

std::span<const std::byte> FrameDecoder::interleaved(std::span<const std::byte> item) {
    const bool is_event = items_left_ <= events_left_;
    const Tag tag = is_event ? Tag::event : old_compact_ ? Tag::compact_op : Tag::wide_op;
    kept_.assign(1, std::byte{static_cast<std::uint8_t>(tag)});
    if (is_event) {  // type, reserved, size -> tag, reserved, type, size
        kept_.push_back(std::byte{0});
        kept_.insert(kept_.end(), item.begin(), item.begin() + 2);
        kept_.insert(kept_.end(), item.begin() + 4, item.end());
    } else if (old_compact_) {  // the same bytes with a tag before them
        kept_.insert(kept_.end(), item.begin(), item.end());
    } else {  // action, reserved -> tag, action
        kept_.push_back(item[0]);
        kept_.insert(kept_.end(), item.begin() + 2, item.end());
    }
    return kept_;
}

StringId FrameDecoder::missing_text(std::uint32_t index) {
    missing_named_ = true;
    // Without a table, a slot whose string was never set holds StringId 0, which must be the string for index 0.
    if (schema_.string_count() == 0) missing_[0] = schema_.append("(missing string 0)");
    if (const auto found = missing_.find(index); found != missing_.end()) return found->second;
    if (missing_.size() == most_missing_texts) {
        if (missing_many_ == none) missing_many_ = schema_.append("(missing string)");
        return missing_many_;
    }
    return missing_[index] = schema_.append("(missing string " + std::to_string(index) + ")");
}

StringId FrameDecoder::text_of_zero() {
    if (schema_.string_count() == 0) return 0;  // missing_text() will declare it with this id
    const auto [at, is_new] = missing_.try_emplace(0, none);
    if (is_new) at->second = schema_.append("(missing string 0)");
    return at->second;
}

/// Returns the model's value for a field or property. A string becomes the StringId for the index in the low 32 bits of
/// `value`.
std::uint64_t FrameDecoder::model_value(std::size_t column, std::uint64_t value, const std::byte* item) {
    return columns_[column].is_text ? item_text(static_cast<std::uint32_t>(value), item) : value;
}

template <bool verify, bool old>
bool FrameDecoder::begin_frame(Cursor& at, Batch& batch) {
    [[maybe_unused]] const std::uint64_t begin = at.offset();
    const std::uint64_t delta = at.leb128();
    std::uint32_t items = 0;
    if constexpr (old) {
        const std::byte* const form = at.rest().data();
        const auto compact = at.le<std::uint8_t>();
        const auto reserved = at.le<std::uint8_t>();
        if constexpr (verify)
            if (compact > 1 || reserved != 0) verification_->reserved_bits(inner(form));
        old_compact_ = compact == 1 && old_compact_allowed_;
        items = at.le<std::uint16_t>();
        events_left_ = at.le<std::uint16_t>();
        items += events_left_;
    } else {
        items = at.le<std::uint16_t>();
    }
    if (delta > latest_time - static_cast<std::uint64_t>(time_)) {
        damaged(Check::time_range, at.offset(), "a time of at most 2^63-1 ps",
                std::to_string(delta) + " ps after " + std::to_string(time_));
        return false;
    }
    time_ += static_cast<Tick>(delta);
    ++frames_;
    items_left_ = items;
    if constexpr (verify) verification_->begin_frame(static_cast<std::uint64_t>(time_), begin);
    if (items == 0) {
        batch.native(frame_track_, time_, {}).flags = record_first_of_frame;
        return true;
    }
    ++active_frames_;
    flags_ = record_first_of_frame;
    return true;
}

template <bool verify>
Record& FrameDecoder::push_op(Tag tag, std::uint8_t action, std::uint16_t storage, std::uint16_t slot,
                              std::uint16_t field, std::uint64_t value, std::span<const std::byte> item, Batch& batch) {
    if constexpr (verify) verification_->op(tag, Action{action}, storage, slot, field, value, inner(item.data()));
    if (storage >= storages_.size()) [[unlikely]]
        return keep(item, batch);
    const StoragePlan& plan = storages_[storage];
    switch (Action{action}) {
        case Action::set:
            if (field >= plan.fields) break;
            if (plan.has_text) value = model_value(plan.first_field + field, value, item.data());
            return batch.set(storage, time_, slot, field, value);
        case Action::clear:
            return batch.clear_slot(storage, time_, slot);
        case Action::add:
            if (field >= plan.fields || columns_[plan.first_field + field].is_text) break;
            return batch.add(storage, time_, slot, field, value);
        case Action::set_property:
            if (field >= plan.properties) break;
            if (plan.has_text) value = model_value(plan.first_field + plan.fields + field, value, item.data());
            return batch.set_property(storage, time_, field, value);
    }
    return keep(item, batch);
}

template <bool verify>
Record& FrameDecoder::push_event(std::uint16_t type, std::span<const std::byte> payload, const std::byte* item,
                                 Batch& batch) {
    if (type >= events_.size() || payload.size() != events_[type].payload) [[unlikely]]
        return keep({item, payload.data() + payload.size()}, batch);
    const EventPlan& plan = events_[type];
    Record& record = batch.event(first_event_ + type, time_, plan.fields);
    const Column* column = columns_.data() + plan.first_field;
    const std::byte* from = payload.data();
    for (std::uint64_t& cell : batch.mutable_cells(record)) {
        const unsigned unused = 64u - 8u * column->width;
        const std::uint64_t value = load_le<std::uint64_t>(from) << unused;
        cell = column->is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> unused)
                                 : value >> unused;
        if (column->is_text) cell = item_text(static_cast<std::uint32_t>(cell), item);
        if constexpr (verify) {
            const auto number = static_cast<std::size_t>(column - columns_.data()) - first_event_column_;
            verification_->check_enum(verification_->first_event_field() + number, cell, inner(item));
        }
        from += column->width;
        ++column;
    }
    if constexpr (verify) verification_->event(type, batch.cells(record), inner(item));
    return record;
}

template <bool verify>
Record* FrameDecoder::push_item(Cursor& at, Batch& batch) {
    const std::byte* const item = at.rest().data();
    switch (const Tag tag{at.le<std::uint8_t>()}; tag) {
        case Tag::wide_op:
            at.skip(wide_op_size - 1);
            return &push_op<verify>(tag, load_le<std::uint8_t>(item + 1), load_le<std::uint16_t>(item + 2),
                                    load_le<std::uint16_t>(item + 4), load_le<std::uint16_t>(item + 6),
                                    load_le<std::uint64_t>(item + 8), {item, wide_op_size}, batch);
        case Tag::compact_op:
            at.skip(compact_op_size - 1);
            return &push_op<verify>(tag, load_le<std::uint8_t>(item + 1), load_le<std::uint8_t>(item + 2),
                                    load_le<std::uint16_t>(item + 3), load_le<std::uint16_t>(item + 5),
                                    load_le<std::uint16_t>(item + 7), {item, compact_op_size}, batch);
        case Tag::event: {
            const auto reserved = at.le<std::uint8_t>();
            const auto type = at.le<std::uint16_t>();
            const std::span<const std::byte> payload = at.take(at.le<std::uint32_t>());
            if constexpr (verify)
                if (reserved != 0) verification_->reserved_bits(inner(item));
            return &push_event<verify>(type, payload, item, batch);
        }
    }
    damaged(Check::frame_data, inner(item), "an item with tag 1, 2 or 3",
            std::to_string(std::to_integer<unsigned>(*item)));
    return nullptr;
}

template <bool verify>
Record* FrameDecoder::push_old_item(Cursor& at, Batch& batch) {
    const std::byte* const item = at.rest().data();
    if (items_left_ <= events_left_) {
        const auto type = at.le<std::uint16_t>();
        const auto reserved = at.le<std::uint16_t>();
        const std::span<const std::byte> payload = at.take(at.le<std::uint32_t>());
        if constexpr (verify)
            if (reserved != 0) verification_->reserved_bits(inner(item));
        Record* const record = &push_event<verify>(type, payload, item, batch);
        --events_left_;
        return record;
    }
    if (old_compact_) {
        at.skip(old_compact_op_size);
        return &push_op<verify>(Tag::compact_op, load_le<std::uint8_t>(item), load_le<std::uint8_t>(item + 1),
                                load_le<std::uint16_t>(item + 2), load_le<std::uint16_t>(item + 4),
                                load_le<std::uint16_t>(item + 6), {item, old_compact_op_size}, batch);
    }
    at.skip(old_wide_op_size);
    if constexpr (verify)
        if (item[1] != std::byte{0}) verification_->reserved_bits(inner(item));
    return &push_op<verify>(Tag::wide_op, load_le<std::uint8_t>(item), load_le<std::uint16_t>(item + 2),
                            load_le<std::uint16_t>(item + 4), load_le<std::uint16_t>(item + 6),
                            load_le<std::uint64_t>(item + 8), {item, old_wide_op_size}, batch);
}

template <bool verify, bool old>
FrameDecoder::Status FrameDecoder::run(Batch& batch) {
    Cursor at(bytes_.subspan(at_), at_);
    try {
        while (!batch.full()) {
            if (items_left_ == 0) {
                if (at.at_end()) {
                    at_ = bytes_.size();
                    return Status::ended;
                }
                if (!begin_frame<verify, old>(at, batch)) return Status::damaged;
                continue;
            }
            Record* const record = old ? push_old_item<verify>(at, batch) : push_item<verify>(at, batch);
            if (record == nullptr) return Status::damaged;
            record->flags |= flags_;
            flags_ = 0;
            --items_left_;
            ++items_;
        }
    } catch (const Truncated& end) {
        if (cut_) return Status::damaged;
        return damaged(Check::frame_data, end.offset(), counted(end.needed(), "more byte") + " of a frame",
                       std::to_string(end.left()));
    } catch (const Error& error) {
        if (error.failure() != Failure::input) throw;
        return damaged(Check::frame_data, at.offset(), "a LEB128 number of at most 64 bits", "a longer one");
    }
    at_ = static_cast<std::size_t>(at.offset());
    return Status::more;
}

FrameDecoder::Status FrameDecoder::decode(Batch& batch) {
    const bool verify = verification_ != nullptr;
    if (old_frames_) return verify ? run<true, true>(batch) : run<false, true>(batch);
    return verify ? run<true, false>(batch) : run<false, false>(batch);
}

}  // namespace hwtrace::uscope

// formats/stf/saved_places.cpp - saves and restores a place of an STF stream, for the checkpoints of an index: the
// place in the container, and the state of the scanner there.
#include <algorithm>
#include <array>
#include <vector>

#include "container.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "scanner.hpp"

namespace hwtrace::stf {

// --- the container ---------------------------------------------------------------------------------------------------

bool Container::keep_places() {
    if (!input_.seekable()) return false;
    if (gzip_) gzip_->keep_points();
    return kind_ != ContainerKind::zstf || has_index();
}

void Container::save_place(std::uint64_t raw_offset, std::size_t chunk, Appender& out) const {
    switch (kind_) {
        case ContainerKind::plain:
            out.leb128(raw_offset);
            return;
        case ContainerKind::zstf:
        case ContainerKind::zstd: {
            const ZstdSource::Frame& frame = frames()[chunk];
            out.leb128(chunk);
            out.leb128(frame.file_offset);
            out.leb128(frame.raw_offset);
            return;
        }
        case ContainerKind::gzip:
            ResumableGzip::append(gzip_->point_before(raw_offset), out);
            return;
        case ContainerKind::xz:  // read from its beginning
            return;
    }
}

/// Returns true if a zstd frame begins at the place. A ZSTF file also needs the place in its index.
bool Container::is_chunk_start(const StreamPlace& place) {
    std::array<std::byte, 4> magic{};
    if (!begins_zstd(std::span(magic).first(input_.read_at(place.file_offset, magic)))) return false;
    if (kind_ == ContainerKind::zstd) return true;
    return has_index() && place.chunk < index_->size() && (*index_)[place.chunk].file_offset == place.file_offset &&
           (*index_)[place.chunk].raw_offset == place.raw_offset;
}

std::optional<Container::StreamPlace> Container::restore_place(Cursor& in) {
    if (!input_.seekable()) return std::nullopt;
    StreamPlace place;
    switch (kind_) {
        case ContainerKind::plain:
            place.raw_offset = place.file_offset = in.leb128();
            if (place.file_offset > input_.size().value_or(0)) return std::nullopt;
            input_.seek(place.file_offset);
            break;
        case ContainerKind::zstf:
        case ContainerKind::zstd:
            place.chunk = static_cast<std::size_t>(in.leb128());
            place.file_offset = in.leb128();
            place.raw_offset = in.leb128();
            if (place.chunk > limits_.block / sizeof(Chunk) || !is_chunk_start(place)) return std::nullopt;
            if (kind_ == ContainerKind::zstf)
                go_to(place.chunk);
            else
                zstd_->go_to_found(place.file_offset, place.raw_offset, place.chunk);
            break;
        case ContainerKind::gzip: {
            const ResumableGzip::Point point = ResumableGzip::restore(in);
            place.raw_offset = point.raw_offset;
            if (point.file_offset > input_.size().value_or(0)) return std::nullopt;
            input_.seek(point.file_offset);
            if (point.file_offset == 0)
                gzip_.emplace(input_);
            else
                gzip_.emplace(input_, point);
            break;
        }
        case ContainerKind::xz:
            input_.seek(0);
            xz_.emplace(input_, limits_);
            break;
    }
    broken_ = false;
    return place;
}

// --- the scanner -----------------------------------------------------------------------------------------------------

bool Scanner::keep_states() {
    return header_whole_ && !quiet_ && counts_records_ && container_.keep_places();
}

bool Scanner::save_state(Appender& out) const {
    const bool is_complete = header_whole_ && !ended_ && lost_ == 0 && counts_records_ && !chunk_left_;
    if (!is_complete || offset() < header_end_) return false;
    for (const std::uint64_t number :
         {offset(), instructions_, records_, std::uint64_t{vector_words_}, chunk_first_instruction_})
        out.leb128(number);
    out.le(tracker_.next);
    out.le(tracker_.target);
    out.le(pc_);
    out.le(static_cast<std::uint8_t>((tracker_.has_target ? 1u : 0u) | (event64_ ? 2u : 0u)));
    out.le(static_cast<std::uint8_t>(last_));
    container_.save_place(offset(), chunks_.empty() ? 0 : chunks_.size() - 1, out);
    return true;
}

bool Scanner::restore_state(Cursor& in) {
    if (!header_whole_) return false;
    const std::uint64_t at = in.leb128(), instructions = in.leb128(), records = in.leb128(), words = in.leb128(),
                        first = in.leb128();
    PcTracker tracker;
    tracker.next = in.le<std::uint64_t>();
    tracker.target = in.le<std::uint64_t>();
    const auto pc = in.le<std::uint64_t>();
    const auto flags = in.le<std::uint8_t>();
    tracker.has_target = (flags & 1u) != 0;
    const auto last = static_cast<Descriptor>(in.le<std::uint8_t>());
    if (at < header_end_ || words > limits_.record / sizeof(std::uint64_t)) return false;
    const auto place = container_.restore_place(in);
    if (!place) return false;

    if (container_.kind() == ContainerKind::zstf)
        begin_chunk(place->chunk);
    else
        begin_at(place->raw_offset, 0, header_pc_);
    if (container_.kind() == ContainerKind::zstd)
        chunks_.resize(place->chunk, Chunk{place->file_offset, place->raw_offset, 0, 0, 0});
    quiet_ = true;
    const bool is_there = skip_to(at);
    quiet_ = false;
    if (!is_there) fail(Failure::input, input_.name() + ": the trace ends before a checkpoint of its index");

    instructions_ = instructions;
    records_ = records;
    vector_words_ = static_cast<std::size_t>(words);
    chunk_first_instruction_ = first;
    tracker_ = tracker;
    pc_ = pc;
    event64_ = (flags & 2u) != 0;
    last_ = last;
    lost_ = 0;
    counts_records_ = true;
    chunk_size_checked_ = true;
    return true;
}

}  // namespace hwtrace::stf

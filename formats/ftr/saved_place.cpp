// formats/ftr/saved_place.cpp - saves and restores a place of a file, for the checkpoints of an index: the place of the
// next item, and what the items before it have added to the schema.
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

namespace {

[[noreturn]] void refuse_place() {
    fail(Failure::input, "the state states a place that the file lacks");
}

}  // namespace

bool Scan::save_place(Appender& out) const {
    if (!without_names_.empty() || ended_) return false;
    // A dictionary chunk before which the scan has stopped is read again.
    const bool is_inside = cursor_.has_value();
    const bool has_stopped = !is_inside && stops_at_texts_ && chunk_.is(Chunk::dictionary);
    const ChunkWalk::Place place = is_inside || has_stopped ? chunk_place_ : walk_.place();
    for (const std::uint64_t number : {place.at, place.left, transactions_, relations_})
        out.leb128(number);
    out.le(static_cast<std::uint8_t>((is_inside ? 1u : 0u) | (items_.indefinite ? 2u : 0u)));
    out.leb128(is_inside ? cursor_->offset() - content_.base : 0);
    out.leb128(is_inside ? items_.left : 0);
    out.leb128(growth_.size());
    for (const Growth& added : growth_) {
        out.leb128(added.generator == none ? 0 : std::uint64_t{added.generator} + 1);
        out.leb128(added.name);
        if (added.generator == none) {
            out.le(static_cast<std::uint8_t>(added.states_streams ? 1 : 0));
            continue;
        }
        out.le(static_cast<std::uint8_t>(added.phase));
        out.le(static_cast<std::uint8_t>(added.type));
        out.le(static_cast<std::uint8_t>(added.decode));
    }
    return true;
}

bool Scan::restore_place(Cursor& in) {
    ChunkWalk::Place place;
    place.at = in.leb128();
    place.left = in.leb128();
    if (place.at == 0 || !walk_.go_to(place)) return false;
    transactions_ = in.leb128();
    relations_ = in.leb128();
    const auto flags = in.le<std::uint8_t>();
    const std::uint64_t inside = in.leb128(), left = in.leb128();
    take_texts(place.at - 1);
    grow_again(in);
    chunk_ = {};
    cursor_.reset();
    ended_ = stopped_ = false;
    any_since_stop_ = (flags & 1u) != 0;
    if ((flags & 1u) == 0) return true;
    if (!open_next_chunk() || inside > content_.bytes.size()) refuse_place();
    cursor_.emplace(content_.bytes.subspan(static_cast<std::size_t>(inside)), content_.base + inside);
    items_.indefinite = (flags & 2u) != 0;
    items_.left = left;
    // The times that the block states cannot be checked without the records before this place.
    least_ = chunk_.start;
    greatest_ = chunk_.end;
    last_end_ = 0;
    any_ = true;
    return true;
}

/// Returns true if a value that is decoded in this way can have the type.
bool Scan::is_decoded_so(Type type, Decode decode) noexcept {
    switch (decode) {
        case Decode::boolean:
            return type == Type::boolean;
        case Decode::number:
            return type == Type::u64 || type == Type::pointer || type == Type::time;
        case Decode::integer:
            return type == Type::i64 || type == Type::u64;
        case Decode::floating:
            return type == Type::f64 || type == Type::fixed || type == Type::ufixed;
        case Decode::text:
            return holds_text(type) && type != Type::blob;
    }
    return false;
}

/// Adds what the items before a place have added to the schema.
void Scan::grow_again(Cursor& in) {
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        const std::uint64_t number = in.leb128(), name = in.leb128();
        Dictionary::Entry* const entry = dictionary_.find(name);
        if (number > generators_.size() || entry == nullptr) refuse_place();
        const std::uint64_t name_number = dictionary_.name_number(*entry);
        if (number == 0) {
            const bool states_streams = in.le<std::uint8_t>() != 0;
            const auto [found, is_new] =
                relation_tracks_.try_emplace(name_number << 1 | (states_streams ? 1u : 0u), none);
            if (!is_new) refuse_place();
            found->second = add_relations(name, states_streams);
            continue;
        }
        const auto phase = in.le<std::uint8_t>(), type = in.le<std::uint8_t>(), decode = in.le<std::uint8_t>();
        if (phase > static_cast<std::uint8_t>(Phase::end) || type > static_cast<std::uint8_t>(Type::blob) ||
            !is_decoded_so(static_cast<Type>(type), static_cast<Decode>(decode)))
            refuse_place();
        const auto index = static_cast<std::uint32_t>(number - 1);
        Generator& generator = generators_[index];
        const std::uint64_t key = column_key(name_number, static_cast<Phase>(phase), static_cast<Type>(type));
        const auto columns = static_cast<std::uint32_t>(generator.columns.size());
        if (!generator.by_key.try_emplace(key, columns).second) refuse_place();
        add_column(index, name, static_cast<Phase>(phase), static_cast<Type>(type), static_cast<Decode>(decode));
    }
}

}  // namespace hwtrace::ftr

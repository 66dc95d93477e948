// formats/txlog/saved_state.cpp - saves and restores the state of a reader, for the checkpoints of an index.
#include <algorithm>
#include <string_view>
#include <vector>

#include "codec/schema_state.hpp"
#include "io/error.hpp"
#include "io/sized_text.hpp"
#include "reader.hpp"

namespace hwtrace::txlog {

namespace {

[[noreturn]] void refuse_state() {
    fail(Failure::input, "the state states what the log lacks");
}

}  // namespace

void TxlogReader::save_declared(const std::vector<Declared>& declared, Appender& out) const {
    out.leb128(declared.size());
    for (const auto& [field, type] : declared) {
        out.leb128(field);
        append_sized(type == nullptr ? std::string_view() : type->name, out);
    }
}

void TxlogReader::restore_declared(std::vector<Declared>& declared, const Track& track, Cursor& in) {
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        const std::uint64_t field = in.leb128();
        const std::string_view name = sized_text(in);
        if (field >= track.fields.size()) refuse_state();
        const TransactionType* const type = name.empty() ? nullptr : type_of(name);
        if ((type == nullptr) != name.empty() || (type != nullptr && field == 0)) refuse_state();
        declared.push_back({static_cast<std::uint32_t>(field), type});
    }
}

/// Appends the open transactions. Texts are stored as such, because their ids depend on all earlier texts.
void TxlogReader::save_open(Appender& out) const {
    std::vector<std::uint32_t> slots;
    for (const auto& [id, slot] : open_)
        slots.push_back(slot);
    std::ranges::sort(slots, {}, [&](std::uint32_t slot) { return slots_[slot].order; });
    out.leb128(slots.size());
    for (const std::uint32_t slot : slots) {
        const Transaction& transaction = slots_[slot];
        for (const std::uint64_t number : {transaction.id, transaction.order, std::uint64_t{transaction.generator}})
            out.leb128(number);
        out.le(transaction.begin);
        out.le(static_cast<std::uint8_t>((slot == ended_slot_ ? 1u : 0u) | (slot == valued_ ? 2u : 0u)));
        out.leb128(transaction.attributes.size());
        for (const auto& [key, field, cell] : transaction.attributes) {
            append_sized(schema_.text(key.name()), out);
            out.le(static_cast<std::uint8_t>(key.type()));
            out.le(static_cast<std::uint8_t>(key.phase()));
            out.le(field);
            if (holds_text(key.type()))
                append_sized(schema_.text(static_cast<StringId>(cell)), out);
            else
                out.le(cell);
        }
    }
}

void TxlogReader::restore_open(Cursor& in) {
    const auto text = [&] { return schema_.intern(sized_text(in)); };
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        const auto slot = static_cast<std::uint32_t>(slots_.size());
        Transaction& transaction = slots_.emplace_back();
        transaction.id = in.leb128();
        transaction.order = in.leb128();
        const std::uint64_t generator = in.leb128();
        transaction.begin = in.le<Tick>();
        const auto flags = in.le<std::uint8_t>();
        if (generator >= generators_.size() || !open_.emplace(transaction.id, slot).second) refuse_state();
        transaction.generator = static_cast<std::uint32_t>(generator);
        if ((flags & 1u) != 0) ended_slot_ = slot;
        if ((flags & 2u) != 0) valued_ = slot;
        const auto& fields = schema_.tracks()[generators_[transaction.generator].track].fields;
        for (std::uint64_t attributes = in.leb128(); attributes > 0; --attributes) {
            const StringId name = text();
            const auto type = in.le<std::uint8_t>(), phase = in.le<std::uint8_t>();
            const auto field = in.le<std::uint32_t>();
            if (type > static_cast<std::uint8_t>(Type::blob) || phase > static_cast<std::uint8_t>(Phase::end) ||
                (field != no_index && (field >= fields.size() || fields[field].type != static_cast<Type>(type))))
                refuse_state();
            const Key key(name, static_cast<Type>(type), static_cast<Phase>(phase));
            transaction.attributes.push_back({key, field, holds_text(key.type()) ? text() : in.le<std::uint64_t>()});
        }
        given_ += transaction.attributes.size();
    }
}

/// Finds the streams, generators and relations of a restored schema.
void TxlogReader::restore_schema_places() {
    for (ScopeId id = 0; id < schema_.scopes().size(); ++id)
        if (const auto number = schema_.scopes()[id].native_id) streams_.insert_or_assign(*number, id);
    for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
        const Track& track = schema_.tracks()[id];
        if (track.kind == Track::Kind::relation_type && track.fields.size() == 2) {
            relations_.emplace(schema_.intern(track.name), id);
            continue;
        }
        if (track.kind != Track::Kind::stream || !track.native_id || track.fields.empty()) refuse_state();
        generator_ids_.insert_or_assign(*track.native_id, static_cast<std::uint32_t>(generators_.size()));
        Generator& generator = generators_.emplace_back();
        generator.track = id;
        for (std::uint32_t field = 1; field < track.fields.size(); ++field) {
            const Field& declared = track.fields[field];
            if (declared.type == Type::enumeration) refuse_state();
            const Key key(schema_.intern(declared.name), declared.type, declared.phase);
            generator.keys.push_back(key);
            generator.fields.emplace(key.bits(), field);
        }
    }
}

bool TxlogReader::save_state(Appender& out) {
    if (read_all_ || failure_ || declaring_ != no_index) return false;
    log_.save_place(out);
    append_schema(schema_, out);
    for (const Generator& generator : generators_) {
        save_declared(generator.begin, out);
        save_declared(generator.end, out);
    }
    save_open(out);
    for (const std::uint64_t number :
         {objects_, begun_, std::uint64_t{next_value_}, transactions_, attribute_count_, relation_count_})
        out.leb128(number);
    for (const Tick time : {end_, now_})
        out.le(time);
    out.le(static_cast<std::uint8_t>(value_phase_));
    out.le(static_cast<std::uint8_t>(declares_ ? 1 : 0));
    return true;
}

bool TxlogReader::restore_state(Cursor& in) {
    if (!schema_.scopes().empty() || !schema_.tracks().empty() || !log_.restore_place(in)) return false;
    schema_ = restore_schema(in);
    restore_schema_places();
    for (Generator& generator : generators_) {
        restore_declared(generator.begin, schema_.tracks()[generator.track], in);
        restore_declared(generator.end, schema_.tracks()[generator.track], in);
    }
    restore_open(in);
    objects_ = in.leb128();
    begun_ = in.leb128();
    next_value_ = static_cast<std::size_t>(in.leb128());
    transactions_ = in.leb128();
    attribute_count_ = in.leb128();
    relation_count_ = in.leb128();
    end_ = in.le<Tick>();
    now_ = in.le<Tick>();
    const auto phase = in.le<std::uint8_t>();
    if (phase > static_cast<std::uint8_t>(Phase::end)) refuse_state();
    value_phase_ = static_cast<Phase>(phase);
    declares_ = in.le<std::uint8_t>() != 0;
    return true;
}

}  // namespace hwtrace::txlog

#include <algorithm>
#include <utility>

#include "convert/transforms/instruction_lowering.hpp"
#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "model/state.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::size_t most_group_records = 4096;  // maximum number of records held back in one group
constexpr std::uint64_t most_parts = 1u << 22;  // maximum number of parts of an instruction; no real trace has so many

/// Returns the scope to which the lowering gave the protocol `cpu`.
ScopeId cpu_scope(const Schema& source) noexcept {
    for (ScopeId id = 0; id < source.scopes().size(); ++id)
        if (source.scopes()[id].protocol == names::cpu_protocol) return id;
    return none;
}

/// Returns true for keys of metadata that the lowering or µScope added.
bool is_added(std::string_view key) noexcept {
    return key == names::dut_name || key.starts_with("cpu.") || key.starts_with("uscope.") ||
           key.starts_with(names::mark_prefix);
}

std::uint16_t field_number(const Track& track, std::string_view name) noexcept {
    const auto found =
        std::find_if(track.fields.begin(), track.fields.end(), [&](const Field& f) { return f.name == name; });
    return found == track.fields.end() ? std::uint16_t{0xFFFF}
                                       : static_cast<std::uint16_t>(found - track.fields.begin());
}

bool has_text(const Track& track) noexcept {
    return std::any_of(track.fields.begin(), track.fields.end(), [](const Field& f) { return holds_text(f.type); });
}

}  // namespace

bool InstructionRaising::is_lowered(const Schema& source) noexcept {
    const std::string* mark = source.metadata(names::lowered);
    return mark != nullptr && *mark == names::lowered_instructions && cpu_scope(source) != none;
}

InstructionRaising::InstructionRaising(const Schema& source, Losses& losses) : source_(source), losses_(losses) {
    declare(source);
}

void InstructionRaising::declare(const Schema& source) {
    const ScopeId cpu = cpu_scope(source);
    for (ScopeId id = 0; id < source.scopes().size(); ++id) {
        Scope scope = source.scopes()[id];
        if (id == cpu) scope.protocol.clear();
        scope.clock = none;
        schema_.declare(std::move(scope));
    }
    for (const Metadata& entry : source.metadata())
        if (!is_added(entry.key)) schema_.describe(entry.key, entry.value);

    Track hart;
    hart.kind = Track::Kind::hart;
    hart.scope = cpu;
    hart.name = source.scopes()[cpu].name;
    if (const std::string* name = source.metadata(names::dut_name); name != nullptr) hart.name = *name;
    hart.time = ordinals;
    hart_ = schema_.declare(std::move(hart));
    for (TrackId id = 0; id < source.tracks().size(); ++id)
        meanings_.push_back(meaning_of(id));
}

InstructionRaising::Meaning InstructionRaising::meaning_of(TrackId id) {
    const Track& track = source_.tracks()[id];
    const bool in_cpu = track.scope == schema_.tracks()[hart_].scope;
    if (track.kind == Track::Kind::storage) return in_cpu && !has_text(track) ? meaning_of_table(id) : Meaning{};
    if (track.kind != Track::Kind::event_type) return {};
    Meaning meaning;
    if (in_cpu && is_own_event(track, meaning.content)) return meaning;
    return meaning_of_event(id);
}

InstructionRaising::Meaning InstructionRaising::meaning_of_table(TrackId id) {
    using Content = Meaning::Content;
    const Track& track = source_.tracks()[id];
    Meaning meaning;
    constexpr std::string_view counter_names[counters] = {names::loads, names::stores, names::taken_branches,
                                                          names::events};
    for (std::size_t i = 0; i < counters; ++i) {
        if (track.name != counter_names[i]) continue;
        meaning.content = Content::counter;
        meaning.counter = i;
        counter_tracks_[i] = id;
    }
    if (track.name == names::committed_insns) meaning.content = Content::committed;
    if (track.name == names::entities) {
        meaning.content = Content::entity;
        id_field_ = field_number(track, names::entity_id);
        pc_field_ = field_number(track, names::pc);
        encoding_field_ = field_number(track, names::inst_bits);
        size_field_ = field_number(track, names::inst_size);
    }
    for (const RegisterClass c :
         {RegisterClass::integer, RegisterClass::floating, RegisterClass::vector, RegisterClass::csr}) {
        if (track.name != name_of(c) || track.fields.size() < 2) continue;
        meaning.content = Content::registers;
        meaning.register_class = c;
        meaning.role_field = static_cast<std::uint16_t>(track.fields.size() - 1);
        roles_[static_cast<std::size_t>(c)].assign(track.slots, OperandRole::state);
        if (c == RegisterClass::vector) words_.assign(track.fields.size() - 1, 0);
    }
    return meaning;
}

bool InstructionRaising::is_own_event(const Track& track, Meaning::Content& content) {
    using Content = Meaning::Content;
    struct Own {
        std::string_view name;
        Content content;
        std::size_t fields;
    };
    constexpr Own own[] = {
        {names::stage_transition, Content::stage, 2},  {names::annotate, Content::foreign, 2},
        {names::dependency, Content::foreign, 3},      {names::flush, Content::foreign, 2},
        {names::branch, Content::branch, 2},           {names::memory_access, Content::memory_access, 7},
        {names::memory_data, Content::memory_data, 2}, {names::instruction_order, Content::order, 2},
    };
    const auto* const event = std::ranges::find(own, track.name, &Own::name);
    if (event == std::end(own)) return false;
    const bool is_order = event->content == Content::order;
    const bool fits = track.fields.size() == event->fields && has_text(track) == is_order &&
                      (!is_order || track.fields[1].type == Type::text);
    content = fits ? event->content : Content::foreign;
    return true;
}

InstructionRaising::Meaning InstructionRaising::meaning_of_event(TrackId id) {
    using Content = Meaning::Content;
    const Track& track = source_.tracks()[id];
    Meaning meaning;
    Track raised;
    raised.scope = track.scope;
    raised.name = track.name;
    raised.time = ordinals;
    if (has_only_text(track, names::note_text)) {
        meaning.content = Content::note;
        raised.kind = Track::Kind::notes;
    } else if (has_only_text(track, names::native_hex)) {
        meaning.content = Content::native;
        raised.kind = Track::Kind::native;
    } else {
        meaning.content = Content::event;
        raised.kind = Track::Kind::event_type;
        raised.fields = track.fields;
        for (Field& field : raised.fields)
            field.enumeration = none;  // the enum exists only in the source's schema
        meaning.text = text_fields(track.fields);
        meaning.is_trap = track.name == names::trap;
        if (id > 0 && meanings_[id - 1].has_rows &&
            track.name == source_.tracks()[id - 1].name + std::string(names::row_suffix)) {
            meaning.content = Content::row;
            meaning.target = meanings_[id - 1].target;
            return meaning;
        }
        const bool rows_follow = id + 1 < source_.tracks().size() &&
                                 source_.tracks()[id + 1].name == track.name + std::string(names::row_suffix);
        if (rows_follow && !raised.fields.empty() && raised.fields.back().name == names::rows) {
            meaning.has_rows = true;
            raised.fields.pop_back();
            for (Field field : source_.tracks()[id + 1].fields) {
                field.repeated = true;
                field.enumeration = none;
                raised.fields.push_back(std::move(field));
            }
        }
    }
    meaning.target = schema_.declare(std::move(raised));
    return meaning;
}

void InstructionRaising::translate_texts(const Meaning& meaning, std::span<std::uint64_t> cells) {
    if (meaning.text.empty()) return;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (meaning.text[i]) cells[i] = schema_.intern(source_.text(static_cast<StringId>(cells[i])));
}

void InstructionRaising::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        raise(in, record, meanings_[record.track], out);
        if (group_.records().size() >= most_group_records && group_.open_operands() + group_.open_accesses() == 0) {
            released_ += group_.records().size();
            release_records(out);
        }
    }
}

bool InstructionRaising::finish(Batch& out) {
    // Write the records after the last instruction. Parts without an instruction exist only in files that were cut or
    // edited.
    flush_rows();
    if (parts_ != 0) lost_part("instruction", "it has no commit before the end");
    group_.drop_open_parts();
    release_strangers(out);
    release_records(out);
    return false;
}

void InstructionRaising::release_records(Batch& out) {
    for (const Record& record : group_.records())
        out.copy(group_, record, record.track);
    group_.clear();
}

void InstructionRaising::release_strangers(Batch& out) {
    for (const Record& record : strangers_.records())
        out.copy(strangers_, record, record.track);
    strangers_.clear();
}

void InstructionRaising::misfit(const Record& record) {
    losses_.count(record.kind == Kind::native ? Loss::native_dropped : Loss::kind_dropped,
                  source_.tracks()[record.track].name,
                  [&] { return "a record at " + std::to_string(record.time) + " ps"; });
}

void InstructionRaising::lost_part(std::string_view subject, std::string_view what) {
    losses_.count(Loss::part_dropped, subject,
                  [&] { return "instruction " + std::to_string(index_) + ": " + std::string(what); });
}

/// Begins a group at `time`. Earlier records with another time belong to a lost instruction. They are held back,
/// because there may be no next instruction.
void InstructionRaising::begin_group(Tick time, Batch& out) {
    group_time_ = time;
    if (parts_ != 0) return;
    released_strangers_ += std::exchange(released_, 0);
    if (group_.empty()) return;
    if (strangers_.records().size() >= most_group_records) {
        released_strangers_ += strangers_.records().size();
        release_strangers(out);
    }
    for (const Record& record : group_.records())
        strangers_.copy(group_, record, record.track);
    group_.clear();
}

void InstructionRaising::flush_rows() {
    if (rows_target_ == none) return;
    if (rows_left_ != 0) lost_part(schema_.tracks()[rows_target_].name, counted(rows_left_, "missing row"));
    group_.event(rows_target_, index_, row_cells_);
    rows_target_ = none;
}

void InstructionRaising::raise_entity(const Record& record) {
    if (record.kind == Kind::clear) return;
    if (record.kind != Kind::set || is_property(record)) return misfit(record);
    const auto note = [&](bool& known) {
        if (known) misfit(record);
        known = true;
    };
    const std::vector<Field>& fields = source_.tracks()[record.track].fields;
    if (record.field >= fields.size()) return misfit(record);
    const std::uint64_t value = stored(fields[record.field].type, record.value);
    if (record.field == pc_field_) {
        note(has_pc_);
        pc_ = value;
    } else if (record.field == encoding_field_) {
        note(has_encoding_);
        encoding_ = value;
    } else if (record.field == size_field_) {
        size_ = static_cast<std::uint8_t>(value);
    } else if (record.field != id_field_) {
        return misfit(record);
    }
    ++parts_;
}

void InstructionRaising::raise_register(const Record& record, const Meaning& meaning) {
    std::vector<OperandRole>& roles = roles_[static_cast<std::size_t>(meaning.register_class)];
    if (record.kind != Kind::set || is_property(record) || record.ref >= roles.size() || ++parts_ > most_parts)
        return misfit(record);
    OperandRole& role = roles[record.ref];
    const std::vector<Field>& fields = source_.tracks()[record.track].fields;
    if (record.field >= fields.size()) return misfit(record);
    const std::uint64_t value = stored(fields[record.field].type, record.value);
    const auto number = static_cast<std::uint16_t>(record.ref);
    if (record.field == meaning.role_field) {
        if (value > static_cast<std::uint64_t>(OperandRole::destination)) return misfit(record);
        role = static_cast<OperandRole>(value);
    } else if (meaning.register_class != RegisterClass::vector) {
        if (record.field != 0) return misfit(record);
        group_.operand(number, meaning.register_class, role, value);
    } else {
        if (record.field != next_word_) misfit(record);
        words_[record.field] = value;
        next_word_ = record.field + 1u;
        if (next_word_ < words_.size()) return;
        next_word_ = 0;
        group_.vector_operand(number, role, words_);
    }
}

void InstructionRaising::raise_access(const Record& record, std::span<const std::uint64_t> cells) {
    if (words_left_ != 0) lost_part(names::memory_access, "words of data are missing");
    constexpr auto last_type = static_cast<std::uint64_t>(AccessType::write);
    if (cells[1] > last_type || ++parts_ > most_parts) return misfit(record);
    group_.access(cells[2], static_cast<std::uint16_t>(cells[3]), static_cast<std::uint16_t>(cells[4]),
                  static_cast<AccessType>(cells[1]));
    if (cells[5] != 0) group_.access_data(cells[6]);
    words_left_ = cells[5] == 0 ? 0 : cells[5] - 1;
    more_words_ = cells[5] == 0xFFFF;  // the lowering counts no further, so more words may follow
}

void InstructionRaising::raise_data(const Record& record, std::uint64_t word) {
    if (group_.open_accesses() == 0 || (words_left_ == 0 && !more_words_) || ++parts_ > most_parts)
        return misfit(record);
    if (words_left_ != 0) --words_left_;
    group_.access_data(word);
}

void InstructionRaising::raise_order(const Record& record, std::string_view letters) {
    if (!order_.empty() || letters.find_first_not_of(names::part_letters) != std::string_view::npos)
        return misfit(record);
    for (const char letter : letters)
        order_.push_back(static_cast<Part>(names::part_letters.find(letter)));
}

/// Counts each counter that differs from the parts as a loss. Only another tool can have changed it.
void InstructionRaising::check_counters() {
    std::uint64_t expected[counters] = {0, 0, has_target_ ? 1u : 0u, traps_};
    for (const Access& access : group_.open_access_list())
        if (access.type != AccessType::invalid) ++expected[access.type == AccessType::read ? 0 : 1];
    for (std::size_t i = 0; i < counters; ++i) {
        if (counted_[i] != expected[i] && counter_tracks_[i] != none)
            lost_part(source_.tracks()[counter_tracks_[i]].name, "the count differs from its parts");
        counted_[i] = 0;
    }
}

void InstructionRaising::commit(Batch& out) {
    check_counters();
    if (!has_pc_ || !has_encoding_)
        lost_part(names::entities, "it has no pc or inst_bits; the previous values are used");
    if (words_left_ != 0) lost_part(names::memory_access, "words of data are missing");
    if (next_word_ != 0) lost_part(name_of(RegisterClass::vector), "words of a register are missing");
    if (!strangers_.empty()) [[unlikely]] {
        losses_.count(
            Loss::part_dropped, Subject::general("records of lost instructions"),
            [&] { return "before instruction " + std::to_string(index_); }, strangers_.records().size());
        strangers_.clear();
    }
    if (released_strangers_ != 0) [[unlikely]] {
        losses_.count(
            Loss::order_changed, Subject::general("records of lost instructions"),
            [&] { return "they now belong to instruction " + std::to_string(index_); }, released_strangers_);
        released_strangers_ = 0;
    }
    released_ = 0;
    Instruction& instruction = group_.instruction(hart_, index_, pc_);
    instruction.encoding = encoding_;
    instruction.size = size_ != 0 ? size_ : size_told_by(encoding_);
    instruction.has_target = has_target_;
    instruction.target = target_;
    if (!order_.empty()) group_.set_order(instruction, order_);
    release_records(out);
    ++index_;
    size_ = 0;
    has_pc_ = has_encoding_ = has_target_ = has_stage_ = more_words_ = false;
    target_ = 0;
    parts_ = traps_ = words_left_ = next_word_ = 0;
    order_.clear();
}

void InstructionRaising::raise_event(const Meaning& meaning, std::span<const std::uint64_t> cells) {
    if (meaning.is_trap) ++traps_;
    if (!meaning.has_rows)
        return translate_texts(meaning, group_.mutable_cells(group_.event(meaning.target, index_, cells)));
    rows_target_ = meaning.target;
    row_cells_.assign(cells.begin(), cells.end() - 1);
    translate_texts(meaning, row_cells_);
    rows_left_ = cells.back();
    if (rows_left_ == 0) flush_rows();
}

void InstructionRaising::raise_row(const Record& record, const Meaning& meaning, std::span<const std::uint64_t> cells) {
    if (rows_target_ != meaning.target || row_cells_.size() >= most_parts) return misfit(record);
    row_cells_.insert(row_cells_.end(), cells.begin(), cells.end());
    translate_texts(meaning, std::span(row_cells_).last(cells.size()));
    if (--rows_left_ == 0) flush_rows();
}

void InstructionRaising::raise(const Batch& in, const Record& record, const Meaning& meaning, Batch& out) {
    using Content = Meaning::Content;
    const std::span<const std::uint64_t> cells =
        record.kind == Kind::event ? in.cells(record) : std::span<const std::uint64_t>{};
    if (meaning.content != Content::row) flush_rows();
    if (record.time != group_time_ && record.kind != Kind::clear) begin_group(record.time, out);
    switch (meaning.content) {
        case Content::foreign:
            misfit(record);
            break;
        case Content::counter:
            if (record.kind == Kind::add)
                counted_[meaning.counter] += record.value;
            else
                misfit(record);
            break;
        case Content::stage:
            if (has_stage_ || cells[1] != 0) misfit(record);
            has_stage_ = true;
            break;
        case Content::entity:
            raise_entity(record);
            break;
        case Content::committed:
            if (record.kind != Kind::add || record.value != 1) misfit(record);
            if (record.kind == Kind::add && record.value != 0) commit(out);
            break;
        case Content::registers:
            raise_register(record, meaning);
            break;
        case Content::branch:
            if (has_target_) misfit(record);
            ++parts_;
            target_ = cells[1];
            has_target_ = true;
            break;
        case Content::memory_access:
            raise_access(record, cells);
            break;
        case Content::memory_data:
            raise_data(record, cells[1]);
            break;
        case Content::order:
            raise_order(record, source_.text(static_cast<StringId>(cells[1])));
            break;
        case Content::event:
            raise_event(meaning, cells);
            break;
        case Content::row:
            raise_row(record, meaning, cells);
            break;
        case Content::note:
            group_.note(meaning.target, index_, source_.text(static_cast<StringId>(cells[0])));
            break;
        case Content::native: {
            native_.clear();
            append_bytes_of_hex(source_.text(static_cast<StringId>(cells[0])), native_);
            group_.native(meaning.target, index_, native_);
            break;
        }
    }
}

}  // namespace hwtrace

// formats/txlog/reader.cpp - reads a log into the model (formats/txlog/README.md#model-mapping).
#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "codec.hpp"
#include "codec/resumable.hpp"
#include "codec/schema_state.hpp"
#include "cut_line.hpp"
#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "log.hpp"
#include "model/hash.hpp"
#include "values.hpp"

namespace hwtrace::txlog {
namespace {

namespace names = conventions;

constexpr std::uint32_t no_index = 0xFFFF'FFFF;
constexpr std::size_t shown = 80;  // bytes of a value that a finding shows

/// Name, type and phase of an attribute, packed into one integer.
class Key {
public:
    Key(StringId name, Type type, Phase phase) noexcept
        : bits_(std::uint64_t{name} << 16 | std::uint64_t{static_cast<std::uint8_t>(type)} << 8 |
                static_cast<std::uint8_t>(phase)) {}
    std::uint64_t bits() const noexcept { return bits_; }
    StringId name() const noexcept { return static_cast<StringId>(bits_ >> 16); }
    Type type() const noexcept { return static_cast<Type>(bits_ >> 8 & 0xFF); }
    Phase phase() const noexcept { return static_cast<Phase>(bits_ & 0xFF); }
    friend bool operator==(Key, Key) = default;

private:
    std::uint64_t bits_;
};

class TxlogReader final : public Reader, public Resumable {
public:
    TxlogReader(Input& input, const Settings& settings, Findings& findings, int exponent)
        : input_(input),
          limits_(settings.limits),
          exponent_(exponent),
          base_{TimeBase::Kind::seconds, 1, exponent == femtoseconds ? 1'000'000'000'000'000 : picoseconds_per_second},
          log_(input, settings.limits, findings) {}

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override { return input_.position(); }
    bool keep_states() override { return log_.keep_places(); }
    bool save_state(Appender& out) override;
    bool restore_state(Cursor& in) override;
    void save_survey(Appender& out) const override { out.le(static_cast<std::int8_t>(exponent_)); }

private:
    struct Declared {
        std::uint32_t field = 0;
        const TransactionType* type = nullptr;  ///< null: unknown
    };
    struct Generator {
        TrackId track = none;
        std::vector<Declared> begin, end;
        std::vector<Key> keys;  ///< keys of the track's fields after the transaction id
        HashMap<std::uint64_t, std::uint32_t> fields;
    };
    struct Given {
        Key key;
        std::uint32_t field;  ///< field of a declared attribute; otherwise no_index
        std::uint64_t cell;
    };
    struct Transaction {
        std::uint64_t id = 0, order = 0;
        std::uint32_t generator = 0;
        Tick begin = 0;
        std::vector<Given> attributes = {};
    };

    void save_declared(const std::vector<Declared>& declared, Appender& out) const;
    void restore_declared(std::vector<Declared>& declared, const Track& track, Cursor& in);
    void save_open(Appender& out) const;
    void restore_open(Cursor& in);
    void restore_schema_places();
    void put(const Statement& statement, Batch& batch);
    void declare_stream(const Statement& statement);
    void declare_generator(const Statement& statement);
    std::uint32_t add_generator(std::uint64_t id, ScopeId scope, std::string_view name);
    void declare_attribute(const Statement& statement);
    void begin(const Statement& statement, Batch& batch);
    void end(const Statement& statement);
    void value(const Statement& statement);
    void attribute(const Statement& statement);
    void relation(const Statement& statement, Batch& batch);
    void give(Transaction& transaction, const Value& value, StringId name, Phase phase, std::uint32_t field);
    void check_value(const Value& value, const TransactionType& type, std::string_view text);
    Tick tick_of(Time time);
    void expect_values_done(bool at_end = false);
    void hand_out(std::uint32_t slot, Tick end, Batch& batch);
    std::uint32_t field_of(Generator& generator, Key key, std::uint32_t guess);
    void hand_out_ended(Batch& batch);
    void collect_open();
    void count_objects(std::uint64_t more);
    /// Reports a name that viewers cannot read. `is_split` is true if viewers split the line of the name at blanks.
    void check_name(std::string_view name, bool is_split);

    Input& input_;
    const Limits& limits_;
    int exponent_;
    TimeBase base_;
    Log log_;
    Schema schema_;

    HashMap<std::uint64_t, ScopeId> streams_;
    HashMap<std::uint64_t, std::uint32_t> generator_ids_;
    std::vector<Generator> generators_;
    HashMap<StringId, TrackId> relations_;
    std::uint32_t declaring_ = no_index;  ///< the generator whose declaration is open
    std::uint64_t objects_ = 0;

    std::vector<Transaction> slots_;
    std::vector<std::uint32_t> free_;
    HashMap<std::uint64_t, std::uint32_t> open_;  ///< slots by id
    std::uint64_t begun_ = 0, given_ = 0;         ///< counts transactions, and attributes of open transactions
    std::uint32_t ended_slot_ = no_index;         ///< slot of the latest tx_end, whose values may follow
    Tick end_ = 0;                                ///< time of that tx_end

    std::uint32_t valued_ = no_index;  ///< slot that value lines belong to
    Phase value_phase_ = Phase::unknown;
    std::size_t next_value_ = 0;

    Tick now_ = 0;                     ///< time of the latest tx_begin or tx_end
    std::vector<std::uint32_t> left_;  ///< slots of transactions that never end, in reverse order
    std::vector<Attribute> attributes_;
    std::uint64_t transactions_ = 0, never_ended_ = 0, attribute_count_ = 0, relation_count_ = 0;
    bool declares_ = false;
    bool read_all_ = false;
    std::exception_ptr failure_;  ///< thrown after the records before it are delivered
};

bool TxlogReader::read(Batch& batch) {
    if (failure_) std::rethrow_exception(failure_);
    try {
        for (Statement statement; !read_all_ && !batch.full();) {
            if (log_.next(statement)) {
                put(statement, batch);
                continue;
            }
            read_all_ = true;
            expect_values_done(true);
            hand_out_ended(batch);
            collect_open();
        }
        for (; read_all_ && !left_.empty() && !batch.full(); left_.pop_back())
            hand_out(left_.back(), slots_[left_.back()].begin, batch);
    } catch (const Error&) {
        if (batch.empty()) throw;
        failure_ = std::current_exception();
    }
    return !batch.empty();
}

// --- checkpoints -----------------------------------------------------------------------------------------------------

[[noreturn]] void refuse_state() {
    fail(Failure::input, "the state states what the log lacks");
}

void TxlogReader::save_declared(const std::vector<Declared>& declared, Appender& out) const {
    out.leb128(declared.size());
    for (const auto& [field, type] : declared) {
        out.leb128(field);
        out.leb128(type == nullptr ? 0 : type->name.size());
        if (type != nullptr) out.text(type->name);
    }
}

void TxlogReader::restore_declared(std::vector<Declared>& declared, const Track& track, Cursor& in) {
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        const std::uint64_t field = in.leb128(), size = in.leb128();
        if (size > in.left() || field >= track.fields.size()) refuse_state();
        const TransactionType* const type =
            size == 0 ? nullptr : type_of(as_text(in.take(static_cast<std::size_t>(size))));
        if ((type == nullptr) != (size == 0) || (type != nullptr && field == 0)) refuse_state();
        declared.push_back({static_cast<std::uint32_t>(field), type});
    }
}

/// Appends the open transactions. Texts are stored as such, because their ids depend on all earlier texts.
void TxlogReader::save_open(Appender& out) const {
    const auto append_text = [&](StringId id) {
        const std::string_view text = schema_.text(id);
        out.leb128(text.size());
        out.text(text);
    };
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
            append_text(key.name());
            out.le(static_cast<std::uint8_t>(key.type()));
            out.le(static_cast<std::uint8_t>(key.phase()));
            out.le(field);
            if (holds_text(key.type()))
                append_text(static_cast<StringId>(cell));
            else
                out.le(cell);
        }
    }
}

void TxlogReader::restore_open(Cursor& in) {
    const auto text = [&] {
        const std::uint64_t size = in.leb128();
        if (size > in.left()) refuse_state();
        return schema_.intern(as_text(in.take(static_cast<std::size_t>(size))));
    };
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

// --- statements ------------------------------------------------------------------------------------------------------

void TxlogReader::put(const Statement& statement, Batch& batch) {
    if (statement.word == Word::value) return value(statement);
    expect_values_done();
    hand_out_ended(batch);
    const bool declares = statement.word == Word::begin_attribute || statement.word == Word::end_attribute;
    if (declaring_ != no_index && !declares && statement.word != Word::close) {
        log_.report(Check::generator_open, "attributes, or a closing parenthesis");
        declaring_ = no_index;
    }
    switch (statement.word) {
        case Word::stream:
            return declare_stream(statement);
        case Word::generator:
            return declare_generator(statement);
        case Word::begin_attribute:
        case Word::end_attribute:
            return declare_attribute(statement);
        case Word::close:
            if (declaring_ == no_index) log_.report(Check::declaration_alone, "scv_tr_generator before it", ")");
            declaring_ = no_index;
            return;
        case Word::begin:
            return begin(statement, batch);
        case Word::end:
            return end(statement);
        case Word::attribute:
            return attribute(statement);
        case Word::relation:
            return relation(statement, batch);
        case Word::value:
        case Word::blank:
        case Word::unknown:
        case Word::malformed:
            return;  // not a statement that Log::next() returns
    }
}

// --- declarations ----------------------------------------------------------------------------------------------------

void TxlogReader::count_objects(std::uint64_t more) {
    objects_ += more;
    check_limit(objects_, limits_.schema_objects, "the number of streams, generators and attributes", "--max-schema");
}

void TxlogReader::check_name(std::string_view name, bool is_split) {
    if (name.find_first_of(is_split ? "\" \t" : "\"") != std::string_view::npos)
        log_.report(Check::name_unreadable, {}, std::string(name.substr(0, shown)));
}

void TxlogReader::declare_stream(const Statement& statement) {
    count_objects(1);
    check_name(statement.name, false);
    check_name(statement.value, false);
    const std::string_view kind = statement.value == no_kind ? std::string_view{} : statement.value;
    const ScopeId scope =
        schema_.declare(Scope{std::string(statement.name), none, std::string(kind), none, statement.id});
    if (!streams_.insert_or_assign(statement.id, scope).second)
        log_.report(Check::declared_again, "a unique id", "stream " + std::to_string(statement.id));
}

std::uint32_t TxlogReader::add_generator(std::uint64_t id, ScopeId scope, std::string_view name) {
    count_objects(2);
    Track track;
    track.kind = Track::Kind::stream;
    track.scope = scope;
    track.name = std::string(name);
    track.time = base_;
    track.fields.push_back(Field{.name = std::string(names::interval_id), .type = Type::u64});
    track.native_id = id;
    const auto index = static_cast<std::uint32_t>(generators_.size());
    generators_.emplace_back().track = schema_.declare(std::move(track));
    if (!generator_ids_.insert_or_assign(id, index).second)
        log_.report(Check::declared_again, "a unique id", "generator " + std::to_string(id));
    return index;
}

void TxlogReader::declare_generator(const Statement& statement) {
    auto stream = streams_.find(statement.other);
    if (stream == streams_.end()) {
        log_.report(Check::stream_unknown, "a declared stream", std::to_string(statement.other));
        count_objects(1);
        stream = streams_.emplace(statement.other, schema_.declare(Scope{{}, none, {}, none, statement.other})).first;
    }
    check_name(statement.name, false);
    declaring_ = add_generator(statement.id, stream->second, statement.name);
}

void TxlogReader::declare_attribute(const Statement& statement) {
    if (declaring_ == no_index) return log_.report(Check::declaration_alone, "scv_tr_generator before it");
    declares_ = true;
    Generator& generator = generators_[declaring_];
    const Phase phase = statement.word == Word::begin_attribute ? Phase::begin : Phase::end;
    std::vector<Declared>& declared = phase == Phase::begin ? generator.begin : generator.end;
    const TransactionType* const type = type_of(statement.type);
    if (type == nullptr) {
        log_.report(Check::type_unknown, {}, std::string(statement.type));
        declared.push_back({});
        return;
    }
    count_objects(1);
    const std::string_view name = statement.name == no_name ? std::string_view{} : statement.name;
    check_name(name, true);
    const std::uint32_t field =
        schema_.add_attribute(generator.track, Field{.name = std::string(name), .type = type->type, .phase = phase});
    const Key key(schema_.intern(name), type->type, phase);
    generator.keys.push_back(key);
    generator.fields.emplace(key.bits(), field);
    declared.push_back({field, type});
}

// --- transactions ----------------------------------------------------------------------------------------------------

Tick TxlogReader::tick_of(Time time) {
    const auto tick = ticks(time, exponent_);
    if (!tick) log_.report(Check::time_too_large, std::string(Log::greatest_time));
    const Tick at = tick.value_or(std::numeric_limits<Tick>::max());
    if (at < now_) log_.report(Check::goes_back, "tick " + std::to_string(now_) + " or later", std::to_string(at));
    now_ = at;
    return at;
}

void TxlogReader::begin(const Statement& statement, Batch& batch) {
    auto generator = generator_ids_.find(statement.other);
    if (generator == generator_ids_.end()) {
        log_.report(Check::generator_unknown, "a declared generator", std::to_string(statement.other));
        add_generator(statement.other, none, {});
        generator = generator_ids_.find(statement.other);
    }
    if (const auto known = open_.find(statement.id); known != open_.end()) [[unlikely]] {
        log_.report(Check::begins_again, "an end before it, or a unique id", std::to_string(statement.id));
        hand_out(known->second, slots_[known->second].begin, batch);
    }
    std::uint32_t slot = static_cast<std::uint32_t>(slots_.size());
    if (free_.empty()) {
        constexpr std::uint64_t around = 64;  // approximate memory of an entry in the table of open transactions
        check_limit(slots_.size() * (sizeof(Transaction) + around), limits_.block, "the memory of open transactions",
                    "--max-block");
        slots_.emplace_back();
    } else {
        slot = free_.back();
        free_.pop_back();
    }
    Transaction& transaction = slots_[slot];
    transaction.id = statement.id;
    transaction.order = begun_++;
    transaction.generator = generator->second;
    transaction.begin = tick_of(statement.time);
    open_.emplace(statement.id, slot);
    valued_ = slot;
    value_phase_ = Phase::begin;
    next_value_ = 0;
}

void TxlogReader::end(const Statement& statement) {
    const auto found = open_.find(statement.id);
    if (found == open_.end()) {
        now_ = std::max(now_, ticks(statement.time, exponent_).value_or(now_));
        return log_.report(Check::not_open, "a tx_begin before it", std::to_string(statement.id));
    }
    const std::uint32_t slot = found->second;
    const auto generator = generator_ids_.find(statement.other);
    if (generator == generator_ids_.end() || generator->second != slots_[slot].generator)
        log_.report(Check::other_generator,
                    std::to_string(schema_.tracks()[generators_[slots_[slot].generator].track].native_id.value_or(0)),
                    std::to_string(statement.other));
    end_ = tick_of(statement.time);
    if (end_ < slots_[slot].begin)
        log_.report(Check::ends_before_begin, "tick " + std::to_string(slots_[slot].begin) + " or later",
                    std::to_string(end_));
    end_ = std::max(end_, slots_[slot].begin);
    ended_slot_ = slot;
    valued_ = slot;
    value_phase_ = Phase::end;
    next_value_ = 0;
}

void TxlogReader::expect_values_done(bool at_end) {
    if (valued_ == no_index) return;
    const Generator& generator = generators_[slots_[valued_].generator];
    const std::size_t count = value_phase_ == Phase::begin ? generator.begin.size() : generator.end.size();
    const bool is_cut = at_end && !log_.line_ended();  // the last value may be cut
    if (next_value_ < count)
        log_.report(is_cut ? Check::line_cut : Check::values_missing, std::to_string(count),
                    std::to_string(next_value_));
    valued_ = no_index;
}

void TxlogReader::check_value(const Value& value, const TransactionType& type, std::string_view text) {
    if (value.state == Value::State::wrong) {
        const bool is_cut = !log_.line_ended() && may_become_value(type, text);
        log_.report(is_cut ? Check::line_cut : Check::value_wrong, std::string(type.name),
                    std::string(text.substr(0, shown)));
    }
    if (value.is_negative) log_.report(Check::value_negative, {}, std::string(text));
    if (value.is_open)
        log_.report(Check::text_open, "a quote at the end");
    else if (value.text.find('"') != std::string_view::npos)
        log_.report(Check::text_with_quotes, {}, std::string(value.text.substr(0, shown)));
}

void TxlogReader::give(Transaction& transaction, const Value& value, StringId name, Phase phase, std::uint32_t field) {
    if (value.state != Value::State::good) return;
    check_limit(++given_ * sizeof(Given), limits_.block, "the memory of open transactions", "--max-block");
    const std::uint64_t cell = holds_text(value.type) ? schema_.intern(value.text) : value.cell;
    transaction.attributes.push_back({Key(name, value.type, phase), field, cell});
}

void TxlogReader::value(const Statement& statement) {
    declares_ = true;
    if (valued_ == no_index)
        return log_.report(Check::value_undeclared, {}, std::string(statement.value.substr(0, shown)));
    Transaction& transaction = slots_[valued_];
    const Generator& generator = generators_[transaction.generator];
    const std::vector<Declared>& declared = value_phase_ == Phase::begin ? generator.begin : generator.end;
    if (next_value_ >= declared.size())
        return log_.report(Check::value_undeclared, counted(declared.size(), "value"),
                           std::string(statement.value.substr(0, shown)));
    const Declared& attribute = declared[next_value_++];
    if (attribute.type == nullptr) return;
    const Value value = parse_value(*attribute.type, statement.value, exponent_);
    check_value(value, *attribute.type, statement.value);
    const Key key = generator.keys[attribute.field - 1];
    const bool as_declared = value.type == key.type();
    give(transaction, value, key.name(), key.phase(), as_declared ? attribute.field : no_index);
}

void TxlogReader::attribute(const Statement& statement) {
    const auto found = open_.find(statement.id);
    if (found == open_.end())
        return log_.report(Check::not_open, "a tx_begin before it, and no tx_end", std::to_string(statement.id));
    const TransactionType* const type = type_of(statement.type);
    if (type == nullptr) return log_.report(Check::type_unknown, {}, std::string(statement.type));
    check_name(statement.name, true);
    const Value value = parse_value(*type, statement.value, exponent_);
    if (value.state != Value::State::good || value.is_negative || holds_text(value.type))
        check_value(value, *type, statement.value);
    const std::string_view name = statement.name == no_name ? std::string_view{} : statement.name;
    give(slots_[found->second], value, schema_.intern(name), Phase::record, no_index);
}

std::uint32_t TxlogReader::field_of(Generator& generator, Key key, std::uint32_t guess) {
    if (guess - 1 < generator.keys.size() && generator.keys[guess - 1] == key) [[likely]]
        return guess;
    const auto known = generator.fields.find(key.bits());
    if (known != generator.fields.end()) return known->second;
    count_objects(1);
    const std::uint32_t field = schema_.add_attribute(
        generator.track,
        Field{.name = std::string(schema_.text(key.name())), .type = key.type(), .phase = key.phase()});
    generator.keys.push_back(key);
    generator.fields.emplace(key.bits(), field);
    return field;
}

/// Appends a finished transaction to the batch and frees its slot.
void TxlogReader::hand_out(std::uint32_t slot, Tick end, Batch& batch) {
    Transaction& transaction = slots_[slot];
    Generator& generator = generators_[transaction.generator];
    attributes_.clear();
    attributes_.push_back({0, transaction.id});
    std::uint32_t guess = 1;
    for (const Given& given : transaction.attributes) {
        const std::uint32_t field = given.field != no_index ? given.field : field_of(generator, given.key, guess);
        attributes_.push_back({field, given.cell});
        guess = field + 1;
    }
    batch.interval(generator.track, transaction.begin, static_cast<std::uint64_t>(end - transaction.begin),
                   attributes_);
    ++transactions_;
    attribute_count_ += transaction.attributes.size();
    given_ -= transaction.attributes.size();
    transaction.attributes.clear();
    open_.erase(transaction.id);
    free_.push_back(slot);
}

void TxlogReader::hand_out_ended(Batch& batch) {
    if (ended_slot_ == no_index) return;
    hand_out(ended_slot_, end_, batch);
    ended_slot_ = no_index;
}

void TxlogReader::collect_open() {
    if (declaring_ != no_index) log_.report(Check::generator_open, "a closing parenthesis", "the end of the log");
    for (const auto& [id, slot] : open_)
        left_.push_back(slot);
    std::sort(left_.begin(), left_.end(), [&](auto a, auto b) { return slots_[a].order > slots_[b].order; });
    never_ended_ = left_.size();
    for (auto slot = left_.rbegin(); slot != left_.rend(); ++slot)
        log_.report(Check::never_ends, "tx_end " + std::to_string(slots_[*slot].id), "the end of the log");
}

void TxlogReader::relation(const Statement& statement, Batch& batch) {
    const StringId name = schema_.intern(statement.name);
    auto found = relations_.find(name);
    if (found == relations_.end()) {
        count_objects(1);
        check_name(statement.name, true);
        Track track;
        track.kind = Track::Kind::relation_type;
        track.name = std::string(statement.name);
        track.time = base_;
        track.fields = {Field{.name = std::string(names::relation_from), .type = Type::u64},
                        Field{.name = std::string(names::relation_to), .type = Type::u64}};
        found = relations_.emplace(name, schema_.declare(std::move(track))).first;
    }
    const std::array<std::uint64_t, 2> ends{statement.other, statement.id};
    batch.relation(found->second, now_, ends);
    ++relation_count_;
}

Facts TxlogReader::facts() const {
    Facts facts{{"container", std::string(name_of(log_.packing()))},
                {"tick", exponent_ == femtoseconds ? "1 fs" : "1 ps"}};
    if (read_all_) {  // before the end, these counts would look final
        facts.emplace_back("dialect", declares_ ? "SCV" : "LWTR");
        facts.emplace_back("lines", log_.lines());
        facts.emplace_back("streams", schema_.scopes().size());
        facts.emplace_back("generators", generators_.size());
        facts.emplace_back("transactions", transactions_);
        facts.emplace_back("never_ended", never_ended_);
        facts.emplace_back("attributes", attribute_count_);
        facts.emplace_back("relations", relation_count_);
    }
    return facts;
}

}  // namespace

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    input.spool(settings.temporary_folder);
    const auto known = survey_in(settings);
    const bool knows_tick = known && !known->empty();
    const int exponent = knows_tick
                             ? (known->front() == static_cast<char>(femtoseconds) ? femtoseconds : picosecond_exponent)
                             : tick_exponent(input, settings.limits);
    return std::make_unique<TxlogReader>(input, settings, findings, exponent);
}

}  // namespace hwtrace::txlog

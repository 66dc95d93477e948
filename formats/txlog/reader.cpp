// formats/txlog/reader.cpp - reads a log into the model (formats/txlog/README.md#model-mapping).
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "codec.hpp"
#include "cut_line.hpp"
#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "reader.hpp"
#include "values.hpp"

namespace hwtrace::txlog {
namespace {

namespace names = conventions;

constexpr std::size_t shown = 80;  // bytes of a value that a finding shows

}  // namespace

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

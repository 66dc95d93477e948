#include "core.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/transaction_types.hpp"
#include "io/error.hpp"

namespace hwtrace::recording::detail {

namespace {

namespace names = conventions;

/// Returns a time base with ticks of 10^exponent seconds.
TimeBase tick(int exponent) {
    TimeBase base{TimeBase::Kind::seconds, 1, 1};
    for (int i = exponent; i < 0; ++i)
        base.den *= 10;
    for (int i = 0; i < exponent; ++i)
        base.num *= 10;
    return base;
}

/// Sets a flag during the lifetime of this object.
class Raised {
public:
    explicit Raised(bool& flag) noexcept : flag_(flag) { flag_ = true; }
    ~Raised() { flag_ = false; }
    Raised(const Raised&) = delete;
    Raised& operator=(const Raised&) = delete;

private:
    bool& flag_;
};

}  // namespace

constinit std::atomic<unsigned> Core::forks{0};

unsigned Core::count_forks() {
    [[maybe_unused]] static const int counts =
        pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
    return forks.load(std::memory_order_relaxed);
}

Core::Core(const std::string& path, Options options)
    : forks_(count_forks()), options_(std::move(options)), name_(path) {
    constexpr int finest = -18, coarsest = 3;
    if (options_.exponent < finest || options_.exponent > coarsest)
        fail(Failure::usage,
             "a tick of 10^" + std::to_string(options_.exponent) + " seconds: the exponent must be from -18 to 3");
    if (std::find(options_.back_ends.begin(), options_.back_ends.end(), nullptr) != options_.back_ends.end())
        fail(Failure::usage, "a back end of a recording is null");
    if (!path.empty()) file_ = std::make_unique<RecordingFile>(path, options_);
    if (options_.epoch) schema_.describe(std::string(names::ftr_epoch), std::to_string(*options_.epoch));
    for (const auto& back_end : options_.back_ends)
        back_end->database(name_, true);
}

Core::~Core() = default;

// --- objects ---------------------------------------------------------------------------------------------------------

std::uint32_t Core::add_stream(std::string_view name, std::string_view kind) {
    const Call call(*this, 0, none, name);
    if (!call || is_closed(name)) return none;
    const std::uint64_t id = ++last_object_;
    mention(name);
    mention(kind);
    undeclared_ = true;
    Scope scope;
    scope.name = name;
    scope.protocol = kind;
    scope.native_id = id;
    streams_.push_back({id, schema_.declare(std::move(scope)), true});
    for (const auto& back_end : options_.back_ends)
        back_end->stream({id, name, kind});
    return static_cast<std::uint32_t>(streams_.size() - 1);
}

std::uint32_t Core::add_generator(std::uint32_t stream, std::string_view name, std::string_view begin_name,
                                  std::string_view end_name, bool events) {
    const Call call(*this, 0, none, name);
    if (!call || is_closed(name)) return none;
    const std::uint32_t number = declare_generator(stream, name, begin_name, end_name);
    if (events) {
        const std::string of_events = std::string(name).append(names::events_suffix);
        const std::uint32_t moments = declare_generator(stream, of_events, {}, {});
        generators_[number].events = moments;
    }
    return number;
}

std::uint32_t Core::declare_generator(std::uint32_t stream, std::string_view name, std::string_view begin_name,
                                      std::string_view end_name) {
    const std::uint64_t id = ++last_object_;
    mention(name);
    undeclared_ = true;
    Track track;
    track.kind = Track::Kind::stream;
    track.scope = streams_[stream].scope;
    track.name = name;
    track.time = tick(options_.exponent);
    track.native_id = id;
    track.fields = {Field{std::string(names::interval_id), Type::u64}};
    GeneratorState& generator = generators_.emplace_back();
    generator.id = id;
    generator.stream = stream;
    generator.track = schema_.declare(std::move(track));
    generator.name = name;
    generator.begin_name = begin_name;
    generator.end_name = end_name;
    for (const auto& back_end : options_.back_ends)
        back_end->generator({id, streams_[stream].id, name});
    return static_cast<std::uint32_t>(generators_.size() - 1);
}

std::uint32_t Core::relation(std::string_view name) {
    const Call call(*this, 0, none, name);
    return call && !is_closed(name) ? relation_number(name) : none;
}

bool Core::is_closed(std::string_view what) {
    if (closed_) report(Misuse::closed, 0, none, what);
    return closed_;
}

std::uint32_t Core::relation_number(std::string_view name) {
    if (const auto known = relation_numbers_.find(name); known != relation_numbers_.end()) return known->second;
    mention(name);
    Track track;
    track.kind = Track::Kind::relation_type;
    track.name = name;
    track.time = tick(options_.exponent);
    for (const std::string_view field :
         {names::relation_from, names::relation_to, names::relation_source_stream, names::relation_sink_stream})
        track.fields.push_back(Field{std::string(field), Type::u64});
    const auto number = static_cast<std::uint32_t>(relations_.size());
    relations_.push_back({std::string(name), schema_.declare(std::move(track))});
    relation_numbers_.emplace(name, number);
    return number;
}

void Core::set_recording(bool on) {
    if (is_forked()) return;
    const Locked locked(lock_);
    recording_ = on;
}

void Core::set_stream_recording(std::uint32_t stream, bool on) {
    if (is_forked()) return;
    const Locked locked(lock_);
    streams_[stream].recording = on;
}

void Core::set_generator_recording(std::uint32_t generator, bool on) {
    if (is_forked()) return;
    const Locked locked(lock_);
    generators_[generator].recording = on;
}

// --- misuse ----------------------------------------------------------------------------------------------------------

void Core::report(Misuse misuse, std::uint64_t transaction, std::uint32_t generator, std::string_view what) {
    ++misuses_.at(static_cast<std::size_t>(misuse));
    if (!options_.on_misuse || telling_) return;
    const std::string_view name =
        generator == none ? std::string_view() : std::string_view(generators_[generator].name);
    const Raised telling(telling_);
    options_.on_misuse({misuse, transaction, name, what});
}

void Core::report(Misuse misuse, std::uint64_t transaction, std::string_view what) {
    if (const Call call(*this, transaction, none, what); call) report(misuse, transaction, none, what);
}

std::uint64_t Core::misuses(Misuse misuse) const {
    if (is_forked()) return 0;
    const Locked locked(lock_);
    return misuses_.at(static_cast<std::size_t>(misuse));
}

// --- time ------------------------------------------------------------------------------------------------------------

Time Core::now() const {
    return options_.now ? options_.now() : latest_;
}

/// Returns now(). If the program's clock throws, returns the latest time, so that the file can still be completed.
Time Core::now_or_latest() const noexcept {
    try {
        return now();
    } catch (...) {
        return latest_;
    }
}

Time Core::seen(Time time, std::uint64_t transaction, std::uint32_t generator) {
    if (time > last_time) {
        report(Misuse::beyond_time, transaction, generator, {});
        return last_time;
    }
    latest_ = std::max(latest_, time);
    return time;
}

// --- transactions ----------------------------------------------------------------------------------------------------

TransactionFacts Core::facts_of(const Place& place) const {
    const GeneratorState& generator = generators_[place.generator];
    return {place.id, generator.id, streams_[generator.stream].id, place.begin, std::nullopt};
}

Core::Begun Core::begin(std::uint32_t generator, std::optional<Time> time) {
    const Call call(*this, 0, generator, {});
    return call ? begin_if_recording(generator, time) : Begun();
}

Core::Begun Core::enter_begin(std::uint32_t generator, std::optional<Time> time) {
    Call call(*this, 0, generator, {});
    if (!call) return {};
    const Begun begun = begin_if_recording(generator, time);
    if (begun.id != 0) call.go_on();
    return begun;
}

Core::Begun Core::begin_if_recording(std::uint32_t generator, std::optional<Time> time) {
    const GeneratorState& state = generators_[generator];
    if (closed_) {
        report(Misuse::closed, 0, generator, {});
        return {};
    }
    if (failure_ || !recording_ || !state.recording || !streams_[state.stream].recording) return {};
    return begin_at(generator, time ? *time : now());
}

Core::Begun Core::begin_at(std::uint32_t generator, Time time) {
    // Write all declarations before the first transaction, and late declarations before the next transaction.
    if (undeclared_) write();
    const std::uint64_t id = ++last_transaction_;
    std::uint32_t number = 0;
    if (free_places_.empty()) {
        number = static_cast<std::uint32_t>(places_.size());
        places_.emplace_back();
    } else {
        number = free_places_.back();
        free_places_.pop_back();
    }
    Place& place = places_[number];
    place.id = id;
    place.generator = generator;
    place.state = &generators_[generator];
    place.begin = seen(time, id, generator);
    place.attributes.clear();
    place.attributes.push_back({0, id});
    place.expected_field = 0;
    for (const auto& back_end : options_.back_ends)
        back_end->transaction(facts_of(place));
    return {id, number};
}

Core::EventBegun Core::enter_event(std::uint64_t id, std::uint32_t place, std::uint32_t generator,
                                   std::string_view name, std::optional<Time> time) {
    Call call(*this, id, generator, name);
    if (!call || find_open(id, place, generator, name) == nullptr) return {};
    const std::uint32_t moments = generators_[generator].events;
    if (moments == none) {
        report(Misuse::no_events, id, generator, name);
        return {};
    }
    const Begun begun = begin_at(moments, time ? *time : now());
    append_attribute(places_[begun.place], Phase::begin, names::event_name, Value(Value::Type::string, name));
    write_relation(relation_number(names::parent_of), id, generator, begun.id, moments);
    call.go_on();
    return {begun, moments};
}

bool Core::is_open(std::uint64_t id, std::uint32_t place) const {
    if (is_forked()) return false;
    const Locked locked(lock_);
    return !closed_ && places_[place].id == id;
}

void Core::end(std::uint64_t id, std::uint32_t place, std::uint32_t generator, std::optional<Time> time) {
    const Call call(*this, id, generator, {});
    if (!call) return;
    if (Place* const open = find_open(id, place, generator, {})) end_open(*open, time);
}

void Core::end_filled(std::uint32_t place, std::optional<Time> time) {
    end_open(places_[place], time);
}

void Core::end_event(std::uint32_t place) {
    end_at(places_[place], places_[place].begin);
}

void Core::end_unfinished(std::uint32_t place) {
    end_unfinished(places_[place], places_[place].begin);
}

void Core::end_open(Place& place, std::optional<Time> time) {
    Time at = seen(time ? *time : now(), place.id, place.generator);
    if (at < place.begin) {
        report(Misuse::ends_early, place.id, place.generator, {});
        at = place.begin;
    }
    end_at(place, at);
}

void Core::end_unfinished(Place& place, Time time) {
    report(Misuse::not_finished, place.id, place.generator, {});
    append_attribute(place, Phase::record, names::unfinished, Value(Value::Type::boolean, std::uint64_t{1}));
    end_at(place, std::max(place.begin, time));
}

void Core::end_at(Place& place, Time time) {
    TransactionFacts facts = facts_of(place);
    facts.end = time;
    for (const auto& back_end : options_.back_ends)
        back_end->transaction(facts);
    if (file_ && !failure_)
        batch_.interval(place.state->track, static_cast<Tick>(place.begin), time - place.begin, place.attributes);
    place.id = 0;
    free_places_.push_back(static_cast<std::uint32_t>(&place - places_.data()));
    write();
    flush_when_due();
}

void Core::relate(std::uint32_t relation, std::uint64_t source, std::uint32_t source_generator, std::uint64_t sink,
                  std::uint32_t sink_generator) {
    const Call call(*this, sink, sink_generator, {});
    if (!call) return;
    if (closed_) return report(Misuse::closed, sink, sink_generator, relations_[relation].name);
    write_relation(relation, source, source_generator, sink, sink_generator);
}

void Core::relate(std::string_view relation, std::uint64_t source, std::uint32_t source_generator, std::uint64_t sink,
                  std::uint32_t sink_generator) {
    const Call call(*this, sink, sink_generator, relation);
    if (!call) return;
    if (closed_) return report(Misuse::closed, sink, sink_generator, relation);
    write_relation(relation_number(relation), source, source_generator, sink, sink_generator);
}

void Core::write_relation(std::uint32_t relation, std::uint64_t source, std::uint32_t source_generator,
                          std::uint64_t sink, std::uint32_t sink_generator) {
    const RelationState& state = relations_[relation];
    for (const auto& back_end : options_.back_ends)
        back_end->relation(state.name, source, sink);
    if (!file_ || failure_) return;
    const auto stream_of = [&](std::uint32_t generator) { return streams_[generators_[generator].stream].id; };
    const std::uint64_t cells[] = {source, sink, stream_of(source_generator), stream_of(sink_generator)};
    batch_.relation(state.track, static_cast<Tick>(latest_), cells);
    write();
}

// --- the file --------------------------------------------------------------------------------------------------------

void Core::mention(std::string_view text) {
    if (file_) schema_.intern(text);
}

void Core::write() {
    undeclared_ = false;
    if (file_ && !failure_) {
        try {
            file_->write(schema_, batch_);
        } catch (...) {
            failure_ = std::current_exception();
        }
    }
    batch_.clear();
}

void Core::flush_file() {
    write();
    ended_since_flush_ = 0;
    if (!file_ || failure_) return;
    try {
        file_->flush(schema_);
    } catch (...) {
        failure_ = std::current_exception();
    }
}

void Core::flush_when_due() {
    if (options_.flush_every != 0 && ++ended_since_flush_ >= options_.flush_every) flush_file();
}

void Core::flush() {
    const Call call(*this, 0, none, "flush");
    if (!call) return;
    if (closed_) return report(Misuse::closed, 0, none, "flush");
    flush_file();
    if (failure_) std::rethrow_exception(failure_);
}

std::vector<std::string> Core::losses() const {
    if (is_forked()) return {};
    const Locked locked(lock_);
    return losses_;
}

void Core::let_go() noexcept {
    if (is_forked()) return;
    decltype(options_.now) clock;
    decltype(options_.on_misuse) listener;
    decltype(options_.back_ends) back_ends;
    const Locked locked(lock_);
    if (busy_ || telling_) return;  // inside a callback
    std::swap(clock, options_.now);
    std::swap(listener, options_.on_misuse);
    std::swap(back_ends, options_.back_ends);
}

void Core::close() {
    const Call call(*this, 0, none, "close");
    if (!call || closed_) return;
    const Time end = std::min(now_or_latest(), last_time);
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < places_.size(); ++i)
        if (places_[i].id != 0) open.push_back(i);
    std::sort(open.begin(), open.end(),
              [&](std::uint32_t a, std::uint32_t b) { return places_[a].id < places_[b].id; });
    for (const std::uint32_t i : open)
        end_unfinished(places_[i], end);
    write();
    closed_ = true;
    for (const auto& back_end : options_.back_ends)
        back_end->database(name_, false);
    const std::unique_ptr<RecordingFile> file = std::move(file_);
    if (failure_) std::rethrow_exception(failure_);
    if (file) losses_ = file->finish(schema_);
}

}  // namespace hwtrace::recording::detail

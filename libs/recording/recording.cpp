#include "hwtrace/recording.hpp"

#include <bit>
#include <new>

#include "core.hpp"
#include "io/error.hpp"
#include "model/transaction_types.hpp"

namespace hwtrace::recording {

namespace {

/// What `work` returns; hwtrace::Error becomes recording::Error.
template <typename Work>
decltype(auto) guarded(Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const hwtrace::Error& error) {
        Error::Kind kind = Error::Kind::bug;
        switch (error.failure()) {
            case Failure::usage:
                kind = Error::Kind::usage;
                break;
            case Failure::io:
                kind = Error::Kind::io;
                break;
            case Failure::limit:
                kind = Error::Kind::limit;
                break;
            case Failure::input:
            case Failure::internal:
                break;
        }
        throw Error(kind, error.what());
    }
}

}  // namespace

std::string_view name_of(Misuse misuse) noexcept {
    switch (misuse) {
        case Misuse::ended:
            return "ended";
        case Misuse::closed:
            return "closed";
        case Misuse::foreign:
            return "foreign";
        case Misuse::ends_early:
            return "ends-early";
        case Misuse::beyond_time:
            return "beyond-time";
        case Misuse::no_events:
            return "no-events";
        case Misuse::not_finished:
            return "not-finished";
        case Misuse::nested:
            return "nested";
        case Misuse::no_vector:
            return "no-vector";
    }
    return "?";
}

std::string_view name_of(Value::Type type) noexcept {
    const TransactionType* const known = find_transaction_type(std::uint64_t{static_cast<std::uint8_t>(type)});
    return known == nullptr ? "?" : known->name;
}

std::uint64_t Fields::bits_of(double value) noexcept {
    return std::bit_cast<std::uint64_t>(value);
}

namespace detail {

Filling::Filling(const CorePointer& core, std::uint64_t id, std::uint32_t place, std::uint32_t generator, Phase phase,
                 std::string_view name)
    : place_(place), phase_(phase) {
    if (core && id != 0 && core->may_fill(id, place, generator, name)) core_ = core.get();
}

Filling::~Filling() {
    if (core_ != nullptr) core_->done();
}

void Filling::put(void* filling, std::string_view name, const Value& value) {
    const Filling& self = *static_cast<const Filling*>(filling);
    self.core_->put(self.place_, self.phase_, name, value);
}

void set_generator_recording(const CorePointer& core, std::uint32_t generator, bool on) {
    if (core) core->set_generator_recording(generator, on);
}

}  // namespace detail

// --- transactions ----------------------------------------------------------------------------------------------------

Transaction Transaction::begin(const detail::CorePointer& core, std::uint32_t generator, std::optional<Time> time) {
    if (!core) return {};
    const detail::Core::Begun begun = core->begin(generator, time);
    return {core, begun.id, begun.place, generator};
}

bool Transaction::is_open() const {
    return core_ && id_ != 0 && core_->is_open(id_, place_);
}

Transaction& Transaction::relate(std::string_view relation, const Transaction& source) {
    if (!core_ || id_ == 0 || source.id_ == 0) return *this;
    if (source.core_ != core_) {
        core_->report(Misuse::foreign, id_, relation);
        return *this;
    }
    if (const std::uint32_t number = core_->relation(relation); number != none)
        core_->relate(number, source.id_, source.generator_, id_, generator_);
    return *this;
}

Transaction& Transaction::relate(const Relation& relation, const Transaction& source) {
    if (!core_ || id_ == 0 || source.id_ == 0 || !relation.core_) return *this;
    if (source.core_ != core_ || relation.core_ != core_) {
        core_->report(Misuse::foreign, id_, {});
        return *this;
    }
    core_->relate(relation.number_, source.id_, source.generator_, id_, generator_);
    return *this;
}

Transaction Transaction::begin_event(std::string_view name, std::optional<Time> time) {
    if (!core_ || id_ == 0) return {};
    const detail::Core::EventBegun event = core_->begin_event(id_, place_, generator_, name, time);
    if (event.begun.id == 0) return {};
    return {core_, event.begun.id, event.begun.place, event.generator};
}

void Transaction::finish_event() {
    if (core_ && id_ != 0) core_->end_event(id_, place_, generator_);
}

std::string_view Transaction::begin_name() const {
    return core_ ? core_->begin_name(generator_) : std::string_view();
}

std::string_view Transaction::end_name() const {
    return core_ ? core_->end_name(generator_) : std::string_view();
}

void Transaction::finish(std::optional<Time> time) {
    if (core_ && id_ != 0) core_->end(id_, place_, generator_, time);
}

// --- streams ---------------------------------------------------------------------------------------------------------

std::uint32_t Stream::declare(std::string_view name, std::string_view begin_name, std::string_view end_name,
                              Events events) const {
    return core_ ? core_->add_generator(number_, name, begin_name, end_name, events == Events::yes) : none;
}

void Stream::set_recording(bool on) const {
    if (core_) core_->set_stream_recording(number_, on);
}

// --- databases -------------------------------------------------------------------------------------------------------

Database::Database(const std::string& path, Options options)
    : core_(guarded([&] {
          if (path.empty()) fail(Failure::usage, "a recording needs a name for its file");
          return std::make_shared<detail::Core>(path, std::move(options));
      })) {}

Database::Database(Options options)
    : core_(guarded([&] { return std::make_shared<detail::Core>(std::string(), std::move(options)); })) {}

Database::~Database() {
    leave();
}

void Database::leave() noexcept {
    try {
        close();
    } catch (...) {  // the caller did not want to know
    }
    if (core_) core_->let_go();
}

Database& Database::operator=(Database&& other) noexcept {
    if (this == &other) return *this;
    leave();
    core_ = std::move(other.core_);
    return *this;
}

Stream Database::stream(std::string_view name, std::string_view kind) {
    const std::uint32_t number = core_ ? core_->add_stream(name, kind) : none;
    return number == none ? Stream() : Stream(core_, number);
}

Relation Database::relation(std::string_view name) {
    const std::uint32_t number = core_ ? core_->relation(name) : none;
    return number == none ? Relation() : Relation(core_, number);
}

void Database::set_recording(bool on) {
    if (core_) core_->set_recording(on);
}

void Database::flush() {
    if (core_) guarded([&] { core_->flush(); });
}

void Database::close() {
    if (core_) guarded([&] { core_->close(); });
}

std::uint64_t Database::misuses(Misuse misuse) const {
    return core_ ? core_->misuses(misuse) : 0;
}

std::vector<std::string> Database::losses() const {
    return core_ ? core_->losses() : std::vector<std::string>();
}

}  // namespace hwtrace::recording

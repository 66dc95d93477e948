// recording/core.hpp - the shared state of a recording: objects, open transactions, destinations.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database_lock.hpp"
#include "hwtrace/recording.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "recording_file.hpp"
#include "short_text.hpp"

namespace hwtrace::recording::detail {

/// The last time that files can state.
inline constexpr Time last_time = std::numeric_limits<Tick>::max();

/// The state of one Database. Every public function takes the lock, unless its comment states that the caller holds it.
/// A recording call from inside a callback (clock, listener, back end, describe) only reports Misuse::nested. In a
/// forked child of the process that created the database, all functions do nothing.
class Core {
public:
    /// An empty `path` means no file. Throws hwtrace::Error.
    Core(const std::string& path, Options options);
    ~Core();
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    /// The next three functions return `none` for a nested call.
    std::uint32_t add_stream(std::string_view name, std::string_view kind);
    std::uint32_t add_generator(std::uint32_t stream, std::string_view name, std::string_view begin_name,
                                std::string_view end_name, bool events);
    std::uint32_t relation(std::string_view name);
    void set_recording(bool on);
    void set_stream_recording(std::uint32_t stream, bool on);
    void set_generator_recording(std::uint32_t generator, bool on);

    /// The data that a Transaction stores.
    struct Begun {
        std::uint64_t id = 0;  ///< 0: not recorded
        std::uint32_t place = 0;
    };
    Begun begin(std::uint32_t generator, std::optional<Time> time);
    bool is_open(std::uint64_t id, std::uint32_t place) const;
    void end(std::uint64_t id, std::uint32_t place, std::uint32_t generator, std::optional<Time> time);
    void relate(std::uint32_t relation, std::uint64_t source, std::uint32_t source_generator, std::uint64_t sink,
                std::uint32_t sink_generator);
    void relate(std::string_view relation, std::uint64_t source, std::uint32_t source_generator, std::uint64_t sink,
                std::uint32_t sink_generator);

    void flush();
    void close();
    std::uint64_t misuses(Misuse misuse) const;
    std::vector<std::string> losses() const;
    /// Releases the program's callbacks, because handles may outlive them.
    void let_go() noexcept;

    /// Reports a call with a transaction or relation that belongs to another database or to none.
    void report(Misuse misuse, std::uint64_t transaction, std::string_view what);

    // Functions for Filling. Call one of the next four, add attributes, then call leave(). If the result is false or
    // has id 0, the lock is not held, and leave() must not be called.
    bool enter_open(std::uint64_t id, std::uint32_t place, std::uint32_t generator, std::string_view what);
    bool enter_end(std::uint64_t id, std::uint32_t place, std::uint32_t generator);
    Begun enter_begin(std::uint32_t generator, std::optional<Time> time);
    /// A begun event, and the event generator to which it belongs.
    struct EventBegun {
        Begun begun;
        std::uint32_t generator = 0;
    };
    EventBegun enter_event(std::uint64_t id, std::uint32_t place, std::uint32_t generator, std::string_view name,
                           std::optional<Time> time);
    void put(std::uint32_t place, Phase phase, std::string_view name, const Value& value);
    void end_filled(std::uint32_t place, std::optional<Time> time);
    /// Ends an event at its start time, because events have no length.
    void end_event(std::uint32_t place);
    /// Ends a transaction that has no handle, because beginning it failed.
    void end_unfinished(std::uint32_t place);
    void leave() noexcept {
        busy_ = false;
        lock_.unlock();
    }
    std::string_view begin_name(std::uint32_t generator) const { return generators_[generator].begin_name; }
    std::string_view end_name(std::uint32_t generator) const { return generators_[generator].end_name; }
    int exponent() const noexcept { return options_.exponent; }

private:
    /// A scope that holds the lock, or may access the data without it (see DatabaseLock::lock()).
    class Locked {
    public:
        explicit Locked(DatabaseLock& lock) : lock_(lock), locked_(lock.lock()) {}
        ~Locked() {
            if (locked_) lock_.unlock();
        }
        Locked(const Locked&) = delete;
        Locked& operator=(const Locked&) = delete;
        bool locked() const noexcept { return locked_; }
        /// Keeps the lock held after the end of the scope.
        void keep() noexcept { locked_ = false; }

    private:
        DatabaseLock& lock_;
        bool locked_;
    };

    /// The scope of one recording call. Holds the lock. Converts to false if the call is refused because it is in a
    /// forked child or inside another recording call. A call inside another call is reported as misuse.
    class Call {
    public:
        Call(Core& core, std::uint64_t transaction, std::uint32_t generator, std::string_view what)
            : core_(core.enter(transaction, generator, what) ? &core : nullptr) {}
        ~Call() {
            if (core_ != nullptr) core_->leave();
        }
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
        explicit operator bool() const noexcept { return core_ != nullptr; }
        /// Continues the call after the end of this scope, until leave().
        void go_on() noexcept { core_ = nullptr; }

    private:
        Core* core_;
    };

    struct StreamState {
        std::uint64_t id;
        ScopeId scope;
        bool recording = true;
    };
    struct FieldKey {
        Phase phase;
        Value::Type type;
        std::string name;
    };
    struct GeneratorState {
        std::uint64_t id;
        std::uint32_t stream;
        TrackId track;
        std::string name, begin_name, end_name;
        std::uint32_t events = none;  ///< the generator for events
        bool recording = true;
        std::vector<FieldKey> fields;  ///< field i of the track is fields[i - 1]; field 0 is the id
        HashMap<std::string, std::uint32_t> by_key;
    };
    /// An open transaction.
    struct Place {
        std::uint64_t id = 0;  ///< 0: free
        std::uint32_t generator = 0;
        Time begin = 0;
        std::uint32_t expected_field = 0;  ///< the field after the latest one
        GeneratorState* state = nullptr;
        std::vector<Attribute> attributes;
    };
    struct RelationState {
        std::string name;
        TrackId track;
    };

    bool enter(std::uint64_t transaction, std::uint32_t generator, std::string_view what) {
        if (is_forked()) return false;
        Locked locked(lock_);
        if (busy_) [[unlikely]] {
            report(Misuse::nested, transaction, generator, what);
            return false;
        }
        busy_ = true;
        locked.keep();
        return true;
    }
    /// Returns true in a forked child of the process that created the database. The parent owns the file, and possibly
    /// the lock.
    bool is_forked() const noexcept { return forks.load(std::memory_order_relaxed) != forks_; }
    /// The number of forks since the first database, counted along the chain of processes to this one.
    static constinit std::atomic<unsigned> forks;
    static unsigned count_forks();

    // The caller of these functions must hold the lock.
    Place* find_open(std::uint64_t id, std::uint32_t place, std::uint32_t generator, std::string_view what);
    bool is_closed(std::string_view what);
    [[gnu::cold, gnu::noinline]] void report(Misuse misuse, std::uint64_t transaction, std::uint32_t generator,
                                             std::string_view what);
    std::uint32_t declare_generator(std::uint32_t stream, std::string_view name, std::string_view begin_name,
                                    std::string_view end_name);
    Begun begin_if_recording(std::uint32_t generator, std::optional<Time> time);
    Begun begin_at(std::uint32_t generator, Time time);
    void end_open(Place& place, std::optional<Time> time);
    void end_at(Place& place, Time time);
    void end_unfinished(Place& place, Time time);
    void write_relation(std::uint32_t relation, std::uint64_t source, std::uint32_t source_generator,
                        std::uint64_t sink, std::uint32_t sink_generator);
    std::uint32_t relation_number(std::string_view name);
    std::uint32_t field_of(Place& place, Phase phase, Value::Type type, std::string_view name);
    [[gnu::noinline]] std::uint32_t other_field_of(Place& place, Phase phase, Value::Type type, std::string_view name);
    StringId intern(std::string_view text);
    [[gnu::cold, gnu::noinline]] void put_unsound(Place& place, Phase phase, std::string_view name, const Value& value);
    [[gnu::noinline]] void tell(const Place& place, Phase phase, std::string_view name, const Value& value);
    void append_attribute(Place& place, Phase phase, std::string_view name, const Value& value);
    TransactionFacts facts_of(const Place& place) const;
    Time now() const;
    Time now_or_latest() const noexcept;
    Time seen(Time time, std::uint64_t transaction, std::uint32_t generator);
    /// Adds a string to the file's dictionary. LWTR4SC lists strings in the order in which they are recorded, and this
    /// file must have the same order.
    void mention(std::string_view text);
    /// The next three functions store a failure in `failure_`. Each record is written immediately. Otherwise, the
    /// strings of records after a full block would be written before that block.
    void write();
    void flush_file();
    void flush_when_due();

    const unsigned forks_;  ///< number of forks before the database was created
    mutable DatabaseLock lock_;
    bool busy_ = false;     ///< inside a recording call
    bool telling_ = false;  ///< inside a call of the misuse listener
    Options options_;
    std::string name_;
    Schema schema_;
    Batch batch_;
    std::unique_ptr<RecordingFile> file_;  ///< null: none
    std::exception_ptr failure_;           ///< a failure to write; if set, nothing more is recorded

    std::vector<StreamState> streams_;
    std::deque<GeneratorState> generators_;  ///< a deque, because references to names are handed out
    std::vector<RelationState> relations_;
    std::map<std::string, std::uint32_t, std::less<>> relation_numbers_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> free_places_;
    std::uint64_t last_object_ = 0;  ///< latest id, shared by streams and generators as in LWTR4SC
    std::uint64_t last_transaction_ = 0;
    std::uint64_t ended_since_flush_ = 0;
    bool undeclared_ = false;  ///< some streams or generators are not in the file yet
    Time latest_ = 0;
    bool recording_ = true;
    bool closed_ = false;
    std::array<std::uint64_t, misuse_kinds> misuses_{};
    std::vector<std::string> losses_;
    std::string key_;  ///< scratch space for keys of GeneratorState::by_key
    /// Texts that were recorded lately. Most texts repeat, and finding them here costs less than in the schema.
    struct KnownText {
        std::string_view text;  ///< refers to the schema
        StringId id = none;     ///< none: unused
    };
    std::array<KnownText, 1U << short_text_bits> known_texts_;
};

}  // namespace hwtrace::recording::detail

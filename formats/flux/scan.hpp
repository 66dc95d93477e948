// formats/flux/scan.hpp - the tolerant parser of a stream, shared by reader, views and validation.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "codec/findings.hpp"
#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "entries.hpp"
#include "io/appender.hpp"
#include "items.hpp"
#include "lanes.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "rules.hpp"
#include "values.hpp"

namespace hwtrace::flux {

/// Receives the entries from which records are made.
class EntryListener {
public:
    virtual ~EntryListener() = default;
    /// Called in record order for each entry that produced records, while it is the current entry of `entries`.
    /// `trace` is the id of its trace, or 0 if no trace has begun. `records` is the number of records.
    virtual void made(const Entries& entries, std::uint64_t trace, const Entry& entry, std::size_t records) = 0;
};

/// Parses a stream into records. Checks the rules and reports findings.
class Scan {
public:
    /// Reads up to the first sample and adds the definitions before it to `schema`. If the input is not a flux stream,
    /// reports a finding and throws Failure::input. All arguments must outlive the scan; `listener` may be null.
    Scan(Input& input, const Settings& settings, Findings& findings, Schema& schema, EntryListener* listener = nullptr);

    /// Appends records until the batch is full. At the end of the stream, reports the last findings and returns false.
    bool read(Batch& batch);

    /// Returns the traces read so far, by id.
    const std::map<std::uint64_t, std::unique_ptr<Trace>>& traces() const noexcept { return traces_; }
    /// Prepares for save_place(). Returns false if the input cannot be read from a place inside.
    bool keep_places() { return entries_.keep_places(); }
    /// Appends the place of the next entry, and what the samples before it have left. Returns false and appends nothing
    /// if other entries than samples, relations and labels follow the first sample, or inside a section.
    bool save_place(Appender& out) const;
    /// Continues where another scan of the same input called save_place(). Returns false if the input lacks the place.
    /// Throws Truncated or Failure::input if the bytes are wrong.
    bool restore_place(Cursor& in);

    std::uint64_t position() const noexcept { return entries_.position(); }
    Facts facts() const;

private:
    /// Numbers of objects in the schema.
    struct Opened {
        std::size_t scopes = 0, enums = 0, labels = 0, tracks = 0, metadata = 0, attributes = 0;
        friend bool operator==(const Opened&, const Opened&) = default;
    };

    void note_opened();
    bool has_plain_state() const;
    static void save_trace(Trace& of, Appender& out);
    void restore_trace(Trace& of, Cursor& in);
    bool next();
    void take(const Entry& entry, Batch& batch);
    void take_heard(const Entry& entry, Batch& batch);
    void settle_layout();
    void settle_track(Item& item, const Context& context);
    void sample(const Entry& entry, Batch& batch);
    bool move_on(Item& item, Context& context, const Entry& entry);
    bool is_mark(const Entry& entry) const;
    void mark(const Entry& entry);
    void check_sample(const Item& item, const Context& context, const Entry& entry);
    void attached(const Entry& entry, Batch& batch);
    void control(const Entry& entry, Batch& batch);

    void head(const Entry& entry, Batch& batch);
    void switch_trace(std::uint64_t id);
    Trace& trace();
    Trace& add_trace(std::uint64_t id);
    void define(const Entry& entry, Batch& batch);
    bool define_item(std::uint64_t id, Definition definition);
    void refer(const Entry& entry, Batch& batch);
    void open(const Entry& entry, Batch& batch);
    void close(const Entry& entry, Batch& batch);
    void current(const Entry& entry);
    void member(const Entry& entry, Batch& batch);
    void label(const Entry& entry, Batch& batch);
    void begin_anew(const Entry& entry, Batch& batch);
    void keep_repeated(const Entry& entry, Batch& batch);
    void keep_definition(const Entry& entry, Batch& batch);
    void keep_closes(Batch& batch);
    void keep_close(Context& context, Batch& batch);

    Item& item_of(const Entry& entry);
    void declare_all();
    void declare_items();
    void declare(Item& item);
    static Scope scope_named(std::string_view name, ScopeId parent, std::uint64_t id);
    ScopeId scope_of(std::uint64_t item);
    TrackId track_of(const std::vector<TrackId>& tracks, TimeBase base) const;
    TrackId relations_of(Trace& trace, TimeBase base);
    TrackId labels_of(Trace& trace, TimeBase base);
    TrackId openings_of(Trace& trace, TimeBase base);
    void append_native(Trace* of, TimeBase base, Tick time, std::span<const std::byte> bytes, Batch& batch);
    [[noreturn]] void fail_without_trace(const std::string& file);
    void end_early();
    StringId text_of(Item& item, EnumDomain domain, std::uint64_t number);
    void describe(std::string_view path, std::string value);
    void describe(std::uint64_t item, std::string_view path, std::string value);
    void count_gap(Gap gap);
    void describe_unused_labels();
    void finish();

    const Settings& settings_;
    Findings& findings_;
    Schema& schema_;
    EntryListener* const listener_;
    const bool check_;
    Entries entries_;
    Values values_;
    Lanes lanes_;
    std::map<std::uint64_t, std::unique_ptr<Trace>> traces_;
    std::vector<Trace*> in_order_;  ///< in order of appearance
    Trace* trace_ = nullptr;
    Gaps gaps_;
    /// A record before the first sample. Its track is declared after the tracks of the signals.
    struct Early {
        Trace* of = nullptr;  ///< null: a request or result
        TimeBase base;
        Tick time = 0;
        std::vector<std::byte> bytes;
    };
    std::vector<Early> early_;
    std::size_t early_bytes_ = 0;
    bool is_early_ = true;
    bool is_late_ = false;  ///< an entry behind the first sample is no sample, relation or label
    Opened opened_;
    Appender entry_;
    Entry pending_;
    bool has_pending_ = false;
    bool ended_ = false;
    TrackId controls_ = none;
    EnumId relation_types_ = none;
    std::uint64_t references_ = 0, samples_ = 0, controls_seen_ = 0, lost_samples_ = 0;
    /// The shared tracks of scattered signals, by trace, parent and name.
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::string>, TrackId> scattered_;
};

}  // namespace hwtrace::flux

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "codec.hpp"
#include "domain/conventions.hpp"
#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "header.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/fnv1a.hpp"
#include "io/number_text.hpp"
#include "model/hash.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

namespace {

constexpr std::size_t flush_size = 256u << 10;
constexpr std::uint64_t picosecond_mhz = 1'000'000;  // a clock with cycles of one picosecond

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) noexcept {
    return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

/// Returns the core number in a scope name: 7 for "core7". Returns nullopt for other names.
std::optional<std::uint32_t> core_number(std::string_view scope) noexcept {
    if (!scope.starts_with(core_prefix)) return std::nullopt;
    const std::string_view digits = scope.substr(core_prefix.size());
    const auto number = parse_decimal<std::uint32_t>(digits);
    return number && std::to_string(*number) == digits ? number : std::nullopt;
}

/// Returns the id that flatbuf stores for an event type; nullopt if there is none.
std::optional<std::uint32_t> flat_type(std::string_view name) noexcept {
    const auto known = std::find(event_types.begin(), event_types.end(), name);
    if (known != event_types.end()) return static_cast<std::uint32_t>(known - event_types.begin());
    if (!name.starts_with(unnamed_type_prefix)) return std::nullopt;
    const std::string_view digits = name.substr(unnamed_type_prefix.size());
    const auto id = parse_decimal<std::uint32_t>(digits);
    return id && std::to_string(*id) == digits && *id >= event_types.size() ? id : std::nullopt;
}

std::string json_string(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Returns the layout of a .pccx source; bincode for other sources.
Layout source_layout(const Schema& schema) {
    const std::string* const encoding = schema.metadata("pccx.payload.encoding");
    if (encoding == nullptr)
        return schema.find_track(Track::Kind::native, payload_track) == none ? Layout::bincode : Layout::opaque;
    if (*encoding == encoding_bincode) {
        const std::string* const layout = schema.metadata(layout_key);
        return layout != nullptr && *layout == "bincode4" ? Layout::bincode4 : Layout::bincode;
    }
    if (*encoding == encoding_flatbuf) return Layout::flatbuf;
    if (*encoding == encoding_json) return Layout::json;
    return Layout::opaque;
}

Layout chosen_layout(const Schema& schema, const Settings& settings) {
    const std::string text = settings.text(options, layout_option);
    if (text == "bincode") return Layout::bincode;
    if (text == "bincode4") return Layout::bincode4;
    if (text == "flatbuf") return Layout::flatbuf;
    if (text == "json") return Layout::json;
    if (text == "raw") return Layout::opaque;
    return source_layout(schema);
}

std::string_view encoding_of(Layout layout) noexcept {
    switch (layout) {
        case Layout::bincode:
        case Layout::bincode4:
            return encoding_bincode;
        case Layout::flatbuf:
            return encoding_flatbuf;
        case Layout::json:
            return encoding_json;
        case Layout::opaque:
            break;
    }
    return encoding_raw;
}

std::optional<std::uint64_t> number_of(const Schema& schema, std::string_view key) {
    const std::string* const text = schema.metadata(key);
    return text == nullptr ? std::nullopt : parse_count(*text);
}

/// The subject of losses in a trace without events.
constexpr Subject unused_tracks = Subject::general("tracks");
constexpr std::string_view same_type = "another track of the core has this name: both become one type";
constexpr Subject names_of_events = Subject::general(api_name);

class FileWriter final : public Writer {
public:
    FileWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
        : output_(output),
          schema_(schema),
          losses_(losses),
          layout_(chosen_layout(schema, settings)),
          header_(header_of(schema, losses)),
          is_ours_(schema.metadata("pccx.version") != nullptr && settings.source_format != conventions::merged_source) {
        completes_ = settings.completes && is_ours_;
        if (completes_) complete_begin();
        choose_payload(settings);
        choose_clock();
        for (const Scope& scope : schema.scopes())
            if (const auto number = core_number(scope.name)) named_cores_.insert(*number);
        total_ = number_of(schema, total_cycles_key);

        // The length of the header depends on numbers that are known only at the end. The numbers of the source are
        // the best guess: in an unchanged trace they stay the same.
        reserved_ = prefix_size + header_text(header_).size();
        output_.append(std::vector<std::byte>(reserved_));
        begin_payload(number_of(schema, events_key).value_or(0));
    }

    void write(const Batch& batch) override {
        for (const Record& record : batch.records()) {
            if (record.kind == Kind::native) {
                native(batch.bytes(record));
                continue;
            }
            const Lane& lane = lane_of(record.track);
            if (record.count == 0 && lane.direct && record.time >= 0) [[likely]]
                event(lane, static_cast<std::uint64_t>(record.time), record.value, nullptr);
            else
                interval(lane, record, batch);
        }
    }

    void finish() override {
        if (!is_ours_ && !has_objects_) count_unused();
        end_payload();
        flush();
        const std::uint64_t size = output_.size() - reserved_;
        const std::uint64_t total = final_total();
        if (layout_ == Layout::bincode || layout_ == Layout::bincode4) {
            Appender head;
            head.le(total);
            head.le(events_);
            if (total != begun_total_ || events_ != begun_events_) {
                output_.patch(reserved_, head.span());
                if (with_checksum_) hash_again(size);
            }
        } else if (layout_ == Layout::flatbuf && header_.cycles && total != *header_.cycles) {
            losses_.count(Loss::metadata_dropped, total_cycles_key,
                          [&] { return std::to_string(total).append("; flatbuf has only trace.cycles"); });
        } else if (layout_ == Layout::opaque && number_of(schema_, total_cycles_key)) {
            losses_.count(Loss::metadata_dropped, total_cycles_key, [&] { return std::to_string(total); });
        }
        write_header(size);
    }

private:
    /// Counts losses for event types, cores and attributes without events, because the file cannot define them.
    void count_unused() {
        const auto& tracks = schema_.tracks();
        const auto is_stream = [](const Track& track) { return track.kind == Track::Kind::stream; };
        if (const auto unused = std::ranges::count_if(tracks, is_stream); events_ == 0 && unused != 0)
            losses_.count(
                Loss::part_dropped, unused_tracks, [] { return std::string("none of them has an event"); },
                static_cast<std::uint64_t>(unused));
        for (TrackId id = 0; id < tracks.size(); ++id) {
            if (!is_stream(tracks[id])) continue;
            const bool is_known = id < lanes_.size() && lanes_[id].known;
            if (!is_known && events_ != 0)
                losses_.count(Loss::part_dropped, Subject::unused(tracks[id].name),
                              [] { return std::string("it has no event"); });
            for (const Field& field : tracks[id].fields) {
                const std::string subject = tracks[id].name + '.' + field.name;
                const bool is_kept =
                    (field.name == api_name && field.type == Type::text) || field.name == conventions::start_cycle;
                if (!is_kept && !losses_.entries().contains({Loss::field_dropped, subject}))
                    losses_.count(Loss::field_dropped, is_known ? Subject(subject) : Subject::unused(subject),
                                  [] { return std::string("no event has it"); });
            }
        }
        count_unused_objects();
    }

    void count_unused_objects() {
        const auto lost = [&](Loss loss, std::string_view subject, std::string_view what) {
            losses_.count(loss, subject, [&] { return std::string(what); });
        };
        for (const Clock& clock : schema_.clocks())
            lost(Loss::part_dropped, clock.name, "a clock: the header has one frequency");
        for (const Enum& enumeration : schema_.enums())
            lost(Loss::part_dropped, enumeration.name, "an enumeration");
        for (ScopeId id = 0; id < schema_.scopes().size(); ++id)
            if (!cores_.contains(id) && !is_root(id))
                lost(Loss::scope_flattened, schema_.scopes()[id].name, "it has no event");
    }

    bool is_root(ScopeId id) const {
        return id != none && schema_.scopes()[id].name == root_scope && schema_.scopes()[id].parent == none;
    }

    /// The core and event type of a track, as written.
    struct Lane {
        bool known = false;
        bool direct = false;  ///< a tick is a cycle of the file
        Ratio cycles{1, 1};   ///< cycles per tick
        std::uint32_t core = 0;
        std::uint32_t flat_id = 0;
        bool flat_lossy = false;                  ///< flatbuf has no id for the type
        std::string type;                         ///< as written: UTF-8, quoted for JSON
        std::uint32_t name = none, start = none;  ///< attribute indexes of api_name and start_cycle
    };

    bool is_present(Object object) const noexcept { return header_.present[static_cast<std::size_t>(object)]; }

    /// Sets a mandatory value that the source's header lacks.
    template <typename T, typename Value>
    void complete(std::optional<T>& value, std::string_view key, const Value& derived) {
        if (value) return;
        value = derived;
        std::string text = std::string(key).append(", which the header lacks, becomes ");
        if constexpr (std::is_integral_v<T>)
            text += std::to_string(*value);
        else
            text.append("\"").append(*value).append("\"");
        losses_.assume(std::move(text));
    }

    /// Sets the mandatory values that do not depend on the events, like those of a trace of another format.
    void complete_begin() {
        complete(header_.lab_version, "pccx_lab_version", "hwtrace");
        if (is_present(Object::arch)) {
            if (!header_.mac_dims) {
                header_.mac_dims = std::array<std::uint32_t, 2>{};
                losses_.assume("arch.mac_dims, which the header lacks, becomes [0,0]");
            }
            complete(header_.isa_version, "arch.isa_version", "");
        }
        if (is_present(Object::payload)) {
            complete(header_.encoding, "payload.encoding", encoding_of(layout_));
            if (!header_.byte_length)
                losses_.assume("payload.byte_length, which the header lacks, is the rest of the file");
        }
    }

    void choose_payload(const Settings& settings) {
        if (!header_.encoding || layout_ != source_layout(schema_)) header_.encoding = encoding_of(layout_);
        const std::string checksum = settings.text(options, checksum_option);
        const bool had_number = header_.checksum.has_value();
        with_checksum_ = checksum == "number" || (checksum == "source" && (had_number || !is_ours_));
        if (with_checksum_) {
            header_.checksum = header_.checksum.value_or(std::numeric_limits<std::uint64_t>::max());
            header_.checksum_null = false;
        } else {
            header_.checksum.reset();
            header_.checksum_null = header_.checksum_null || had_number || !is_ours_;
        }
        header_.byte_length = header_.byte_length.value_or(0);
        if (is_ours_ && layout_ == Layout::opaque && !header_.present[static_cast<std::size_t>(Object::payload)]) {
            header_.byte_length.reset();  // a file without a payload stays without one
            header_.encoding.reset();
        } else {
            header_.present[static_cast<std::size_t>(Object::payload)] = true;
        }
    }

    /// Chooses the clock for a trace of another format. Keeps the clock of the trace if it is a whole number of MHz;
    /// otherwise a cycle is one picosecond.
    void choose_clock() {
        if (is_ours_ || header_.clock_mhz) return;
        constexpr std::uint64_t usual_mhz = 1000;  // for a trace whose streams have no times
        std::uint64_t mhz = usual_mhz;
        for (const Track& track : schema_.tracks()) {
            if (track.kind != Track::Kind::stream || track.time.kind == TimeBase::Kind::ordinal) continue;
            mhz = 0;
            if (track.time.kind == TimeBase::Kind::cycles) {
                const std::uint64_t hertz = track.time.num == 0 ? 0 : track.time.den / track.time.num;
                if (track.time.den == 0 || (hertz % 1'000'000 == 0 && hertz * track.time.num == track.time.den))
                    mhz = hertz / 1'000'000;
                else
                    mhz = picosecond_mhz;
                break;
            }
            const std::uint64_t period = schema_.clocks().empty() ? 0 : schema_.clocks().front().period_ps;
            mhz = period != 0 && picosecond_mhz % period == 0 ? picosecond_mhz / period : picosecond_mhz;
            break;
        }
        if (mhz > std::numeric_limits<std::uint32_t>::max()) mhz = picosecond_mhz;
        header_.clock_mhz = static_cast<std::uint32_t>(mhz);
    }

    /// Returns the number of cycles in the file per tick of `base`.
    Ratio cycles_in(const TimeBase& base) const {
        const std::uint64_t hertz = std::uint64_t{header_.clock()} * 1'000'000;
        if (base.kind == TimeBase::Kind::ordinal || base.den == 0 || hertz == 0) return {1, 1};
        const Ratio own = Ratio{base.num, base.den}.reduced();
        const std::uint64_t common = std::gcd(hertz, own.den);
        const std::uint64_t factor = hertz / common;
        if (own.num > std::numeric_limits<std::uint64_t>::max() / factor)
            fail(Failure::input,
                 "a tick of this trace lasts more cycles than 64 bits can count; choose a slower clock");
        return Ratio{own.num * factor, own.den / common}.reduced();
    }

    const Lane& lane_of(TrackId track) {
        if (track < lanes_.size() && lanes_[track].known) [[likely]]
            return lanes_[track];
        return make_lane(track);
    }

    const Lane& make_lane(TrackId id) {
        if (id >= lanes_.size()) lanes_.resize(schema_.tracks().size());
        const Track& track = schema_.tracks()[id];
        Lane& lane = lanes_[id];
        lane.known = true;
        lane.core = core_of(track.scope);
        lane.cycles = cycles_in(track.time);
        lane.direct = lane.cycles == Ratio{1, 1};
        const TimeBase base{TimeBase::Kind::cycles, 1, std::uint64_t{header_.clock()} * 1'000'000};
        if (!is_ours_ && !has_objects_ && track.time != base &&
            !losses_.entries().contains({Loss::type_changed, track.name}))
            losses_.count(Loss::type_changed, track.name, [] { return std::string("its ticks become cycles"); });
        std::string type = as_utf8(track.name);
        if (type != track.name) count_name_change(track.name, "a type whose name is not UTF-8");
        if (!types_.insert({lane.core, type}).second) count_name_change(track.name, same_type);
        const std::optional<std::uint32_t> flat_id = flat_type(type);
        lane.flat_id = flat_id.value_or(0);
        lane.flat_lossy = !flat_id;
        lane.type = layout_ == Layout::json ? json_string(type) : std::move(type);
        return lane;
    }

    void count_name_change(Subject subject, std::string_view what) {
        losses_.count(Loss::name_changed, subject, [&] { return std::string(what); });
    }

    /// Returns the core number of a scope: the number in its name, else the lowest number that no scope name contains.
    std::uint32_t core_of(ScopeId id) {
        const std::string_view name = id == none ? std::string_view() : std::string_view(schema_.scopes()[id].name);
        if (const auto known = cores_.find(id); known != cores_.end()) return known->second;
        std::uint32_t core = 0;
        const std::optional<std::uint32_t> number = core_number(name);
        if (number && used_cores_.insert(*number).second) {
            core = *number;
            const ScopeId parent = schema_.scopes()[id].parent;
            if (!has_objects_ && !is_root(parent) && !(is_ours_ && parent == none))
                losses_.count(Loss::scope_flattened, name,
                              [&] { return std::string("as core ").append(std::to_string(core)); });
        } else {
            while (named_cores_.contains(next_core_))
                ++next_core_;
            core = next_core_++;
            losses_.count(Loss::scope_flattened, name,
                          [&] { return std::string("as core ").append(std::to_string(core)); });
        }
        cores_.emplace(id, core);
        return core;
    }

    // --- events ---

    void native(std::span<const std::byte> bytes) {
        if (layout_ != Layout::opaque)
            fail(Failure::usage, std::string("the payload of this trace is opaque and cannot be written as ")
                                     .append(encoding_of(layout_))
                                     .append("; omit --pccx-layout"));
        buffer_.bytes(bytes);
        if (buffer_.size() >= flush_size) flush();
    }

    void interval(const Lane& lane, const Record& record, const Batch& batch) {
        Lane& attributes = lanes_[record.track];
        const Track& track = schema_.tracks()[record.track];
        std::uint64_t start = record.time < 0 ? 0 : static_cast<std::uint64_t>(record.time);
        std::uint64_t duration = record.value;
        if (record.time < 0) round_time(track, record);
        if (!lane.direct) {
            constexpr std::uint64_t longest = std::numeric_limits<Tick>::max();
            const std::uint64_t last = saturating_add(start, duration);
            const Scaled begin = scale(static_cast<Tick>(start), lane.cycles);
            const Scaled end = scale(static_cast<Tick>(std::min(last, longest)), lane.cycles);
            if (!begin.exact || !end.exact || begin.saturated || end.saturated || last > longest)
                round_time(track, record);
            start = static_cast<std::uint64_t>(begin.value);
            duration = static_cast<std::uint64_t>(end.value) - start;
        }
        const std::string_view* name = nullptr;
        std::string_view text;
        for (const Attribute& attribute : batch.attributes(record)) {
            if (attribute.field != attributes.name && attribute.field != attributes.start) {
                const Field& field = track.fields.at(attribute.field);
                if (field.name == api_name && field.type == Type::text) attributes.name = attribute.field;
                if (field.name == conventions::start_cycle && field.type == Type::u64)
                    attributes.start = attribute.field;
            }
            if (attribute.field == attributes.name) {
                text = schema_.text(static_cast<StringId>(attribute.value));
                name = &text;
            } else if (attribute.field == attributes.start && lane.direct &&
                       record.time == std::numeric_limits<Tick>::max()) {
                start = attribute.value;
            } else {
                losses_.count(Loss::field_dropped, track.name + '.' + track.fields[attribute.field].name,
                              [&] { return std::string("at ").append(std::to_string(record.time)); });
            }
        }
        event(lane, start, duration, name);
    }

    void round_time(const Track& track, const Record& record) {
        losses_.count(Loss::time_rounded, track.name, [&] {
            return std::string("at ").append(std::to_string(record.time)).append(": not a whole cycle of the file");
        });
    }

    void event(const Lane& lane, std::uint64_t start, std::uint64_t duration, const std::string_view* name) {
        switch (layout_) {
            case Layout::bincode:
            case Layout::bincode4:
                bincode_event(lane, start, duration, name);
                break;
            case Layout::flatbuf:
                flat_event(lane, start, duration, name);
                break;
            case Layout::json:
                json_event(lane, start, duration, name);
                break;
            case Layout::opaque:
                fail(Failure::usage, "--pccx-layout raw is only for opaque payloads; this trace has events");
        }
        ++events_;
        latest_end_ = std::max(latest_end_, saturating_add(start, duration));
        highest_core_ = std::max(highest_core_, lane.core);
        if (buffer_.size() >= flush_size) flush();
    }

    void bincode_event(const Lane& lane, std::uint64_t start, std::uint64_t duration, const std::string_view* name) {
        const std::size_t size = bincode_event_head_size + lane.type.size();
        std::byte* at = buffer_.grow(size + (layout_ == Layout::bincode ? 1 : 0));
        at = store_le(at, lane.core);
        at = store_le(at, start);
        at = store_le(at, duration);
        at = store_le(at, static_cast<std::uint64_t>(lane.type.size()));
        std::memcpy(at, lane.type.data(), lane.type.size());
        if (layout_ == Layout::bincode4) {
            if (name != nullptr) losses_.count(Loss::part_dropped, names_of_events, [&] { return std::string(*name); });
            return;
        }
        at[lane.type.size()] = name != nullptr ? std::byte{1} : std::byte{0};
        if (name == nullptr) return;
        const std::string text = valid_name(*name);
        buffer_.le(static_cast<std::uint64_t>(text.size()));
        buffer_.text(text);
    }

    void flat_event(const Lane& lane, std::uint64_t start, std::uint64_t duration, const std::string_view* name) {
        if (lane.core == trailer_magic) [[unlikely]]
            fail(Failure::input,
                 "core 843268944 cannot be written as flatbuf: readers mistake its number for the mark of "
                 "the name table; use --pccx-layout bincode");
        if (lane.flat_lossy) [[unlikely]]
            count_name_change(lane.type, "flatbuf has no number for this type; it becomes UNKNOWN");
        std::byte* at = buffer_.grow(flat_event_size);
        at = store_le(at, lane.core);
        at = store_le(at, start);
        at = store_le(at, duration);
        store_le(at, lane.flat_id);
        if (name == nullptr) return;
        if (events_ > std::numeric_limits<std::uint32_t>::max()) {
            losses_.count(Loss::part_dropped, names_of_events, [&] {
                return std::string("event ").append(std::to_string(events_)).append(" is beyond 2^32");
            });
            return;
        }
        std::string text = valid_name(*name);
        if (text.size() > longest_flat_name) {
            std::size_t size = longest_flat_name;
            while ((static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80)
                --size;
            losses_.count(Loss::value_narrowed, names_of_events,
                          [&] { return counted(text.size(), "byte").append("; flatbuf has room for 65535"); });
            text.resize(size);
        }
        names_.le(static_cast<std::uint32_t>(events_));
        names_.le(static_cast<std::uint16_t>(text.size()));
        names_.text(text);
        ++name_count_;
    }

    void json_event(const Lane& lane, std::uint64_t start, std::uint64_t duration, const std::string_view* name) {
        if (events_ != 0) buffer_.text(",");
        const auto member = [&](std::string_view key, std::uint64_t value) {
            buffer_.text(key);
            buffer_.text(std::to_string(value));
        };
        member("{\"core_id\":", lane.core);
        member(",\"start_cycle\":", start);
        member(",\"duration\":", duration);
        buffer_.text(",\"event_type\":");
        buffer_.text(lane.type);
        if (name != nullptr) {
            buffer_.text(",\"api_name\":");
            buffer_.text(json_string(valid_name(*name)));
        }
        buffer_.text("}");
    }

    std::string valid_name(std::string_view name) {
        std::string text = as_utf8(name);
        if (text != name) count_name_change(names_of_events, "a name that is not UTF-8");
        return text;
    }

    // --- bytes ---

    /// Returns the total cycles in the source's payload, else in its header, else the latest end of an event.
    std::uint64_t final_total() const {
        if (const auto total = number_of(schema_, total_cycles_key)) return *total;
        return header_.cycles.value_or(latest_end_);
    }

    void begin_payload(std::uint64_t events) {
        if (layout_ == Layout::bincode || layout_ == Layout::bincode4) {
            begun_total_ = total_.value_or(header_.cycles.value_or(0));
            begun_events_ = events;
            buffer_.le(begun_total_);
            buffer_.le(begun_events_);
        } else if (layout_ == Layout::json) {
            buffer_.text("{");
            // A JSON source may state its total after the events.
            if (!total_ && source_layout(schema_) != Layout::json) total_ = header_.cycles;
            if (total_) {
                buffer_.text("\"total_cycles\":");
                buffer_.text(std::to_string(*total_));
                buffer_.text(",");
            }
            buffer_.text("\"events\":[");
        }
    }

    void end_payload() {
        if (layout_ == Layout::json) {
            buffer_.text("]");
            if (!total_) {
                buffer_.text(",\"total_cycles\":");
                buffer_.text(std::to_string(final_total()));
            }
            buffer_.text("}");
        }
        if (layout_ != Layout::flatbuf || name_count_ == 0) return;
        flush();
        buffer_.le(trailer_magic);
        buffer_.le(name_count_);
        buffer_.bytes(names_.span());
    }

    void flush() {
        if (with_checksum_) hash_.add(buffer_.span());
        output_.append(buffer_.span());
        buffer_.clear();
    }

    /// Hashes the written payload again, because its first bytes were changed.
    void hash_again(std::uint64_t size) {
        hash_ = {};
        const std::optional<Input> written = output_.reopen();
        if (!written) fail(Failure::internal, "the output cannot be read back");
        std::vector<std::byte> block(static_cast<std::size_t>(std::min<std::uint64_t>(size, 4 * flush_size)));
        for (std::uint64_t at = reserved_; at < reserved_ + size;) {
            const std::uint64_t left = reserved_ + size - at;
            const std::size_t count = written->read_at(
                at, std::span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()))));
            if (count == 0) fail(Failure::io, "the output cannot be read back");
            hash_.add(std::span(block).first(count));
            at += count;
        }
    }

    void write_header(std::uint64_t payload_size) {
        if (header_.byte_length || payload_size != 0) header_.byte_length = payload_size;
        if (with_checksum_) header_.checksum = hash_.value();
        if (!is_ours_) {
            header_.cycles = header_.cycles.value_or(latest_end_);
            header_.cores = header_.cores.value_or(events_ == 0 ? 0 : saturated_cores());
        }
        if (completes_ && is_present(Object::trace)) {
            complete(header_.cycles, "trace.cycles", final_total());
            complete(header_.cores, "trace.cores", events_ == 0 ? 0 : saturated_cores());
        }
        const std::string text = header_text(header_);
        Appender bytes;
        bytes.text(magic);
        bytes.le(major_version);
        bytes.le(header_.minor);
        bytes.le(header_.reserved);
        bytes.le(static_cast<std::uint64_t>(text.size()));
        bytes.text(text);
        if (bytes.size() != reserved_) output_.shift(reserved_, bytes.size());
        output_.patch(0, bytes.span());
    }

    std::uint32_t saturated_cores() const noexcept {
        return highest_core_ == std::numeric_limits<std::uint32_t>::max() ? highest_core_ : highest_core_ + 1;
    }

    Output& output_;
    const Schema& schema_;
    Losses& losses_;
    Layout layout_;
    Header header_;
    bool is_ours_;            ///< the trace was read from a .pccx file
    bool completes_ = false;  ///< adds the mandatory keys that the source lacks
    const bool has_objects_ = schema_.metadata(conventions::named_source) != nullptr;
    bool with_checksum_ = true;
    std::optional<std::uint64_t> total_;  ///< total cycles in the source
    std::uint64_t reserved_ = 0;          ///< bytes before the payload

    std::vector<Lane> lanes_;  ///< by track
    HashMap<ScopeId, std::uint32_t> cores_;
    HashSet<std::uint32_t> used_cores_;                      ///< core numbers in use that come from scope names
    std::set<std::pair<std::uint32_t, std::string>> types_;  ///< types in use, with their cores
    std::set<std::uint32_t> named_cores_;                    ///< core numbers in scope names
    std::uint32_t next_core_ = 0;                            ///< next number for a scope without a number

    Appender buffer_;
    Fnv1a64 hash_;
    std::uint64_t begun_total_ = 0, begun_events_ = 0;  ///< predictions written at the start of a bincode payload
    std::uint64_t events_ = 0;
    std::uint64_t latest_end_ = 0;
    std::uint32_t highest_core_ = 0;
    Appender names_;  ///< entries of the name table
    std::uint32_t name_count_ = 0;
};

}  // namespace

bool needs_start_order(const Schema& schema, const Settings& settings) {
    const std::string order = settings.text(options, order_option);
    if (order != "auto") return order == "start";
    return chosen_layout(schema, settings) == Layout::flatbuf && source_layout(schema) != Layout::flatbuf;
}

void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    const auto foretell = [&](Loss loss, Subject subject, std::string_view why) {
        losses.push_back({loss, std::string(subject.text()), std::string(why), subject.is_general()});
    };
    const Layout layout = chosen_layout(schema, settings);
    const Layout source = source_layout(schema);
    foretell(Loss::name_changed, "*", "strings that are not UTF-8");
    std::set<std::pair<ScopeId, std::string_view>> types;
    for (const Track& track : schema.tracks())
        if (track.kind == Track::Kind::stream && !types.emplace(track.scope, track.name).second)
            foretell(Loss::name_changed, track.name, same_type);
    if (layout == Layout::bincode4 && source != Layout::bincode4)
        foretell(Loss::part_dropped, names_of_events, "events of four fields have no room for a name");
    if (layout == Layout::flatbuf && source != Layout::flatbuf) {
        foretell(Loss::name_changed, "*", "types without a number in flatbuf become UNKNOWN");
        foretell(Loss::part_dropped, names_of_events, "flatbuf has no names beyond event 2^32");
        foretell(Loss::metadata_dropped, total_cycles_key, "flatbuf does not store the total");
    }
    if (layout == Layout::flatbuf)
        foretell(Loss::value_narrowed, names_of_events, "flatbuf has room for 65535 bytes of a name");
    if (layout == Layout::opaque && source != Layout::opaque)
        foretell(Loss::metadata_dropped, total_cycles_key, "an opaque payload has no total");
    if (schema.metadata("pccx.version") != nullptr) {
        Losses of_header;
        header_of(schema, of_header);
        for (const auto& [lost, entry] : of_header.entries())
            foretell(lost.first, lost.second, "the header cannot store it");
        const auto is_nested = [&](const Scope& scope) {
            return scope.parent != none && schema.scopes()[scope.parent].parent != none;
        };
        if (std::ranges::any_of(schema.scopes(), is_nested))
            foretell(Loss::scope_flattened, "*", "scopes between the trace and its cores are omitted");
        return;
    }
    foretell(Loss::metadata_dropped, "*",
             "values that are not UTF-8, are invalid in a header, or exceed 1 MiB in total");
    foretell(Loss::field_dropped, "*", "an event has no attributes but api_name");
    foretell(Loss::scope_flattened, "*", "scopes become numbered cores");
    foretell(Loss::time_rounded, "*", "times that are negative or not whole cycles of the file");
    foretell(Loss::part_dropped, unused_tracks, "a trace without events");
    foretell(Loss::part_dropped, "*", "types without an event; clocks and enumerations");
    foretell(Loss::type_changed, "*", "ticks become cycles of the file's clock");
}

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<FileWriter>(output, schema, settings, losses);
}

}  // namespace hwtrace::pccx

#include "operate/concatenation.hpp"

#include <string>
#include <string_view>

#include "convert/target.hpp"
#include "domain/conventions.hpp"
#include "io/advised_error.hpp"
#include "io/error.hpp"
#include "model/time.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::string_view convert_whole =
    "give the manifest if you gave the shards; otherwise convert the whole trace, or put shards in its own format "
    "together and convert the result";

/// Returns the value of a fact, or an empty text.
std::string_view value_of(const Schema& schema, std::string_view key) {
    const std::string* const value = schema.metadata(key);
    return value == nullptr ? std::string_view() : std::string_view(*value);
}

[[noreturn]] void refuse(const std::string& why, std::string_view advice = convert_whole) {
    throw AdvisedError(Failure::input, "these shards cannot be put together to the bytes of the whole: " + why,
                       std::string(advice));
}

/// Returns true for a format of transactions: other records become transactions too, and most leave no mark.
bool is_of_transactions(const Format& format) {
    return Target(format).holds_only_intervals();
}

bool is_whole_picoseconds(const TimeBase& tick) noexcept {
    __extension__ using Wide = unsigned __int128;
    return tick.den != 0 && Wide{tick.num} * picoseconds_per_second % tick.den == 0;
}

/// Throws Failure::input if times of the raised shards may have been rounded to picoseconds: the order of records that
/// have equal times now is not that of the whole.
void check_times(const Schema& schema) {
    for (const Track& track : schema.tracks())
        if (track.time.kind == TimeBase::Kind::seconds && !is_whole_picoseconds(track.time))
            refuse("times of track '" + track.name + "' may have been rounded to picoseconds");
}

}  // namespace

Raise Concatenation::first_way(const Format& shards, const Format* origin) noexcept {
    // A format that holds any trace lowers nothing, so marks in the shards are those of the source.
    const bool lowers = !shards.writes.accepts_any_trace();
    return origin != nullptr && origin != &shards && lowers ? Raise::all : Raise::as_converted;
}

SourceFormat Concatenation::source_format(const SourceFormat& shard, const RaisedShards& raised,
                                          const Schema& schema) const {
    SourceFormat from = is_foreign() ? SourceFormat(*origin) : shard;
    from.lateness.reset();  // is known only for one shard
    if (is_foreign()) {
        // A conversion reads such a trace twice, so it knows what occurs in it.
        if (!from.reads.schema_upfront && origin->writes.accepts_any_trace()) {
            from.reads.shapes = {};
            for (const Track& track : schema.tracks())
                from.reads.shapes.add(track.kind);
        }
        from.reads.schema_upfront = from.reads.schema_upfront || raised.any;
        from.reads.time_ordered = raised.any ? raised.time_ordered : shard.reads.time_ordered;
        return from;
    }
    if (!raised.any) return from;
    from.reads.schema_upfront = true;
    // Instructions have the order of their positions. Other records may have another order than their tables had.
    from.reads.time_ordered =
        has_hart(schema) || (raise == Raise::as_converted ? from.reads.time_ordered : raised.time_ordered);
    for (const Shape shape : all_shapes)
        from.reads.shapes.add(shape);
    return from;
}

Settings Concatenation::for_writer(const PreparedSource& first, const Settings& settings) const {
    return is_foreign() ? settings : first.for_writer(to, settings);
}

void Concatenation::check_same_form(const Schema& whole, const Schema& shard) const {
    if (&shards != &to) return;
    for (const std::string_view key :
         {names::lowered, names::interval_source, names::signal_source, names::record_source, names::named_source})
        if (value_of(whole, key) != value_of(shard, key))
            refuse(std::string("its mark ").append(key).append(" would differ from that of the shards"));
}

bool lacks_mark(const Format& origin, const Format& shards, bool is_marked, const Schema& schema) noexcept {
    return &origin != &shards && !is_marked && is_of_transactions(shards) && !has_hart(schema);
}

void check_joinable(const Concatenation& how, const RaisedShards& raised, const Schema& schema) {
    if (raised.any && how.raise == Raise::all) check_times(schema);
    if (!is_of_transactions(how.shards)) return;
    const std::string format(how.shards.name);
    if (how.origin == nullptr)
        refuse(format + " does not state which format the trace had when it was cut",
               "give a manifest that states it (source.format), as this version writes it");
    if (how.is_foreign() && has_hart(schema))
        refuse("instructions became " + format + ", whose texts get another order");
    if (lacks_mark(*how.origin, how.shards, raised.any, schema))
        refuse("they were " + std::string(how.origin->name) + ", and became " + format + " without a mark");
}

void refuse_ordered(const NotContinued& error) {
    refuse(std::string(error.fact()));
}

}  // namespace hwtrace

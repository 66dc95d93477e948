#include "transaction_tracks.hpp"

#include <algorithm>
#include <string>

#include "domain/conventions.hpp"

namespace hwtrace::stf {

namespace names = conventions;

namespace {

bool same_fields(const std::vector<Field>& a, const std::vector<Field>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Field& left, const Field& right) {
        return left.name == right.name && left.type == right.type && left.repeated == right.repeated;
    });
}

bool counts_cycles(const Track& track) {
    return track.time.kind == TimeBase::Kind::cycles;
}

}  // namespace

std::vector<Field> transaction_fields(EnumId channel, EnumId metadata_type) {
    return {
        {.name = std::string(names::interval_id), .type = Type::u64},
        {.name = "channel", .type = Type::enumeration, .enumeration = channel},
        {.name = "code", .type = Type::u8},
        {.name = "param", .type = Type::u8},
        {.name = "size", .type = Type::u8},
        {.name = "source", .type = Type::u64},
        {.name = "address", .type = Type::u64},
        {.name = "sink", .type = Type::u64},
        {.name = "data_size", .type = Type::u16},
        {.name = "mask_bits", .type = Type::u16},
        {.name = "cycle_delta", .type = Type::u64},
        {.name = "metadata_type", .type = Type::enumeration, .enumeration = metadata_type, .repeated = true},
        {.name = "metadata", .type = Type::u64, .repeated = true},
        {.name = "data", .type = Type::u64, .repeated = true},
        {.name = "mask", .type = Type::u64, .repeated = true},
    };
}

Enum channel_enum() {
    return {"tilelink_channel", {{1, "A"}, {2, "B"}, {3, "C"}, {4, "D"}, {5, "E"}}};
}

Enum metadata_type_enum() {
    return {"metadata_type", {{0, "u8"}, {1, "u16"}, {2, "u32"}, {3, "u64"}}};
}

std::vector<Field> dependency_fields() {
    return {{.name = std::string(names::relation_from), .type = Type::u64},
            {.name = std::string(names::relation_to), .type = Type::u64},
            {.name = "cycle_delta", .type = Type::u64},
            {.name = "clock", .type = Type::u8}};
}

bool is_transaction_stream(const Track& track) {
    return track.kind == Track::Kind::stream && track.name == transaction_track && counts_cycles(track) &&
           same_fields(track.fields, transaction_fields(none, none));
}

bool is_dependency_track(const Track& track) {
    return track.kind == Track::Kind::relation_type && track.name == dependency_track && counts_cycles(track) &&
           same_fields(track.fields, dependency_fields());
}

bool is_interval_track(const Track& track) {
    return is_transaction_stream(track) || is_dependency_track(track);
}

bool has_transactions(const Schema& schema) {
    bool some = false;
    for (const Track& track : schema.tracks()) {
        if (track.kind == Track::Kind::hart) return false;
        some = some || is_transaction_stream(track) || is_dependency_track(track);
    }
    return some;
}

}  // namespace hwtrace::stf

// tests/laws/random_model.hpp - traces that nobody recorded, made at random from a seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "laws/law_support.hpp"
#include "model/record.hpp"

namespace hwtrace::test {

/// What models are made of. Of each list one is drawn, the more often the more often it stands there.
struct ModelParts {
    std::vector<Track::Kind> kinds;
    std::vector<TimeBase> bases;
    std::vector<Type> types;              ///< of fields
    std::vector<std::string> own_tracks;  ///< names of native tracks

    /// Of scopes, the first with all others in it; none: made ones. Tracks are in the last one.
    std::vector<std::string> scopes = {};
    std::string track = {};     ///< of the first track; empty: a made one
    bool bare = false;          ///< no clocks, enumerations and metadata
    bool one_root = false;      ///< the first scope has all others in it
    bool time_ordered = false;  ///< times never decrease
    bool one_track = false;
    bool comes_back = true;  ///< most of them do, from the format that they are for
    bool lists = false;      ///< the last field may be repeated
    /// Intervals are as a recording has them: each with a number, attributes in the order of their fields, times in
    /// order of their ends.
    bool recorded = false;
};

/// Every kind of record, type of field and base of time.
ModelParts any_parts();
/// What the format holds as it is; of one that loses something of nearly every trace that was not its own, what it
/// loses least of.
ModelParts native_parts(const Format& format);

/// A few scopes and tracks, and records of them. About half of the models hold only what one kind of tool would record.
class RandomModel {
public:
    explicit RandomModel(std::uint64_t seed, const ModelParts& parts = any_parts());

    /// As a file of lines of JSON.
    Bytes file() const;

private:
    template <typename T>
    const T& one_of(const std::vector<T>& list) {
        return list[random_() % list.size()];
    }
    bool chance(std::uint64_t of) { return random_() % of == 0; }
    std::uint64_t number() { return random_() >> (random_() % 64); }
    std::string word();

    void declare_scopes();
    Field random_field(std::size_t index, Track::Kind of);
    void declare_track(Track::Kind kind, TimeBase base, std::size_t index);

    std::uint64_t cell(const Field& field);
    void append_instruction(TrackId id);
    void append_operation(TrackId id, Tick time);
    void append_values(TrackId id, Tick time);
    void append_relation(TrackId id, Tick time);
    void append_record(TrackId id, Tick time);

    std::mt19937_64 random_;
    ModelParts parts_;
    Schema schema_;
    Batch batch_;
    std::uint64_t next_pc_ = 0x1000, instructions_ = 0, next_interval_ = 1;
};

}  // namespace hwtrace::test

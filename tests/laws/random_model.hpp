// tests/laws/random_model.hpp - random traces, each determined by a seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "laws/law_support.hpp"
#include "model/record.hpp"

namespace hwtrace::test {

/// The ingredients of models. An entry that occurs several times in a list is drawn more often.
struct ModelParts {
    std::vector<Track::Kind> kinds;
    std::vector<TimeBase> bases;
    std::vector<Type> types;              ///< types of fields
    std::vector<std::string> own_tracks;  ///< names of native tracks

    /// Names of scopes. The first scope contains all others, and the last scope contains the tracks. If the list is
    /// empty, names are generated.
    std::vector<std::string> scopes = {};
    std::string track = {};     ///< name of the first track; empty: generated
    bool bare = false;          ///< the model has no clocks, enums and metadata
    bool one_root = false;      ///< the first scope contains all others
    bool time_ordered = false;  ///< times never decrease
    bool one_track = false;
    bool comes_back = true;  ///< most models survive the round trip through their format
    bool lists = false;      ///< the last field may be repeated
    /// Intervals are like the intervals of a recording: all have ids, are in order of their ends, and have attributes
    /// in field order.
    bool recorded = false;
    /// The model has what tools rarely write: namesakes, numbers with gaps, large enumerations, numbers at the ends of
    /// their types, and texts with control characters.
    bool hostile = false;
    bool flux_arrays = false;  ///< the model is a flux trace; some of its signals are arrays with labelled elements
};

/// Returns all record kinds, field types and time bases.
ModelParts any_parts();
/// Returns the ingredients that the format holds without loss. If the format loses data of nearly every foreign trace,
/// returns the ingredients that lose the least.
ModelParts native_parts(const Format& format);
/// Returns the ingredients of flux traces with arrays, whose elements have labels.
ModelParts flux_array_parts();
/// Returns the same ingredients for hostile models.
ModelParts hostile(ModelParts parts);

/// A random trace: a few scopes and tracks with records. About half of the models contain only records that one kind of
/// tool would make.
class RandomModel {
public:
    explicit RandomModel(std::uint64_t seed, const ModelParts& parts = any_parts());

    /// Returns the model as JSON lines.
    Bytes file() const;

private:
    template <typename List>
    const auto& one_of(const List& list) {
        return list[random_() % list.size()];
    }
    bool chance(std::uint64_t of) { return random_() % of == 0; }
    std::uint64_t number();
    std::string word();
    /// Returns a name such as "track2". In a hostile model, returns one of a few names, which may be in use.
    std::string name_of(std::string_view kind, std::size_t index);
    /// Returns by how much the next id or position exceeds the last one: 1, or more in a hostile model.
    std::uint64_t step() { return parts_.hostile && chance(4) ? 1 + random_() % 5 : 1; }

    void declare_scopes();
    void declare_enums();
    void declare_flux_scopes();
    void declare_flux_signal(TimeBase base);
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
    std::uint64_t next_pc_ = 0x1000, instructions_ = 0, next_interval_ = 1, next_track_ = 0;
};

}  // namespace hwtrace::test

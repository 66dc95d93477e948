// formats/ftr/schema_mark.hpp - the part of a schema that a directory cannot state. The writer stores it in the file,
// and the reader restores it (formats/ftr/README.md#schema-mark).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "directory_writer.hpp"
#include "io/limits.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Metadata key of the mark. SchemaMark::text() is stored in pieces of mark_piece bytes.
inline constexpr std::string_view schema_mark_key = "hwtrace.ftr.schema";
inline constexpr std::size_t mark_piece = std::size_t{1} << 20;

/// Everything that a directory cannot state: nested scopes, clocks, values of labels, tracks of any time base,
/// attributes of any type or without a phase.
struct SchemaMark {
    struct MarkedTrack {
        Track track;                                  ///< a stream or a relation
        std::optional<std::uint64_t> generator = {};  ///< id of a stream's generator in the file
        bool made_numbers = false;  ///< the intervals had no ids in the source; the file's ids are new
    };
    std::vector<Clock> clocks;
    std::vector<Enum> enums;
    std::vector<Scope> scopes;  ///< parents first
    std::vector<MarkedTrack> tracks;

    /// Returns true if there are streams and all transaction ids are new. Such ids count the source's intervals in
    /// order.
    bool all_numbers_made() const noexcept;
    /// Returns one line for each object: a letter, numbers ("-": none), and strings with their lengths, as in "4:core".
    std::string text() const;
    /// Parses the mark of a file with ticks of 10^exponent seconds. Returns nothing if `text` is not a valid mark.
    /// Throws Failure::limit.
    static std::optional<SchemaMark> parse(std::string_view text, int exponent, const Limits& limits);
};

/// Returns the index of the first of the two fields that state the streams of a relation's ends, or none.
std::uint32_t streams_field(const Track& track) noexcept;
/// Returns the fields of a relation that FTR can store: its ends and their streams.
std::vector<Field> kept_fields(const Track& relation);

/// Decides whether a file needs a schema mark, and what the mark restores.
struct MarkUse {
    bool says_more = false;  ///< forces a mark, because some facts of the schema are not stated by any record
    /// Relations get back the fields that they have in the schema. Otherwise the streams that the file adds to
    /// relations remain.
    bool restores_relations = true;
    std::function<bool(TrackId)> occurs;  ///< returns true if the file has relations of the track
};

/// Returns the mark of a schema whose streams are written as `generators`. Returns nothing if a file with ticks of
/// 10^exponent seconds states the whole schema, except relation tracks without relations.
std::optional<SchemaMark> mark_of(const Schema& schema, const std::vector<DirectoryWriter::Generator>& generators,
                                  int exponent, const MarkUse& use);

}  // namespace hwtrace::ftr

// formats/ftr/schema_mark.hpp - what a .ftr file notes of a schema that its directory cannot state, so that reading it
// gives that schema back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "directory_writer.hpp"
#include "io/limits.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Metadata of the marks' stream: the text of a SchemaMark, in pieces of this size.
inline constexpr std::string_view schema_mark_key = "hwtrace.ftr.schema";
inline constexpr std::size_t mark_piece = std::size_t{1} << 20;

/// Scopes in a tree, clocks, labels with values, tracks of any time base and attributes of any type and without a
/// phase.
struct SchemaMark {
    struct MarkedTrack {
        Track track;                                  ///< a stream or a relation
        std::optional<std::uint64_t> generator = {};  ///< of a stream: by what number the file has it
        bool made_numbers = false;                    ///< its intervals had none: those in the file are made up
    };
    std::vector<Clock> clocks;
    std::vector<Enum> enums;
    std::vector<Scope> scopes;  ///< each behind its parent
    std::vector<MarkedTrack> tracks;

    /// True where there are streams, and no track's intervals had numbers: those in the file count all of them, in
    /// order.
    bool all_numbers_made() const noexcept;
    /// One line for each object: a letter, numbers ("-": none), and texts with their lengths, as in "4:core".
    std::string text() const;
    /// None where `text` is none, or says what no writer says of a file that counts 10^exponent seconds. Throws
    /// Failure::limit.
    static std::optional<SchemaMark> parse(std::string_view text, int exponent, const Limits& limits);
};

/// Where a relation says in which streams its ends are: the first of two fields; none where it does not.
std::uint32_t streams_field(const Track& track) noexcept;
/// The fields of a relation that a file keeps: its ends, and their streams.
std::vector<Field> kept_fields(const Track& relation);

/// The mark of a schema whose streams have become those generators; none where a file that counts 10^exponent seconds
/// says everything without one, and `says_more` is not set: the schema has something that no record tells.
std::optional<SchemaMark> mark_of(const Schema& schema, const std::vector<DirectoryWriter::Generator>& generators,
                                  int exponent, bool says_more);

}  // namespace hwtrace::ftr

// formats/ftr/directory_writer.hpp - maps scopes to streams and tracks to generators, and writes their declarations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chunk_writer.hpp"
#include "codec/losses.hpp"
#include "dictionary_writer.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Declares a stream for each scope that has intervals or an id, and a generator for each interval track. Keeps ids of
/// the source. Counts new ids from 1, streams first.
class DirectoryWriter {
public:
    struct Stream {
        ScopeId scope = none;  ///< none: the stream of tracks without a scope
        std::uint64_t number = 0;
    };
    struct Generator {
        std::uint32_t stream = none;  ///< index into streams(); none: the track has no intervals
        std::uint64_t number = 0;
    };

    /// All arguments must outlive the writer.
    DirectoryWriter(const Schema& schema, DictionaryWriter& dictionary, Heads heads, Losses& losses);

    /// Assigns ids to everything that the schema declared since the last call. Writes a chunk if there is anything new.
    void update(ChunkWriter& chunks);
    /// The ids that add() assigned.
    struct Added {
        std::uint64_t stream, generator;
    };
    /// Declares a stream and its only generator, which are not in the schema, and writes the chunk. Their ids are the
    /// first unused ones from `first` on, if it is stated.
    Added add(std::string_view name, std::string_view kind, std::string_view generator,
              std::optional<std::uint64_t> first, ChunkWriter& chunks);

    const std::vector<Stream>& streams() const noexcept { return streams_; }
    /// Returns the generators by TrackId, as of the last update().
    const std::vector<Generator>& generators() const noexcept { return generators_; }

private:
    std::uint32_t add_stream(ScopeId scope);
    std::uint64_t claim(HashSet<std::uint64_t>& taken, std::optional<std::uint64_t> wanted, std::string_view name);
    void append_stream(std::uint64_t number, std::string_view name, std::string_view kind);
    void append_generator(std::uint64_t number, std::string_view name, std::uint64_t stream);
    void append_entry(Entry entry, std::uint64_t number, std::uint64_t name, std::uint64_t other);
    void flush(ChunkWriter& chunks);
    std::string path_of(ScopeId id) const;

    const Schema& schema_;
    DictionaryWriter& dictionary_;
    Heads heads_;
    Losses& losses_;
    std::vector<Stream> streams_;
    std::vector<Generator> generators_;
    std::vector<std::uint32_t> stream_of_scope_;  ///< none: not a stream yet
    std::uint32_t stream_without_scope_ = none;
    HashSet<std::uint64_t> stream_numbers_, generator_numbers_;
    std::uint64_t next_number_ = 1;
    Appender content_;
};

}  // namespace hwtrace::ftr

// formats/ftr/directory_writer.hpp - which streams and generators a trace's scopes and tracks become, and the chunks
// that declare them.
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

/// A scope with intervals is a stream, and so is one with a number of its own; a track of intervals is a generator.
/// Numbers are the source's where it has them, else come from one counter from 1, streams first.
class DirectoryWriter {
public:
    struct Stream {
        ScopeId scope = none;  ///< none: of tracks that have no scope
        std::uint64_t number = 0;
    };
    struct Generator {
        std::uint32_t stream = none;  ///< index into streams(); none: the track is no stream
        std::uint64_t number = 0;
    };

    /// All outlive the writer.
    DirectoryWriter(const Schema& schema, DictionaryWriter& dictionary, Heads heads, Losses& losses);

    /// Numbers what the schema has declared since the last call, and writes a chunk where that is anything.
    void update(ChunkWriter& chunks);
    /// What add() declared, by number.
    struct Added {
        std::uint64_t stream, generator;
    };
    /// Declares one more stream with one generator, which are nothing of the schema's, and writes them.
    Added add(std::string_view name, std::string_view kind, std::string_view generator, ChunkWriter& chunks);

    const std::vector<Stream>& streams() const noexcept { return streams_; }
    /// By TrackId, up to the last update.
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
    std::vector<std::uint32_t> stream_of_scope_;  ///< none: it is no stream yet
    std::uint32_t stream_without_scope_ = none;
    HashSet<std::uint64_t> stream_numbers_, generator_numbers_;
    std::uint64_t next_number_ = 1;
    Appender content_;
};

}  // namespace hwtrace::ftr

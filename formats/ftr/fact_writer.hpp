// formats/ftr/fact_writer.hpp - writes metadata as transactions of a separate stream
// (formats/ftr/README.md#metadata-stream).
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "chunk_writer.hpp"
#include "dictionary_writer.hpp"
#include "directory_writer.hpp"
#include "io/appender.hpp"

namespace hwtrace::ftr {

class FactWriter {
public:
    /// `next_number` returns the id of the next transaction. All arguments must outlive the writer.
    FactWriter(ChunkWriter& chunks, DictionaryWriter& dictionary, DirectoryWriter& directory, Heads heads,
               std::function<std::uint64_t()> next_number);

    /// Appends a metadata entry. The first call declares the stream.
    void put(std::string_view key, std::string_view value);
    /// Writes a metadata entry at once, as a block before the chunks that are still to come. Must not follow put(). The
    /// ids are large, because later streams and transactions keep the ids of the source.
    void put_early(std::string_view key, std::string_view value);
    /// Writes the block if there are any metadata entries.
    void finish();

private:
    void append(std::uint64_t number, std::string_view key, std::string_view value);
    void append_text(std::string_view name, std::string_view text);

    ChunkWriter& chunks_;
    DictionaryWriter& dictionary_;
    DirectoryWriter& directory_;
    const Heads heads_;
    std::function<std::uint64_t()> next_number_;
    std::optional<DirectoryWriter::Added> stream_;
    std::uint64_t early_ = 0;  ///< entries that put_early() has written
    Appender content_;
};

}  // namespace hwtrace::ftr

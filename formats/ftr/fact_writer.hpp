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

    /// Appends a fact. The first call declares the stream.
    void put(std::string_view key, std::string_view value);
    /// Writes the block, unless there are no facts.
    void finish();

private:
    void append_text(std::string_view name, std::string_view text);

    ChunkWriter& chunks_;
    DictionaryWriter& dictionary_;
    DirectoryWriter& directory_;
    const Heads heads_;
    std::function<std::uint64_t()> next_number_;
    std::optional<DirectoryWriter::Added> stream_;
    Appender content_;
};

}  // namespace hwtrace::ftr

// formats/ftr/dictionary_writer.hpp - assigns dictionary keys to texts and writes the chunks that define them.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "chunk_writer.hpp"
#include "codec/losses.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Selects which texts the dictionary defines.
enum class Texts : std::uint8_t {
    source,  ///< the schema's string table in its order, up to the last text needed
    used,    ///< requested texts only, in the order of the requests
};
/// Selects the treatment of texts that are not UTF-8.
enum class NotUtf8 : std::uint8_t { replaced, kept };

/// Assigns the keys 0, 1, 2, ... to texts, 0 to the empty one: SCViewer takes the position of a text as its key. Equal
/// texts share a key. Takes four bytes of memory for each text of the schema, and the texts of names that are not in
/// the schema's string table.
class DictionaryWriter {
public:
    /// `schema` and `losses` outlive the writer. Names take at most limits.block bytes.
    DictionaryWriter(const Schema& schema, Texts texts, NotUtf8 not_utf8, const Limits& limits, Losses& losses);

    /// Returns the key of a string of the schema.
    std::uint64_t number(StringId id) {
        if (id < numbers_.size() && numbers_[id] != none) [[likely]]
            return numbers_[id];
        return add(id);
    }
    /// Returns the key of a name (of a stream, generator, attribute, ...). Throws Failure::limit.
    std::uint64_t number_of_name(std::string_view name);

    /// Assigns keys to the current string table of the schema, unless only requested texts are defined.
    void take_source();
    /// Writes a chunk with all texts that got a key since the last call; none if there are none.
    void flush(ChunkWriter& chunks, Heads heads);

    /// The subject of losses.
    static constexpr Subject subject = Subject::general("dictionary");

private:
    std::uint64_t add(StringId id);
    std::uint32_t define(std::string_view text, Loss loss);

    const Schema& schema_;
    const Texts texts_;
    const NotUtf8 not_utf8_;
    const Limits limits_;
    Losses& losses_;
    std::vector<std::uint32_t> numbers_;         ///< by StringId; none: no key yet
    HashMap<std::string, std::uint32_t> names_;  ///< names that were not in the string table at the first request
    std::uint64_t name_bytes_ = 0;
    std::deque<std::string> replaced_;       ///< pending texts with replaced bytes
    std::vector<std::string_view> pending_;  ///< with a key, not yet written
    std::uint32_t first_pending_ = 0;
    Appender content_;
};

}  // namespace hwtrace::ftr

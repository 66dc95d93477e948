// formats/ftr/dictionary_writer.hpp - assigns dictionary keys to strings and writes the chunks that define them.
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

/// Selects which strings the dictionary defines.
enum class Texts : std::uint8_t {
    source,  ///< the schema's string table in order, up to the last string that is used
    used,    ///< only strings that are used, in order of first use
};
/// Selects how strings that are not UTF-8 are written.
enum class NotUtf8 : std::uint8_t { replaced, kept };

/// Assigns the keys 0, 1, 2, ... to strings, because SCViewer takes the position of a string as its key. The empty
/// string has key 0. Equal strings share a key. Needs four bytes of memory for each string of the schema, and a copy of
/// each name outside the string table.
class DictionaryWriter {
public:
    /// `schema` and `losses` must outlive the writer. Names take at most limits.block bytes.
    DictionaryWriter(const Schema& schema, Texts texts, NotUtf8 not_utf8, const Limits& limits, Losses& losses);

    /// Returns the key of a string of the schema.
    std::uint64_t number(StringId id) {
        if (id < numbers_.size() && numbers_[id] != none) [[likely]]
            return numbers_[id];
        return add(id);
    }
    /// Returns the key of a name, such as the name of a stream or an attribute. Throws Failure::limit.
    std::uint64_t number_of_name(std::string_view name);

    /// Assigns keys to the schema's string table, as of the last see_source(), unless only used strings are defined.
    void take_source();
    /// Notes that records written from now on may use all strings that the schema has.
    void see_source() noexcept { seen_ = schema_.string_count(); }
    /// Writes a chunk with all strings that got a key since the last call. Writes nothing if there are no such strings.
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
    HashMap<std::string, std::uint32_t> names_;  ///< names that were not in the string table at first use
    std::uint64_t name_bytes_ = 0;
    std::deque<std::string> replaced_;       ///< pending strings with replaced bytes
    std::vector<std::string_view> pending_;  ///< strings with a key that are not written yet
    std::uint32_t first_pending_ = 0;
    std::size_t seen_ = 0;  ///< strings of the schema as of the last see_source()
    Appender content_;
};

}  // namespace hwtrace::ftr

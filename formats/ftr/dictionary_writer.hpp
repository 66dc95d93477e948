// formats/ftr/dictionary_writer.hpp - the texts that a .ftr file refers to by number, and the chunks that define them.
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

/// Which texts are defined.
enum class Texts : std::uint8_t {
    source,  ///< those of the schema's string table, in its order, as far as any is needed
    used,    ///< those that are asked for, in the order in which they are
};
/// What becomes of texts that are not UTF-8.
enum class NotUtf8 : std::uint8_t { replaced, kept };

/// Numbers texts from 0, which is the empty one, without gaps: SCViewer takes the place of a text for its number. Equal
/// texts have one number. Besides what the schema holds of every text, four bytes of memory each are taken, and the
/// texts themselves of names that are none of the schema's strings.
class DictionaryWriter {
public:
    /// `schema` and `losses` outlive the writer. Names take at most limits.block.
    DictionaryWriter(const Schema& schema, Texts texts, NotUtf8 not_utf8, const Limits& limits, Losses& losses);

    /// The number of a string of the schema.
    std::uint64_t number(StringId id) {
        if (id < numbers_.size() && numbers_[id] != none) [[likely]]
            return numbers_[id];
        return add(id);
    }
    /// The number of a name: of a stream, a generator, an attribute, ... Throws Failure::limit.
    std::uint64_t number_of_name(std::string_view name);

    /// Numbers what the schema's string table holds by now, where that is what the dictionary is to have.
    void take_source();
    /// Defines every text that was numbered since the last call, where any was.
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
    std::vector<std::uint32_t> numbers_;         ///< by StringId; none: not yet
    HashMap<std::string, std::uint32_t> names_;  ///< that were no strings of the schema when they came
    std::uint64_t name_bytes_ = 0;
    std::deque<std::string> replaced_;       ///< pending texts that stand for others
    std::vector<std::string_view> pending_;  ///< numbered, not yet defined
    std::uint32_t first_pending_ = 0;
    Appender content_;
};

}  // namespace hwtrace::ftr

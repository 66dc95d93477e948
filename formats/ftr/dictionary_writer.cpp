#include "dictionary_writer.hpp"

#include <algorithm>

#include "domain/utf8.hpp"
#include "io/error.hpp"

namespace hwtrace::ftr {

namespace {

constexpr std::size_t usual_chunk = std::size_t{16}
                                    << 20;  ///< bytes; a larger dictionary is split into chunks of this size
constexpr std::size_t shown = 64;           ///< maximum bytes of a string in the example of a loss

}  // namespace

DictionaryWriter::DictionaryWriter(const Schema& schema, Texts texts, NotUtf8 not_utf8, const Limits& limits,
                                   Losses& losses)
    : schema_(schema),
      texts_(texts),
      not_utf8_(not_utf8),
      limits_(limits),
      losses_(losses),
      pending_{std::string_view()} {}

std::uint32_t DictionaryWriter::define(std::string_view text, Loss loss) {
    const std::size_t number = first_pending_ + pending_.size();
    if (number >= none)
        fail(Failure::limit, "a dictionary holds at most 4294967295 strings, and this trace has more; convert a slice");
    if (not_utf8_ == NotUtf8::replaced && !is_utf8(text)) {
        const std::string& replaced = replaced_.emplace_back(as_utf8(text));
        losses_.count(loss, subject, [&] {
            return "text " + std::to_string(number) + " is not UTF-8: " + as_utf8(replaced.substr(0, shown));
        });
        text = replaced;
    }
    pending_.push_back(text);
    return static_cast<std::uint32_t>(number);
}

std::uint64_t DictionaryWriter::add(StringId id) {
    const std::size_t first = texts_ == Texts::source ? std::min<std::size_t>(numbers_.size(), id) : id;
    if (id >= numbers_.size()) numbers_.resize(id + std::size_t{1}, none);
    for (std::size_t at = first; at <= id; ++at) {
        if (numbers_[at] != none) continue;
        const std::string_view text = schema_.text(static_cast<StringId>(at));
        const StringId equal = schema_.find_text(text);  // the first id: a string table may contain equal strings
        if (text.empty()) {
            numbers_[at] = 0;
        } else if (equal < at && numbers_[equal] != none) {
            numbers_[at] = numbers_[equal];
        } else if (const auto name = names_.empty() ? names_.end() : names_.find(std::string(text));
                   name != names_.end()) {
            numbers_[at] = name->second;
        } else {
            numbers_[at] = define(text, Loss::value_narrowed);
        }
    }
    return numbers_[id];
}

std::uint64_t DictionaryWriter::number_of_name(std::string_view name) {
    if (name.empty()) return 0;
    if (const StringId id = schema_.find_text(name); id != none) return number(id);
    const auto [entry, fresh] = names_.try_emplace(std::string(name), 0);
    if (fresh) {
        constexpr std::uint64_t around = 128;  // approximate memory of an entry without its string
        name_bytes_ += around + name.size();
        check_limit(name_bytes_, limits_.block, "bytes of names", "max-block");
        entry->second = define(entry->first, Loss::name_changed);
    }
    return entry->second;
}

void DictionaryWriter::take_source() {
    if (texts_ == Texts::source && seen_ > numbers_.size()) add(static_cast<StringId>(seen_ - 1));
}

void DictionaryWriter::flush(ChunkWriter& chunks, Heads heads) {
    for (std::size_t next = 0; next < pending_.size();) {
        std::size_t last = next, bytes = 0;
        while (last < pending_.size() && (bytes == 0 || bytes + pending_[last].size() <= usual_chunk))
            bytes += pending_[last++].size() + 2 * longest_head;
        content_.clear();
        heads.append(content_, Major::map, last - next);
        for (; next < last; ++next) {
            heads.append(content_, first_pending_ + next);
            heads.append_text(content_, pending_[next]);
        }
        chunks.put(Chunk::dictionary, {}, content_.span());
    }
    first_pending_ += static_cast<std::uint32_t>(pending_.size());
    pending_.clear();
    replaced_.clear();
}

}  // namespace hwtrace::ftr

#include "dictionary.hpp"

namespace hwtrace::ftr {

const Dictionary::Entry* Dictionary::define(std::uint64_t key, std::string_view text, std::uint64_t chunk) {
    check_limit(text.size(), limits_.string, "a string of the dictionary", "max-string");
    check_limit((entries_.size() + 1) * (sizeof(Entry) + sizeof(StringId)) + text_.size() + text.size(), limits_.block,
                "the dictionary", "max-block");
    const std::uint32_t before = by_key_.find(key);
    by_key_.set(key, static_cast<std::uint32_t>(entries_.size()));
    if (key < used_.size()) used_[static_cast<std::size_t>(key)] = none;
    entries_.push_back({key, chunk, text_.size(), text.size()});
    values_.push_back(none);
    text_.append(text);
    return before == none ? nullptr : &entries_[before];
}

void Dictionary::use(const Entry& entry, StringId value) {
    const auto index = static_cast<std::size_t>(&entry - entries_.data());
    values_[index] = value;
    if (entry.key >= 2 * entries_.size() || by_key_.find(entry.key) != index) return;
    if (entry.key >= used_.size()) used_.resize(2 * entries_.size(), none);
    used_[static_cast<std::size_t>(entry.key)] = value;
}

std::uint32_t Dictionary::name_number(Entry& entry) {
    if (entry.name == none)
        entry.name = names_.try_emplace(text(entry), static_cast<std::uint32_t>(names_.size())).first->second;
    return entry.name;
}

std::string Dictionary::name(std::uint64_t key) {
    if (const Entry* const entry = find(key)) return std::string(text(*entry));
    return std::string("text ").append(std::to_string(key));
}

}  // namespace hwtrace::ftr

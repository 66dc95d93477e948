#include "direct_ftr.hpp"

#include <algorithm>
#include <utility>

namespace hwtrace::bench {

DirectFtr::DirectFtr(const std::string& path, bool compressed)
    : output_(open_file_output(path, Existing::replace)), compressed_(compressed) {
    Cbor frame;
    for (const unsigned byte : {0xD9u, 0xD9u, 0xF7u, 0x9Fu, 0xC6u, 0x44u, 0x82u, 0x2Bu, 0xC1u, 0x00u})
        frame.byte(static_cast<std::uint8_t>(byte));
    output_->append(frame.span());
    Cbor directory;
    directory.byte(0x9F);
    for (const std::uint64_t tag : {std::uint64_t{16}, std::uint64_t{17}}) {
        directory.tag(tag);
        directory.array(3);
        directory.number(tag == 16 ? 1 : 2);
        directory.number(key_of(tag == 16 ? "bus" : "read"));
        directory.number(tag == 16 ? 0 : 1);
    }
    directory.byte(0xFF);
    chunk(10, {}, directory);
}

std::uint64_t DirectFtr::key_of(std::string_view text) {
    if (const auto found = keys_.find(text); found != keys_.end()) return found->second;
    new_texts_.emplace_back(text);
    return keys_.try_emplace(std::string(text), keys_.size() + 1).first->second;
}

void DirectFtr::begin(std::uint64_t id, std::uint64_t time) {
    if (free_.empty()) free_.push_back(std::make_unique<Open>());
    std::unique_ptr<Open>& open = open_[id];
    open = std::move(free_.back());
    free_.pop_back();
    open->begin = time;
}

void DirectFtr::end(std::uint64_t id, std::uint64_t time) {
    constexpr std::size_t block_size = 65'536;
    const auto found = open_.find(id);
    Open& open = *found->second;
    if (block_.size() == 0) block_.byte(0x9F);
    block_.array(1 + open.attributes);
    block_.tag(6);
    block_.array(4);
    for (const std::uint64_t number : {id, std::uint64_t{2}, open.begin, time})
        block_.number(number);
    block_.append(open.items);
    latest_ = std::max(latest_, time);
    open.items.clear();
    open.attributes = 0;
    free_.push_back(std::move(found->second));
    open_.erase(found);
    if (block_.size() > block_size) flush();
}

void DirectFtr::flush() {
    if (block_.size() == 0) return;
    block_.byte(0xFF);
    Cbor head;
    for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{0}, latest_})
        head.number(number);
    chunk(12, head, block_);
    block_.clear();
}

/// Writes a chunk, after the texts that it needs. `head` has the items before the content.
void DirectFtr::chunk(std::uint64_t tag, const Cbor& head, const Cbor& content) {
    if (!new_texts_.empty()) {
        const std::vector<std::string> texts = std::exchange(new_texts_, {});
        Cbor dictionary;
        std::uint64_t key = keys_.size() - texts.size();
        dictionary.head(5, texts.size() + (key == 0 ? 1 : 0));
        if (key == 0) dictionary.number(0), dictionary.text({});
        for (const std::string& text : texts) {
            dictionary.number(++key);
            dictionary.text(text);
        }
        chunk(8, {}, dictionary);
    }
    Cbor whole;
    whole.tag(tag + (compressed_ ? 1 : 0));
    const std::uint64_t items = tag == 12 ? 4 : 1;
    if (compressed_ || items > 1) whole.array(items + (compressed_ ? 1 : 0));
    whole.append(head);
    if (compressed_) {
        whole.number(content.size());
        packed_.clear();
        lz4_.compress(content.span(), packed_);
        whole.bytes(packed_.span());
    } else {
        whole.bytes(content.span());
    }
    output_->append(whole.span());
}

void DirectFtr::close() {
    flush();
    Cbor end;
    end.byte(0xFF);
    output_->append(end.span());
    output_->commit();
}

}  // namespace hwtrace::bench

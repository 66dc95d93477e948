#include "codec/text_fetch.hpp"

#include <cstddef>

#include "domain/value_text.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t few_strings = 4096;  // so many stay in the cache

}  // namespace

void TextFetch::operator()(const Batch& batch) {
    if (schema_.string_count() < few_strings) return;
    std::size_t sizes = 0;
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::interval && record.kind != Kind::change) continue;
        const std::vector<bool>& texts = texts_of(record.track);
        for (const Attribute& attribute : batch.attributes(record))
            if (texts[attribute.field]) sizes += schema_.text(static_cast<StringId>(attribute.value)).size();
    }
    asm volatile("" : : "r"(sizes));  // the loads are needed, although their sum is not
}

const std::vector<bool>& TextFetch::texts_of(TrackId track) {
    if (track >= texts_.size()) texts_.resize(schema_.tracks().size());
    std::vector<bool>& texts = texts_[track];
    const std::vector<Field>& fields = schema_.tracks()[track].fields;
    while (texts.size() < fields.size())
        texts.push_back(holds_text(fields[texts.size()].type));
    return texts;
}

}  // namespace hwtrace

#include "payload_layout.hpp"

#include <string>

#include "codec.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::pccx {

Layout source_layout(const Schema& schema) {
    const std::string* const encoding = schema.metadata("pccx.payload.encoding");
    if (encoding == nullptr)
        return schema.find_track(Track::Kind::native, payload_track) == none ? Layout::bincode : Layout::opaque;
    if (*encoding == encoding_bincode) {
        const std::string* const layout = schema.metadata(layout_key);
        return layout != nullptr && *layout == "bincode4" ? Layout::bincode4 : Layout::bincode;
    }
    if (*encoding == encoding_flatbuf) return Layout::flatbuf;
    if (*encoding == encoding_json) return Layout::json;
    return Layout::opaque;
}

Layout chosen_layout(const Schema& schema, const Settings& settings) {
    const std::string text = settings.text(options, layout_option);
    if (text == "bincode") return Layout::bincode;
    if (text == "bincode4") return Layout::bincode4;
    if (text == "flatbuf") return Layout::flatbuf;
    if (text == "json") return Layout::json;
    if (text == "raw") return Layout::opaque;
    return source_layout(schema);
}

std::string_view encoding_of(Layout layout) noexcept {
    switch (layout) {
        case Layout::bincode:
        case Layout::bincode4:
            return encoding_bincode;
        case Layout::flatbuf:
            return encoding_flatbuf;
        case Layout::json:
            return encoding_json;
        case Layout::opaque:
            break;
    }
    return encoding_raw;
}

std::optional<std::uint64_t> number_of(const Schema& schema, std::string_view key) {
    const std::string* const text = schema.metadata(key);
    return text == nullptr ? std::nullopt : parse_count(*text);
}

}  // namespace hwtrace::pccx

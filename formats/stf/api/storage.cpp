#include "storage.hpp"

#include <algorithm>

#include "stf/codec.hpp"

namespace hwtrace::stf {

Settings settings_of(const Storage& storage, const std::string& path) {
    Settings settings;
    settings.output_name = path;
    constexpr unsigned most_threads = 256;
    settings.jobs = std::clamp(storage.threads, 1u, most_threads);
    const auto set = [&](std::string_view key, std::string value) {
        const auto option = std::ranges::find(options, key, &Option::key);
        if (option != std::end(options)) settings.set(*option, std::move(value));
    };
    switch (storage.container) {
        case Storage::Container::by_name:
            break;
        case Storage::Container::plain:
            set("stf-container", "plain");
            break;
        case Storage::Container::zstf:
            set("stf-container", "zstf");
            break;
        case Storage::Container::gzip:
            set("stf-container", "gz");
            break;
        case Storage::Container::zstd:
            set("stf-container", "zst");
            break;
        case Storage::Container::xz:
            set("stf-container", "xz");
            break;
    }
    set("stf-chunk", std::to_string(storage.chunk));
    set("stf-level", std::to_string(storage.level));
    return settings;
}

Wrapping wrapping_of(const Storage& storage, const std::string& path) {
    Wrapping wrapping = wrapping_of(settings_of(storage, path));
    wrapping.growing = storage.growing;
    return wrapping;
}

std::unique_ptr<Output> open_output(const Storage& storage, const std::string& path) {
    if (storage.growing) return open_visible_output(path, storage.replace ? Existing::replace : Existing::refuse);
    return open_file_output(path, storage.replace ? Existing::replace : Existing::refuse);
}

}  // namespace hwtrace::stf

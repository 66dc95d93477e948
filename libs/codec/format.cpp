#include "codec/format.hpp"

#include <algorithm>
#include <array>

#include "io/advised_error.hpp"
#include "io/output_folder.hpp"
#include "io/unpacked.hpp"

namespace hwtrace {

std::string_view name_of(TextForm form) noexcept {
    switch (form) {
        case TextForm::text:
            return "text";
        case TextForm::json:
            return "json";
        case TextForm::jsonl:
            return "jsonl";
        case TextForm::csv:
            return "csv";
    }
    return "?";
}

const Format* find_format(FormatList formats, std::string_view name) noexcept {
    const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format* f) { return f->name == name; });
    return found == formats.end() ? nullptr : *found;
}

const Format* format_by_extension(FormatList formats, std::string_view path) noexcept {
    while (path.ends_with('/'))
        path.remove_suffix(1);
    for (const Format* format : formats)
        for (const std::string_view extension : format->extensions)
            if (path.ends_with(extension)) return format;
    return nullptr;
}

std::unique_ptr<Output> open_target(const Format& format, const Settings& settings, const std::string& path,
                                    Existing existing, const std::vector<std::optional<Input::Identity>>& inputs) {
    if (format.writes.writes_folder != nullptr && format.writes.writes_folder(settings))
        return std::make_unique<OutputFolder>(path, existing, format.extensions.front(), inputs);
    if (path.ends_with('/'))
        throw AdvisedError(Failure::usage, path + ": the output is one file, not a folder", "leave out the slash");
    return open_file_output(path, existing, inputs);
}

const Format* sniff_format(FormatList formats, Input& input) {
    Head head = input.head();
    std::array<std::byte, 1> first;
    // zstd delivers no data before the end of the first block, which may be 128 KiB long.
    if (packing_of(head) == Packing::zstd && unpack_head(head, first) == 0) head = input.head(Input::longest_head);
    const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format* f) { return f->sniff(head); });
    return found == formats.end() ? nullptr : *found;
}

}  // namespace hwtrace

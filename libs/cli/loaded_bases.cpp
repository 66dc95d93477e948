#include "cli/loaded_bases.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "codec/reader.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"

namespace hwtrace::cli {

namespace {

/// The file names that comments may use for a path: its own, and that of the file to which a link leads.
std::vector<std::string> names_of(const std::string& path) {
    std::error_code failure;
    const std::filesystem::path target = std::filesystem::canonical(path, failure);
    std::vector<std::string> names{std::filesystem::path(path).filename().string()};
    if (!failure) names.push_back(target.filename().string());
    return names;
}

struct Wanted {
    SymbolFile* file;
    std::vector<std::string> names;
};

/// Sets the base of the file that a comment is about.
void take(std::string_view comment, std::vector<Wanted>& wanted) {
    constexpr std::string_view verb = "loaded ", place = " at ";
    const std::size_t at = comment.rfind(place);
    if (!comment.starts_with(verb) || at == std::string_view::npos || at < verb.size()) return;
    const auto base = parse_hexadecimal(comment.substr(at + place.size()));
    const std::string_view name = comment.substr(verb.size(), at - verb.size());
    if (!base) return;
    std::erase_if(wanted, [&](const Wanted& one) {
        if (std::ranges::find(one.names, name) == one.names.end()) return false;
        one.file->base = *base;
        return true;
    });
}

void read_comments(TraceFile& trace, const Settings& settings, std::vector<Wanted>& wanted) {
    Settings quick = settings;
    quick.jobs = 1;
    quick.wait_for_growth = nullptr;
    quick.window.reset();
    Findings reported_later(0);
    try {
        const std::unique_ptr<Reader> reader = trace.format->open(trace.input, quick, reported_later);
        for (const Metadata& fact : reader->schema().metadata())
            take(fact.value, wanted);
        for (Batch batch; !wanted.empty() && reader->read(batch); batch.clear())
            for (const Record& record : batch.records())
                if (record.kind == Kind::note) take(batch.text(record), wanted);
    } catch (const Error&) {
        // Whoever reads the trace next will report it.
    }
    trace.input.seek(0);
}

}  // namespace

void find_bases(std::vector<SymbolFile>& files, TraceFile& trace, const Settings& settings, Messages& messages) {
    std::vector<Wanted> wanted;
    for (SymbolFile& file : files)
        if (!file.base && Symbols::is_position_independent(file.path)) wanted.push_back({&file, names_of(file.path)});
    if (wanted.empty()) return;
    if (!trace.input.seekable()) trace.input.spool(settings.temporary_folder);
    read_comments(trace, settings, wanted);
    for (const Wanted& one : wanted)
        messages.note(one.file->path,
                      "is position-independent, and the trace does not state where it was loaded; its addresses are "
                      "taken as they are (--elf FILE@BASE states the place)");
}

}  // namespace hwtrace::cli

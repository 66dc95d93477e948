#include "cli/index_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "io/error.hpp"

namespace hwtrace::cli {

std::string_view reason_of(TraceIndex::Fault fault) noexcept {
    switch (fault) {
        case TraceIndex::Fault::damaged:
            return "is damaged";
        case TraceIndex::Fault::newer:
            return "was made by a newer version of hwtrace";
        case TraceIndex::Fault::older:
            return "was made by an earlier version of hwtrace";
        case TraceIndex::Fault::other_trace:
            return "belongs to another trace, or to another version of this one";
        case TraceIndex::Fault::other_format:
            return "was made for another format";
    }
    return "cannot be used";
}

namespace {

/// Returns the index beside the trace, or null. `why` gets the reason if there is one that cannot be used.
std::shared_ptr<TraceIndex> found_index(const std::string& path, const Input& trace, const Format& format,
                                        std::string_view& why) {
    if (path == "-" || !trace.seekable()) return nullptr;
    const std::string name = index_path(path);
    std::error_code missing;
    if (!std::filesystem::is_regular_file(name, missing)) return nullptr;
    try {
        TraceIndex::Fault fault{};
        std::shared_ptr<TraceIndex> index = TraceIndex::open(Input::open(name), trace, format.name, fault);
        if (!index) why = reason_of(fault);
        return index;
    } catch (const Error& error) {
        if (error.failure() != Failure::io) throw;
        why = "cannot be read";
        return nullptr;
    }
}

}  // namespace

std::shared_ptr<const TraceIndex> index_beside(const std::string& path, const Input& trace, const Format& format) {
    std::string_view unsaid;
    return found_index(path, trace, format, unsaid);
}

std::shared_ptr<const TraceIndex> index_beside(const std::string& path, const Input& trace, const Format& format,
                                               Messages& messages) {
    const std::string name = index_path(path);
    std::string_view why;
    const std::shared_ptr<TraceIndex> index = found_index(path, trace, format, why);
    if (!why.empty())
        messages.note(name, fmt::format("not used, because it {}; hwtrace-index --force makes it again", why));
    if (!index) return nullptr;
    index->on_damage = [&messages, name](std::string_view) {
        messages.note(name,
                      "a checkpoint is damaged, so the slice is read without it; "
                      "hwtrace-index --force makes the index again");
    };
    messages.detail(name, fmt::format("used: {} positions, {} checkpoints", index->totals().positions,
                                      index->checkpoints().size()));
    return index;
}

}  // namespace hwtrace::cli

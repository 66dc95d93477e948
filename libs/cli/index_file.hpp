// cli/index_file.hpp - finds and uses the index beside a trace.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/messages.hpp"
#include "cli/trace_file.hpp"
#include "codec/trace_index.hpp"

namespace hwtrace::cli {

/// Returns the reason why an index is not used, as the end of a sentence: "is damaged".
std::string_view reason_of(TraceIndex::Fault fault) noexcept;

/// Returns the index beside the trace at `path` ("-": standard input, which has none), or null. Says nothing, so that
/// several threads may use the index.
std::shared_ptr<const TraceIndex> index_beside(const std::string& path, const Input& trace, const Format& format);
/// Does the same, but prints a note if there is an index that cannot be used, and a detail if it can be used.
/// `messages` must outlive the index.
std::shared_ptr<const TraceIndex> index_beside(const std::string& path, const Input& trace, const Format& format,
                                               Messages& messages);
inline std::shared_ptr<const TraceIndex> index_beside(const std::string& path, const TraceFile& trace,
                                                      Messages& messages) {
    return index_beside(path, trace.input, *trace.format, messages);
}

}  // namespace hwtrace::cli

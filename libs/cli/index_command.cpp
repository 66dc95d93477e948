#include "cli/index_command.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "cli/index_file.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_file.hpp"
#include "domain/value_text.hpp"
#include "io/advised_error.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/named_error.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"
#include "operate/index_making.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view index_tool = "hwtrace-index";

/// Compares what is written to it with an existing file.
class ComparingOutput final : public Output {
public:
    explicit ComparingOutput(const Input& file) : file_(file) {}

    const std::string& name() const noexcept override { return file_.name(); }
    void append(std::span<const std::byte> bytes) override {
        while (!bytes.empty() && equal_) {
            const auto part = std::span(read_).first(std::min(read_.size(), bytes.size()));
            equal_ = file_.read_at(size_, part) == part.size() && std::equal(part.begin(), part.end(), bytes.begin());
            size_ += part.size();
            bytes = bytes.subspan(part.size());
        }
        size_ += bytes.size();
    }
    std::uint64_t size() const noexcept override { return size_; }
    void patch(std::uint64_t, std::span<const std::byte>) override { fail(Failure::internal, "an index is appended"); }
    void shift(std::uint64_t, std::uint64_t) override { fail(Failure::internal, "an index is appended"); }
    void sync() override {}
    void commit() override {}
    std::optional<Input> reopen() override { return std::nullopt; }

    /// Returns true if the file holds exactly what was written.
    bool is_equal() const { return equal_ && file_.size() == size_; }

private:
    const Input& file_;
    std::array<std::byte, 16384> read_{};
    std::uint64_t size_ = 0;
    bool equal_ = true;
};

/// Indexes one trace, or checks its index.
class Indexing {
public:
    Indexing(const std::string& path, const IndexCommandOptions& options, Messages& messages, TextOutput& out)
        : options_(options),
          messages_(messages),
          out_(out),
          name_(options.output.empty() ? index_path(path) : options.output),
          trace_(open_trace(path, options.common, messages)),
          settings_(options.common.settings()),
          findings_(findings_shown_per_rule) {
        if (!trace_.input.seekable())
            fail(Failure::usage, fmt::format("{}: a pipe cannot be indexed; give a file", trace_.name()));
        settings_.jobs = 1;  // the distance of checkpoints depends on the bytes that the reader has taken
        report_findings(findings_, trace_.name(), messages);
    }

    Exit make() {
        const auto output =
            open_file_output(name_, options_.force ? Existing::replace : Existing::refuse, {trace_.input.identity()});
        const IndexContents contents = write({options_.every.value_or(0), 0}, *output);
        output->commit();
        messages_.summary(name_, fmt::format("{} of {}", counted(output->size(), "byte"), text_of(contents)));
        const bool is_broken = breaks_its_format(findings_);
        if (is_broken)
            messages_.note(trace_.name(),
                           "is damaged or incomplete, so its index has no checkpoints; "
                           "hwtrace-recover salvages a valid trace");
        else if (!contents.has_states)
            messages_.note(trace_.name(),
                           fmt::format("the index has no checkpoints, because {} traces like this one are read from "
                                       "their beginning; it saves counting",
                                       trace_.format->name));
        return is_broken && !options_.allow_incomplete ? Exit::incomplete : Exit::done;
    }

    Exit check() {
        const Input file = Input::open(name_);
        TraceIndex::Fault fault{};
        const auto index = TraceIndex::open(Input::open(name_), trace_.input, trace_.format->name, fault);
        if (!index) return answer(Exit::no, reason_of(fault));
        ComparingOutput compared(file);
        const IndexContents contents = write({index->totals().every, 0}, compared);
        if (!compared.is_equal()) return answer(Exit::no, "differs from the index of the trace as it is now");
        return answer(Exit::done, fmt::format("fits the trace: {}", text_of(contents)));
    }

private:
    IndexContents write(const IndexSpacing& spacing, Output& output) {
        return naming(trace_.name(), [&] {
            Progress progress(messages_, options_.common.progress(), trace_.name(), trace_.input.size());
            const IndexContents contents = write_index(trace_.input, *trace_.format, settings_, findings_, spacing,
                                                       output, [&](std::uint64_t bytes) { progress(bytes); });
            report_hidden_findings(findings_, trace_.name(), messages_);
            return contents;
        });
    }

    std::string text_of(const IndexContents& contents) const {
        return fmt::format("{}, {}", counted(contents.totals.positions, "position"),
                           counted(contents.checkpoints, "checkpoint"));
    }

    Exit answer(Exit exit, std::string_view text) {
        out_.put(fmt::format("{}: {}\n", name_, text));
        out_.flush();
        return exit;
    }

    const IndexCommandOptions& options_;
    Messages& messages_;
    TextOutput& out_;
    std::string name_;
    TraceFile trace_;
    Settings settings_;
    Findings findings_;
};

}  // namespace

Exit index_command(const IndexCommandOptions& options) {
    Messages messages = options.common.messages(index_tool);
    if (options.inputs.empty()) fail(Failure::usage, "a file is needed; try hwtrace-index --help");
    if (!options.output.empty() && options.inputs.size() != 1)
        fail(Failure::usage, "-o takes one trace; leave it out to write each index beside its trace");
    if (options.output == "-") fail(Failure::usage, "-o -: an index is a file beside its trace; name a file");
    if (options.every == 0) fail(Failure::usage, "--every 0: takes a number of positions, at least 1");
    if (options.check && options.every) fail(Failure::usage, "--check uses the distance of the existing index");
    options.common.refuse_unused(nullptr);
    TextOutput out(STDOUT_FILENO);
    fit_to_terminal(out);
    Exit result = Exit::done;
    for (const std::string& path : options.inputs) {
        try {
            if (is_url(path) && options.output.empty())
                fail(Failure::usage,
                     fmt::format("{}: there is no index beside a URL; download the file, or name an index with -o",
                                 shown_url(path)));
            Indexing indexing(path, options, messages, out);
            result = worse(result, options.check ? indexing.check() : indexing.make());
        } catch (const Error& error) {
            if (error.failure() == Failure::internal || options.inputs.size() == 1) throw;
            messages.error("", error.what());
            result = worse(result, exit_of(error.failure()));
        }
    }
    return result;
}

}  // namespace hwtrace::cli

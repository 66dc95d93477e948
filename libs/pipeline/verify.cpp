#include "pipeline/verify.hpp"

#include <algorithm>

#include "io/text_output.hpp"
#include "pipeline/model_dump.hpp"
#include "pipeline/stage_run.hpp"

namespace hwtrace {

namespace {

/// The model dump of a reader behind a plan's stages, in pieces that end at a line.
class ModelText {
public:
    ModelText(std::unique_ptr<Reader> reader, Plan plan)
        : reader_(std::move(reader)), plan_(std::move(plan)), stages_(plan_) {}
    ModelText(const ModelText&) = delete;  // stages_ refers to plan_
    ModelText& operator=(const ModelText&) = delete;

    /// What is left of the current piece, after fetching the next one where it is used up; empty at the end.
    std::string_view rest() {
        while (used_ == text_.text().size() && fetch()) {
        }
        return text_.text().substr(used_);
    }
    void use(std::size_t count) noexcept { used_ += count; }
    /// The line that the next unused character belongs to.
    std::string line() const {
        const std::string_view text = text_.text();
        if (used_ >= text.size()) return {};
        const std::size_t newline = text.rfind('\n', used_ == 0 ? 0 : used_ - 1);
        const std::size_t begin = newline == std::string_view::npos || used_ == 0 ? 0 : newline + 1;
        return std::string(text.substr(begin, text.find('\n', begin) - begin));
    }

private:
    const Schema& schema() { return plan_.target_schema(reader_->schema()); }

    bool fetch() {
        if (ended_) return false;
        text_.clear();
        used_ = 0;
        batch_.clear();
        const bool more = reader_->read(batch_);
        if (!schema_dumped_) dump_schema(schema(), text_);
        schema_dumped_ = true;
        const auto append = [&](const Batch& batch) { dump_records(schema(), batch, text_); };
        if (more)
            append(stages_.apply(batch_));
        else
            stages_.finish(append);
        ended_ = !more;
        return true;
    }

    std::unique_ptr<Reader> reader_;
    Plan plan_;
    StageRun stages_;
    Batch batch_;
    TextOutput text_{-1};
    std::size_t used_ = 0;
    bool schema_dumped_ = false;
    bool ended_ = false;
};

}  // namespace

std::optional<ModelDifference> verify_conversion(Input& source, const Format& from, Input& output, const Format& to,
                                                 const Settings& settings) {
    Findings findings;
    Losses losses;
    source.seek(0);
    std::unique_ptr<Reader> original = from.open(source, settings, findings);
    std::unique_ptr<Reader> converted = to.open(output, settings, findings);
    Plan there = make_plan(original->schema(), from, to, {}, losses);
    const bool raised = there.raises;
    Plan back = raised ? Plan{} : make_plan(converted->schema(), to, from, {}, losses);
    ModelText expected(std::move(original), raised ? std::move(there) : Plan{});
    ModelText got(std::move(converted), std::move(back));

    std::uint64_t line = 1;
    while (true) {
        const std::string_view a = expected.rest();
        const std::string_view b = got.rest();
        if (a.empty() && b.empty()) return std::nullopt;
        const std::size_t common = std::min(a.size(), b.size());
        const auto differs = std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin()).first;
        const auto equal = static_cast<std::size_t>(differs - a.begin());
        line += static_cast<std::uint64_t>(std::count(a.begin(), differs, '\n'));
        expected.use(equal);
        got.use(equal);
        if (equal != common || common == 0) return ModelDifference{line, expected.line(), got.line()};
    }
}

}  // namespace hwtrace

// formats/jsonl/writer.cpp - writes the model as lines.
#include <string>

#include "codec.hpp"
#include "codec/model_json.hpp"
#include "codec/model_lines.hpp"
#include "io/cursor.hpp"
#include "io/packed_output.hpp"

namespace hwtrace::jsonl {
namespace {

/// Returns true if the scope's parent is declared later, which happens in damaged traces. Such a scope is written as a
/// root.
bool is_under_later(const Schema& schema, ScopeId scope) noexcept {
    const ScopeId parent = schema.scopes()[scope].parent;
    return parent != none && parent >= scope;
}

class JsonlWriter final : public Writer {
public:
    JsonlWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
        : schema_(schema),
          losses_(losses),
          output_(output, chosen_container(settings, options, container_option)),
          lines_(schema, TextIds::kept, settings.json_integers, text_) {
        text_.put("{\"schema\":\"");
        text_.put(json_lines_schema);
        text_.put("\"}\n");
    }

    void write(const Batch& batch) override {
        count_circles();
        lines_.write(batch);
        if (text_.text().size() >= piece) pass_on();
    }
    void checkpoint() override { pass_on(); }
    bool has_threads() const noexcept override { return output_.has_thread(); }
    void finish() override {
        count_circles();
        lines_.finish();
        pass_on();
        output_.finish();
    }

private:
    static constexpr std::size_t piece = 128u << 10;

    void pass_on() {
        output_.write(as_bytes(text_.text()));
        text_.clear();
    }

    void count_circles() {
        for (; scopes_ < schema_.scopes().size(); ++scopes_)
            if (is_under_later(schema_, scopes_))
                losses_.count(Loss::scope_flattened, schema_.scopes()[scopes_].name, [&] {
                    return "parent scope " + std::to_string(schema_.scopes()[scopes_].parent) + " comes later";
                });
    }

    const Schema& schema_;
    Losses& losses_;
    ScopeId scopes_ = 0;  // number of scopes examined
    PackedOutput output_;
    TextOutput text_{-1, 2 * piece};
    ModelLines lines_;
};

}  // namespace

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<JsonlWriter>(output, schema, settings, losses);
}

void foresee_losses(const Schema& schema, const Settings&, std::vector<ExpectedLoss>& losses) {
    for (ScopeId scope = 0; scope < schema.scopes().size(); ++scope)
        if (is_under_later(schema, scope))
            losses.push_back({Loss::scope_flattened, schema.scopes()[scope].name, "its parent comes later"});
}

}  // namespace hwtrace::jsonl

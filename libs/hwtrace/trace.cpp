#include "hwtrace/trace.hpp"

#include <utility>

#include "io/named_error.hpp"

namespace hwtrace {

// The reader is destroyed first, because it refers to the other members.
struct Trace::State {
    State(Input opened, TraceOptions options)
        : input(std::move(opened)),
          format(options.format != nullptr ? *options.format : known_format(input, options.formats, options.note)),
          settings(std::move(options.settings)),
          findings(options.findings_per_rule) {
        naming(input.name(), [&] {
            if (needs_spooling(input, format)) input.spool(settings.temporary_folder);
            reader = format.open(input, settings, findings);
        });
    }

    Input input;
    const Format& format;
    Settings settings;
    Findings findings;
    std::unique_ptr<Reader> reader;
    Batch batch;
};

Trace Trace::open(const std::string& path, TraceOptions options) {
    return open(Input::open(path), std::move(options));
}

Trace Trace::open(Input input, TraceOptions options) {
    return Trace(std::make_unique<State>(std::move(input), std::move(options)));
}

Trace::Trace(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Trace::Trace(Trace&& other) noexcept = default;
Trace& Trace::operator=(Trace&& other) noexcept = default;
Trace::~Trace() = default;

const std::string& Trace::name() const noexcept {
    return state_->input.name();
}
const Format& Trace::format() const noexcept {
    return state_->format;
}
const Schema& Trace::schema() const& noexcept {
    return schema_of(*state_);
}
const Findings& Trace::findings() const& noexcept {
    return state_->findings;
}
Facts Trace::facts() const {
    return state_->reader->facts();
}
Reader& Trace::reader() noexcept {
    return *state_->reader;
}

bool Trace::next() {
    return next(*state_);
}
const Batch& Trace::batch() const noexcept {
    return state_->batch;
}

bool Trace::next(State& state) {
    state.batch.clear();
    return naming(state.input.name(), [&] { return state.reader->read(state.batch); });
}
const Batch& Trace::batch_of(const State& state) noexcept {
    return state.batch;
}
const Schema& Trace::schema_of(const State& state) noexcept {
    return state.reader->schema();
}

}  // namespace hwtrace

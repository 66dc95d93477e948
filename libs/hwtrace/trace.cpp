#include "hwtrace/trace.hpp"

#include <optional>
#include <utility>

#include "convert/prescan.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "operate/position_count.hpp"
#include "select/selection.hpp"

namespace hwtrace {

// The readers are destroyed first, because they refer to the other members.
struct Trace::State {
    State(Input opened, TraceOptions options)
        : input(std::move(opened)),
          format(options.format != nullptr ? *options.format : known_format(input, options.formats, options.note)),
          settings(std::move(options.settings)),
          findings(options.findings_per_rule) {
        if (!format.can_read())
            fail(Failure::usage, input.name() + ": " + std::string(format.name) + " files are written, but not read");
        naming(input.name(), [&] {
            if (needs_spooling(input, format)) input.spool(settings.temporary_folder);
            if (options.slices())
                open_slice(options);
            else
                whole = format.open(input, settings, findings);
            delivering = slice ? &*slice : whole.get();
        });
    }

    void open_slice(const TraceOptions& options) {
        if (options.range && options.last)
            fail(Failure::usage, "a range and a number of last positions exclude each other");
        std::optional<Range> range = options.range;
        if (options.last) range = last_range(*options.last, options.criteria, input, format, settings);
        settings.window = reading_window(range, options.criteria);
        prepared.emplace(input, format, settings, findings, options.criteria.records);
        const SelectionOptions selection{options.period_ps, Earlier::left_out, settings.limits,
                                         options.criteria.instructions, format.reads};
        constexpr Range everything{Range::Unit::record, 0, std::nullopt};
        slice.emplace(prepared->reader(), range.value_or(everything), selection, options.criteria.records,
                      &prepared->schema());
    }

    /// Returns the reader of the records that are delivered.
    Reader& reader() const noexcept { return *delivering; }

    Input input;
    const Format& format;
    Settings settings;
    Findings findings;
    std::unique_ptr<Reader> whole;           // null: only a slice is read
    std::optional<PreparedSource> prepared;  // the source of the slice
    std::optional<RangedReader> slice;
    Reader* delivering = nullptr;  // `slice` or `whole`
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
    return state_->reader().facts();
}
Reader& Trace::reader() noexcept {
    return state_->reader();
}

bool Trace::next() {
    return next(*state_);
}
const Batch& Trace::batch() const noexcept {
    return state_->batch;
}

bool Trace::next(State& state) {
    state.batch.clear();
    return naming(state.input.name(), [&] { return state.reader().read(state.batch); });
}
const Batch& Trace::batch_of(const State& state) noexcept {
    return state.batch;
}
const Schema& Trace::schema_of(const State& state) noexcept {
    return state.reader().schema();
}

}  // namespace hwtrace

// formats/kanata/reader.cpp - converts a log to the model: each command becomes records of the protocol `cpu`
// (formats/kanata/README.md#model).
#include <algorithm>
#include <array>
#include <exception>
#include <string>

#include "codec.hpp"
#include "codec/resumable.hpp"
#include "domain/in_flight.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "log.hpp"
#include "survey.hpp"
#include "tracks.hpp"

namespace hwtrace::kanata {
namespace {

class KanataReader final : public RowReader, public Resumable {
public:
    KanataReader(Input& input, const Settings& settings, Findings& findings, Survey survey);

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override { return input_.position(); }
    bool keep_states() override { return log_.keep_places(); }
    bool save_state(Appender& out) override;
    bool restore_state(Cursor& in) override;
    void save_survey(Appender& out) const override { append_survey(survey_, out); }

private:
    void put(const Command& command, Batch& batch);
    void begin(const Command& command, Batch& batch);
    void label(const Command& command, Batch& batch);
    void stage(const Command& command, Batch& batch);
    void dependency(const Command& command, Batch& batch);
    void retire(const Command& command, Batch& batch);
    void other_line(Batch& batch);
    void expect_in_flight(std::uint32_t id, const Command& command);
    std::uint64_t number_of(std::string_view stage);
    StringId text_of(std::string_view label);

    /// Returns the current tick: the number of cycles since cycle 0, or since the first cycle if that cycle is
    /// negative.
    Tick tick() const noexcept {
        const std::int64_t cycle = log_.started() ? log_.cycle() : survey_.first_cycle;
        return cycle - std::min<std::int64_t>(survey_.first_cycle, 0);
    }

    Input& input_;
    Survey survey_;
    Log log_;
    Schema schema_;
    Tracks tracks_;
    InFlight in_flight_;
    SeenIds begun_;
    LogRows rows_;

    Tick now_ = -1;  ///< tick of the open frame
    std::uint32_t last_stage_ = 0;
    std::string text_;  // reused
    std::uint64_t instructions_ = 0, retired_ = 0, flushed_ = 0, labels_ = 0, dependencies_ = 0;
    std::uint64_t displaced_ = 0;  ///< instructions in flight that lost their slot
    bool ended_ = false;
    std::exception_ptr failure_;  ///< thrown after all earlier records have been delivered
};

KanataReader::KanataReader(Input& input, const Settings& settings, Findings& findings, Survey survey)
    : input_(input),
      survey_(std::move(survey)),
      log_(input, settings.limits, findings),
      tracks_(declare_tracks(survey_, schema_)),
      in_flight_(survey_.slots, survey_.slots),
      rows_(settings.limits) {}

bool KanataReader::read(Batch& batch) {
    if (failure_) std::rethrow_exception(failure_);
    if (ended_) return false;
    try {
        for (Command command; !is_full(batch);) {
            if (!log_.next(command)) {
                ended_ = true;
                break;
            }
            const std::size_t first = batch.records().size();
            const Tick before = now_;
            now_ = tick();
            if (separates_rows()) begin_step(rows_.next(command, log_));
            put(command, batch);
            if (now_ != before) batch.mutable_records()[first].flags |= record_first_of_frame;
        }
    } catch (const Error&) {
        if (batch.empty()) throw;
        failure_ = std::current_exception();
    }
    return !batch.empty();
}

bool KanataReader::save_state(Appender& out) {
    if (ended_ || failure_) return false;
    log_.save_place(out);
    out.le(now_);
    for (const std::uint64_t count : {instructions_, retired_, flushed_, labels_, dependencies_, displaced_})
        out.leb128(count);
    in_flight_.save(out);
    begun_.save(out);
    return true;
}

bool KanataReader::restore_state(Cursor& in) {
    if (!log_.restore_place(in)) return false;
    now_ = in.le<Tick>();
    for (std::uint64_t* const count : {&instructions_, &retired_, &flushed_, &labels_, &dependencies_, &displaced_})
        *count = in.leb128();
    in_flight_.restore(in);
    begun_.restore(in);
    return true;
}

void KanataReader::put(const Command& command, Batch& batch) {
    switch (command.action) {
        case Action::begin:
            return begin(command, batch);
        case Action::label:
            return label(command, batch);
        case Action::stage_start:
        case Action::stage_end:
            return stage(command, batch);
        case Action::retire:
            return retire(command, batch);
        case Action::dependency:
            return dependency(command, batch);
        case Action::remark:
        case Action::unknown:
        case Action::malformed:
        case Action::blank:
        case Action::start_cycle:
        case Action::advance:
            return other_line(batch);
    }
}

void KanataReader::begin(const Command& command, Batch& batch) {
    ++instructions_;
    begun_.add(command.id);
    std::uint32_t slot = in_flight_.find(command.id);
    if (slot != no_slot) [[unlikely]] {
        log_.report(Check::begins_again, "an unused id", std::to_string(command.id));
    } else {
        bool evicts = false;
        slot = in_flight_.take(command.id, evicts);
        displaced_ += evicts ? 1u : 0u;
    }
    batch.set(tracks_.entities, now_, slot, Tracks::entity_id, command.id);
    batch.set(tracks_.entities, now_, slot, Tracks::simulator_id, command.number);
    batch.set(tracks_.entities, now_, slot, Tracks::thread_id, command.kind);
}

void KanataReader::expect_in_flight(std::uint32_t id, const Command& command) {
    if (in_flight_.find(id) != no_slot || in_flight_.was_evicted(id)) [[likely]]
        return;
    const Check check = command.action == Action::retire ? Check::retires_again
                        : begun_.has(id)                 ? Check::not_in_flight
                                                         : Check::not_begun;
    log_.report(check, {}, std::to_string(id));
}

StringId KanataReader::text_of(std::string_view label) {
    if (label.find('\\') == std::string_view::npos) return schema_.intern(label);
    text_.clear();
    append_unescaped(label, text_);
    return schema_.intern(text_);
}

void KanataReader::label(const Command& command, Batch& batch) {
    ++labels_;
    const std::uint32_t slot = in_flight_.find(command.id);
    if (slot == no_slot) [[unlikely]]
        expect_in_flight(command.id, command);
    const StringId text = text_of(command.text);
    if (command.kind != 0) {
        const std::array<std::uint64_t, 2> type{command.id, command.kind};
        batch.event(tracks_.label_type, now_, type);
    } else if (slot != no_slot) {
        if (const auto address = label_address(schema_.text(text)))
            batch.set(tracks_.entities, now_, slot, Tracks::pc, *address);
    }
    const std::array<std::uint64_t, 2> cells{command.id, text};
    batch.event(tracks_.annotate, now_, cells);
}

std::uint64_t KanataReader::number_of(std::string_view stage) {
    const std::vector<std::string>& names = survey_.stages.names();
    if (last_stage_ >= names.size() || names[last_stage_] != stage) last_stage_ = survey_.stages.find(stage);
    return last_stage_;
}

void KanataReader::stage(const Command& command, Batch& batch) {
    expect_in_flight(command.id, command);
    const std::uint64_t number = number_of(command.text);
    if (command.action == Action::stage_start && command.kind == 0) {
        const std::array<std::uint64_t, 2> cells{command.id, number};
        batch.event(tracks_.stage_transition, now_, cells);
        return;
    }
    const std::array<std::uint64_t, 3> cells{command.id, command.kind, number};
    batch.event(command.action == Action::stage_end ? tracks_.stage_end : tracks_.lane_stage, now_, cells);
}

void KanataReader::dependency(const Command& command, Batch& batch) {
    ++dependencies_;
    expect_in_flight(command.id, command);
    const auto producer = static_cast<std::uint32_t>(command.number);  // may have retired
    if (in_flight_.find(producer) == no_slot && !begun_.has(producer)) [[unlikely]]
        log_.report(Check::not_begun, {}, std::to_string(producer));
    constexpr std::uint32_t most = 0xFF;
    if (command.kind > most) {
        const std::array<std::uint64_t, 3> cells{command.number, command.id, command.kind};
        batch.event(tracks_.dependency_type, now_, cells);
    }
    const std::array<std::uint64_t, 3> cells{command.number, command.id, std::min(command.kind, most)};
    batch.event(tracks_.dependency, now_, cells);
}

void KanataReader::retire(const Command& command, Batch& batch) {
    expect_in_flight(command.id, command);
    const std::array<std::uint64_t, 3> cells{command.id, command.number, command.kind};
    batch.event(tracks_.retire, now_, cells);
    if (command.kind != 0) {
        const std::array<std::uint64_t, 2> flush{command.id, 0};
        batch.event(tracks_.flush, now_, flush);
    }
    const std::uint32_t slot = in_flight_.find(command.id);
    if (slot == no_slot && !in_flight_.was_evicted(command.id)) return;
    if (slot != no_slot) {
        batch.clear_slot(tracks_.entities, now_, slot);
        in_flight_.release(slot);
    }
    ++(command.kind == 0 ? retired_ : flushed_);
    if (command.kind == 0) batch.add(tracks_.committed, now_, 0, 0, 1);
}

void KanataReader::other_line(Batch& batch) {
    if (tracks_.line == none) refuse_survey();  // it states that there are no such lines
    const std::array<std::uint64_t, 1> cells{schema_.intern(log_.line())};
    batch.event(tracks_.line, now_, cells);
}

Facts KanataReader::facts() const {
    Facts facts{{"version", survey_.version}, {"container", std::string(name_of(log_.packing()))}};
    std::string stages;
    for (const std::string& name : survey_.stages.names())
        stages.append(stages.empty() ? "" : ",").append(name);
    facts.emplace_back("first_cycle", survey_.first_cycle);
    facts.emplace_back("last_cycle", survey_.last_cycle);
    facts.emplace_back("stages", stages);
    if (ended_) {  // before the end, users would take a count for the total
        facts.emplace_back("lines", log_.lines());
        facts.emplace_back("instructions", instructions_);
        facts.emplace_back("retired", retired_);
        facts.emplace_back("flushed", flushed_);
        facts.emplace_back("in_flight_at_end", instructions_ - std::min(instructions_, retired_ + flushed_));
        if (displaced_ != 0) facts.emplace_back("not_in_table", displaced_);
        facts.emplace_back("labels", labels_);
        facts.emplace_back("dependencies", dependencies_);
    }
    return facts;
}

}  // namespace

std::unique_ptr<RowReader> open_rows(Input& input, const Settings& settings, Findings& findings) {
    input.spool(settings.temporary_folder);
    const auto known = survey_in(settings);
    Survey first = known ? read_survey(*known, [&](Cursor& in) { return restore_survey(in, settings.limits); })
                         : survey(input, settings, findings);
    return std::make_unique<KanataReader>(input, settings, findings, std::move(first));
}

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    return open_rows(input, settings, findings);
}

}  // namespace hwtrace::kanata

// formats/commitlog/reader.cpp - converts the lines of a log to the model: a track per hart, and the events of its
// instructions (formats/commitlog/README.md#model).
#include <algorithm>
#include <exception>
#include <string>
#include <unordered_map>
#include <utility>

#include "codec.hpp"
#include "codec/resumable.hpp"
#include "domain/conventions.hpp"
#include "hart.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "log.hpp"

namespace hwtrace::commitlog {
namespace {

namespace names = conventions;

constexpr std::uint64_t tracks_of_hart = 4;
// Codes of STF's trace generators.
constexpr unsigned generator_spike = 6, generator_dromajo = 12, generator_unlisted = 255;

class CommitLogReader final : public Reader, public Resumable {
public:
    CommitLogReader(Input& input, const Settings& settings, Findings& findings);

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override { return input_.position(); }
    bool keep_states() override { return !is_checked_ && log_.keep_places(); }
    bool save_state(Appender& out) override;
    bool restore_state(Cursor& in) override;
    bool can_restore() const override { return !is_checked_; }
    void save_survey(Appender& out) const override { out.leb128(log_.survey().vector_bits); }

private:
    void describe();
    Hart& hart(std::uint64_t id);
    HartTracks declare_hart(std::uint64_t id);
    void meet_vector(const Line& line);
    void describe_vectors(std::uint64_t bits);
    void finish(Batch& batch);

    Input& input_;
    const Limits& limits_;
    Log log_;
    Schema schema_;
    ScopeId root_ = none;
    riscv::Xlen xlen_;
    bool is_checked_;
    std::unordered_map<std::uint64_t, Hart> harts_;
    std::vector<std::pair<const std::uint64_t, Hart>*> order_;  ///< in order of appearance
    std::uint64_t latest_id_ = 0;
    Hart* latest_ = nullptr;
    std::uint64_t vector_bits_ = 0;
    Line line_;
    bool ended_ = false;
    std::exception_ptr failure_;  ///< thrown after all earlier records have been delivered
};

CommitLogReader::CommitLogReader(Input& input, const Settings& settings, Findings& findings)
    : input_(input),
      limits_(settings.limits),
      log_(input, settings, findings),
      xlen_(log_.survey().is_rv64 ? riscv::Xlen::rv64 : riscv::Xlen::rv32),
      is_checked_(settings.check >= CheckLevel::semantic) {
    describe();
    // Slices and selections need the tracks before the first record.
    for (const std::uint64_t id : log_.survey().harts)
        hart(id);
}

/// Describes what the beginning of the log shows.
void CommitLogReader::describe() {
    const Survey& survey = log_.survey();
    const unsigned generator = survey.dialect == Dialect::spike     ? generator_spike
                               : survey.dialect == Dialect::dromajo ? generator_dromajo
                                                                    : generator_unlisted;
    schema_.describe(std::string(names::isa), "1");
    schema_.describe(std::string(names::instruction_mode), survey.is_rv64 ? "2" : "1");
    schema_.describe("stf.trace_info",
                     std::to_string(generator).append(" 0 0 0 commit log of ").append(name_of(survey.dialect)));
    root_ = schema_.declare(Scope{"/", none, {}, none});
    if (survey.vector_bits != 0) {
        vector_bits_ = survey.vector_bits;
        schema_.describe(std::string(names::vector_bits), std::to_string(vector_bits_));
    }
    std::uint64_t features = names::feature_wide_events | names::feature_operand_values | names::feature_events;
    if (xlen_ == riscv::Xlen::rv64) features |= names::feature_rv64;
    if (vector_bits_ != 0) features |= names::feature_vectors;
    schema_.describe(std::string(names::features), hexadecimal_text(features, 16));
}

HartTracks CommitLogReader::declare_hart(std::uint64_t id) {
    check_limit(tracks_of_hart * (harts_.size() + 1), limits_.schema_objects, "the number of tracks", "--max-schema");
    const std::string name = "core" + std::to_string(id);
    const ScopeId scope = schema_.declare(Scope{name, root_, {}, none});
    const auto declare = [&](Track::Kind kind, std::string_view track, std::vector<Field> fields) {
        return schema_.declare(make_track(kind, scope, track, ordinals, std::move(fields)));
    };
    HartTracks tracks;
    tracks.instructions = declare(Track::Kind::hart, name, {});
    tracks.resumptions = declare(Track::Kind::event_type, names::resumption, {{.name = "pc", .type = Type::u64}});
    tracks.traps = declare(Track::Kind::event_type, names::trap,
                           {{.name = "id", .type = Type::u64}, {.name = "field", .type = Type::u64, .repeated = true}});
    tracks.trap_targets = declare(Track::Kind::event_type, names::trap_target, {{.name = "pc", .type = Type::u64}});
    return tracks;
}

Hart& CommitLogReader::hart(std::uint64_t id) {
    if (latest_ != nullptr && latest_id_ == id) [[likely]]
        return *latest_;
    auto found = harts_.find(id);
    if (found == harts_.end()) {
        found = harts_.try_emplace(id, log_, declare_hart(id), xlen_, is_checked_, limits_.record).first;
        order_.push_back(&*found);
    }
    latest_id_ = id;
    latest_ = &found->second;
    return *latest_;
}

void CommitLogReader::meet_vector(const Line& line) {
    for (const Written& written : line.registers) {
        if (written.wide.empty()) continue;
        return describe_vectors(4 * written.wide.size());
    }
}

bool CommitLogReader::read(Batch& batch) {
    if (failure_) std::rethrow_exception(failure_);
    if (ended_) return false;
    try {
        while (!batch.full()) {
            if (!batch.empty() && log_.would_wait()) break;
            if (!log_.next(line_)) {
                finish(batch);
                break;
            }
            if (vector_bits_ == 0) meet_vector(line_);
            hart(line_.hart).take(line_, batch);
        }
    } catch (const Error&) {
        if (batch.empty()) throw;
        failure_ = std::current_exception();
    }
    return !batch.empty();
}

bool CommitLogReader::save_state(Appender& out) {
    if (ended_ || failure_) return false;
    log_.save_place(out);
    out.leb128(vector_bits_);
    out.leb128(order_.size());
    for (const auto* const each : order_) {
        out.leb128(each->first);
        each->second.save(out);
    }
    return true;
}

bool CommitLogReader::restore_state(Cursor& in) {
    if (is_checked_ || !log_.restore_place(in)) return false;
    const std::uint64_t vector_bits = in.leb128();
    if (vector_bits_ == 0 && vector_bits != 0) describe_vectors(vector_bits);
    for (std::uint64_t left = in.leb128(); left > 0; --left)
        hart(in.leb128()).restore(in);
    return true;
}

void CommitLogReader::describe_vectors(std::uint64_t bits) {
    vector_bits_ = bits;
    schema_.describe(std::string(names::vector_bits), std::to_string(bits));
}

void CommitLogReader::finish(Batch& batch) {
    ended_ = true;
    std::vector<Hart*> open;
    for (auto* const each : order_)
        open.push_back(&each->second);
    std::ranges::stable_sort(open, {}, &Hart::last_line);
    for (Hart* const each : open)
        each->finish(batch);
    log_.finish();
}

Facts CommitLogReader::facts() const {
    Facts facts{{"log", std::string(name_of(log_.survey().dialect))},
                {"container", std::string(name_of(log_.packing()))},
                {"encoding_mode", xlen_ == riscv::Xlen::rv64 ? "RV64" : "RV32"}};
    if (!ended_) return facts;  // before the end, a count could be mistaken for the total
    std::uint64_t instructions = 0;
    for (const auto* const each : order_)
        instructions += each->second.count();
    if (vector_bits_ != 0) facts.emplace_back("vlen", vector_bits_);
    facts.emplace_back("harts", order_.size());
    facts.emplace_back("instructions", instructions);
    facts.emplace_back("lines", log_.lines());
    facts.emplace_back("other_lines", log_.foreign());
    return facts;
}

}  // namespace

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    return std::make_unique<CommitLogReader>(input, settings, findings);
}

}  // namespace hwtrace::commitlog

#include "hart_choice.hpp"

#include <algorithm>
#include <string>

#include "codec.hpp"
#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "io/advised_error.hpp"
#include "io/number_text.hpp"

namespace hwtrace::champsim {
namespace {

constexpr std::size_t most_named = 16;
constexpr const char* advice = "choose one with --champsim-hart";

/// Returns the names of harts for a message: "0 (core0), 1 (core1)".
std::string list_of(const std::vector<const Track*>& harts, const Schema& schema) {
    std::string text;
    for (std::size_t number = 0; number < harts.size() && number < most_named; ++number) {
        const ScopeId scope = harts[number]->scope;
        const std::string name = scope < schema.scopes().size() ? path_of(schema, scope) : harts[number]->name;
        text.append(number == 0 ? "" : ", ").append(std::to_string(number)).append(" (").append(name).append(")");
    }
    return harts.size() > most_named ? text + ", …" : text;
}

}  // namespace

HartChoice::HartChoice(const Schema& schema, const Settings& settings) {
    std::vector<const Track*> harts;
    number_of_track_.resize(schema.tracks().size());
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        if (track.kind != Track::Kind::hart) continue;
        number_of_track_[id] = harts.size();
        harts.push_back(&track);
    }
    if (harts.empty()) fail(Failure::input, "nothing in this trace can be written as champsim: it has no instructions");
    if (settings.chosen(hart_option)) chosen_ = settings.number(options, hart_option);
    by_track_ = harts.size() > 1;
    if (by_track_ && !chosen_)
        throw AdvisedError(Failure::input,
                           "a ChampSim trace holds the instructions of one hart, but this trace has " +
                               std::to_string(harts.size()) + ": " + list_of(harts, schema),
                           advice);
    if (by_track_ && *chosen_ >= harts.size())
        fail(Failure::input, "this trace has no hart " + std::to_string(*chosen_) + " for --champsim-hart; it has " +
                                 list_of(harts, schema));
    // "hart process thread", as the header of an STF trace states them.
    if (const std::string* const process = schema.metadata(conventions::process_id))
        hart_ = parse_digits(std::string_view(*process).substr(0, process->find(' '))).value_or(0);
}

bool HartChoice::meet(std::uint64_t hart, std::uint64_t instruction) {
    if (!written_ && (!chosen_ || *chosen_ == hart)) {
        written_ = hart;
        return true;
    }
    if (!chosen_)
        throw AdvisedError(Failure::input,
                           "a ChampSim trace holds the instructions of one hart, but instruction " +
                               std::to_string(instruction) + " runs on hart " + std::to_string(hart) +
                               " and those before it on hart " + std::to_string(*written_),
                           advice);
    if (others_.size() < most_named && std::ranges::find(others_, hart) == others_.end()) others_.push_back(hart);
    return false;
}

void HartChoice::check_found() const {
    if (written_ || others_.empty()) return;
    std::string text = "no instruction runs on hart " + std::to_string(*chosen_) + "; this trace has harts ";
    for (const std::uint64_t hart : others_)
        text.append(hart == others_.front() ? "" : ", ").append(std::to_string(hart));
    fail(Failure::input, text);
}

}  // namespace hwtrace::champsim

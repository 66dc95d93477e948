#include "shown_statements.hpp"

#include <limits>
#include <map>
#include <string>

#include "codec.hpp"
#include "model/hash.hpp"

namespace hwtrace::txlog {

/// Selects the statements of the slice in Settings::part. The constructor reads the whole log.
class ShownStatements::Chosen {
public:
    Chosen(Input& input, const Settings& settings) {
        Findings unsaid(0);  // findings are not reported here, because the view reads the log again
        const std::unique_ptr<Reader> whole = open_reader(input, settings, unsaid);
        const std::unique_ptr<Reader> part = settings.part(*whole);
        Batch batch;
        for (; part->read(batch); batch.clear()) {
            for (const Record& record : batch.records()) {
                if (record.kind == Kind::relation) {
                    const auto ends = batch.cells(record);
                    ++relations_[relation_key(part->schema().tracks()[record.track].name, ends[0], ends[1])];
                } else {
                    transactions_.insert(batch.attributes(record).front().value);
                }
            }
            constexpr std::size_t node = 64;
            check_limit((transactions_.size() + relations_.size() * 2) * node, settings.limits.block,
                        "the ids of the transactions in the slice", "--max-block");
        }
        for (const Track& track : part->schema().tracks()) {
            if (track.kind != Track::Kind::stream) continue;
            generators_.insert(track.native_id.value_or(0));
            if (track.scope < part->schema().scopes().size())
                streams_.insert(part->schema().scopes()[track.scope].native_id.value_or(0));
        }
    }

    /// Returns true if the statement belongs to the slice. Call it for each statement in order.
    bool shows(const Statement& statement) {
        switch (statement.word) {
            case Word::stream:
                return streams_.contains(statement.id);
            case Word::generator:
                shows_latest_ = generators_.contains(statement.id);
                return shows_latest_;
            case Word::begin:
            case Word::end:
                shows_latest_ = transactions_.contains(statement.id);
                return shows_latest_;
            case Word::attribute:
                return transactions_.contains(statement.id);
            case Word::relation: {
                const auto found = relations_.find(relation_key(statement.name, statement.other, statement.id));
                if (found == relations_.end() || found->second == 0) return false;
                --found->second;
                return true;
            }
            case Word::begin_attribute:
            case Word::end_attribute:
            case Word::value:
            case Word::close:
            case Word::blank:
            case Word::unknown:
            case Word::malformed:
                break;
        }
        return shows_latest_;
    }

private:
    static std::string relation_key(std::string_view name, std::uint64_t from, std::uint64_t to) {
        return std::to_string(from).append(" ").append(std::to_string(to)).append(" ").append(name);
    }

    HashSet<std::uint64_t> streams_, generators_, transactions_;  ///< ids in the slice
    std::map<std::string, std::uint64_t> relations_;              ///< how often each relation line is shown
    bool shows_latest_ = false;                                   ///< the latest generator, tx_begin or tx_end is shown
};

std::unique_ptr<ShownStatements::Chosen> ShownStatements::choose(Input& input, const Settings& settings) {
    input.spool(settings.temporary_folder);
    return settings.part ? std::make_unique<Chosen>(input, settings) : nullptr;
}

ShownStatements::ShownStatements(Input& input, const Settings& settings, Findings& findings)
    : chosen_(choose(input, settings)),
      exponent_(tick_exponent(input, settings.limits)),
      log_(input, settings.limits, findings) {}

ShownStatements::~ShownStatements() = default;

bool ShownStatements::next(Statement& statement) {
    while (log_.next(statement))
        if (!chosen_ || chosen_->shows(statement)) return true;
    return false;
}

std::uint64_t ShownStatements::tick(const Statement& statement) {
    const auto count = ticks(statement.time, exponent_);
    if (!count) log_.report(Check::time_too_large, std::string(Log::greatest_time));
    return static_cast<std::uint64_t>(count.value_or(std::numeric_limits<Tick>::max()));
}

}  // namespace hwtrace::txlog

// formats/txlog/log_view.cpp - the view "log": what each statement says, one a line, what belongs to a transaction with
// its time.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "codec.hpp"
#include "codec/value_text.hpp"
#include "log.hpp"

namespace hwtrace::txlog {
namespace {

constexpr std::size_t time_width = 14;

void put_time_column(Time time, int exponent, TextOutput& out) {
    const auto count = ticks(time, exponent);
    const std::string digits = count ? std::to_string(*count) : "?";
    for (std::size_t at = digits.size(); at < time_width; ++at)
        out.put(' ');
    out.put(digits);
    out.put(' ');
}

void put_number(std::string_view name, std::uint64_t value, TextOutput& out) {
    out.put(name);
    out.decimal(value);
}

/// A text in quotes, anything else as it stands.
void put_value(std::string_view value, TextOutput& out) {
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
        put_quoted(value.substr(1, value.size() - 2), out);
    else
        put_name(value, out);
}

void put_statement(const Statement& statement, int exponent, TextOutput& out) {
    const auto beside_time = [&](std::string_view word) {
        out.put(std::string(time_width + 1, ' '));
        out.put(word);
    };
    switch (statement.word) {
        case Word::stream:
            put_number("stream ", statement.id, out);
            out.put(' ');
            put_quoted(statement.name, out);
            out.put(" kind=");
            put_quoted(statement.value == no_kind ? std::string_view{} : statement.value, out);
            break;
        case Word::generator:
            put_number("generator ", statement.id, out);
            out.put(' ');
            put_quoted(statement.name, out);
            put_number(" stream=", statement.other, out);
            break;
        case Word::begin_attribute:
        case Word::end_attribute:
            out.put(statement.word == Word::begin_attribute ? "  begin " : "  end ");
            put_quoted(statement.name, out);
            out.put(' ');
            put_name(statement.type, out);
            break;
        case Word::begin:
        case Word::end:
            put_time_column(statement.time, exponent, out);
            put_number(statement.word == Word::begin ? "begin " : "end ", statement.id, out);
            put_number(" generator=", statement.other, out);
            break;
        case Word::value:
            beside_time("  value ");
            put_value(statement.value, out);
            break;
        case Word::attribute:
            beside_time("record ");
            out.decimal(statement.id);
            out.put(' ');
            put_quoted(statement.name, out);
            out.put(' ');
            put_name(statement.type, out);
            out.put(' ');
            put_value(statement.value, out);
            break;
        case Word::relation:
            beside_time("relation ");
            put_quoted(statement.name, out);
            put_number(" from=", statement.other, out);
            put_number(" to=", statement.id, out);
            break;
        case Word::close:
        case Word::blank:
        case Word::unknown:
        case Word::malformed:
            return;
    }
    out.put('\n');
}

/// What Settings::part leaves of a log, by a reading of its own.
class Chosen {
public:
    Chosen(Input& input, const Settings& settings) {
        Findings unsaid(0);  // the view reads the log again
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
                        "the numbers of the transactions in the part", "--max-block");
        }
        for (const Track& track : part->schema().tracks()) {
            if (track.kind != Track::Kind::stream) continue;
            generators_.insert(track.native_id.value_or(0));
            if (track.scope < part->schema().scopes().size())
                streams_.insert(part->schema().scopes()[track.scope].native_id.value_or(0));
        }
    }

    /// To be asked of each statement in their order.
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

    std::unordered_set<std::uint64_t> streams_, generators_, transactions_;  ///< numbers
    std::map<std::string, std::uint64_t> relations_;                         ///< how often they are to be shown
    bool shows_latest_ = false;  ///< the generator, or the begin or end of a transaction, that came last
};

}  // namespace

void render_log(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    input.spool(settings.temporary_folder);
    std::optional<Chosen> chosen;
    if (settings.part) chosen.emplace(input, settings);
    const int exponent = tick_exponent(input, settings.limits);
    Log log(input, settings.limits, findings);
    out.put(exponent == femtoseconds ? "txlog, times in fs\n" : "txlog, times in ps\n");
    for (Statement statement; log.next(statement);)
        if (!chosen || chosen->shows(statement)) put_statement(statement, exponent, out);
}

}  // namespace hwtrace::txlog

// Laws of views that show whole rows: what they print under a selection is what the slice has records of.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "domain/protocols.hpp"
#include "formats.hpp"
#include "laws/law_support.hpp"
#include "laws/slice_choices.hpp"
#include "support/corpus.hpp"
#include "support/lines.hpp"

namespace shown_rows_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;
using Id = std::pair<std::string, std::uint64_t>;  ///< scope and id
using Ids = std::set<Id>;

Lines split(const std::string& line, char separator) {
    Lines words;
    std::string word;
    for (const char c : line) {
        if (c != separator) {
            word += c;
        } else if (separator != ' ' || !word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    }
    words.push_back(word);
    return words;
}

// --- pipelines ---

/// The instructions and lines to which the records of a slice belong.
struct Named {
    Ids certain;            ///< these instructions have a record
    Ids possible;           ///< these have one, or share a counter or a slot with one that has
    std::size_t lines = 0;  ///< lines that belong to no instruction
};

/// The instructions in the slots of each table, and those that retire, by time.
class Pipelines {
public:
    void learn(const Batch& batch, const Record& record, const Schema& schema) {
        const Track& track = schema.tracks()[record.track];
        const std::string& scope = schema.scopes()[track.scope].name;
        if (record.kind == Kind::set && track.name == "entities" && track.fields[record.field].name == "entity_id")
            slots_[{scope, record.ref}].emplace(record.time, record.value);
        if (record.kind == Kind::event && track.name == "retire")
            retired_[{scope, record.time}].insert({scope, batch.cells(record)[0]});
    }

    void name(const Batch& batch, const Record& record, const Schema& schema, Named& named) const {
        const Track& track = schema.tracks()[record.track];
        const std::string& scope = schema.scopes()[track.scope].name;
        const auto certain = [&](std::uint64_t id) {
            named.certain.insert({scope, id});
            named.possible.insert({scope, id});
        };
        if (record.kind == Kind::event) {
            for (std::size_t field = 0; field < track.fields.size(); ++field)
                if (track.fields[field].name == "entity_id" || track.fields[field].name == "dst_entity")
                    return certain(batch.cells(record)[field]);
            ++named.lines;
        } else if (track.name == "entities") {
            const auto& lives = slots_.at({scope, record.ref});
            const auto [first, last] = lives.equal_range(record.time);
            if (first == last) return certain(std::prev(first)->second);
            if (first == lives.begin() && std::next(first) == last) return certain(first->second);
            // The slot changes hands at this time.
            if (first != lives.begin()) named.possible.insert({scope, std::prev(first)->second});
            for (auto life = first; life != last; ++life)
                named.possible.insert({scope, life->second});
        } else if (const auto found = retired_.find({scope, record.time}); found != retired_.end()) {
            named.possible.insert(found->second.begin(), found->second.end());
        }
    }

private:
    std::map<std::pair<std::string, std::uint32_t>, std::multimap<Tick, std::uint64_t>> slots_;
    std::map<std::pair<std::string, Tick>, Ids> retired_;
};

/// Returns the instruction to which a line of a view belongs; nullopt: another line.
using IdOf = std::function<std::optional<Id>(const std::string& line)>;

std::optional<Id> id_in_log(const std::string& line) {
    const Lines words = split(line, ' ');
    constexpr std::array commands{"begin", "label", "stage", "end", "retire", "flush", "dependency"};
    if (words.size() < 3 || std::ranges::find(commands, words[1]) == commands.end()) return std::nullopt;
    return Id{"core0", std::stoull(words[2])};
}

constexpr std::uint64_t id_mask = 0xFFFF'FFFF;

std::optional<Id> id_in_rows(const std::string& line) {
    const Lines cells = split(line, ',');
    if (cells[0] == "sequence") return std::nullopt;
    return Id{cells[1], std::stoull(cells[0]) & id_mask};
}

/// Follows the lines of gem5: those after a fetch line belong to its instruction.
class IdInLines {
public:
    std::optional<Id> operator()(const std::string& line) {
        const std::size_t at = line.find("O3PipeView:");
        const Lines columns = split(line.substr(at), ':');
        if (columns[1] == "fetch") {
            const Lines front = split(line.substr(0, at), ' ');
            const auto named = std::ranges::find_if(front, [](const std::string& word) {
                return word.size() > 1 && word.back() == ':' && !std::isdigit(static_cast<unsigned char>(word[0]));
            });
            const std::string core = named == front.end() ? "core0" : named->substr(0, named->size() - 1);
            id_ = Id{core, std::stoull(columns[5]) & id_mask};
        }
        return id_;
    }

private:
    std::optional<Id> id_;
};

/// Checks that a view shows the instructions of which the slice has a record, each with all its lines.
void check_rows(const Lines& whole, const Lines& part, const IdOf& id_of_whole, const IdOf& id_of_part,
                const Named& named) {
    Ids shown;
    std::size_t other_lines = 0;
    for (const std::string& line : part) {
        if (const auto id = id_of_part(line))
            shown.insert(*id);
        else if (line.find(" line ") != std::string::npos)
            ++other_lines;
    }
    CHECK(std::ranges::includes(shown, named.certain));
    CHECK(std::ranges::includes(named.possible, shown));
    CHECK(other_lines == named.lines);
    Lines expected;
    for (const std::string& line : whole) {
        const auto id = id_of_whole(line);
        if (id && shown.contains(*id)) expected.push_back(line);
    }
    Lines rows = part;
    std::erase_if(rows, [&](const std::string& line) { return std::ranges::find(expected, line) == expected.end(); });
    CHECK(rows == expected);
}

}  // namespace

TEST_CASE("Views of pipelines show all lines of the instructions that a slice has records of") {
    std::uint64_t compared = 0, cut = 0;
    for (const Sample& sample : samples_of({"kanata", "o3pipeview"})) {
        CAPTURE(sample.name);
        const Format& format = *sample.format;
        const Bytes& file = sample.content.bytes;
        Pipelines pipelines;
        each_record(file, format, nullptr, [&](const auto&... all) { pipelines.learn(all...); });
        for (const Choice& choice : choices_with_late_fields(file, format)) {
            CAPTURE(choice.name);
            Named named;
            const std::string error =
                each_record(file, format, &choice, [&](const auto&... all) { pipelines.name(all..., named); });
            if (!error.empty()) {
                CHECK_THROWS_WITH_AS(shown(format.views[0].name, TextForm::text, file, format, &choice), error.c_str(),
                                     Error);
                continue;
            }
            const auto check = [&](std::string_view view, TextForm form, const IdOf& whole_ids, const IdOf& ids) {
                CAPTURE(view);
                const Lines whole = lines_of(shown(view, form, file, format, nullptr));
                const Lines part = lines_of(shown(view, form, file, format, &choice));
                check_rows(whole, part, whole_ids, ids, named);
                ++compared;
                cut += part.size() < whole.size() ? 1u : 0u;
            };
            if (format.name == "kanata") {
                check("log", TextForm::text, id_in_log, id_in_log);
            } else {
                check("instructions", TextForm::csv, id_in_rows, id_in_rows);
                check("lines", TextForm::text, IdInLines(), IdInLines());
            }
        }
    }
    CHECK(compared >= at_least(300));
    CHECK(cut >= at_least(200));
}

// --- transactions of STF ---

TEST_CASE("The view of STF transactions shows the transactions and dependencies of a slice") {
    using Dependencies = std::multiset<std::pair<std::uint64_t, std::uint64_t>>;  // from, to
    struct Transactions {
        std::set<std::uint64_t> ids = {};
        Dependencies dependencies = {};
        std::size_t comments = 0;
    };
    const auto in_text = [](const Lines& lines) {
        Transactions found;
        std::uint64_t id = 0;
        for (const std::string& line : lines) {
            const Lines words = split(line, ' ');
            if (words[0] == "TXN_ID") found.ids.insert(id = std::stoull(words[1]));
            if (words[0] == "DEPENDENCY") found.dependencies.insert({std::stoull(words[2]), id});
            if (words[0] == "COMMENT") ++found.comments;
        }
        return found;
    };
    std::uint64_t compared = 0, cut = 0;
    for (const Sample& sample : samples_of({"stf"})) {
        const Format& format = *sample.format;
        const Bytes& file = sample.content.bytes;
        Transactions all;
        const auto name = [&](const Batch& batch, const Record& record, Transactions& found) {
            if (record.kind == Kind::note) ++found.comments;
            if (record.kind == Kind::interval) found.ids.insert(batch.attributes(record).front().value);
            if (record.kind != Kind::relation) return;
            found.ids.insert(batch.cells(record)[1]);
            found.dependencies.insert({batch.cells(record)[0], batch.cells(record)[1]});
        };
        each_record(file, format, nullptr,
                    [&](const auto& batch, const auto& record, const Schema&) { name(batch, record, all); });
        if (all.ids.empty()) continue;
        CAPTURE(sample.name);
        const std::size_t header =
            in_text(lines_of(shown("records", TextForm::text, file, format, nullptr))).comments - all.comments;
        for (const Choice& choice : choices_with_late_fields(file, format)) {
            CAPTURE(choice.name);
            Transactions expected;
            const std::string error = each_record(
                file, format, &choice,
                [&](const auto& batch, const auto& record, const Schema&) { name(batch, record, expected); });
            if (!error.empty()) {
                CHECK_THROWS_WITH_AS(shown("records", TextForm::text, file, format, &choice), error.c_str(), Error);
                continue;
            }
            const Transactions found = in_text(lines_of(shown("records", TextForm::text, file, format, &choice)));
            CHECK(found.ids == expected.ids);
            CHECK(found.dependencies == expected.dependencies);
            CHECK(found.comments == expected.comments + header);
            ++compared;
            cut += found.ids.size() < all.ids.size() ? 1u : 0u;
        }
    }
    CHECK(compared >= at_least(20));
    CHECK(cut >= at_least(10));
}

// --- the tree of flux ---

TEST_CASE("The tree of flux shows the items of which a slice has samples, relations or labels") {
    /// A signal, or all parts of a scattered signal: trace, parent and name, or trace and item.
    using Item = std::tuple<std::string, std::string, std::string>;
    std::uint64_t compared = 0, cut = 0;
    for (const Sample& sample : samples_of({"flux"})) {
        CAPTURE(sample.name);
        const Format& format = *sample.format;
        const Bytes& file = sample.content.bytes;
        // Columns: type, trace, item, parent, member, in, name.
        std::map<std::pair<std::string, std::string>, Item> items;  // by trace and item
        const auto item_in = [](const Lines& cells) {
            return cells[0] == "part" ? Item{cells[1], cells[3], cells[6]} : Item{cells[1], cells[2], ""};
        };
        const auto is_item = [](const Lines& cells) {
            return cells[0] == "signal" || cells[0] == "part" || cells[0] == "undefined";
        };
        const std::string whole = shown("tree", TextForm::csv, file, format, nullptr);
        if (whole.find('"') != std::string::npos) continue;  // cells with commas
        for (const std::string& line : lines_of(whole))
            if (const Lines cells = split(line, ','); is_item(cells)) items[{cells[1], cells[2]}] = item_in(cells);
        for (const Choice& choice : choices_with_late_fields(file, format)) {
            CAPTURE(choice.name);
            std::set<Item> expected, found;
            const auto see = [&](const Batch& batch, const Record& record, const Schema& schema) {
                const Track& track = schema.tracks()[record.track];
                std::uint64_t trace = 0;
                any_upwards(schema, track.scope, [&](ScopeId up) {
                    trace = schema.scopes()[up].native_id.value_or(0);
                    return false;
                });
                std::optional<std::uint64_t> item;
                if (record.kind == Kind::change) item = track.native_id;
                if (record.kind == Kind::event) item = batch.cells(record)[0];
                if (item) expected.insert(items[{std::to_string(trace), std::to_string(*item)}]);
            };
            if (!each_record(file, format, &choice, see).empty()) {
                CHECK_THROWS_AS(shown("tree", TextForm::csv, file, format, &choice), Error);
                continue;
            }
            for (const std::string& line : lines_of(shown("tree", TextForm::csv, file, format, &choice)))
                if (const Lines cells = split(line, ','); is_item(cells)) found.insert(item_in(cells));
            CHECK(found == expected);
            ++compared;
            cut += found.size() < items.size() ? 1u : 0u;
        }
    }
    CHECK(compared >= at_least(100));
    CHECK(cut >= at_least(50));
}

}  // namespace shown_rows_laws

// Laws of selections: every view and form of a file shows the records that the same selection selects elsewhere.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "codec/record_number.hpp"
#include "convert/model_dump.hpp"
#include "convert/prescan.hpp"
#include "domain/interval_identity.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "laws/law_support.hpp"
#include "laws/slice_choices.hpp"
#include "select/selection.hpp"
#include "support/corpus.hpp"

namespace selection_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t corpus_limit = 20'000;
constexpr std::array forms{TextForm::text, TextForm::json, TextForm::jsonl, TextForm::csv};

/// The records of a slice, or the error that refuses it.
struct Selected {
    std::vector<std::string> records;
    std::size_t intervals = 0, relations = 0;
    std::set<std::uint64_t> ids;  ///< of intervals that state one
    bool all_have_ids = true;
    std::string error;
};

/// Adds the records of a batch. Removes the numbers that a view attached.
void add_records(Schema& schema, const Batch& batch, Selected& selected) {
    Batch plain;
    for (const Record& record : batch.records()) {
        if (record.kind == Kind::interval || record.kind == Kind::change) {
            std::span<const Attribute> attributes = batch.attributes(record);
            if (!attributes.empty() && attributes.back().field == none)
                attributes = attributes.first(attributes.size() - 1);
            Record& copied = record.kind == Kind::interval
                                 ? plain.interval(record.track, record.time, record.value, attributes)
                                 : plain.change(record.track, record.time, attributes, record.value);
            copied.flags = record.flags;
        } else {
            plain.copy(batch, record, record.track);
        }
        selected.intervals += record.kind == Kind::interval ? 1u : 0u;
        selected.relations += record.kind == Kind::relation ? 1u : 0u;
        if (record.kind != Kind::interval) continue;
        if (states_numbers(schema.tracks()[record.track]) && record.count != 0)
            selected.ids.insert(batch.attributes(record).front().value);
        else
            selected.all_have_ids = false;
    }
    TextOutput text(-1);
    dump_records(schema, plain, text);
    std::istringstream lines{std::string(text.text())};
    for (std::string line; std::getline(lines, line);)
        selected.records.push_back(line);
}

/// Passes on a slice and remembers its records.
class Watched final : public Reader {
public:
    Watched(std::unique_ptr<Reader> slice, Selected& selected) : slice_(std::move(slice)), selected_(selected) {}
    Schema& schema() override { return slice_->schema(); }
    bool read(Batch& batch) override {
        const bool any = slice_->read(batch);
        add_records(schema(), batch, selected_);
        return any;
    }
    Facts facts() const override { return slice_->facts(); }
    std::uint64_t position() const override { return slice_->position(); }

private:
    std::unique_ptr<Reader> slice_;
    Selected& selected_;
};

/// Reads the slice of the model, as `--view model` and conversions do.
Selected selected_of(const Bytes& file, const Format& format, const Choice& choice) {
    Selected selected;
    try {
        Findings findings(0);
        Input input = Input::memory("sample", file);
        PreparedSource source(input, format, Settings{}, findings, choice.criteria.records);
        Watched slice(slice_of(source.reader(), format, choice, source.schema()), selected);
        for (Batch batch; slice.read(batch);)
            batch.clear();
    } catch (const Error& error) {
        selected.error = error.what();
    }
    return selected;
}

/// Shows a slice in a view. `selected` receives the records that the view has selected.
std::string shown_by(const View& view, TextForm form, const Bytes& file, const Format& format, const Choice& choice,
                     Selected& selected) {
    TextOutput out(-1);
    try {
        Findings findings(0);
        Input input = Input::memory("sample", file);
        PreparedSource source(input, format, Settings{}, findings, choice.criteria.records);
        input.seek(0);
        Settings settings;
        settings.part = [&](Reader& whole) -> std::unique_ptr<Reader> {
            return std::make_unique<Watched>(slice_of(whole, format, choice, source.schema()), selected);
        };
        if (form == TextForm::text)
            view.render(input, out, settings, findings);
        else
            view.render_data(input, form, out, settings, findings);
    } catch (const Error& error) {
        selected.error = error.what();
    }
    return std::string(out.text());
}

// --- what a view of FTR shows ---

/// Returns the number behind the first `before` at or after `from`, and moves `from` behind it.
std::optional<std::uint64_t> number_behind(const std::string& line, std::string_view before, std::size_t& from) {
    from = line.find(before, from);
    if (from == std::string::npos) return std::nullopt;
    from += before.size();
    return std::stoull(line.substr(from));
}

/// The transactions and relations that a view of FTR shows.
struct ShownItems {
    std::uint64_t transactions = 0, relations = 0;
    std::set<std::uint64_t> ids = {};
};

ShownItems shown_transactions(TextForm form, const std::string& text) {
    constexpr std::string_view object = "{\"type\":\"transaction\",\"id\":";
    ShownItems items;
    std::set<std::string> rows;  // a transaction may have several rows in CSV
    for (const std::string& line : lines_of(text)) {
        std::size_t at = 0;
        const std::string_view before = form == TextForm::text  ? "tx "
                                        : form == TextForm::csv ? std::string_view("transaction,")
                                                                : object;
        if (!line.starts_with(before)) {
            items.relations += line.starts_with("relation") || line.starts_with("{\"type\":\"relation\"") ? 1u : 0u;
            continue;
        }
        items.ids.insert(*number_behind(line, before, at));
        std::size_t end = 0;
        for (int comma = 0; form == TextForm::csv && comma < 7; ++comma)
            end = line.find(',', end) + 1;
        if (form != TextForm::csv || rows.insert(line.substr(0, end)).second) ++items.transactions;
    }
    return items;
}

ShownItems shown_tree(TextForm form, const std::string& text) {
    ShownItems items;
    for (const std::string& line : lines_of(text)) {
        const auto add = [&](std::string_view before, std::uint64_t& count) {
            std::size_t at = 0;
            while (const auto number = number_behind(line, before, at))
                count += *number;
        };
        if (form == TextForm::json || form == TextForm::jsonl) {
            add("\"transactions\":", items.transactions);
            add("\"count\":", items.relations);
        } else if (form == TextForm::csv) {
            if (line.starts_with("relation,")) add("relation,,,,,,", items.relations);
        } else if (line.starts_with("  generator ") || line.starts_with("relation ")) {
            std::size_t at = line.rfind(": ");
            auto& count = line.starts_with("relation ") ? items.relations : items.transactions;
            if (const auto number = number_behind(line, ": ", at)) count += *number;
        }
    }
    return items;
}

}  // namespace

TEST_CASE("A selection selects the same records in every view and form") {
    std::uint64_t compared = 0;
    std::vector<Sample> samples = law_samples(corpus_limit);
    std::erase_if(samples, [](const Sample& sample) {
        return std::ranges::none_of(sample.format->views, [](const View& view) { return view.parts; }) ||
               !read_story(sample.content.bytes, *sample.format).good();
    });
    for (const Sample& sample : samples) {
        CAPTURE(sample.name);
        const Format& format = *sample.format;
        const Bytes& file = sample.content.bytes;
        for (const Choice& choice : choices_of(file, format)) {
            CAPTURE(choice.name);
            const Selected expected = selected_of(file, format, choice);
            for (const View& view : format.views) {
                if (!view.parts) continue;
                CAPTURE(view.name);
                for (const TextForm form : forms) {
                    if (form != TextForm::text && view.render_data == nullptr) continue;
                    CAPTURE(name_of(form));
                    Selected selected;
                    const std::string text = shown_by(view, form, file, format, choice, selected);
                    if (view.suits != nullptr && selected.error.find("no instructions") != std::string::npos) continue;
                    CHECK(selected.error == expected.error);
                    CHECK(selected.records == expected.records);
                    ++compared;
                    if (format.name != "ftr" || !expected.error.empty()) continue;
                    const bool is_tree = view.name == "tree";
                    const ShownItems items = is_tree ? shown_tree(form, text) : shown_transactions(form, text);
                    if (!is_tree || form != TextForm::csv) CHECK(items.transactions == expected.intervals);
                    CHECK(items.relations == expected.relations);
                    if (!is_tree && expected.all_have_ids) CHECK(items.ids == expected.ids);
                }
            }
        }
    }
    CHECK(compared > at_least(1'000));
}

}  // namespace selection_laws

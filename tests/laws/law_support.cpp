#include "laws/law_support.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <span>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "convert/convert.hpp"
#include "convert/model_dump.hpp"
#include "convert/prescan.hpp"
#include "io/fnv1a.hpp"
#include "io/number_text.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"

namespace hwtrace::test {

Story read_story(const Bytes& file, const Format& format, CheckLevel level) {
    Story story;
    Findings findings;
    Settings settings;
    settings.check = level;
    TextOutput schema(-1, 4096), records(-1, 4096);
    try {
        Input input = Input::memory("sample", file);
        const auto reader = format.open(input, settings, findings);
        Batch batch;
        while (true) {
            batch.clear();
            // Records appended before an Error count, because a reader delivers the data that is valid.
            try {
                if (!reader->read(batch)) break;
            } catch (const Error& error) {
                story.failure = error.failure();
            }
            dump_records(reader->schema(), batch, records);
            if (story.failure) break;
        }
        dump_schema(reader->schema(), schema);
    } catch (const Error& error) {
        story.failure = error.failure();
    }
    story.schema = schema.text();
    story.records = records.text();
    for (const Finding& finding : findings.kept()) {
        story.findings.push_back(std::string(finding.rule->id) + "@" + std::to_string(finding.offset));
        story.places.push_back({std::string(finding.rule->id), finding.offset, finding.length_in(file.size())});
    }
    story.finding_count = findings.total_at_least(Severity::note);
    story.warning_count = findings.total_at_least(Severity::warning);
    story.effect = findings.effect();
    story.verdict = findings.verdict();
    return story;
}

namespace {

void keep_sample(std::vector<Sample>& samples) {
    std::map<std::pair<std::string_view, bool>, std::size_t> smallest;  // indexed by format and validity
    const auto key_of = [](const Sample& sample) { return std::pair(sample.format->name, sample.valid); };
    for (const Sample& sample : samples) {
        const std::size_t size = sample.content.bytes.size();
        const auto [found, is_new] = smallest.try_emplace(key_of(sample), size);
        if (!is_new) found->second = std::min(found->second, size);
    }
    const Share wanted = share();
    std::erase_if(samples, [&](const Sample& sample) {
        Fnv1a64 hash;
        hash.add(std::as_bytes(std::span(sample.name)));
        return hash.value() % wanted.shares != wanted.number &&
               sample.content.bytes.size() != smallest.at(key_of(sample));
    });
}

}  // namespace

std::vector<Sample> law_samples(std::uint64_t corpus_limit) {
    std::vector<Sample> samples = testdata_samples();
    for (Sample& sample : corpus_samples(corpus_limit))
        samples.push_back(std::move(sample));
    if (!is_full_run()) keep_sample(samples);
    return samples;
}

const std::vector<Sample>& good_samples() {
    static const std::vector<Sample> good = [] {
        std::vector<Sample> samples = law_samples(std::numeric_limits<std::uint64_t>::max());
        std::erase_if(samples, [](const Sample& sample) {
            return !read_story(sample.content.bytes, *sample.format, CheckLevel::full).good();
        });
        return samples;
    }();
    return good;
}

std::string Story::lasting_schema() const {
    std::istringstream lines(schema);
    std::string lasting;
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("metadata \"pccx.payload.")) lasting.append(line).append("\n");
    return lasting;
}

bool read_views(const Bytes& file, const Format& format) {
    const auto suits = [&](const View& view) {
        if (view.suits == nullptr) return true;
        const Settings plain;
        Findings untold;
        Input head = Input::memory("sample", file);
        return view.suits(format.open(head, plain, untold)->schema());
    };
    bool whole = true;
    try {
        // If no view suits a trace, each is for those who ask for it.
        const bool any = std::ranges::any_of(format.views, suits);
        for (const View& view : format.views) {
            if (any && !suits(view)) continue;
            Input input = Input::memory("sample", file);
            Findings findings;
            TextOutput text(-1, 4096);
            try {
                view.render(input, text, {}, findings);
                whole = whole && findings.verdict() == Verdict::valid;
            } catch (const Error&) {
                whole = false;
            }
        }
    } catch (const Error&) {
        return false;
    }
    return whole;
}

std::vector<std::string> Rewritten::lost_but_facts_of(const Format& from, const Format& to) const {
    std::vector<std::string> names;
    for (const auto& entry : losses.entries()) {
        const Loss loss = entry.first.first;
        const std::string& subject = entry.first.second;
        const auto is_of = [&](const Format& format) {
            return subject.starts_with(std::string(format.name).append("."));
        };
        if (loss == Loss::metadata_dropped && (is_of(from) || is_of(to))) continue;
        names.push_back(std::string(name_of(loss)).append(" ").append(subject));
    }
    return names;
}

std::vector<std::string> Rewritten::unexpected() const {
    std::vector<std::string> names;
    for (const auto& entry : losses.entries()) {
        const Losses::Key& key = entry.first;
        const bool known = std::any_of(foretold.begin(), foretold.end(), [&](const ExpectedLoss& loss) {
            return loss.loss == key.first && (loss.subject == key.second || loss.subject == "*");
        });
        if (!known) names.push_back(std::string(name_of(key.first)) + " " + key.second);
    }
    return names;
}

Choices raised_choices(const Format& to, const TimeModel& time) {
    Choices choices{time, std::nullopt, {}};
    const std::string raise = std::string(to.name).append("-raise");
    for (const Option& option : to.options)
        if (option.key == raise) choices.settings.set(option, "on");
    return choices;
}

Rewritten convert_bytes(const Bytes& file, const Format& from, const Format& to, const TimeModel& time) {
    return convert_bytes(file, from, to, Choices{time, std::nullopt, {}});
}

Rewritten convert_bytes(const Bytes& file, const Format& from, const Format& to, Choices choices) {
    Rewritten rewritten;
    Findings findings;
    Settings& settings = choices.settings;
    settings.source_format = from.name;
    Input input = Input::memory("sample", file);
    PreparedSource source(input, from, to, settings, findings, choices.criteria.records, choices.index);
    Plan plan = make_plan(source.schema(), source.format(), to, choices, rewritten.losses);
    rewritten.foretold = plan.losses;
    const auto output = open_memory_output("output", [&](Bytes bytes) { rewritten.bytes = std::move(bytes); });
    const Settings for_writer = source.for_writer(to, settings);
    const auto writer = to.create(*output, plan.target_schema(source.schema()), for_writer, rewritten.losses);
    // Before the first record, --explain prints losses in addition to the losses that the plan expects.
    for (const auto& [key, count] : rewritten.losses.entries())
        rewritten.foretold.push_back({key.first, key.second, "when the writer is made"});
    convert(source.reader(), plan, *writer);
    output->commit();
    return rewritten;
}

std::string difference(const std::string& a, const std::string& b) {
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (in_a == a.end() && in_b == b.end()) return {};
    const auto line_at = [](const std::string& text, std::size_t at) {
        const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
        return text.substr(begin, text.find('\n', begin) - begin);
    };
    const auto at = static_cast<std::size_t>(in_a - a.begin());
    return "line " + std::to_string(std::count(a.begin(), in_a, '\n') + 1) + ": '" + line_at(a, at) + "' / '" +
           line_at(b, at) + "'";
}

}  // namespace hwtrace::test

// Laws of comparing traces: a trace equals itself and its lossless conversions, and one changed record is one
// difference.
#include <doctest/doctest.h>

#include <functional>

#include "compare/comparison.hpp"
#include "convert/convert.hpp"
#include "convert/prescan.hpp"
#include "formats.hpp"
#include "io/output.hpp"
#include "laws/law_support.hpp"

namespace diff_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t corpus_limit = 10'000;

Comparison comparison_of(const Bytes& first, const Format& first_format, const Bytes& second,
                         const Format& second_format) {
    Input a = Input::memory("a", first), b = Input::memory("b", second);
    Findings findings_of_a, findings_of_b;
    const Choices choices;
    return compare({ComparedTrace{a, first_format, choices, findings_of_a},
                    ComparedTrace{b, second_format, choices, findings_of_b}},
                   {});
}

/// Returns the differences as text, or an empty string if there are none.
std::string text_of(const Comparison& comparison) {
    std::string text;
    for (const SchemaDifference& difference : comparison.schema)
        text.append(difference.what).append(" ").append(difference.subject).append("; ");
    const TrackCounts counts = comparison.totals();
    if (!counts.same())
        text.append(std::to_string(counts.equal))
            .append(" equal, ")
            .append(std::to_string(counts.different))
            .append(" different, ")
            .append(std::to_string(counts.only[0]))
            .append(" and ")
            .append(std::to_string(counts.only[1]))
            .append(" in one alone");
    return text;
}

/// A stage that drops or changes one record.
class OneRecord final : public Stage {
public:
    enum class What : std::uint8_t { drop, change };
    OneRecord(const Schema& source, What what, std::uint64_t index) : source_(source), what_(what), index_(index) {}
    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override {
        for (const Record& record : in.records()) {
            const bool is_it = next_++ == index_;
            if (is_it && what_ == What::drop) continue;
            Record& copied = out.copy(in, record, record.track);
            if (!is_it) continue;
            if (record.kind == Kind::interval) copied.value ^= 1;
            if (record.kind == Kind::instruction) out.mutable_instruction(copied).encoding ^= 0x80;
            if (record.kind == Kind::set) copied.value ^= 1;
        }
    }
    bool finish(Batch&) override { return false; }

private:
    const Schema& source_;
    What what_;
    std::uint64_t index_, next_ = 0;
};

/// Returns the trace in its own format, with one record changed.
Bytes with_one_record(const Bytes& file, const Format& format, OneRecord::What what, std::uint64_t index) {
    Bytes bytes;
    Findings findings;
    Losses losses;
    const Choices choices;
    Input input = Input::memory("sample", file);
    PreparedSource source(input, format, format, choices.settings, findings);
    Plan plan = make_plan(source.schema(), source.format(), format, choices, losses);
    plan.stages.insert(plan.stages.begin(), std::make_unique<OneRecord>(source.schema(), what, index));
    const auto output = open_memory_output("output", [&](Bytes all) { bytes = std::move(all); });
    const auto writer = format.create(*output, plan.target_schema(source.schema()), choices.settings, losses);
    convert(source.reader(), plan, *writer);
    output->commit();
    return bytes;
}

/// Returns the position of the last record of a kind, or nullopt if no record has this kind.
std::optional<std::uint64_t> last_of(const Bytes& file, const Format& format, Kind kind) {
    Input input = Input::memory("sample", file);
    Findings findings;
    const Settings settings;
    const auto reader = format.open(input, settings, findings);
    std::optional<std::uint64_t> last;
    std::uint64_t position = 0;
    Batch batch;
    for (; reader->read(batch); batch.clear())
        for (const Record& record : batch.records()) {
            if (record.kind == kind) last = position;
            ++position;
        }
    return last;
}

std::vector<Sample> valid_ones(std::vector<Sample> samples) {
    std::erase_if(samples, [](const Sample& sample) { return !sample.valid; });
    return samples;
}

/// Returns every file, even in a sample run. The law uses only the first few files of each format.
std::vector<Sample> all_samples() {
    std::vector<Sample> samples = testdata_samples();
    for (Sample& sample : corpus_samples(corpus_limit))
        samples.push_back(std::move(sample));
    return samples;
}

}  // namespace

TEST_CASE("a trace equals itself and its lossless conversions") {
    std::size_t compared = 0;
    for (const Sample& sample : valid_ones(law_samples(corpus_limit))) {
        CAPTURE(sample.name);
        const Bytes& file = sample.content.bytes;
        std::optional<Comparison> itself;
        try {
            itself = comparison_of(file, *sample.format, file, *sample.format);
        } catch (const Error&) {
            continue;  // the file has only a header
        }
        CHECK(text_of(*itself) == "");
        CHECK(itself->totals().equal == itself->records[0]);
        for (const Format* to : formats()) {
            CAPTURE(to->name);
            std::optional<Rewritten> there;
            try {
                there = convert_bytes(file, *sample.format, *to);
            } catch (const Error&) {
                continue;
            }
            if (!there->losses.none()) continue;
            const Comparison comparison = comparison_of(file, *sample.format, there->bytes, *to);
            CHECK(text_of(comparison) == "");
            CHECK(comparison.totals().equal == comparison.records[0]);
            CHECK(comparison.losses[1].none());
            ++compared;
        }
    }
    CHECK(compared >= at_least(200));
    MESSAGE(compared << " pairs");
}

TEST_CASE("one changed or missing record is the only difference") {
    struct Case {
        const char* format;
        Kind kind;
    };
    for (const Case& one : {Case{"pccx", Kind::interval}, Case{"ftr", Kind::interval}, Case{"txlog", Kind::interval},
                            Case{"stf", Kind::instruction}, Case{"uscope", Kind::set}}) {
        CAPTURE(one.format);
        std::size_t tried = 0;
        for (const Sample& sample : valid_ones(all_samples())) {
            if (sample.format->name != one.format || tried == 8) continue;
            CAPTURE(sample.name);
            const Bytes& file = sample.content.bytes;
            const auto last = last_of(file, *sample.format, one.kind);
            if (!last || !convert_bytes(file, *sample.format, *sample.format).losses.none()) continue;
            ++tried;
            const auto compared = [&](OneRecord::What what) {
                const Bytes other = with_one_record(file, *sample.format, what, *last);
                return comparison_of(file, *sample.format, other, *sample.format).totals();
            };
            const TrackCounts changed = compared(OneRecord::What::change), less = compared(OneRecord::What::drop);
            CHECK(changed.different == 1);
            CHECK(changed.only == std::array<std::uint64_t, 2>{});
            CHECK(less.different == 0);
            CHECK(less.only[0] == 1);
            CHECK(less.only[1] == 0);
            CHECK(less.equal == changed.equal);
        }
        CHECK(tried > 1);
    }
}

}  // namespace diff_laws

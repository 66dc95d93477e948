#include "shown.hpp"

#include <limits>
#include <string>
#include <utility>

#include "codec/value_text.hpp"
#include "item_record.hpp"
#include "schema_mark.hpp"

namespace hwtrace::ftr {

namespace {

constexpr std::uint64_t latest = std::numeric_limits<Tick>::max();

/// Facts as they are shown.
std::vector<std::pair<std::string_view, std::string>> shown_facts(const Schema& schema) {
    std::vector<std::pair<std::string_view, std::string>> facts;
    std::size_t mark = 0, mark_bytes = 0;
    for (const Metadata& fact : schema.metadata()) {
        if (fact.key != schema_mark_key) {
            facts.emplace_back(fact.key, fact.value);
            continue;
        }
        if (mark_bytes == 0) {
            mark = facts.size();
            facts.emplace_back(fact.key, std::string());
        }
        mark_bytes += fact.value.size();
    }
    if (mark_bytes != 0) facts[mark].second = "a mark of " + counted(mark_bytes, "byte");
    return facts;
}

}  // namespace

/// Transactions and relations as the directory states them, for a part to be chosen from. Times that a record cannot
/// have stand behind the attributes, as two more values of the transaction's number.
class Shown::PlainReader final : public Reader {
public:
    PlainReader(Scan& scan, Schema& schema) : scan_(scan), schema_(schema) {}

    Schema& schema() override { return schema_; }
    Facts facts() const override { return scan_.facts(); }
    std::uint64_t position() const override { return scan_.position(); }

    bool read(Batch& batch) override {
        for (Item item; !batch.full() && scan_.next(item);) {
            const bool fits = item.start <= item.end && item.end <= latest;
            if (item.kind == Item::Kind::transaction && !fits) [[unlikely]] {
                attributes_.assign(item.attributes.begin(), item.attributes.end());
                attributes_.push_back({0, item.start});
                attributes_.push_back({0, item.end});
                item.attributes = attributes_;
            }
            append_record(item, now_, batch);
        }
        return !batch.empty();
    }

    /// What read() has made of a transaction.
    static void take_times(const Record& record, Item& item) noexcept {
        item.start = static_cast<std::uint64_t>(record.time);
        item.end = item.start + record.value;
        if (item.attributes.size() < 3 || item.attributes.back().field != 0) return;
        const std::size_t own = item.attributes.size() - 2;
        item.start = item.attributes[own].value;
        item.end = item.attributes[own + 1].value;
        item.attributes = item.attributes.first(own);
    }

private:
    Scan& scan_;
    Schema& schema_;
    std::vector<Attribute> attributes_;
    Tick now_ = 0;  ///< of the record handed out last
};

Shown::Shown(Input& input, const Settings& settings, Findings& findings) : scan_(input, settings, findings, whole_) {
    if (!settings.part) return;
    plain_ = std::make_unique<PlainReader>(scan_, whole_);
    part_ = settings.part(*plain_);
}

Shown::~Shown() = default;

bool Shown::next(Item& item) {
    if (!part_) return scan_.next(item);
    if (at_ == batch_.records().size()) {
        batch_.clear();
        at_ = 0;
        if (!part_->read(batch_)) return false;
    }
    const Record& record = batch_.records()[at_++];
    item.track = record.track;
    if (record.kind == Kind::relation) {
        item.kind = Item::Kind::relation;
        item.cells = batch_.cells(record);
    } else {
        item.kind = Item::Kind::transaction;
        item.attributes = batch_.attributes(record);
        PlainReader::take_times(record, item);
    }
    return true;
}

Generators generators_of(const Schema& schema) {
    Generators generators(schema.scopes().size());
    for (TrackId id = 0; id < schema.tracks().size(); ++id)
        if (schema.tracks()[id].kind == Track::Kind::stream) generators[schema.tracks()[id].scope].push_back(id);
    return generators;
}

void put_number(std::string_view before, std::uint64_t number, TextOutput& out) {
    out.put(before);
    out.decimal(number);
}

void put_facts(const Shown& shown, TextOutput& out) {
    out.put("# unit 10^");
    out.decimal_signed(shown.exponent());
    out.put(" s");
    for (const auto& [key, value] : shown_facts(shown.schema())) {
        out.put("\n# ");
        put_name(key, out);
        out.put(' ');
        put_name(value, out);
    }
    out.put('\n');
}

void put_stream(const Scope& stream, TextOutput& out) {
    put_number("stream ", stream.native_id.value_or(0), out);
    out.put(' ');
    put_name(stream.name, out);
    if (!stream.protocol.empty()) {
        out.put(' ');
        put_name(stream.protocol, out);
    }
    out.put('\n');
}

void put_generator(const Track& generator, TextOutput& out) {
    put_number("  generator ", generator.native_id.value_or(0), out);
    out.put(' ');
    put_name(generator.name, out);
}

void put_json_number(std::string_view key, std::uint64_t number, JsonIntegers integers, TextOutput& out) {
    out.put(key);
    put_json_integer(number, integers, out);
}

void put_json_text(std::string_view key, std::string_view text, TextOutput& out) {
    out.put(key);
    put_json_string(text, out);
}

void put_json_facts(const Shown& shown, TextOutput& out) {
    out.put(",\"exponent\":");
    out.decimal_signed(shown.exponent());
    out.put(",\"metadata\":[");
    bool first = true;
    for (const auto& [key, value] : shown_facts(shown.schema())) {
        put_json_text(first ? "[" : ",[", key, out);
        put_json_text(",", value, out);
        out.put(']');
        first = false;
    }
    out.put(']');
}

void put_json_stream(const Scope& stream, JsonIntegers integers, TextOutput& out) {
    put_json_number("\"id\":", stream.native_id.value_or(0), integers, out);
    put_json_text(",\"name\":", stream.name, out);
    put_json_text(",\"kind\":", stream.protocol, out);
}

}  // namespace hwtrace::ftr

#include "sweeps/damage.hpp"

#include <chrono>
#include <exception>
#include <span>

#include "codec/format.hpp"
#include "convert/model_dump.hpp"
#include "io/error.hpp"
#include "io/fnv1a.hpp"
#include "io/input.hpp"
#include "io/text_output.hpp"
#include "operate/scan.hpp"

namespace hwtrace::test {

namespace {

using Bytes = std::vector<std::byte>;

struct Look {
    bool valid = false;
    std::uint64_t records = 0;
    std::uint64_t header = 0;
};

/// Examines a file like hwtrace-validate.
Look look_at(const Bytes& bytes, const Format& format) {
    Look look;
    Findings findings;
    Settings settings;
    settings.check = CheckLevel::full;
    Input input = Input::memory("sample", bytes);
    try {
        const auto reader = format.open(input, settings, findings);
        look.header = reader->position();
        look.records = scan(*reader).records;
    } catch (const Error& error) {
        if (error.failure() == Failure::internal) throw;
        return look;
    }
    look.valid = findings.verdict() == Verdict::valid && findings.violations(Severity::error) == 0;
    return look;
}

void add_text(Fnv1a64& hash, const TextOutput& text) {
    hash.add(std::as_bytes(std::span(text.text())));
}

/// Returns a hash of all data that the reader delivers.
std::uint64_t model_of(const Bytes& bytes, const Format& format) {
    Fnv1a64 hash;
    Findings findings;
    const Settings settings;
    Input input = Input::memory("sample", bytes);
    const auto reader = format.open(input, settings, findings);
    for (Batch batch; batch.clear(), reader->read(batch);) {
        TextOutput records(-1, 1u << 16);
        dump_records(reader->schema(), batch, records);
        add_text(hash, records);
    }
    TextOutput schema(-1, 4096);
    dump_schema(reader->schema(), schema);
    add_text(hash, schema);
    return hash.value();
}

}  // namespace

Original original_of(Sample sample) {
    Original original{std::move(sample)};
    const auto begin = std::chrono::steady_clock::now();
    const Look look = look_at(original.sample.content.bytes, *original.sample.format);
    original.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    original.valid = look.valid;
    original.records = look.records;
    original.header = look.header;
    if (look.valid) original.model = model_of(original.sample.content.bytes, *original.sample.format);
    return original;
}

Bytes damaged(const Original& original, const Damage& damage) {
    Bytes bytes = original.sample.content.bytes;
    if (damage.kind == Damage::Kind::cut)
        bytes.resize(static_cast<std::size_t>(damage.at));
    else
        bytes[static_cast<std::size_t>(damage.at)] ^= std::byte{damage.change};
    return bytes;
}

Answer answer_to(const Original& original, const Damage& damage, std::string& why) {
    const Format& format = *original.sample.format;
    const Bytes bytes = damaged(original, damage);
    try {
        const Look look = look_at(bytes, format);
        if (!look.valid) return Answer::noticed;
        const bool cut = damage.kind == Damage::Kind::cut;
        if (cut && look.records < original.records)
            return format.reads.streams || format.reads.ends_anywhere ? Answer::allowed : Answer::other;
        if (look.records == original.records && model_of(bytes, format) == original.model) return Answer::unchanged;
        return cut && format.reads.ends_anywhere ? Answer::allowed : Answer::other;
    } catch (const std::exception& error) {
        why = error.what();
        return Answer::bug;
    }
}

}  // namespace hwtrace::test

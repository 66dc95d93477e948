// tests/formats/waveform_support.hpp - writes traces as VCD and FST, and lists the changes of signals.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "io/cursor.hpp"
#include "model/record.hpp"

namespace hwtrace {
extern const Format vcd_format;
extern const Format fst_format;
}  // namespace hwtrace

namespace hwtrace::test {

constexpr TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};

/// A written file.
struct WrittenWaveform {
    std::vector<std::byte> bytes;
    Losses losses;

    std::string text() const { return std::string(as_text(bytes)); }
};

/// Writes one batch.
inline WrittenWaveform write_waveform(const Format& format, const Schema& schema, const Batch& batch) {
    WrittenWaveform written;
    const Settings settings;
    const auto output =
        open_memory_output("waveform", [&](std::vector<std::byte> all) { written.bytes = std::move(all); });
    const auto writer = format.create(*output, schema, settings, written.losses);
    writer->write(batch);
    writer->finish();
    output->commit();
    return written;
}

/// Returns the first view of a file as text.
inline std::string view_of(const Format& format, std::string_view file) {
    Input input = Input::memory("waveform", as_bytes(file));
    TextOutput out(-1);
    Findings findings;
    format.views.front().render(input, out, {}, findings);
    return std::string(out.text());
}

/// Reads a file and writes it again.
inline std::string rewritten(const Format& from, std::string_view file, const Format& to) {
    Input input = Input::memory("waveform", as_bytes(file));
    Findings findings;
    Losses losses;
    const Settings settings;
    std::string text;
    const auto output = open_memory_output("waveform", [&](std::vector<std::byte> all) { text = as_text(all); });
    const auto reader = from.open(input, settings, findings);
    const auto writer = to.create(*output, reader->schema(), settings, losses);
    for (Batch batch; reader->read(batch); batch.clear())
        writer->write(batch);
    writer->finish();
    output->commit();
    return text;
}

}  // namespace hwtrace::test

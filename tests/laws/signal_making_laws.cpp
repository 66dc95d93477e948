// What has no signals becomes signals, and comes back, whatever it was.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "formats.hpp"
#include "laws/law_support.hpp"
#include "model/conventions.hpp"

using namespace hwtrace;
using namespace hwtrace::test;

TEST_CASE("every trace goes to flux and back without loss, into the file that it is when its format writes it") {
    const Format& flux = *find_format(formats(), "flux");
    std::map<std::string_view, std::size_t> checked, same_file;
    for (const Sample& sample : good_samples()) {
        if (sample.format == &flux) continue;
        CAPTURE(sample.name);
        const Rewritten there = convert_bytes(sample.content.bytes, *sample.format, flux);
        CHECK(there.unexpected() == std::vector<std::string>{});
        const bool has_domain = !sample.name.ends_with("timescale_-16.ftr");  // of steps as short as its ticks
        CHECK(there.losses.none() == has_domain);
        CHECK(there.losses.assumptions().empty());
        const Story made = read_story(there.bytes, flux, CheckLevel::full);
        CHECK(made.good());
        if (made.schema.find(" fields=pc:i64") != std::string::npos)  // viewers are told how to show it
            CHECK(made.schema.find("member_descriptor.pc\" = \"default<df=Hex>\"") != std::string::npos);
        const Rewritten back = convert_bytes(there.bytes, flux, *sample.format, raised_choices(*sample.format, {}));
        CHECK(back.losses.none());
        const Bytes own = convert_bytes(sample.content.bytes, *sample.format, *sample.format).bytes;
        const Story returned = read_story(back.bytes, *sample.format), original = read_story(own, *sample.format);
        CHECK(difference(original.schema, returned.schema) == "");
        CHECK(difference(original.records, returned.records) == "");
        ++checked[sample.format->name];
        same_file[sample.format->name] += back.bytes == own;
    }
    for (const std::string_view name : {"stf", "pccx", "kanata", "txlog"})
        CHECK(same_file[name] == checked[name]);
    CHECK(same_file["uscope"] >= 2);  // others have texts that nothing uses
    CHECK(checked["stf"] >= 5);
    CHECK(checked.size() >= 6);
}

TEST_CASE("a part of a trace is the same part where the trace was in flux, and where flux was cut") {
    const Format& flux = *find_format(formats(), "flux");
    std::size_t checked = 0;
    for (const Sample& sample : good_samples()) {
        const Format& format = *sample.format;
        if (&format == &flux || sample.content.bytes.size() > 20'000) continue;
        CAPTURE(sample.name);
        const Bytes own = convert_bytes(sample.content.bytes, format, format).bytes;
        const Bytes whole = convert_bytes(own, format, flux).bytes;
        Choices part = raised_choices(format, {});
        part.range = Range{Range::Unit::record, 3, 20};
        Bytes expected;
        try {
            expected = convert_bytes(own, format, format, part).bytes;
        } catch (const Error&) {
            continue;  // several harts, or a format that has no parts
        }
        const Story wanted = read_story(expected, format);
        if (wanted.schema.find(conventions::lowered) != std::string::npos) continue;  // raised, it has other positions
        const Story raised = read_story(convert_bytes(whole, flux, format, part).bytes, format);
        CHECK(difference(wanted.records, raised.records) == "");
        const Bytes cut = convert_bytes(whole, flux, flux, part).bytes;
        const Story returned = read_story(convert_bytes(cut, flux, format, raised_choices(format, {})).bytes, format);
        CHECK(difference(wanted.records, returned.records) == "");
        if (format.reads.schema_upfront) CHECK(difference(wanted.schema, returned.schema) == "");
        ++checked;
    }
    CHECK(checked >= 20);
}

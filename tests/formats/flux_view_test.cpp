// Compares the views "tree" and "entries" as data with their text form.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "formats/flux_support.hpp"
#include "hwtrace/flux_emitter.h"
#include "support/corpus.hpp"

namespace flux_view_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Json = nlohmann::json;
using Lines = std::vector<std::string>;

std::string shown(std::span<const std::byte> stream, std::string_view name, TextForm form) {
    Input input = Input::memory("stream", stream);
    Findings findings;
    TextOutput out(-1);
    for (const View& view : flux_format.views) {
        if (view.name != name) continue;
        if (form == TextForm::text)
            view.render(input, out, {}, findings);
        else
            view.render_data(input, form, out, {}, findings);
    }
    return std::string(out.text());
}

Lines lines_of(const std::string& text) {
    Lines lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::vector<std::byte> small_stream() {
    static std::array<std::uint8_t, 1024> memory;
    flux_buffer buffer;
    flux_trace trace;
    std::array<flux_item, 3> items{};
    flux_buffer_init(&buffer, memory.data(), memory.size(), nullptr);
    flux_trace_init(&trace, 5, FLUX_VERSION_6, 2, 1024, items.data());
    flux_trace_attach(&trace, &buffer);
    flux_write_head(&trace, "a, \"b\"", "");
    flux_add_scope(&trace, 1, 0, "s", "in it");
    flux_add_signal(&trace, 2, 1, "x", "", FLUX_STRUCT, "default<x=1>");
    flux_open(&trace, 0, "ns", -5, 0);
    flux_define_member(&trace, 2, 3, FLUX_NO_PARENT, "m",
                       static_cast<std::uint8_t>(int{FLUX_MEMBER_LOCAL_ENUM} | int{FLUX_MEMBER_HIDDEN}), "");
    flux_define_enum(&trace, 2, FLUX_ENUM_MEMBER + 3, "on", 1);
    flux_write_none(&trace, 2, flux_tagged(flux_at(7), 9));
    flux_close(&trace, 0, 8);
    std::uint32_t size = 0;
    const auto all = std::as_bytes(std::span(flux_buffer_bytes(&buffer, &size), 1024)).first(size);
    return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("flux: in every file of the corpus, the data form has one object per entry and equals the text view") {
    const auto folder = corpus("flux");
    if (!folder) return;
    std::size_t files = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(*folder)) {
        const bool is_stream = file.path().extension() == ".flux" || file.path().extension() == ".recTr";
        if (!is_stream || file.file_size() > 20'000) continue;
        ++files;
        CAPTURE(file.path().filename().string());
        const std::vector<std::byte> bytes = read_file(file.path());
        const Lines text = lines_of(shown(bytes, "entries", TextForm::text));
        const Lines objects = lines_of(shown(bytes, "entries", TextForm::jsonl));
        const Lines rows = lines_of(shown(bytes, "entries", TextForm::csv));
        REQUIRE(objects.size() == text.size() + 1);
        CHECK(rows.size() >= text.size() + 1);  // strings may contain line breaks
        const Json whole = Json::parse(shown(bytes, "entries", TextForm::json));
        CHECK(whole["schema"] == "hwtrace-flux-entries/1");
        REQUIRE(whole["items"].size() == text.size());
        for (std::size_t i = 0; i < text.size(); ++i) {
            const Json object = Json::parse(objects[i + 1]);
            CHECK(object == whole["items"][i]);
            const std::string place =
                (object.contains("block") ? std::to_string(object["block"].get<std::uint64_t>()) + ":" : "") +
                std::to_string(object["offset"].get<std::uint64_t>()) + " " + object["entry"].get<std::string>();
            CHECK((text[i] == place || text[i].starts_with(place + " ")));
            for (const auto& [name, value] : object.items())
                if (value.is_number() && name != "block" && name != "offset")
                    CHECK((text[i] + " ").find(" " + name + "=" + value.dump() + " ") != std::string::npos);
        }
    }
    CHECK(files > 50);
}

TEST_CASE("flux: views can be printed as data") {
    const std::vector<std::byte> stream = small_stream();
    CHECK(
        lines_of(shown(stream, "tree", TextForm::jsonl)) ==
        Lines{
            R"({"schema":"hwtrace-flux-tree/1","tool":"hwtrace","version":""})",
            R"({"type":"trace","trace":5,"name":"a, \"b\"","version":6})",
            R"({"type":"scope","trace":5,"item":1,"name":"s","description":"in it"})",
            R"({"type":"signal","trace":5,"item":2,"parent":1,"name":"x","value_type":"struct","descriptor":"default<x=1>"})",
            R"({"type":"member","trace":5,"item":2,"member":3,"name":"m","value_type":"enum of the member","hidden":true})",
            R"({"type":"label","trace":5,"item":2,"of":11,"value":1,"name":"on"})"});
    CHECK(lines_of(shown(stream, "tree", TextForm::csv)) ==
          Lines{"type,trace,item,parent,member,in,name,version,of,value,value_type,hidden,until_change,descriptor,"
                "description,from,to,layout,tags,scale",
                R"(trace,5,,,,,"a, ""b""",6,,,,,,,,,,,,)", "scope,5,1,,,,s,,,,,,,,in it,,,,,",
                "signal,5,2,1,,,x,,,,struct,,,default<x=1>,,,,,,",
                "member,5,2,,3,,m,,,,enum of the member,true,,,,,,,,", "label,5,2,,,,on,,11,1,,,,,,,,,,"});
    const Json tree = Json::parse(shown(stream, "tree", TextForm::json));
    CHECK(tree["items"].size() == 5);
    CHECK(tree["items"][4]["name"] == "on");
    const Lines entries = lines_of(shown(stream, "entries", TextForm::jsonl));
    CHECK(entries.back().ends_with(R"("entry":"CLOS","item":0,"position":8})"));
    CHECK(entries[entries.size() - 2].ends_with(R"("entry":"sample","item":2,"mark":9,"delta":12,"kind":0,"size":0})"));
}

}  // namespace flux_view_test

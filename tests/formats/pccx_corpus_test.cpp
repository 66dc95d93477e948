// Compares how hwtrace and the reference tools read real .pccx files: the header, then event by event.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/fnv1a.hpp"
#include "pccx_support.hpp"
#include "support/corpus.hpp"

namespace pccx_corpus_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string unpacked(const fs::path& path) {
    if (path.extension() != ".gz") return read_text(path);
    Input input = Input::open(path.string());
    GzipSource source(input);
    std::string text;
    std::vector<std::byte> block(64u << 10);
    while (const std::size_t count = source.read(block))
        text += as_text(std::span(block).first(count));
    return text;
}

/// Returns the path of the corpus file to which a golden text belongs.
std::optional<fs::path> traced(const fs::path& folder, const std::string& name) {
    for (const char* const kind : {"samples", "gen", "gen_g1", "gen_xsim", "hand"})
        if (const fs::path path = folder / kind / (name + ".pccx"); fs::exists(path)) return path;
    return std::nullopt;
}

/// Files whose events differ from the reference (formats/pccx/README.md#verdicts-of-the-reference-and-hwtrace).
const std::map<std::string, std::string>& other_events() {
    static const std::map<std::string, std::string> files{
        {"magiccore_flatbuf", "the reference takes the core of the second event for the table of names"},
        {"p_flat_trailer_badutf8", "the reference makes a name that is not UTF-8 empty; we keep its bytes"},
        {"longname_flatbuf", "likewise: the writer cut the name inside a character"},
    };
    return files;
}

/// Returns true for files that the reference rejects and hwtrace accepts with a warning (see the same section).
bool is_tolerated(const std::string& name) {
    return name == "h_checksum_hexstring" || name == "h_checksum_hexstring_noprefix" || name == "h_checksum_decstring";
}

void check_header(const Json& header, const PccxTrace& read) {
    const auto text = [](const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); };
    const auto metadata = [&](const std::string& key) {
        const auto found = read.metadata.find("pccx." + key);
        return found == read.metadata.end() ? std::nullopt : std::optional(found->second);
    };
    // The golden text has the reference's defaults for values that the file lacks.
    const auto check = [&](const Json& object, const std::string& key, const std::string& path) {
        CAPTURE(path);
        if (const auto value = metadata(path)) CHECK(*value == text(object.at(key)));
    };
    check(header, "pccx_lab_version", "pccx_lab_version");
    check(header, "format_minor", "format_minor");
    check(header.at("arch"), "mac_dims", "arch.mac_dims");
    check(header.at("arch"), "isa_version", "arch.isa_version");
    check(header.at("trace"), "cycles", "trace.cycles");
    check(header.at("trace"), "cores", "trace.cores");
    check(header.at("trace"), "clock_mhz", "trace.clock_mhz");
    check(header.at("payload"), "encoding", "payload.encoding");
    check(header.at("payload"), "byte_length", "payload.byte_length");
    check(header.at("payload"), "checksum_fnv64", "payload.checksum_fnv64");
    if (const auto tops = metadata("arch.peak_tops"))
        CHECK(std::stod(*tops) == header.at("arch").at("peak_tops").get<double>());
}

std::vector<fs::path> files_of(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".pccx") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

TEST_CASE("files of the reference are rewritten byte for byte") {
    const auto folder = corpus("pccx");
    if (!folder) return;
    std::size_t same = 0;
    for (const char* const kind : {"samples", "gen", "gen_g1", "gen_xsim"}) {
        if (!fs::exists(*folder / kind)) continue;
        for (const fs::path& path : files_of(*folder / kind)) {
            const std::string name = path.filename().string();
            CAPTURE(name);
            // The reference cannot read the NaN and infinity that it wrote. The same section of the README explains the
            // third file.
            if (name == "tops_nan.pccx" || name == "tops_inf.pccx" || name == "longname_flatbuf.pccx") continue;
            const Bytes file = read_file(path);
            if (name == "magiccore_flatbuf.pccx") {
                CHECK_THROWS_AS(rewrite_pccx(file), Error);
                continue;
            }
            CHECK((rewrite_pccx(file) == file));
            ++same;
        }
    }
    MESSAGE(same << " files");
    CHECK(same >= 45);
}

TEST_CASE("bad files cause no crash and need bounded memory, and cut files deliver their whole events") {
    const auto folder = corpus("pccx");
    if (!folder) return;
    std::size_t files = 0;
    for (const fs::path& path : files_of(*folder / "bad")) {
        const std::string name = path.filename().string();
        CAPTURE(name);
        const PccxTrace read = read_pccx(read_file(path));
        CHECK_FALSE(read.rules.empty());
        // The totals or ends in these files are legal but odd. The reference's tools crash on these files.
        const bool only_odd = name.starts_with("b34") || name.starts_with("b35") || name.starts_with("b36") ||
                              name.starts_with("b37") || name.starts_with("b39");
        CHECK(read.broken != only_odd);
        ++files;
    }
    CHECK(files >= 20);
    const Bytes whole = read_file(*folder / "gen" / "small_bincode.pccx");
    const PccxTrace all = read_pccx(whole);
    REQUIRE(all.events.size() == 48);
    for (std::size_t cut = 1; cut < 1000; cut += 7) {
        const PccxTrace read = read_pccx(Bytes(whole.begin(), whole.end() - static_cast<std::ptrdiff_t>(cut)));
        REQUIRE(read.rules.contains("PCX016"));
        REQUIRE(read.events.size() < all.events.size());
        REQUIRE(std::equal(read.events.begin(), read.events.end(), all.events.begin()));
    }
}

TEST_CASE("every golden file of the corpus yields the same events as the reference") {
    const auto folder = corpus("pccx");
    if (!folder) return;
    std::size_t equal = 0, refused = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(*folder / "golden")) {
        std::string name = entry.path().filename().string();
        name = name.substr(0, name.find(".json"));
        const auto path = traced(*folder, name);
        if (!path) continue;
        CAPTURE(name);
        const Json golden = Json::parse(unpacked(entry.path()));
        const PccxTrace read = read_pccx(read_file(*path));
        if (golden.contains("error")) {
            // A file that the reference rejects is an error here, too, but readable data is delivered.
            CHECK(read.broken != is_tolerated(name));
            CHECK_FALSE(read.rules.empty());
            ++refused;
            continue;
        }
        CHECK_FALSE(read.failure.has_value());
        check_header(golden.at("header"), read);
        if (golden.contains("checksum_state")) {
            const std::string state = golden.at("checksum_state");
            CHECK(read.fact("checksum") == (state == "match" ? "right" : state == "absent" ? "none" : "wrong"));
        }
        if (!golden.contains("events") || golden.at("events").is_null()) {
            CHECK(read.events.empty());
            if (golden.contains("payload_fnv1a64")) {
                Fnv1a64 hash;
                hash.add(read.opaque);
                CHECK(std::stoull(golden.at("payload_fnv1a64").get<std::string>(), nullptr, 16) == hash.value());
            }
            continue;
        }
        if (other_events().contains(name)) {
            CHECK_FALSE(read.rules.empty());
            continue;
        }
        const Json& events = golden.at("events");
        REQUIRE(events.size() == read.events.size());
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Json& e = events[i];
            TracedEvent expected{e.at("core_id"), e.at("start_cycle"), e.at("duration"), e.at("event_type"),
                                 std::nullopt};
            if (!e.at("api_name").is_null()) expected.name = e.at("api_name").get<std::string>();
            REQUIRE(shown(read.events[i]) == shown(expected));
            REQUIRE((read.events[i] == expected));
        }
        ++equal;
    }
    MESSAGE(equal << " files equal, " << refused << " that the reference refuses");
    CHECK(equal >= 60);
    CHECK(refused >= 10);
}

}  // namespace pccx_corpus_test

// tests/formats/uscope_api_test.cpp - tests that the C interface returns the same items as FileReader, starting at any
// time.
#include <doctest/doctest.h>
#include <hwtrace/uscope.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "codec/findings.hpp"
#include "support/corpus.hpp"
#include "support/sample.hpp"
#include "uscope/reader.hpp"

namespace hwtrace::uscope_api_test {
namespace {

struct Item {
    std::uint64_t time = 0;
    std::string text;
    bool is_event = false;

    friend bool operator==(const Item&, const Item&) = default;
};

std::string text_of(const uscope_item_t& item) {
    std::string text = std::to_string(static_cast<int>(item.kind)) + (item.first_of_frame ? " first" : "");
    for (const std::uint64_t part :
         {std::uint64_t{item.id}, std::uint64_t{item.slot}, std::uint64_t{item.field}, item.value})
        text.append(" ").append(std::to_string(part));
    return text.append(" ").append(static_cast<const char*>(item.payload), item.payload_size);
}

/// Returns the items in [begin, end] from the C interface. With `disturb`, calls other reader functions in between.
std::vector<Item> items_of(uscope_reader_t* r, std::uint64_t begin, std::uint64_t end, bool disturb) {
    std::vector<Item> items;
    uscope_item_iter_t* it = uscope_items_in_range(r, begin, end);
    REQUIRE(it != nullptr);
    uscope_item_t item;
    while (uscope_item_next(it, &item)) {
        items.push_back({item.time_ps, text_of(item), item.kind == USCOPE_ITEM_EVENT});
        if (disturb && items.size() % 1000 == 0) uscope_state_free(uscope_state_at(r, item.time_ps / 2));
    }
    CHECK(uscope_item_iter_free(it) == USCOPE_OK);
    return items;
}

/// Returns how many items and events FileReader returns.
std::pair<std::size_t, std::size_t> counts_of(const std::filesystem::path& path) {
    Input input = Input::open(path.string());
    Findings findings;
    const Settings settings;
    uscope::FileReader reader(input, settings, findings);
    std::size_t items = 0, events = 0;
    for (Batch batch; batch.clear(), reader.read(batch);)
        for (const Record& record : batch.records()) {
            ++items;
            events += record.kind == Kind::event ? 1 : 0;
        }
    return {items, events};
}

TEST_CASE("the C reader delivers every item of every real trace, starting at any time") {
    const auto folder = test::corpus("uscope");
    if (!folder) return;
    std::size_t files = 0;
    std::mt19937_64 random(4);
    for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
        if (entry.path().extension() != ".uscope" || entry.file_size() > (4u << 20)) continue;
        CAPTURE(entry.path().filename().string());
        uscope_reader_t* r = uscope_reader_open(entry.path().c_str());
        REQUIRE(r != nullptr);
        const std::vector<Item> all = items_of(r, 0, UINT64_MAX, false);
        const auto [items, events] = counts_of(entry.path());
        CHECK(all.size() == items);
        CHECK(items_of(r, 0, UINT64_MAX, true) == all);

        std::size_t event_count = 0;
        uscope_event_iter_t* it = uscope_events_in_range(r, 0, UINT64_MAX);
        while (uscope_event_next(it, nullptr, nullptr, nullptr))
            ++event_count;
        uscope_event_iter_free(it);
        CHECK(event_count == events);

        for (int i = 0; i < 5 && !all.empty(); ++i) {
            const std::uint64_t begin = all[random() % all.size()].time, end = begin + random() % 5000;
            std::vector<Item> expected;
            for (const Item& item : all)
                if (item.time >= begin && item.time <= end) expected.push_back(item);
            CHECK(items_of(r, begin, end, i % 2 == 1) == expected);
        }
        const uscope_header_t* header = uscope_header(r);
        CHECK(((header->flags & 1) != 0) == uscope_is_complete(r));
        if (const uscope_summary_t* summary = uscope_summary(r)) {
            for (std::uint32_t level = 0; level < uscope_summary_levels(r); ++level) {
                std::uint32_t count = 0;
                const auto* density = static_cast<const std::uint32_t*>(uscope_summary_data(r, level, &count));
                std::uint64_t total = 0;
                for (std::uint32_t bucket = 0; bucket < count; ++bucket)
                    total += density[bucket];
                CHECK(total == summary->total_instructions);
            }
        }
        CHECK(uscope_reader_close(r) == USCOPE_OK);
        ++files;
    }
    CHECK(files > 10);
}

/// Calls every reader function of the C interface on a file.
void ask_everything(uscope_reader_t* r) {
    const std::vector<Item> items = items_of(r, 0, UINT64_MAX, true);
    for (const std::uint64_t time : {std::uint64_t{0}, items.empty() ? 0 : items[items.size() / 2].time, UINT64_MAX}) {
        uscope_state_t* s = uscope_state_at(r, time);
        if (s == nullptr) continue;
        const uscope_schema_t* schema = uscope_schema(r);
        for (std::size_t id = 0; id < schema->num_storages; ++id) {
            const auto storage = static_cast<std::uint16_t>(id);
            CHECK(uscope_storage_occupancy(s, storage) <= schema->storages[id].num_slots);
            uscope_slot_field(s, storage, 0, 0);
            uscope_property(s, storage, 0);
        }
        uscope_state_free(s);
    }
    for (std::uint32_t level = 0; level < uscope_summary_levels(r); ++level)
        uscope_summary_data(r, level, nullptr);
    std::uint32_t levels = 0;
    for (std::uint32_t i = 0; uscope_summary_counter(r, i, nullptr, nullptr, &levels); ++i)
        for (std::uint32_t level = 0; level < levels; ++level)
            uscope_summary_counter_data(r, i, level, nullptr);
    for (std::size_t i = 0; i < uscope_finding_count(r); ++i)
        CHECK(std::strlen(uscope_finding(r, i)) != 0);
    for (std::size_t i = 0; i < uscope_string_count(r); ++i)
        CHECK(uscope_string_text(r, i, nullptr) != nullptr);
    uscope_poll_new_segments(r);
}

TEST_CASE("the C reader handles any damaged file") {
    const test::TemporaryFolder folder;
    const auto path = folder / "damaged.uscope";
    std::mt19937_64 random(11);
    for (const char* name :
         {"uscope/c_multiseg_v03.uscope", "uscope/ref_props_v03.uscope", "uscope/c_test_write_v01.uscope"}) {
        const auto whole = test::corpus(name);
        if (!whole) return;
        const std::vector<std::byte> good = test::read_file(*whole);
        const std::size_t rounds = test::trials_of(150);
        std::size_t opened = 0;
        for (std::size_t round = 0; round < rounds; ++round) {
            std::vector<std::byte> bytes = good;
            if (round % 3 == 0) bytes.resize(random() % bytes.size());
            for (std::uint64_t flips = random() % 4; flips != 0 && !bytes.empty(); --flips)
                bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
            std::ofstream(path, std::ios::binary)
                .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
            uscope_reader_t* r = uscope_reader_open(path.c_str());
            if (r == nullptr) {
                CHECK(uscope_last_status() != USCOPE_OK);
                CHECK(std::strlen(uscope_last_error()) != 0);
                continue;
            }
            ++opened;
            ask_everything(r);
            CHECK(uscope_reader_close(r) == USCOPE_OK);
        }
        CHECK(opened > rounds / 3);
    }
}

TEST_CASE("threads record and read different traces at the same time") {
    const test::TemporaryFolder folder;
    std::vector<std::thread> threads;
    std::atomic<int> good = 0;
    for (int number = 0; number < 4; ++number)
        threads.emplace_back([&, number] {
            const std::string path = (folder / std::to_string(number)).string();
            const uscope_clock_t clock{"clk", 1000};
            const uscope_field_t field{"n", USCOPE_U64, 0, 0, 0};
            const uscope_storage_t storage{"count", 1, 0, 0, &field, 1, nullptr, 0};
            const uscope_schema_t schema{&clock, 1, nullptr, 0, nullptr, 0, &storage, 1, nullptr, 0, nullptr, 0};
            const auto amount = static_cast<std::uint64_t>(number) + 1;
            for (int round = 0; round < 5; ++round) {
                uscope_writer_options_t options{};
                options.threads = 1 + static_cast<unsigned>(number % 2);
                uscope_writer_t* w = uscope_writer_open_with(path.c_str(), nullptr, &schema, 10'000, &options);
                for (std::uint64_t cycle = 0; cycle < 500; ++cycle) {
                    uscope_begin_cycle(w, cycle * 1000);
                    uscope_slot_add(w, 0, 0, 0, amount);
                    uscope_end_cycle(w);
                }
                bool right =
                    uscope_slot_set(w, 9, 0, 0, 0) == USCOPE_ERROR_ORDER;  // sets the last error of this thread only
                right = right && uscope_last_status() == USCOPE_ERROR_ORDER;
                right = right && uscope_writer_close(w) == USCOPE_ERROR_ORDER;
                uscope_reader_t* r = uscope_reader_open(path.c_str());
                for (std::uint64_t cycle = 0; cycle < 500; cycle += 50) {
                    uscope_state_t* s = uscope_state_at(r, cycle * 1000);
                    right = right && uscope_slot_field(s, 0, 0, 0) == (cycle + 1) * amount;
                    uscope_state_free(s);
                }
                right = right && uscope_reader_close(r) == USCOPE_OK;
                good += right ? 1 : 0;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(good == 20);
}

}  // namespace
}  // namespace hwtrace::uscope_api_test

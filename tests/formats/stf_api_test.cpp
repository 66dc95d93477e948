// Tests <hwtrace/stf.hpp>, the C++ interface of STF.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <hwtrace/stf.hpp>
#include <string>
#include <vector>

#include "support/corpus.hpp"

namespace stf_api_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

stf::Header small_header() {
    stf::Header header;
    header.comments = {"one", "two"};
    header.generators = {{0xFF, 1, 2, 3, "made by hand"}};
    header.features = 0x80025;
    header.process = stf::ProcessId{1, 2, 3};
    header.pc = 0x1000;
    header.vector_bits = 128;
    header.isa_string = "rv64gcv";
    return header;
}

/// Copies a trace record by record.
void copy_records(const std::string& from, const std::string& to, const stf::Storage& storage = {}) {
    stf::RecordReader reader(from);
    stf::RecordWriter writer(to, reader.header(), storage);
    for (stf::RecordView record; reader.next(record);)
        writer.record(record.bytes());
    CHECK(reader.sound());
    writer.finish();
}

std::vector<std::string> copy_instructions(const std::string& from, const std::string& to) {
    stf::InstructionReader reader(from);
    stf::InstructionWriter writer(to, reader.header());
    for (stf::Instruction instruction; reader.next(instruction);)
        writer.write(instruction);
    writer.rest(reader.rest());
    return writer.finish();
}

stf::Error::Kind failure(const std::function<void()>& work) {
    try {
        work();
    } catch (const stf::Error& error) {
        CHECK(std::string(error.what()) != "");
        return error.kind();
    }
    FAIL("nothing was thrown");
    return stf::Error::Kind::bug;
}

}  // namespace

TEST_CASE("records that a program writes are read back with all fields") {
    const TemporaryFolder folder;
    const std::string path = (folder / "small.zstf").string();
    const stf::Header header = small_header();
    const std::array<std::uint64_t, 2> words{1, 2}, data{7, 8}, fields{5, 6};
    {
        stf::RecordWriter writer(path, header);
        writer.comment("text");
        writer.process_id({4, 5, 6});
        writer.force_pc(0x2000);
        writer.target(0x3000);
        writer.register_value({stf::RegisterKind::vector, stf::RegisterRole::source, 3, 0, words});
        writer.register_value({stf::RegisterKind::csr, stf::RegisterRole::destination, 0x341, 9, {}});
        writer.memory_access({stf::AccessKind::write, 0x80, 16, 0, data});
        writer.event(8, fields);
        writer.event_target(0x4000);
        writer.opcode(0x13, 4);
        writer.opcode(0x9002, 2);
        CHECK_FALSE(std::filesystem::exists(path));
        writer.finish();
        CHECK(failure([&] { writer.opcode(0x13, 4); }) == stf::Error::Kind::usage);
    }
    stf::RecordReader reader(path);
    CHECK(reader.header() == header);
    stf::RecordView record;
    CHECK(failure([&] { record.comment(); }) == stf::Error::Kind::usage);
    const auto next = [&](stf::RecordType type) {
        REQUIRE(reader.next(record));
        REQUIRE(record.type() == type);
    };
    next(stf::RecordType::comment);
    CHECK(record.comment() == "text");
    CHECK(failure([&] { record.opcode(); }) == stf::Error::Kind::usage);
    next(stf::RecordType::process_id);
    CHECK(record.process_id() == stf::ProcessId{4, 5, 6});
    next(stf::RecordType::force_pc);
    CHECK(record.pc() == 0x2000);
    next(stf::RecordType::target);
    next(stf::RecordType::register_value);
    CHECK(record.register_value().kind == stf::RegisterKind::vector);
    REQUIRE(record.word_count() == 2);
    CHECK(record.word(1) == 2);
    CHECK(failure([&] { record.word(2); }) == stf::Error::Kind::usage);
    next(stf::RecordType::register_value);
    CHECK(record.register_value().number == 0x341);
    CHECK(record.register_value().value == 9);
    CHECK(record.register_value().role == stf::RegisterRole::destination);
    next(stf::RecordType::memory_access);
    CHECK(record.memory_access().address == 0x80);
    CHECK(record.memory_access().kind == stf::AccessKind::write);
    next(stf::RecordType::memory_content);
    CHECK(record.content() == 7);
    next(stf::RecordType::memory_content);
    next(stf::RecordType::event);
    CHECK(record.event_id() == 8);
    REQUIRE(record.field_count() == 2);
    CHECK(record.field(1) == 6);
    next(stf::RecordType::event_target);
    next(stf::RecordType::opcode32);
    CHECK(record.opcode() == 0x13);
    CHECK(record.instruction_pc() == 0x2000);
    next(stf::RecordType::opcode16);
    CHECK(record.instruction_pc() == 0x4000);
    CHECK_FALSE(reader.next(record));
    CHECK(reader.sound());
    CHECK(reader.faults().empty());
}

TEST_CASE("an instruction has all records before its opcode") {
    const TemporaryFolder folder;
    const std::string path = (folder / "small.stf").string();
    const std::array<std::uint64_t, 2> words{1, 2}, data{7, 8}, trap{8, 1};
    const std::array<stf::Event, 2> events{stf::Event{stf::RecordType::event, trap, {}, {}},
                                           stf::Event{stf::RecordType::comment, {}, "why", {}}};
    const std::array<stf::Register, 2> registers{
        stf::Register{stf::RegisterKind::integer, stf::RegisterRole::state, 5, 77, {}},
        stf::Register{stf::RegisterKind::vector, stf::RegisterRole::source, 3, 0, words}};
    const std::array<stf::MemoryAccess, 1> accesses{stf::MemoryAccess{stf::AccessKind::read, 0x80, 16, 0, data}};
    stf::Instruction instruction;
    instruction.pc = 0x1000;
    instruction.encoding = 0x13;
    instruction.target = 0x5000;
    instruction.events = events;
    instruction.registers = registers;
    instruction.accesses = accesses;
    {
        stf::InstructionWriter writer(path, small_header());
        writer.write(instruction);
        instruction = {};
        instruction.pc = 0x7000;  // sets the pc without a reason
        instruction.encoding = 1;
        instruction.size = 2;
        writer.write(instruction);
        writer.rest(std::span(events).last(1));
        const std::vector<std::string> notes = writer.finish();
        REQUIRE(notes.size() == 1);
        CHECK(notes[0].find("FORCE_PC") != std::string::npos);
    }
    stf::InstructionReader reader(path);
    CHECK(reader.header() == small_header());
    REQUIRE(reader.next(instruction));
    CHECK(instruction.index == 0);
    CHECK(instruction.target == 0x5000);
    REQUIRE(instruction.events.size() == 2);
    CHECK(instruction.events[0].values[1] == 1);
    CHECK(instruction.events[1].text == "why");
    REQUIRE(instruction.registers.size() == 2);
    CHECK(instruction.registers[0].value == 77);
    CHECK(instruction.registers[1].words[1] == 2);
    REQUIRE(instruction.accesses.size() == 1);
    CHECK(instruction.accesses[0].data[1] == 8);
    REQUIRE(reader.next(instruction));
    CHECK(instruction.pc == 0x7000);
    CHECK(instruction.size == 2);
    REQUIRE(instruction.events.size() == 1);
    CHECK(instruction.events[0].type == stf::RecordType::force_pc);
    CHECK(reader.rest().empty());
    CHECK_FALSE(reader.next(instruction));
    REQUIRE(reader.rest().size() == 1);
    CHECK(reader.rest()[0].text == "why");
    CHECK_FALSE(reader.next(instruction));
}

TEST_CASE("copies of real traces by records and by instructions are identical") {
    const TemporaryFolder folder;
    std::size_t checked = 0;
    for (const char* name : {"made/all_rv64.stf", "made/rv32_event32.stf", "made/vlen128.stf", "made/loop3000.stf",
                             "made/trailing.stf", "made/check/fault_repeat.stf", "made/check/ok_sv39.stf"}) {
        const auto source = corpus(std::string("stf/") + name);
        if (!source) continue;
        CAPTURE(name);
        const std::string copy = (folder / "copy.stf").string();
        stf::Storage storage;
        storage.replace = true;
        copy_records(source->string(), copy, storage);
        CHECK(read_file(copy) == read_file(*source));
        const std::string again = (folder / "again.stf").string();
        std::filesystem::remove(again);
        CHECK(copy_instructions(source->string(), again).empty());
        CHECK(read_file(again) == read_file(*source));
        ++checked;
    }
    CHECK((checked == 7 || take_skipped()));
}

TEST_CASE("compression in threads does not change the file") {
    const TemporaryFolder folder;
    const auto write = [&](const std::string& name, unsigned threads) {
        stf::Storage storage;
        storage.chunk = 5000;
        storage.threads = threads;
        const std::string path = (folder / (std::to_string(threads) + name)).string();
        stf::InstructionWriter writer(path, small_header(), storage);
        stf::Instruction instruction;
        instruction.pc = small_header().pc;
        std::uint64_t value = 1;
        std::array<stf::Register, 1> registers{};
        instruction.registers = registers;
        for (unsigned i = 0; i < 200'000; ++i) {
            value = value * 6364136223846793005u + 1442695040888963407u;
            registers[0].value = value >> 40;
            instruction.encoding = i;
            writer.write(instruction);
            instruction.pc += 4;
        }
        CHECK(writer.finish().empty());
        return read_file(path);
    };
    for (const char* name : {"copy.zstf", "copy.stf.zst"}) {
        const std::vector<std::byte> alone = write(name, 1);
        CHECK(write(name, 2) == alone);
        CHECK(write(name, 100'000) == alone);
    }
}

TEST_CASE("errors are reported and leave no file") {
    const TemporaryFolder folder;
    const std::string path = (folder / "x.stf").string();
    CHECK(failure([&] { stf::RecordReader reader(path); }) == stf::Error::Kind::io);
    CHECK(failure([&] { stf::InstructionReader reader(testdata("stf/invalid/no_identifier.hex").string()); }) ==
          stf::Error::Kind::input);
    { stf::RecordWriter writer(path, small_header()); }
    CHECK_FALSE(std::filesystem::exists(path));
    stf::RecordWriter writer(path, small_header());
    const std::array<std::uint64_t, 1> word{1};
    CHECK(failure([&] {
              writer.register_value({stf::RegisterKind::vector, stf::RegisterRole::source, 3, 0, word});
          }) == stf::Error::Kind::usage);
    CHECK(failure([&] { writer.opcode(0x10000, 2); }) == stf::Error::Kind::usage);
    CHECK(failure([&] { writer.opcode(0x13, 3); }) == stf::Error::Kind::usage);
    const auto bytes = [](std::initializer_list<unsigned> values) {
        std::vector<std::byte> made;
        for (const unsigned value : values)
            made.push_back(static_cast<std::byte>(value));
        return made;
    };
    for (const auto& wrong : {bytes({}), bytes({9, 0}), bytes({2, 1, 0, 0, 0, 6, 0, 0, 0}), bytes({200, 0}),
                              bytes({3, 9, 0, 0, 0, 'x'}), bytes({40, 0, 0}), bytes({19}), bytes({250, 0})})
        CHECK(failure([&] { writer.record(wrong); }) == stf::Error::Kind::usage);
    writer.opcode(0x13, 4);
    writer.finish();
    CHECK(failure([&] { stf::RecordWriter refused(path, small_header()); }) == stf::Error::Kind::usage);
    stf::Storage storage;
    storage.level = 40;
    storage.replace = true;
    CHECK(failure([&] { stf::RecordWriter refused(path, small_header(), storage); }) == stf::Error::Kind::usage);
    stf::Instruction odd;
    odd.size = 8;
    stf::InstructionWriter instructions((folder / "y.stf").string(), small_header());
    CHECK(failure([&] { instructions.write(odd); }) == stf::Error::Kind::usage);
    const stf::Event part{stf::RecordType::register_value, {}, {}, {}};
    CHECK(failure([&] { instructions.rest(std::span(&part, 1)); }) == stf::Error::Kind::usage);
}

TEST_CASE("a damaged trace delivers the records before the damage and reports the fault") {
    const TemporaryFolder folder;
    const std::string path = (folder / "cut.stf").string();
    {
        stf::RecordWriter writer(path, small_header());
        for (int i = 0; i < 10; ++i)
            writer.opcode(0x13, 4);
        writer.finish();
    }
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 2);
    stf::InstructionReader reader(path);
    stf::Instruction instruction;
    std::uint64_t count = 0;
    while (reader.next(instruction))
        ++count;
    CHECK(count == 9);
    CHECK_FALSE(reader.sound());
    REQUIRE(reader.faults().size() == 1);
    CHECK(reader.faults()[0].rule == "STF020");
    CHECK(reader.faults()[0].severity == "error");
}

TEST_CASE("a growing ZSTF file is readable up to its last chunk at any time, and identical in the end") {
    const TemporaryFolder folder;
    const std::string path = (folder / "growing.zstf").string(), whole = (folder / "whole.zstf").string();
    stf::Storage storage;
    storage.chunk = 4;
    const auto count = [&] {
        stf::InstructionReader reader(path);
        stf::Instruction instruction;
        std::uint64_t instructions = 0;
        while (reader.next(instruction))
            ++instructions;
        CHECK(reader.sound());
        CHECK(reader.faults().empty());
        return instructions;
    };
    {
        stf::RecordWriter writer(whole, small_header(), storage);
        for (unsigned i = 0; i < 30; ++i)
            writer.opcode(0x13 + (i << 20), 4);
        writer.finish();
    }
    storage.growing = true;
    for (const bool finishes : {false, true}) {
        storage.replace = finishes;
        stf::RecordWriter writer(path, small_header(), storage);
        if (!finishes) CHECK(!std::filesystem::exists(path));
        for (unsigned i = 0; i < 30; ++i) {
            writer.opcode(0x13 + (i << 20), 4);
            // A chunk ends when the next instruction shows that no other record belongs to the chunk.
            if (!finishes && i >= 4) CHECK(count() == i / 4 * 4);
        }
        if (finishes) writer.finish();
    }
    CHECK(count() == 30);
    const auto bytes = [](const std::string& file) {
        std::ifstream in(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    CHECK(bytes(path) == bytes(whole));
}

TEST_CASE("transactions that a program writes are read back with all fields") {
    const TemporaryFolder folder;
    const std::string path = (folder / "bus.zstf").string();
    stf::Header header;
    header.transactions = true;
    header.features = 0x100000;
    header.generators = {{0x40, 1, 2, 3, "made by hand"}};
    header.comments = {"one"};
    header.clocks = {{1, "bus"}, {7, "io"}};
    const std::array<std::byte, 3> data{std::byte{0xA}, std::byte{0xB}, std::byte{0xC}};
    const std::array<std::byte, 2> mask{std::byte{0xFF}, std::byte{1}};
    const std::array<stf::TransactionMetadata, 4> metadata{{{1, 0xFF}, {2, 0x1234}, {4, 5}, {8, ~std::uint64_t{0}}}};
    const auto transaction = [&](stf::TileLinkChannel channel, std::uint64_t id) {
        stf::TileLinkTransaction made;
        made.id = id;
        made.cycle_delta = 10 * id;
        made.clock = id % 2 == 0 ? 7 : 1;
        made.message.channel = channel;
        made.message.code = 1;
        made.message.param = 2;
        made.message.size = 3;
        made.message.source = 4;
        made.message.address = 5;
        made.message.sink = 6;
        if (channel != stf::TileLinkChannel::e) made.message.data = data;
        if (channel <= stf::TileLinkChannel::b) {
            made.message.mask_bits = 9;
            made.message.mask = mask;
        }
        return made;
    };
    {
        stf::Storage storage;
        storage.chunk = 2;
        stf::RecordWriter writer(path, header, storage);
        for (std::uint64_t id = 1; id <= 5; ++id) {
            if (id > 1) writer.dependency(id - 1, 3, 7);
            auto made = transaction(static_cast<stf::TileLinkChannel>(id), id);
            if (id == 2) made.metadata = metadata;
            writer.transaction(made);
        }
        writer.comment("end");
        writer.finish();
    }
    stf::RecordReader reader(path);
    CHECK(reader.header() == header);
    std::uint64_t id = 0;
    for (stf::RecordView record; reader.next(record);) {
        if (record.type() == stf::RecordType::comment) continue;
        CHECK(failure([&] { record.opcode(); }) == stf::Error::Kind::usage);
        if (record.type() == stf::RecordType::transaction_dependency) {
            CHECK(record.transaction_id() == id);
            CHECK(record.cycle_delta() == 3);
            CHECK(record.clock() == 7);
            CHECK(failure([&] { record.message(); }) == stf::Error::Kind::usage);
            continue;
        }
        ++id;
        CAPTURE(id);
        REQUIRE(record.type() == stf::RecordType::transaction);
        const auto expected = transaction(static_cast<stf::TileLinkChannel>(id), id);
        const stf::TileLinkMessage message = record.message();
        CHECK(record.transaction_id() == id);
        CHECK(record.cycle_delta() == 10 * id);
        CHECK(record.clock() == expected.clock);
        CHECK(message.channel == expected.message.channel);
        const bool requests = id != 5, addressed = id <= 3, sinks = id >= 4;
        CHECK(message.code == (requests ? 1 : 0));
        CHECK(message.param == (requests ? 2 : 0));
        CHECK(message.size == (requests ? 3 : 0));
        CHECK(message.source == (requests ? 4u : 0u));
        CHECK(message.address == (addressed ? 5u : 0u));
        CHECK(message.sink == (sinks ? 6u : 0u));
        CHECK(std::equal(message.data.begin(), message.data.end(), expected.message.data.begin(),
                         expected.message.data.end()));
        CHECK(message.mask_bits == expected.message.mask_bits);
        CHECK(std::equal(message.mask.begin(), message.mask.end(), expected.message.mask.begin(),
                         expected.message.mask.end()));
        if (id == 2)
            CHECK(record.metadata() == std::vector(metadata.begin(), metadata.end()));
        else
            CHECK(record.metadata().empty());
    }
    CHECK(id == 5);
    CHECK(reader.faults().empty());
    copy_records(path, (folder / "copy.stf").string());
    stf::Storage chunks;
    chunks.chunk = 2;
    copy_records((folder / "copy.stf").string(), (folder / "again.zstf").string(), chunks);
    CHECK(read_file((folder / "again.zstf").string()) == read_file(path));
    CHECK(failure([&] { stf::InstructionReader other(path); }) == stf::Error::Kind::input);

    // A call with invalid arguments writes nothing.
    const std::string odd = (folder / "odd.stf").string();
    stf::RecordWriter writer(odd, header);
    const auto refused = [&](auto change) {
        stf::TileLinkTransaction wrong = transaction(stf::TileLinkChannel::a, 1);
        change(wrong);
        CHECK(failure([&] { writer.transaction(wrong); }) == stf::Error::Kind::usage);
    };
    const std::array<stf::TransactionMetadata, 1> wide{{{2, 0x1'0000}}}, odd_width{{{3, 0}}};
    const std::vector<std::byte> long_data(0x1'0000);
    refused([](auto& t) { t.clock = 2; });
    refused([](auto& t) { t.message.channel = static_cast<stf::TileLinkChannel>(6); });
    refused([](auto& t) { t.message.channel = stf::TileLinkChannel::e; });
    refused([](auto& t) { t.message.mask_bits = 17; });
    refused([&](auto& t) { t.message.data = long_data; });
    refused([&](auto& t) { t.metadata = wide; });
    refused([&](auto& t) { t.metadata = odd_width; });
    CHECK(failure([&] { writer.dependency(1, 0, 2); }) == stf::Error::Kind::usage);
    CHECK(failure([&] { writer.opcode(0x13, 4); }) == stf::Error::Kind::usage);
    CHECK(failure([&] { writer.force_pc(0); }) == stf::Error::Kind::usage);
    const std::array<std::byte, 2> cut{std::byte{250}, std::byte{1}};
    CHECK(failure([&] { writer.record(cut); }) == stf::Error::Kind::usage);
    writer.transaction(transaction(stf::TileLinkChannel::e, 1));
    writer.finish();
    std::size_t count = 0;
    stf::RecordReader written(odd);
    for (stf::RecordView record; written.next(record);)
        ++count;
    CHECK(count == 1);
    header.clocks.clear();
    CHECK(failure([&] { stf::RecordWriter none(odd + "2", header); }) == stf::Error::Kind::usage);
    stf::RecordWriter instructions(odd + "3", small_header());
    CHECK(failure([&] { instructions.transaction({}); }) == stf::Error::Kind::usage);
}

TEST_CASE("copies of transaction traces by records are identical") {
    const TemporaryFolder folder;
    std::vector<std::string> sources{test::testdata("stf/valid/traffic.stf").string()};
    if (const auto made = corpus("stf/made/tx_tilelink.stf")) sources.push_back(made->string());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::string copy = (folder / std::to_string(i)).string();
        copy_records(sources[i], copy);
        CHECK(read_file(copy) == read_file(sources[i]));
    }
}

TEST_CASE("after a damaged chunk, records and instructions keep their numbers; xz is read and written") {
    const TemporaryFolder folder;
    const std::string path = (folder / "chunks.zstf").string(), packed = (folder / "packed.bin").string();
    for (const auto& [name, container] :
         {std::pair{path, stf::Storage::Container::zstf}, std::pair{packed, stf::Storage::Container::xz}}) {
        stf::Storage storage;
        storage.container = container;
        storage.chunk = 10;
        stf::RecordWriter writer(name, small_header(), storage);
        for (unsigned i = 0; i < 50; ++i)
            writer.opcode(0x13 + (i << 20), 4);
        writer.finish();
    }
    std::vector<std::byte> bytes = read_file(packed);
    REQUIRE(bytes.size() > 6);
    CHECK(bytes[0] == std::byte{0xFD});
    std::uint64_t count = 0;
    stf::InstructionReader whole(packed);
    for (stf::Instruction instruction; whole.next(instruction); ++count)
        CHECK(instruction.index == count);
    CHECK(count == 50);
    CHECK(whole.sound());

    bytes = read_file(path);
    const auto number = [&](std::size_t at) {
        std::size_t value = 0;
        for (std::size_t i = 8; i-- > 0;)
            value = value << 8 | std::to_integer<std::size_t>(bytes[at + i]);
        return value;
    };
    bytes[number(number(12) + 8 + 2 * 24)] = std::byte{0};  // the offset of chunk 2
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    std::vector<std::uint64_t> seen, pcs;
    stf::InstructionReader instructions(path);
    for (stf::Instruction instruction; instructions.next(instruction);) {
        seen.push_back(instruction.index);
        CHECK(instruction.pc == 0x1000 + 4 * instruction.index);
        CHECK(instruction.encoding == 0x13 + (instruction.index << 20));
    }
    CHECK(seen.size() == 40);
    CHECK(seen[19] == 19);
    CHECK(seen[20] == 30);
    CHECK(!instructions.sound());
    stf::RecordReader records(path);
    for (stf::RecordView record; records.next(record);)
        pcs.push_back(record.instruction_pc());
    REQUIRE(pcs.size() == 40);
    CHECK(pcs[19] == 0x1000 + 4 * 19);
    CHECK(pcs[20] == 0x1000 + 4 * 30);
    CHECK(!records.sound());
    REQUIRE(records.faults().size() == 2);
    CHECK(records.faults()[1].rule == "STF068");
}

TEST_CASE("values that no record can hold are refused, and nothing is written") {
    const TemporaryFolder folder;
    const std::string path = (folder / "values.stf").string();
    const stf::Register wrong[] = {
        {stf::RegisterKind::integer, stf::RegisterRole::state, 33, 0, {}},
        {stf::RegisterKind::floating, stf::RegisterRole::source, 32, 0, {}},
        {stf::RegisterKind::vector, stf::RegisterRole::source, 32, 0, {}},
        {stf::RegisterKind::csr, stf::RegisterRole::destination, 0x1000, 0, {}},
        {static_cast<stf::RegisterKind>(4), stf::RegisterRole::state, 0, 0, {}},
        {stf::RegisterKind::integer, static_cast<stf::RegisterRole>(3), 0, 0, {}},
    };
    const stf::MemoryAccess odd_access{static_cast<stf::AccessKind>(3), 0, 8, 0, {}};
    const stf::Register pc{stf::RegisterKind::integer, stf::RegisterRole::state, 32, 0x1000, {}};
    const std::array<std::uint64_t, 1> values{0x2000};
    stf::Event jump;
    jump.type = stf::RecordType::force_pc;
    jump.values = values;
    stf::Header header;
    header.pc = 0x1000;
    stf::Storage storage;
    storage.replace = true;
    const auto records_of_file = [&] {
        std::vector<stf::RecordType> types;
        stf::RecordReader reader(path);
        for (stf::RecordView record; reader.next(record);)
            types.push_back(record.type());
        return types;
    };
    {
        stf::InstructionWriter writer(path, header, storage);
        stf::Instruction instruction;
        instruction.pc = 0x1000;
        instruction.encoding = 0x13;
        for (const stf::Register& value : wrong) {
            stf::Instruction refused = instruction;
            refused.events = {&jump, 1};
            refused.registers = {&value, 1};
            CHECK(failure([&] { writer.write(refused); }) == stf::Error::Kind::usage);
        }
        stf::Instruction refused = instruction;
        refused.accesses = {&odd_access, 1};
        CHECK(failure([&] { writer.write(refused); }) == stf::Error::Kind::usage);
        instruction.registers = {&pc, 1};
        writer.write(instruction);
        writer.finish();
        CHECK(records_of_file() ==
              std::vector<stf::RecordType>{stf::RecordType::register_value, stf::RecordType::opcode32});
    }
    stf::RecordWriter writer(path, header, storage);
    for (const stf::Register& value : wrong)
        CHECK(failure([&] { writer.register_value(value); }) == stf::Error::Kind::usage);
    CHECK(failure([&] { writer.memory_access(odd_access); }) == stf::Error::Kind::usage);
    writer.register_value(pc);
    writer.finish();
    CHECK(records_of_file() == std::vector<stf::RecordType>{stf::RecordType::register_value});
    CHECK(stf::RecordView().type() == stf::RecordType{});
}

}  // namespace stf_api_test

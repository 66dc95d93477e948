// bus_waits TRACE - records requests to an imaginary memory as transactions and reads them again. Prints the latency of
// each answer.
#include <array>
#include <cstdio>
#include <hwtrace/stf.hpp>
#include <map>
#include <string>

namespace {

using namespace hwtrace::stf;

void record(const std::string& path) {
    Header header;
    header.transactions = true;
    header.features = 0x100000;
    header.generators.push_back({0xFF, 1, 0, 0, "bus_waits"});
    header.clocks.push_back({1, "bus"});
    Storage storage;
    storage.replace = true;
    storage.chunk = 2;
    RecordWriter trace(path, header, storage);
    const std::array<std::byte, 4> word{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    std::uint64_t id = 0;
    for (const std::uint64_t wait : {12u, 30u, 12u}) {
        TileLinkTransaction get;
        get.id = ++id;
        get.cycle_delta = 5;
        get.message.channel = TileLinkChannel::a;
        get.message.code = 4;  // Get
        get.message.size = 2;
        get.message.address = 0x80000000;
        trace.transaction(get);
        trace.dependency(id, wait, 1);
        TileLinkTransaction answer;
        answer.id = ++id;
        answer.cycle_delta = wait;
        answer.message.channel = TileLinkChannel::d;
        answer.message.code = 1;  // AccessAckData
        answer.message.size = 2;
        answer.message.data = word;
        trace.transaction(answer);
    }
    trace.finish();
}

}  // namespace

int main(int count, char** arguments) try {
    if (count != 2) return 2;
    record(arguments[1]);
    RecordReader trace(arguments[1]);
    std::uint64_t now = 0;
    std::map<std::uint64_t, std::uint64_t> times;  // by transaction
    std::uint64_t waits_for = 0;
    for (RecordView view; trace.next(view);) {
        if (view.type() == RecordType::transaction_dependency) waits_for = view.transaction_id();
        if (view.type() != RecordType::transaction) continue;
        now += view.cycle_delta();
        times[view.transaction_id()] = now;
        if (waits_for != 0)
            std::printf("%llu waits %llu cycles for %llu\n", static_cast<unsigned long long>(view.transaction_id()),
                        static_cast<unsigned long long>(now - times[waits_for]),
                        static_cast<unsigned long long>(waits_for));
        waits_for = 0;
    }
    return trace.sound() ? 0 : 1;
} catch (const hwtrace::stf::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

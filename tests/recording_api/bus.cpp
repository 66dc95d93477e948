// Records transfers on an imaginary bus: bus FILE
#include <cstdint>
#include <cstdio>
#include <hwtrace/recording.hpp>
#include <string>
#include <string_view>

namespace recording = hwtrace::recording;

enum class Command { read, write };
std::string_view name_of(Command command) {
    return command == Command::read ? "read" : "write";
}

struct Request {
    std::uint64_t address = 0;
    Command command = Command::read;
    std::uint32_t bytes = 64;
};
void describe(recording::Fields& fields, const Request& request) {
    fields("address", request.address)("command", request.command)("bytes", request.bytes);
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    try {
        std::uint64_t now = 0;  // in nanoseconds
        recording::Options options;
        options.exponent = -9;
        options.now = [&] { return now; };
        recording::Database db(argv[1], options);
        const recording::Stream bus = db.stream("top.bus", "AXI");
        const auto transfers = bus.generator<Request, std::uint32_t>("transfer", "", "status", recording::Events::yes);
        recording::Transaction last;
        for (std::uint64_t i = 0; i < 3; ++i) {
            auto transfer = transfers.begin(Request{0x1000 + 64 * i, i == 1 ? Command::write : Command::read});
            transfer.relate("after", last);
            now += 10;
            transfer.event("stall", "reason", "arbitration", "cycles", i + 1);
            now += 20;
            transfer.record("master", "cpu" + std::to_string(i)).end(0);
            last = transfer;
        }
        db.close();
        for (const std::string& loss : db.losses())
            std::printf("%s\n", loss.c_str());
    } catch (const recording::Error& error) {
        std::fprintf(stderr, "bus: %s\n", error.what());
        return 1;
    }
}

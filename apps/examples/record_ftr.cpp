// Records transactions of a bus into an FTR file (or another format, by its extension): record_ftr FILE
#include <hwtrace/recording.hpp>

#include <cstdint>
#include <cstdio>

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "record_ftr FILE\n"), 2;
    namespace recording = hwtrace::recording;
    try {
        std::uint64_t now = 0;  // simulated time in nanoseconds
        recording::Options options;
        options.exponent = -9;
        options.now = [&] { return now; };
        recording::Database db(argv[1], options);
        const recording::Stream bus = db.stream("top.bus", "AXI");
        const auto reads = bus.generator<std::uint64_t, std::uint32_t>("read", "address", "status");
        recording::Transaction last;
        for (std::uint64_t i = 0; i < 100; ++i) {
            auto read = reads.begin(0x1000 + 64 * i);
            read.relate("after", last);
            now += 20;
            read.record("master", i % 2 == 0 ? "cpu" : "dma").end(0);
            last = read;
        }
        db.close();
        for (const std::string& loss : db.losses())
            std::printf("%s\n", loss.c_str());
        return db.losses().empty() ? 0 : 3;
    } catch (const recording::Error& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}

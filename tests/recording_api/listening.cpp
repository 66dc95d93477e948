// Listens to a recording, and exits without closing it: listening FILE
#include <cstdio>
#include <cstdlib>
#include <hwtrace/recording.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace recording = hwtrace::recording;

/// Prints how long each transaction took.
class Latencies final : public recording::BackEnd {
public:
    void transaction(const recording::TransactionFacts& facts) override {
        if (facts.end)
            std::printf("%llu took %llu\n", static_cast<unsigned long long>(facts.id),
                        static_cast<unsigned long long>(*facts.end - facts.begin));
    }
};

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    recording::Options options;
    options.visibility = recording::Visibility::growing;
    options.flush_every = 2;
    options.format_options["ftr-compression"] = "lz4";
    options.back_ends.push_back(std::make_shared<Latencies>());
    options.on_misuse = [](const recording::MisuseReport& report) {
        const std::string what = std::string(name_of(report.misuse)) + ": " + std::string(report.generator);
        std::printf("%s %llu\n", what.c_str(), static_cast<unsigned long long>(report.transaction));
    };
    recording::Database db(argv[1], options);
    const auto jobs = db.stream("machine").generator("job", "name");
    for (const char* name : {"first", "second", "third"}) {
        auto job = jobs.begin_at(100, name);
        job.end_at(250);
        job.end_at(300);  // misuse: the transaction has ended
    }
    std::fflush(stdout);
    std::_Exit(0);
}

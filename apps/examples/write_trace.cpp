// Writes a program's data as a trace; the extension of FILE determines the format: write_trace FILE
//
// The program implements a reader of its data. A conversion plan adapts the data to the format: intervals
// become transactions in FTR and table slots in µScope.
#include <hwtrace/format.hpp>
#include <hwtrace/hwtrace.hpp>

#include <array>
#include <iostream>

namespace {

constexpr hwtrace::TimeBase nanoseconds{hwtrace::TimeBase::Kind::seconds, 1, 1'000'000'000};

/// Delivers 1000 transfers of a DMA engine.
class Transfers final : public hwtrace::Reader {
public:
    Transfers() {
        const hwtrace::ScopeId dma = schema_.declare(hwtrace::Scope{"dma", hwtrace::none, {}, hwtrace::none});
        hwtrace::Field address{"address"}, command{"command", hwtrace::Type::text};
        transfers_ = schema_.declare(make_track(hwtrace::Track::Kind::stream, dma, "transfer", nanoseconds,
                                                {std::move(address), std::move(command)}));
        read_ = schema_.intern("read");
        write_ = schema_.intern("write");
    }
    hwtrace::Schema& schema() override { return schema_; }
    hwtrace::Facts facts() const override { return {}; }
    std::uint64_t position() const override { return done_; }

    bool read(hwtrace::Batch& batch) override {
        for (; done_ < 1000 && !batch.full(); ++done_) {
            const std::array<hwtrace::Attribute, 2> attributes{
                hwtrace::Attribute{0, 0x8000'0000 + 64 * done_},
                hwtrace::Attribute{1, done_ % 3 == 0 ? write_ : read_},
            };
            batch.interval(transfers_, static_cast<hwtrace::Tick>(10 * done_), 25, attributes);
        }
        return !batch.empty();
    }

private:
    hwtrace::Schema schema_;
    hwtrace::TrackId transfers_;
    hwtrace::StringId read_, write_;
    std::uint64_t done_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return std::cerr << "write_trace FILE\n", 2;
    try {
        Transfers transfers;
        const hwtrace::ConversionReport report = hwtrace::convert(transfers, argv[1]);
        for (const auto& [key, entry] : report.losses.entries())  // data that the format cannot hold
            std::cout << "lost: " << name_of(key.first) << " of " << key.second << ", " << entry.count << " times\n";
        return report.is_whole() ? 0 : 3;
    } catch (const hwtrace::Error& error) {
        return std::cerr << error.what() << '\n', 1;
    }
}

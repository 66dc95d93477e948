#include <algorithm>
#include <limits>

#include "codec.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

namespace {

constexpr std::uint64_t latest = std::numeric_limits<Tick>::max();

class FileReader final : public Reader {
public:
    FileReader(Input& input, const Settings& settings, Findings& findings)
        : scan_(input, settings, findings, schema_) {}

    Schema& schema() override { return schema_; }
    Facts facts() const override { return scan_.facts(); }
    std::uint64_t position() const override { return scan_.position(); }

    bool read(Batch& batch) override {
        Item item;
        while (!batch.full() && scan_.next(item)) {
            if (item.kind == Item::Kind::relation) {
                batch.relation(item.track, now_, item.cells);
                continue;
            }
            now_ = static_cast<Tick>(std::min(item.start, latest));
            batch.interval(item.track, now_, item.end < item.start ? 0 : item.end - item.start, item.attributes);
        }
        return !batch.empty();
    }

private:
    Schema schema_;
    Scan scan_;
    Tick now_ = 0;  ///< of the record handed out last
};

}  // namespace

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    return std::make_unique<FileReader>(input, settings, findings);
}

}  // namespace hwtrace::ftr

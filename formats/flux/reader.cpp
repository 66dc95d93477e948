#include "codec.hpp"
#include "codec/resumable.hpp"
#include "scan.hpp"

namespace hwtrace::flux {

namespace {

class FluxReader final : public Reader, public Resumable {
public:
    FluxReader(Input& input, const Settings& settings, Findings& findings)
        : scan_(input, settings, findings, schema_) {}

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override { return scan_.read(batch); }
    Facts facts() const override { return scan_.facts(); }
    std::uint64_t position() const override { return scan_.position(); }
    bool keep_states() override { return scan_.keep_places(); }
    bool save_state(Appender& out) override { return scan_.save_place(out); }
    bool restore_state(Cursor& in) override { return scan_.restore_place(in); }

private:
    Schema schema_;
    Scan scan_;
};

}  // namespace

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    return std::make_unique<FluxReader>(input, settings, findings);
}

}  // namespace hwtrace::flux

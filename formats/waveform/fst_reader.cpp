// formats/waveform/fst_reader.cpp - reads FST files.
#include <limits>
#include <memory>
#include <string>

#include "codec.hpp"
#include "fst_changes.hpp"
#include "fst_file.hpp"
#include "fst_hierarchy.hpp"

namespace hwtrace::waveform {
namespace {

class FstReader final : public Reader {
public:
    FstReader(Input& input, const Settings& settings, Findings& findings)
        : limits_(settings.limits),
          findings_(findings),
          file_(input, settings, findings_),
          tracks_(schema_, limits_),
          hierarchy_(file_, findings_, limits_, schema_, tracks_),
          changes_(file_, hierarchy_, findings_, limits_, tracks_) {
        const FstFile::Header& header = file_.header();
        if (!header.version.empty()) schema_.describe("fst.version", header.version);
        if (!header.date.empty()) schema_.describe("fst.date", header.date);
        if (header.time_zero != 0) schema_.describe("fst.timezero", std::to_string(header.time_zero));
        tracks_.set_timescale(header.exponent);
        hierarchy_.read();
    }

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override {
        Facts facts;
        facts.emplace_back("variables", static_cast<std::uint64_t>(tracks_.size()));
        facts.emplace_back("blocks", static_cast<std::uint64_t>(file_.changes().size()));
        if (file_.blackouts() != 0) facts.emplace_back("blackouts", file_.blackouts());
        return facts;
    }
    std::uint64_t position() const override {
        return next_ == 0 ? 0 : file_.changes()[next_ - 1].offset + file_.changes()[next_ - 1].size;
    }

private:
    /// Describes the end of the waveform if it is later than all changes.
    void describe_end();

    Limits limits_;
    Schema schema_;
    FstFindings findings_;
    FstFile file_;
    SignalTracks tracks_;
    FstHierarchy hierarchy_;
    FstChanges changes_;
    std::size_t next_ = 0;  ///< the next block
    bool is_loaded_ = false;
    Tick last_ = 0;  ///< of the latest change that was delivered
    bool has_end_ = false;
};

void FstReader::describe_end() {
    has_end_ = true;
    const std::uint64_t end = file_.header().end;
    if (end > static_cast<std::uint64_t>(last_) && end <= static_cast<std::uint64_t>(std::numeric_limits<Tick>::max()))
        schema_.describe("fst.end", std::to_string(end));
}

bool FstReader::read(Batch& batch) {
    if (tracks_.size() == 0) return false;
    while (!batch.full()) {
        if (!is_loaded_) {
            if (next_ == file_.changes().size()) break;
            changes_.load(file_.changes()[next_], next_ == 0);
            ++next_;
            is_loaded_ = true;
        }
        is_loaded_ = changes_.read(batch);
    }
    if (!batch.empty()) last_ = batch.records().back().time;
    const bool is_last = !is_loaded_ && next_ == file_.changes().size() && !batch.full();
    if (is_last && !has_end_) describe_end();
    return !batch.empty();
}

}  // namespace

bool recognise_fst(std::span<const std::byte> head) {
    constexpr std::size_t needed = 33;
    if (head.empty()) return false;
    if (static_cast<fst::Block>(head[0]) == fst::Block::wrapper) {
        constexpr std::size_t at_gzip = 17;
        return head.size() >= at_gzip + 2 && head[at_gzip] == std::byte{0x1F} && head[at_gzip + 1] == std::byte{0x8B};
    }
    return head.size() >= needed && static_cast<fst::Block>(head[0]) == fst::Block::header &&
           fst::load_be(head.data() + 1) == fst::header_size - 1;
}

std::unique_ptr<Reader> open_fst(Input& input, const Settings& settings, Findings& findings) {
    return std::make_unique<FstReader>(input, settings, findings);
}

}  // namespace hwtrace::waveform

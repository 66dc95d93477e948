#include "trace_file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "codec/state_at.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"
#include "uscope/wire.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::size_t findings_kept = 1000;  // for each rule
constexpr std::size_t store_slack = 8;       // fields are stored as 8 bytes; the next field overwrites the excess

Tick tick(std::uint64_t time) noexcept {
    return static_cast<Tick>(std::min<std::uint64_t>(time, std::numeric_limits<Tick>::max()));
}

std::string text_of(const Finding& finding, Severity severity) {
    std::string text(finding.rule->id);
    text.append(" (").append(name_of(severity)).append("): ").append(finding.rule->title).append(": ");
    return text.append(describe(finding));
}

/// Opens a file; a pipe is spooled to an unnamed file.
Input open_seekable(const char* path, const Settings& settings) {
    Input input = Input::open(path);
    input.spool(settings.temporary_folder);
    return input;
}

/// Returns settings with which a growing file is read up to the segments committed at the last poll.
Settings reader_settings(const uscope_reader_options_t& options) {
    Settings settings;
    if (options.max_block != 0) settings.limits.block = options.max_block;
    if (options.max_string != 0) settings.limits.string = options.max_string;
    settings.wait_for_growth = [] { return false; };
    return settings;
}

}  // namespace

TraceFile::TraceFile(const char* path, const uscope_reader_options_t& options)
    : settings_(reader_settings(options)),
      input_(open_seekable(path, settings_)),
      findings_([this] {
          Findings findings(findings_kept);
          findings.listen([this](const Finding& finding) {
              const bool of_open_file = opened_ && reader_.reports_open_end();
              if (of_open_file) open_findings_.push_back(finding_texts_.size());
              if (of_open_file || seen_.emplace(finding.rule->id, finding.offset, finding.inner_offset).second)
                  finding_texts_.push_back(text_of(finding, findings_.severity(*finding.rule)));
          });
          return findings;
      }()),
      reader_(input_, settings_, findings_, FileReader::LargeTexts::left_out),
      c_schema_(reader_.schema(), reader_.preamble()) {
    opened_ = true;
    reader_.keep_text_numbers();
    show_header();
    std::vector<StorageShape> shapes;
    for (std::size_t id = 0; id < reader_.preamble().storages; ++id) {
        const Track& track = reader_.schema().tracks()[id];
        shapes.push_back({track.slots, static_cast<std::uint32_t>(track.fields.size()),
                          static_cast<std::uint32_t>(track.properties.size()), track.sparse});
    }
    shapes_ = std::make_shared<const std::vector<StorageShape>>(std::move(shapes));
}

void TraceFile::show_header() {
    const FileHeader& from = reader_.header();
    header_ = {{},
               from.major,
               from.minor,
               from.flags,
               from.total_time,
               from.num_segments,
               from.preamble_end,
               from.section_table_offset,
               from.tail_offset};
    std::ranges::transform(file_magic, header_.magic,
                           [](std::byte byte) { return std::to_integer<std::uint8_t>(byte); });
}

bool TraceFile::poll() {
    take_turn();
    const bool was_open = !reader_.header().complete();
    const bool had_long_texts = reader_.has_long_texts();
    const std::size_t before = reader_.segments();
    reader_.poll();
    show_header();
    if (!had_long_texts && reader_.has_long_texts()) c_schema_.show_long_texts(reader_.schema(), reader_.preamble());
    if (was_open && reader_.header().complete()) forget_open_findings();
    return reader_.segments() != before;
}

/// Removes the findings about a file that was still open. Their texts stay valid.
void TraceFile::forget_open_findings() {
    for (; !open_findings_.empty(); open_findings_.pop_back()) {
        const auto obsolete = finding_texts_.begin() + static_cast<std::ptrdiff_t>(open_findings_.back());
        obsolete_texts_.push_back(std::move(*obsolete));
        finding_texts_.erase(obsolete);
    }
}

std::shared_ptr<CState> TraceFile::state_at(std::uint64_t time) {
    take_turn();
    return std::make_shared<CState>(CState{hwtrace::state_at(reader_, tick(time), settings_.limits), shapes_});
}

const Summary* TraceFile::summary() {
    if (!summary_read_ && reader_.header().complete()) {
        const SectionPlace* place = reader_.sections().find(Section::counter_summary);
        std::optional<Summary> found;
        if (place != nullptr)
            found = read_summary(input_, place->offset, place->size, reader_.preamble().storages, settings_.limits);
        if (found) show_summary(*found);
        summary_ = std::move(found);
        summary_read_ = true;
    }
    return summary_ ? &*summary_ : nullptr;
}

bool TraceFile::has_summary() const noexcept {
    return reader_.header().complete() && reader_.sections().find(Section::counter_summary) != nullptr;
}

void TraceFile::show_summary(Summary& summary) {
    c_summary_ = {summary.base_interval, summary.fan_out, summary.instructions,
                  static_cast<std::uint32_t>(summary.counters.size())};
    buckets_.clear();
    for (Summary::Counter& counter : summary.counters) {
        auto& levels = buckets_.emplace_back();
        for (const std::vector<SummaryBucket>& from : counter.levels) {
            auto& level = levels.emplace_back();
            level.reserve(from.size());
            for (const SummaryBucket& bucket : from)
                level.push_back({bucket.min, bucket.max, bucket.sum});
        }
        counter.levels = {};
    }
}

// ---------------------------------------------------------------------------------------------------------------------

ItemRange::ItemRange(const std::shared_ptr<TraceFile>& file, std::uint64_t begin, std::uint64_t end)
    : file_(file), begin_(tick(begin)), end_(tick(end)), time_(begin_), storages_(file->reader().preamble().storages) {
    behind_ = begin > end;
}

const Record* ItemRange::next_record() {
    while (!behind_) {
        const auto records = batch_.records();
        while (at_ < records.size()) {
            const Record& record = records[at_];
            if (record.time > end_) {
                behind_ = true;
                return nullptr;
            }
            ++at_;
            if (resuming_) {
                if (record.time < time_) continue;
                if (record.time == time_ && skip_ != 0) {
                    --skip_;
                    continue;
                }
                resuming_ = false;
            }
            if (record.time < begin_) continue;
            if (record.time != time_) taken_ = 0;
            time_ = record.time;
            ++taken_;
            return &record;
        }
        if (!refill()) return nullptr;
    }
    return nullptr;
}

bool ItemRange::refill() {
    const std::shared_ptr<TraceFile> file = file_.lock();
    if (file == nullptr) return false;
    batch_.clear();
    at_ = 0;
    if (!file->is_turn(turn_)) {
        turn_ = file->take_turn();
        if (!file->reader().seek(time_, nullptr)) fail(Failure::internal, "the reader cannot seek");
        skip_ = taken_;
        resuming_ = true;
    }
    return file->reader().read(batch_);
}

bool ItemRange::next(uscope_item_t& item) {
    const Record* record = next_record();
    if (record == nullptr) return false;
    show(*record, item);
    return true;
}

bool ItemRange::next_event(uscope_item_t& item) {
    while (const Record* record = next_record()) {
        if (record->kind != Kind::event) continue;
        show(*record, item);
        return true;
    }
    return false;
}

void ItemRange::show(const Record& record, uscope_item_t& item) {
    item = {};
    item.first_of_frame = (record.flags & record_first_of_frame) != 0;
    item.time_ps = static_cast<std::uint64_t>(record.time);
    item.id = static_cast<std::uint16_t>(record.track);
    item.slot = static_cast<std::uint16_t>(record.ref);
    item.field = record.field;
    item.value = record.value;
    switch (record.kind) {
        case Kind::set:
            item.kind = is_property(record) ? USCOPE_ITEM_PROP_SET : USCOPE_ITEM_SET;
            return;
        case Kind::add:
            item.kind = USCOPE_ITEM_ADD;
            return;
        case Kind::clear:
            item.kind = USCOPE_ITEM_CLEAR;
            return;
        case Kind::event:
            break;
        default: {
            const auto bytes = batch_.bytes(record);
            item.kind = bytes.empty() ? USCOPE_ITEM_FRAME : USCOPE_ITEM_RAW;
            item.id = item.slot = 0;
            item.payload = bytes.data();
            item.payload_size = bytes.size();
            return;
        }
    }
    item.kind = USCOPE_ITEM_EVENT;
    item.id = static_cast<std::uint16_t>(record.track - storages_);
    item.slot = 0;
    const std::shared_ptr<TraceFile> file = file_.lock();
    const Track& track = file->reader().schema().tracks()[record.track];
    payload_.resize(std::max(payload_.size(), track.fields.size() * sizeof(std::uint64_t) + store_slack));
    std::byte* at = payload_.data();
    auto field = track.fields.begin();
    for (const std::uint64_t cell : batch_.cells(record)) {
        store_le(at, cell);
        at += slot_width((field++)->type);
    }
    item.payload = payload_.data();
    item.payload_size = static_cast<std::size_t>(at - payload_.data());
}

}  // namespace hwtrace::uscope

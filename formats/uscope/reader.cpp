#include "reader.hpp"

#include <algorithm>
#include <limits>

#include "checkpoint.hpp"
#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"

namespace hwtrace::uscope {

namespace {

std::string compression_name(const FileHeader& header) {
    if (!header.compressed()) return "none";
    return header.method() == method_zstd ? "zstd" : "lz4";
}

std::string flag_words(const FileHeader& header) {
    std::string words;
    const auto add = [&](std::uint64_t flag, std::string_view word) {
        if ((header.flags & flag) == 0) return;
        if (!words.empty()) words += ", ";
        words += word;
    };
    add(flag_complete, "complete");
    add(flag_compressed, "compressed");
    add(flag_strings, "strings");
    add(flag_compact_deltas, "compact deltas");
    add(flag_interleaved, "interleaved");
    return words;
}

}  // namespace

FileReader::FileReader(const Input& input, const Settings& settings, Findings& findings, LargeTexts large_texts)
    : input_(input),
      settings_(settings),
      findings_(findings),
      large_texts_(large_texts),
      preamble_(read_preamble(input, settings, findings, header_, schema_)),
      live_(settings.wait_for_growth != nullptr && is_growing(header_)),
      loader_(input, header_, settings.limits, findings),
      checkpoint_loader_(input, header_, settings.limits, silent_) {
    if (live_) {
        CommittedSegments committed = committed_segments(input, header_, preamble_.end, std::nullopt);
        list_.offsets = std::move(committed.offsets);
        chain_fault_ = std::move(committed.fault);
    } else {
        sections_ = read_section_table(input, header_, findings);
        list_ = find_segments(input, header_, preamble_.end, sections_, settings.limits, findings);
    }
    schema_.declare(make_track(Track::Kind::native, none, item_track, picoseconds));
    schema_.declare(make_track(Track::Kind::native, none, frame_track, picoseconds));
    read_strings(header_, sections_);
    const bool lacks_strings = !header_.complete() || (header_.flags & flag_strings) != 0;
    if (lacks_strings && sections_.find(Section::strings) == nullptr) read_text_blocks();
    declare_metadata();
    layout_.emplace(findings);
    if (settings.check >= CheckLevel::full) verification_.emplace(schema_, preamble_, settings.limits, findings);
    decoder_.emplace(schema_, header_, preamble_, strings_, findings, verification_ ? &*verification_ : nullptr);
    if (live_) decoder_->expect_strings();
    if (sections_.cut) decoder_->lose_strings();
    check_version();
    check_sections();
    position_ = preamble_.end;
}

std::uint16_t FileReader::structures_minor() const noexcept {
    if (!header_.interleaved()) return minor_of_old_frames;
    return preamble_.old_structures ? minor_of_old_structures : version_minor;
}

void FileReader::check_version() {
    const std::uint16_t minor = structures_minor();
    if (minor != version_minor)
        report(findings_, Check::old_structures, {4, 4}, "structures of 0.3",
               "structures of 0." + std::to_string(minor));
    if (header_.minor != minor)
        report(findings_, Check::minor_version, {6, 2},
               "version 0." + std::to_string(minor) + ", which has these structures",
               "0." + std::to_string(header_.minor));
}

void FileReader::check_sections() {
    if (const SectionPlace* place = sections_.find(Section::counter_summary)) {
        totals_ = read_summary_totals(input_, place->offset, place->size, preamble_.storages);
        if (!totals_)
            report(findings_, Check::summary_structure, {place->offset, place->size}, "a summary (TSUM)",
                   "another structure");
    }
    for (const SectionPlace& section : sections_.sections) {
        const bool known = section.type <= static_cast<std::uint16_t>(Section::segments) ||
                           Section{section.type} == Section::counter_summary;
        if (!known)
            report(findings_, Check::unknown_part, {section.offset, section.size}, "a section of type 1, 2, 3 or 16",
                   "type " + std::to_string(section.type) + ", " + counted(section.size, "byte"));
    }
}

/// Returns true if the file may grow. A closed file without its section table may be a copy in progress. For such a
/// file, clears the complete flag in `header`.
bool FileReader::is_growing(FileHeader& header) const {
    if (!header.complete()) return true;
    Findings unsaid(0);
    if (!read_section_table(input_, header, unsaid).cut) return false;
    header.flags &= ~flag_complete;
    return true;
}

bool FileReader::read(Batch& batch) {
    while (true) {
        while (!in_segment_ && !next_segment()) {
            if (wait_for_segment()) continue;
            finish();
            return false;
        }
        const FrameDecoder::Status status = decoder_->decode(batch);
        if (!batch.empty()) {
            if (!first_time_) first_time_ = batch.records().front().time;
            last_time_ = batch.records().back().time;
        }
        if (status == FrameDecoder::Status::more) return true;
        const bool whole = status == FrameDecoder::Status::ended && !loader_.cut();
        end_segment(whole);
        if (!batch.empty()) return true;
    }
}

/// Returns the offset of the next segment that has a header, or the maximum if there is none. Skips the search if
/// segment `number` has no header, because a list of wrong offsets would take quadratic time.
std::uint64_t FileReader::end_of(std::size_t number) const {
    constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();
    if (!read_segment_header(input_, list_.offsets[number])) return nowhere;
    for (std::size_t next = number + 1; next < list_.offsets.size(); ++next)
        if (read_segment_header(input_, list_.offsets[next])) return list_.offsets[next];
    return nowhere;
}

/// Loads the segment into loader_ unless it is loaded already. Returns false after a finding if it cannot be loaded.
bool FileReader::load(std::size_t number) {
    if (loaded_ == number) return true;
    loader_.report_to(findings_of(number, reported_load));
    loaded_.reset();
    const bool with_checkpoint = settings_.check >= CheckLevel::full || number == 0;
    if (!loader_.load(number, list_.offsets[number], end_of(number), with_checkpoint)) return false;
    loaded_ = number;
    return true;
}

bool FileReader::next_segment() {
    while (next_ < list_.offsets.size()) {
        const std::size_t number = next_++;
        const std::uint64_t offset = list_.offsets[number];
        const bool loaded = load(number);
        segment_ = number;
        segment_header_ = loader_.header();
        position_ = std::max(position_, offset);
        if (!loaded) {
            all_read_ = false;
            if (layout_) layout_->skip_segment(offset);
            if (verification_) verification_->skip_segment();
            continue;
        }
        if (number == 0) end_checkpoints_ = !is_empty_checkpoint(loader_.checkpoint());
        const bool is_compared = layout_ && layout_->knows_end();
        if (!is_compared && last_time_ && static_cast<std::uint64_t>(*last_time_) > segment_header_.time_start)
            report(findings_of(number, reported_times), Check::segment_times, {offset + 8, 8},
                   "a start at or after " + std::to_string(*last_time_) + " ps",
                   std::to_string(segment_header_.time_start), place_of(number));
        if (layout_) {
            const std::uint64_t texts = text_block_size(input_, offset + segment_header_.total_size());
            layout_->begin_segment(number, offset, loader_.extent() + texts, link_of(number), segment_header_,
                                   list_.table.empty() ? nullptr : &list_.table[number]);
        }
        if (verification_) verification_->begin_segment(number, offset, segment_header_, loader_.checkpoint());
        decoder_->report_to(is_reported(number, reported_frames) ? silent_ : findings_);
        decoder_->begin(loader_.frames(), static_cast<Tick>(segment_header_.time_start), number,
                        {offset, loader_.extent()}, loader_.cut());
        in_segment_ = true;
        return true;
    }
    return false;
}

/// Returns the value that the link of segment `number` must have. For a link that was followed or reported before,
/// returns its actual value.
std::uint64_t FileReader::link_of(std::size_t number) const {
    if (live_ || list_.reported_link == list_.offsets[number] + 0x18) return segment_header_.previous;
    return number == 0 ? 0 : list_.offsets[number - 1];
}

Place FileReader::place_of(std::size_t number) {
    Place place;
    place.where = "segment " + std::to_string(number);
    return place;
}

void FileReader::end_segment(bool whole) {
    in_segment_ = false;
    all_read_ = all_read_ && whole;
    frames_ += decoder_->frames();
    active_frames_ += decoder_->active_frames();
    items_ += decoder_->items();
    position_ = segment_offset() + segment_header_.total_size();
    end_frames(*segment_, segment_header_, whole);
    if (layout_ && whole) layout_->end_segment(static_cast<std::uint64_t>(decoder_->time()));
    if (verification_) verification_->end_segment(whole);
}

/// Reports faults that are known only after all frames of a segment were decoded. Does not repeat them if the segment
/// is read again.
void FileReader::end_frames(std::size_t number, const SegmentHeader& header, bool whole) {
    Findings& findings = findings_of(number, reported_frames);
    decoder_->report_misfits();
    const bool counted =
        decoder_->frames() == header.num_frames && decoder_->active_frames() == header.num_frames_active;
    if (whole && !counted)
        report(findings, Check::frame_counts, {list_.offsets[number] + 0x2C, 8},
               hwtrace::counted(decoder_->frames(), "frame") + ", " + std::to_string(decoder_->active_frames()) +
                   " with items",
               std::to_string(header.num_frames) + ", " + std::to_string(header.num_frames_active), place_of(number));
}

void FileReader::finish() {
    if (finished_) return;
    finished_ = true;
    position_ = input_.size().value_or(position_);
    if (live_) report_open_end();
    if (verification_) verification_->finish(sections_, totals_, all_read_);
    if (layout_ && !live_) layout_->finish(input_, header_, preamble_, sections_, all_read_);
    layout_.reset();
}

/// Reports that the file is still open when following ends.
void FileReader::report_open_end() {
    if (end_reported_) return;
    end_reported_ = reporting_open_end_ = true;
    report_unfinished(header_, list_.offsets.size(), chain_fault_, findings_);
    if (decoder_->missing_named())
        report(findings_, Check::missing_string, header_.tail_offset, "a string table", "a file that is still open");
    for (const Property& property : preamble_.properties)
        if (!has_long_texts_ && property.key.starts_with(conventions::long_text_prefix))
            report(findings_, Check::long_text, file_header_size, "a string table", "a file that is still open",
                   {"property " + property.key, {}, {}});
    reporting_open_end_ = false;
}

Facts FileReader::facts() const {
    Facts facts;
    facts.emplace_back("version", std::to_string(header_.major) + '.' + std::to_string(header_.minor));
    facts.emplace_back("structures", preamble_.old_structures ? "0.2, 12-byte storage headers" : "0.3");
    facts.emplace_back("frame_form", header_.interleaved() ? "0.2, interleaved" : "0.1, operations before events");
    facts.emplace_back("flags", flag_words(header_));
    facts.emplace_back("compression", compression_name(header_));
    facts.emplace_back("segments", list_.offsets.size());
    facts.emplace_back("frames", frames_);
    facts.emplace_back("frames_with_items", active_frames_);
    facts.emplace_back("items", items_);
    facts.emplace_back("first_time_ps", static_cast<std::uint64_t>(first_time_.value_or(0)));
    facts.emplace_back("last_time_ps", static_cast<std::uint64_t>(last_time_.value_or(0)));
    facts.emplace_back("checkpoint_interval_ps", preamble_.checkpoint_interval);
    facts.emplace_back("checkpoints", list_.offsets.empty() ? "none"
                                      : end_checkpoints_    ? "end of segment"
                                                            : "start of segment");
    facts.emplace_back("strings", strings_);
    facts.emplace_back("storages", preamble_.storages);
    facts.emplace_back("events", preamble_.events);
    facts.emplace_back("scopes", schema_.scopes().size());
    for (const Clock& clock : schema_.clocks())
        facts.emplace_back("clock", clock.name + ' ' + std::to_string(clock.period_ps) + " ps");
    if (totals_ && totals_->has_instructions) facts.emplace_back("instructions", totals_->instructions);
    if (totals_)
        for (const SummaryTotals::Counter& counter : totals_->counters)
            facts.emplace_back("counter", counter.name + ' ' + std::to_string(counter.sum));
    return facts;
}

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    return std::make_unique<FileReader>(input, settings, findings);
}

}  // namespace hwtrace::uscope

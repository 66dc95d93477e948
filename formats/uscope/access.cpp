// FileReader's ways into a file besides reading it in order: by time, and while it grows.

#include <algorithm>

#include "checkpoint.hpp"
#include "io/error.hpp"
#include "model/conventions.hpp"
#include "reader.hpp"

namespace hwtrace::uscope {

namespace {

/// Each takes two replays of a segment; the first one tells, unless the file is damaged.
constexpr std::size_t most_trials = 32;

/// What may change in the header's flags when a file is closed.
constexpr std::uint64_t flags_of_closing = flag_complete | flag_strings;

}  // namespace

// --- growth --------------------------------------------------------------------------------------------------------

bool FileReader::poll() {
    const auto any_left = [this] { return in_segment_ || next_ < list_.offsets.size(); };
    if (header_.complete() || verification_) return any_left();
    const std::optional<FileHeader> now = read_file_header(input_);
    const bool is_same_file = now && now->major == header_.major && now->preamble_end == header_.preamble_end &&
                              ((now->flags ^ header_.flags) & ~flags_of_closing) == 0;
    if (!is_same_file) return any_left();
    if (now->complete()) {
        close_with(*now);
        return any_left();
    }
    const std::optional<std::uint64_t> last =
        list_.offsets.empty() ? std::nullopt : std::optional(list_.offsets.back());
    const std::vector<std::uint64_t> grown = committed_segments(input_, *now, preamble_.end, last);
    list_.offsets.insert(list_.offsets.end(), grown.begin(), grown.end());
    header_ = *now;
    return any_left();
}

/// The writer states that the file is closed: takes what has come since. Nothing happens while the header's other
/// fields do not fit that yet; one that stays as it is is believed the second time.
void FileReader::close_with(const FileHeader& header) {
    const auto look = [&](SectionTable& sections, SegmentList& list, Findings& findings) {
        sections = read_section_table(input_, header, findings);
        list = find_segments(input_, header, preamble_.end, sections, settings_.limits, findings);
    };
    SectionTable sections;
    SegmentList list;
    Findings trial(0);
    look(sections, list, trial);
    if (!trial.totals().empty()) {
        const bool is_news = !closing_header_ || closing_header_->encode() != header.encode();
        closing_header_ = header;
        if (is_news) return;
        look(sections, list, findings_);
    }
    header_ = header;
    sections_ = std::move(sections);
    live_ = false;
    if (list.offsets.size() >= list_.offsets.size() &&
        std::equal(list_.offsets.begin(), list_.offsets.end(), list.offsets.begin()))
        list_ = std::move(list);
    else
        report(findings_, Check::chain, at_tail_offset, "the segments that were there before the file was closed",
               "others");
    read_strings();
    if (!text_numbers_) decoder_->use_strings(first_string_, strings_);
    for (const Property& property : preamble_.properties)
        if (property.key.starts_with(conventions::long_text_prefix)) declare_long_text(property);
    check_sections();
}

/// The end of what is there: waits for another segment as long as there may be one.
bool FileReader::wait_for_segment() {
    while (live_) {
        if (poll()) return true;
        if (!live_ || !settings_.wait_for_growth()) return false;
    }
    return false;
}

// --- texts as they stand ---------------------------------------------------------------------------------------------

void FileReader::keep_text_numbers() {
    constexpr std::size_t every_number = std::size_t{1} << 32;
    text_numbers_ = true;
    decoder_->use_strings(0, every_number);
}

// --- time ----------------------------------------------------------------------------------------------------------

bool FileReader::seek(Tick time, StateTable* state) {
    if (verification_) return false;
    const std::size_t number = segment_before(static_cast<std::uint64_t>(std::max<Tick>(time, 0)));
    if (state != nullptr) load_state(number, *state);
    go_to(number);
    first_time_.reset();
    last_time_.reset();
    frames_ = active_frames_ = items_ = 0;
    return true;
}

/// The last segment that begins before `time`, else the first one: a frame at a boundary lies in front of it.
std::size_t FileReader::segment_before(std::uint64_t time) {
    const auto start_of = [this](std::size_t number, std::uint64_t otherwise) {
        const std::optional<SegmentHeader> header = read_segment_header(input_, list_.offsets[number]);
        return header ? header->time_start : otherwise;
    };
    for (std::size_t i = starts_.size(); i < list_.offsets.size(); ++i) {
        const std::uint64_t latest = starts_.empty() ? 0 : starts_.back();
        const std::uint64_t start = i < list_.table.size() ? list_.table[i].time_start : start_of(i, latest);
        starts_.push_back(std::max(latest, start));
    }
    const auto after = std::ranges::lower_bound(starts_, time);
    auto number = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - starts_.begin(), 1)) - 1;
    if (!list_.table.empty())  // which may be wrong
        while (number > 0 && start_of(number, 0) >= time)
            --number;
    return number;
}

/// The next read() begins with that segment.
void FileReader::go_to(std::size_t number) {
    next_ = number;
    in_segment_ = false;
    finished_ = false;
    last_time_.reset();
}

/// Applies the frames of the segments [from, to). False when some of them could not be read.
bool FileReader::replay(std::size_t from, std::size_t to, StateTable& state) {
    bool whole = true;
    for (std::size_t number = from; number < to; ++number) {
        if (!load(number)) {
            whole = false;
            continue;
        }
        decoder_->report_to(is_told(number, told_frames) ? silent_ : findings_);
        decoder_->begin(loader_.frames(), static_cast<Tick>(loader_.header().time_start), number, list_.offsets[number],
                        loader_.cut());
        FrameDecoder::Status status = FrameDecoder::Status::more;
        while (status == FrameDecoder::Status::more) {
            replayed_.clear();
            status = decoder_->decode(replayed_);
            for (const Record& record : replayed_.records())
                state.apply(record);
        }
        decoder_->report_misfits();
        findings_of(number, told_frames);
        whole = whole && status == FrameDecoder::Status::ended && !loader_.cut();
    }
    return whole;
}

/// Where findings about a segment go: only for the first time to where they are seen.
Findings& FileReader::findings_of(std::size_t number, Told what) {
    if (is_told(number, what)) return silent_;
    if (told_.size() <= number) told_.resize(std::max(list_.offsets.size(), number + 1));
    told_[number] = static_cast<std::uint8_t>(told_[number] | what);
    return findings_;
}

// --- state ---------------------------------------------------------------------------------------------------------

/// The state in front of a segment.
void FileReader::load_state(std::size_t number, StateTable& state) {
    std::size_t known = number;
    while (!load_start(known, state))
        --known;
    replay(known, number, state);
}

/// The state in front of a segment, where a checkpoint says it; in front of the first one there is nothing, unless its
/// checkpoint says something.
bool FileReader::load_start(std::size_t number, StateTable& state) {
    const Checkpoints hold = checkpoints();
    if (hold == Checkpoints::before && number < list_.offsets.size() && load_checkpoint(number, state)) return true;
    if (hold == Checkpoints::behind && number > 0 && load_checkpoint(number - 1, state)) return true;
    if (number > 0 && hold != Checkpoints::empty) return false;
    state.reset();
    return true;
}

/// Loads the checkpoint that stands in a segment, whatever it holds. False when it cannot be used: it is malformed
/// (told), or says nothing of properties.
bool FileReader::load_checkpoint(std::size_t number, StateTable& state) {
    if (loaded_checkpoint_ != number) {
        loaded_checkpoint_.reset();
        if (!checkpoint_loader_.load_checkpoint(number, list_.offsets[number])) return false;
    }
    loaded_checkpoint_ = number;
    const std::span<const std::byte> checkpoint = checkpoint_loader_.checkpoint();
    if (const auto fault = check_checkpoint(checkpoint, schema_, preamble_.storages)) {
        Place place;
        place.where = "segment " + std::to_string(number);
        report(findings_of(number, told_checkpoint), Check::checkpoint_structure,
               list_.offsets[number] + segment_header_size + fault->offset, fault->expected, fault->got,
               std::move(place));
        return false;
    }
    if (!has_all_properties(checkpoint, schema_, preamble_.storages)) return false;
    uscope::load_checkpoint(checkpoint, preamble_.storages, state);
    translate_texts(state);
    return true;
}

/// The texts of a state that a checkpoint holds are indices of the file's string table; in the model they are strings.
void FileReader::translate_texts(StateTable& state) {
    if (text_numbers_) return;
    const auto is_text = [](const Field& field) { return field.type == Type::text; };
    for (TrackId storage = 0; storage < preamble_.storages; ++storage) {
        const Track& track = schema_.tracks()[storage];
        for (std::uint32_t i = 0; i < track.properties.size(); ++i)
            if (is_text(track.properties[i])) state.set_property(storage, i, text_cell(state.property(storage, i)));
        for (std::uint32_t i = 0; i < track.fields.size(); ++i) {
            if (!is_text(track.fields[i])) continue;
            for (std::uint32_t slot = 0; slot < track.slots; ++slot)
                if (state.valid(storage, slot)) state.set(storage, slot, i, text_cell(state.value(storage, slot, i)));
        }
    }
}

/// A zero may be a text that was never set; where there are no strings at all, it stays what it is.
std::uint64_t FileReader::text_cell(std::uint64_t index) {
    if (index == 0 && strings_ == 0) return 0;
    return decoder_->text_of(static_cast<std::uint32_t>(index));
}

FileReader::Checkpoints FileReader::checkpoints() {
    if (checkpoints_ == Checkpoints::before || checkpoints_ == Checkpoints::behind) return checkpoints_;
    if (checkpoints_ != Checkpoints::unknown && checkpoints_seen_ == list_.offsets.size()) return checkpoints_;
    return checkpoints_ = find_checkpoints();
}

/// Compares checkpoints with what the frames make of each other (formats/uscope.md 2). As long as checkpoints are empty
/// both kinds say the same; the first segment that changes something tells.
FileReader::Checkpoints FileReader::find_checkpoints() {
    check_limit(StateTable::bytes_needed(schema_), settings_.limits.block, "the state of all storages", "--max-block");
    StateTable previous(schema_), own(schema_), next(schema_), replayed(schema_);
    std::size_t trials = 0;
    bool all_empty = true;
    const std::size_t count = list_.offsets.size();
    const std::size_t first = checkpoints_ == Checkpoints::empty ? std::max<std::size_t>(checkpoints_seen_, 1) - 1 : 0;
    bool has_previous = true;  // in front of the first segment there is nothing
    bool has_own = first < count && load_checkpoint(first, own);
    for (std::size_t number = first; number < count && trials < most_trials; ++number) {
        const bool has_next = number + 1 < count && load_checkpoint(number + 1, next);
        const bool tells_nothing = has_own && own.is_empty() && (!has_next || next.is_empty());
        all_empty = all_empty && has_own && own.is_empty();
        if (has_own && !tells_nothing) {
            ++trials;
            bool is_before = false, is_behind = false;
            if (has_next) {
                replayed = own;
                is_before = replay(number, number + 1, replayed) && replayed == next;
            }
            if (has_previous) {
                replayed = previous;
                is_behind = replay(number, number + 1, replayed) && replayed == own;
            }
            const bool both_tried = has_previous && (has_next || number == 0);
            if (both_tried && is_before != is_behind) return is_before ? Checkpoints::before : Checkpoints::behind;
        }
        std::swap(previous, own);
        std::swap(own, next);
        has_previous = has_own;
        has_own = has_next;
    }
    checkpoints_seen_ = count;
    return all_empty ? Checkpoints::empty : Checkpoints::unusable;
}

}  // namespace hwtrace::uscope

// formats/uscope/access.cpp - the functions of FileReader for access by time and for growing files.

#include <algorithm>
#include <limits>

#include "checkpoint.hpp"
#include "domain/conventions.hpp"
#include "io/error.hpp"
#include "reader.hpp"

namespace hwtrace::uscope {

namespace {

/// The maximum number of trials, each of which replays a segment twice. The first trial decides, except in damaged
/// files.
constexpr std::size_t most_trials = 32;

/// The header flags that closing a file may change.
constexpr std::uint64_t flags_of_closing = flag_complete | flag_strings;

}  // namespace

// --- growth --------------------------------------------------------------------------------------------------------

bool FileReader::poll() {
    const auto any_left = [this] { return in_segment_ || next_ < list_.offsets.size(); };
    if (header_.complete() || verification_) return any_left();
    std::optional<FileHeader> now = read_file_header(input_);
    const bool is_same_file = now && now->major == header_.major && now->preamble_end == header_.preamble_end &&
                              ((now->flags ^ header_.flags) & ~flags_of_closing) == 0;
    if (!is_same_file) return any_left();
    if (!is_growing(*now)) {
        close_with(*now);
        return any_left();
    }
    const std::optional<std::uint64_t> last =
        list_.offsets.empty() ? std::nullopt : std::optional(list_.offsets.back());
    CommittedSegments grown = committed_segments(input_, *now, preamble_.end, last);
    header_ = *now;
    if (grown.fault) {  // trust the header if the next poll finds it unchanged
        const bool is_news = !unsure_header_ || unsure_header_->encode() != now->encode();
        unsure_header_ = *now;
        if (is_news) return any_left();
    }
    // A missing tail may have arrived since the last poll; a damaged link stays damaged.
    if (grown.fault || (chain_fault_ && chain_fault_->check == Check::truncated)) chain_fault_ = std::move(grown.fault);
    list_.offsets.insert(list_.offsets.end(), grown.offsets.begin(), grown.offsets.end());
    const std::size_t known = strings_;
    read_text_blocks();
    if (strings_ != known) {
        if (!text_numbers_) decoder_->use_strings(first_string_, strings_);
        decoder_->expect_strings();
        declare_long_texts();
    }
    return any_left();
}

/// Reads the rest of a file that was closed. Does nothing while the sections do not fit the header, unless the header
/// is unchanged since the last poll.
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
    read_strings(header, sections);
    header_ = header;
    sections_ = std::move(sections);
    live_ = false;
    if (list.offsets.size() >= list_.offsets.size() &&
        std::equal(list_.offsets.begin(), list_.offsets.end(), list.offsets.begin()))
        list_ = std::move(list);
    else {
        report(findings_, Check::chain, {at_tail_offset, 8}, "the segments known before the file was closed",
               "other segments");
        all_read_ = false;
        layout_.reset();
    }
    if (chain_fault_ && chain_fault_->check == Check::chain)
        report(findings_, Check::chain, chain_fault_->at, chain_fault_->expected, chain_fault_->got);
    chain_fault_.reset();
    if (strings_ == 0 && !text_numbers_ && decoder_->missing_named())
        report(findings_, Check::unknown_string, header_.tail_offset, "a string table", "none");
    if (!text_numbers_) decoder_->use_strings(first_string_, strings_);
    declare_long_texts();
    check_sections();
}

/// Waits for another segment as long as the file may grow. Returns false if no segment was added.
bool FileReader::wait_for_segment() {
    while (live_ && settings_.wait_for_growth())
        if (poll()) return true;
    return false;
}

// --- strings as indexes -------------------------------------------------------------------------------------------

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

/// Returns the last segment that begins before `time`, or the first segment if none does. A frame at the boundary of
/// two segments belongs to the first of them.
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
    if (!list_.table.empty())  // the table may be wrong
        while (number > 0 && start_of(number, 0) >= time)
            --number;
    return number;
}

/// Makes the next read() begin with segment `number`.
void FileReader::go_to(std::size_t number) {
    next_ = number;
    layout_.reset();
    in_segment_ = false;
    finished_ = false;
    last_time_.reset();
}

/// Applies the frames of the segments [from, to) to `state`. Returns false if some of them could not be read.
bool FileReader::replay(std::size_t from, std::size_t to, StateTable& state) {
    bool whole = true;
    for (std::size_t number = from; number < to; ++number) {
        if (!load(number)) {
            whole = false;
            continue;
        }
        decoder_->report_to(is_reported(number, reported_frames) ? silent_ : findings_);
        decoder_->begin(loader_.frames(), static_cast<Tick>(loader_.header().time_start), number,
                        {list_.offsets[number], loader_.extent()}, loader_.cut());
        FrameDecoder::Status status = FrameDecoder::Status::more;
        while (status == FrameDecoder::Status::more) {
            replayed_.clear();
            status = decoder_->decode(replayed_);
            for (const Record& record : replayed_.records())
                state.apply(record);
        }
        const bool segment_whole = status == FrameDecoder::Status::ended && !loader_.cut();
        end_frames(number, loader_.header(), segment_whole);
        whole = whole && segment_whole;
    }
    return whole;
}

/// Returns findings_ for the first report of this kind about a segment, and silent_ for every later one. Marks the kind
/// as reported.
Findings& FileReader::findings_of(std::size_t number, Reported what) {
    if (is_reported(number, what)) return silent_;
    if (reported_.size() <= number) reported_.resize(std::max(list_.offsets.size(), number + 1));
    reported_[number] = static_cast<std::uint8_t>(reported_[number] | what);
    return findings_;
}

// --- state ---------------------------------------------------------------------------------------------------------

/// Loads the state before a segment. Starts from the nearest state that can be loaded without replay, and replays the
/// segments in between.
void FileReader::load_state(std::size_t number, StateTable& state) {
    std::size_t known = number;
    while (!load_start(known, state))
        --known;
    replay(known, number, state);
}

/// Loads the state before a segment from a checkpoint, without replay. The state before the first segment is empty
/// unless the checkpoint of that segment has contents. Returns false if no checkpoint can be used.
bool FileReader::load_start(std::size_t number, StateTable& state) {
    const Checkpoints hold = checkpoints();
    const bool is_before = hold == Checkpoints::before || hold == Checkpoints::stated;
    if (is_before && number < list_.offsets.size() && load_checkpoint(number, state)) return true;
    if (hold == Checkpoints::behind && number > 0 && !is_first_left_out(number - 1) &&
        load_checkpoint(number - 1, state))
        return true;
    if (number > 0 && hold != Checkpoints::empty) return false;
    state.reset();
    return true;
}

/// Returns true if `number` is the first segment and its checkpoint is empty. A writer that stores end states may
/// have omitted this checkpoint, so the segment is replayed instead.
bool FileReader::is_first_left_out(std::size_t number) {
    return number == 0 && open_checkpoint(number) && is_empty_checkpoint(checkpoint_loader_.checkpoint());
}

/// Loads the checkpoint of a segment. The checkpoint may hold the state before or after the segment. Returns false if
/// the checkpoint cannot be used.
bool FileReader::load_checkpoint(std::size_t number, StateTable& state) {
    if (!open_checkpoint(number)) return false;
    uscope::load_checkpoint(checkpoint_loader_.checkpoint(), preamble_.storages, state);
    if (const std::uint64_t missing = translate_texts(state); missing != 0)
        decoder_->report_missing(missing, list_.offsets[number] + segment_header_size, place_of(number),
                                 findings_of(number, reported_checkpoint_texts));
    return true;
}

/// Loads the checkpoint of a segment into checkpoint_loader_. Returns false if the checkpoint is malformed, after a
/// finding, or if it lacks properties.
bool FileReader::open_checkpoint(std::size_t number) {
    if (loaded_checkpoint_ != number) {
        loaded_checkpoint_.reset();
        if (!checkpoint_loader_.load_checkpoint(number, list_.offsets[number], end_of(number))) return false;
    }
    loaded_checkpoint_ = number;
    const std::span<const std::byte> checkpoint = checkpoint_loader_.checkpoint();
    if (const auto fault = check_checkpoint(checkpoint, schema_, preamble_.storages)) {
        report(findings_of(number, reported_checkpoint), Check::checkpoint_structure,
               list_.offsets[number] + segment_header_size + fault->offset, fault->expected, fault->got,
               place_of(number));
        return false;
    }
    return has_all_properties(checkpoint, schema_, preamble_.storages);
}

/// Converts the string cells of `state`, which was loaded from a checkpoint, to StringIds. In a checkpoint, these cells
/// are indexes into the string table. Returns the number of strings that the table lacks.
std::uint64_t FileReader::translate_texts(StateTable& state) {
    std::uint64_t missing = 0;
    if (text_numbers_) return missing;
    const auto text_cell = [&](std::uint64_t index) -> StringId {
        if (index == 0 && strings_ == 0) return decoder_->text_of_zero();
        const auto number = static_cast<std::uint32_t>(index);
        if (!decoder_->has_text(number)) ++missing;
        return decoder_->text_of(number);
    };
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
    return missing;
}

FileReader::Checkpoints FileReader::checkpoints() {
    if (checkpoints_ == Checkpoints::before || checkpoints_ == Checkpoints::behind) return checkpoints_;
    if (checkpoints_ != Checkpoints::unknown && checkpoints_seen_ >= list_.offsets.size()) return checkpoints_;
    return checkpoints_ = find_checkpoints();
}

/// Determines by replaying segments whether checkpoints hold the state before or after their segments
/// (README.md#state-reconstruction). A segment that does not change the state decides nothing. Accepts a kind once it
/// has matched a changed state, if the other kind has failed and has never matched.
FileReader::Checkpoints FileReader::find_checkpoints() {
    // Check the memory for three states: the two below and the state of the caller.
    std::uint64_t tables = StateTable::bytes_needed(schema_);
    if (__builtin_mul_overflow(tables, std::uint64_t{3}, &tables)) tables = ~std::uint64_t{0};
    check_limit(tables, settings_.limits.block, "the state of all storages, three times", "--max-block");
    StateTable replayed(schema_), expected(schema_);
    struct Kind {
        std::size_t fits = 0, misfits = 0;
    } before, behind;
    std::optional<std::size_t> first_misfit;  // the first checkpoint that does not fit the kind `before`
    // Checks whether replaying `segment` turns the state of checkpoint `from` (nullopt: the empty state) into the state
    // of checkpoint `number`.
    const auto compare = [&](Kind& kind, std::optional<std::size_t> from, std::size_t segment, std::size_t number) {
        replayed.reset();
        if (from && !load_checkpoint(*from, replayed)) return;
        if (!load_checkpoint(number, expected)) return;
        const bool changes = replayed != expected;
        if (!replay(segment, segment + 1, replayed)) return;
        if (replayed != expected) {
            ++kind.misfits;
            if (&kind == &before && !first_misfit) first_misfit = number;
        } else if (changes) {
            ++kind.fits;
        }
    };
    const auto is_empty_now = [this] { return is_empty_checkpoint(checkpoint_loader_.checkpoint()); };
    const std::size_t count = list_.offsets.size();
    const std::size_t first = checkpoints_ == Checkpoints::empty ? std::max<std::size_t>(checkpoints_seen_, 1) - 1 : 0;
    std::size_t trials = 0;
    bool all_empty = true;
    bool has_previous = true;  // the state before the first segment is empty
    bool has_own = first < count && open_checkpoint(first);
    bool own_empty = has_own && is_empty_now();
    if (has_own && !own_empty && first == 0) {
        ++before.misfits;
        first_misfit = 0;
    }
    for (std::size_t number = first; number < count && trials < most_trials; ++number) {
        const bool has_next = number + 1 < count && open_checkpoint(number + 1);
        const bool next_empty = has_next && is_empty_now();
        all_empty = all_empty && own_empty;
        if (has_own && !(own_empty && (!has_next || next_empty))) {
            ++trials;
            if (has_next) compare(before, number, number, number + 1);
            if (has_previous)
                compare(behind, number > first ? std::optional(number - 1) : std::nullopt, number, number);
            if (before.fits != 0 && behind.fits == 0 && behind.misfits != 0) return Checkpoints::before;
            if (behind.fits != 0 && before.fits == 0 && before.misfits != 0) return Checkpoints::behind;
        }
        has_previous = has_own;
        has_own = has_next;
        own_empty = next_empty;
    }
    checkpoints_seen_ = trials == most_trials ? std::numeric_limits<std::size_t>::max() : count;
    if (all_empty) return Checkpoints::empty;
    if (before.misfits == 0 && behind.misfits != 0) return Checkpoints::before;
    if (before.misfits == 0 || behind.misfits == 0) return Checkpoints::unusable;  // too few segments could be read
    const bool is_stated = !preamble_.old_structures && before.misfits <= behind.misfits;
    const std::size_t number = first_misfit.value_or(0);
    report(
        findings_of(number, reported_state), Check::checkpoint_state, list_.offsets[number] + segment_header_size,
        "the state before or after the segment that results from the operations",
        is_stated ? "another state, which is used as the state before the segment" : "another state, which is not used",
        place_of(number));
    return is_stated ? Checkpoints::stated : Checkpoints::unusable;
}

}  // namespace hwtrace::uscope

#include "cli/split_command.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/index_file.hpp"
#include "cli/piece_paths.hpp"
#include "cli/process.hpp"
#include "cli/shard_manifest.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_file.hpp"
#include "convert/prescan.hpp"
#include "domain/value_text.hpp"
#include "io/advised_error.hpp"
#include "io/error.hpp"
#include "io/file_set.hpp"
#include "io/http/url.hpp"
#include "io/named_error.hpp"
#include "io/text_output.hpp"
#include "operate/concatenation.hpp"
#include "operate/index_making.hpp"
#include "operate/pieces.hpp"
#include "operate/position_count.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view split_tool = "hwtrace-split";

/// One output file and its slice of the trace.
struct Piece {
    std::string name;  ///< part of the file name
    std::string what;  ///< for messages: "range 0#:1000#", "core0"
    std::optional<Range> range{};
    Criteria criteria{};
    std::uint64_t records = 0;  ///< records written
};

PieceOf piece_of(const std::string& by) {
    return by == "hart" ? PieceOf::hart : by == "track" ? PieceOf::track : PieceOf::scope;
}

std::string range_text(const Range& range) {
    const std::string_view unit = range.unit == Range::Unit::record  ? "#"
                                  : range.unit == Range::Unit::cycle ? "cyc"
                                                                     : "ps";
    return fmt::format("range {}{}:{}", range.begin, unit, range.end ? fmt::format("{}{}", *range.end, unit) : "");
}

/// Counts the records that are read.
class CountedReader final : public Reader {
public:
    CountedReader(Reader& reader, std::uint64_t& records) : reader_(reader), records_(records) {}
    Schema& schema() override { return reader_.schema(); }
    bool read(Batch& batch) override {
        const bool more = reader_.read(batch);
        records_ += batch.records().size();
        return more;
    }
    Facts facts() const override { return reader_.facts(); }
    std::uint64_t position() const override { return reader_.position(); }

private:
    Reader& reader_;
    std::uint64_t& records_;
};

/// Returns one piece per shard. Counts the positions of the trace, and rewinds it if it was read for that. Without an
/// index, this reading makes one in memory, so that each shard starts near its begin.
std::vector<Piece> find_shards(const SplitOptions& options, TraceFile& trace, const Format& to, Choices& choices,
                               Findings& findings) {
    if (!choices.index) choices.index = index_in_memory(trace.input, *trace.format, choices.settings, findings);
    const std::uint64_t positions = count_positions(trace.input, *trace.format, to, choices);
    const std::size_t width = std::max<std::size_t>(fmt::formatted_size("{}", options.into), 4);
    std::vector<Piece> pieces;
    for (std::uint64_t number = 1; number <= options.into; ++number) {
        const Range range = range_of({number, options.into}, positions);
        pieces.push_back({fmt::format("{:0{}}", number, width), range_text(range), range, choices.criteria});
    }
    return pieces;
}

/// Writes the manifest of shards whose files are committed.
void write_shards_manifest(const SplitOptions& options, const std::vector<Piece>& pieces,
                           const std::vector<std::string>& paths, const Outcome& outcome,
                           const std::vector<std::optional<Input::Identity>>& inputs) {
    ShardManifest manifest{
        manifest_path(options.target.output), shown_path(options.input), outcome.from, outcome.size, {}, {}};
    if (options.input != "-") manifest.source_sha256 = checksum_of(options.input).sha256;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        manifest.shards.push_back(
            {{i + 1, options.into}, paths[i], *pieces[i].range, pieces[i].records, checksum_of(paths[i])});
    write_manifest(manifest, split_tool, options.common.json_integers(),
                   options.target.force ? Existing::replace : Existing::refuse, inputs);
}

/// Throws Failure::usage unless exactly one way to split is chosen, and the other options belong to it.
void check_ways(const SplitOptions& options) {
    const int ways = int{!options.every.empty()} + int{!options.by.empty()} + int{options.into != 0};
    if (ways == 0) fail(Failure::usage, "choose how to split: --every 1000000#, --every 1ms, --by scope or --into 8");
    if (ways > 1) fail(Failure::usage, "--every, --by and --into cannot be combined");
    if (options.depth != 0 && options.by != "scope") fail(Failure::usage, "--depth requires --by scope");
    if (options.into == 0) return;
    if (options.part.any())
        fail(Failure::usage, "--into splits whole traces; convert the slice with hwtrace-convert and split the result");
    if (!options.common.unlimited())
        check_limit(options.into, options.max_pieces, "the number of pieces", "--max-pieces");
    const std::string manifest = options.target.explain ? std::string() : manifest_path(options.target.output);
    std::error_code error;
    if (!manifest.empty() && !options.target.force && std::filesystem::exists(manifest, error))
        throw OutputExists(manifest);
}

/// Returns the pieces that have records. Reads the trace once and rewinds it.
std::vector<Piece> find_pieces(const SplitOptions& options, TraceFile& trace, const Format& to, const Choices& choices,
                               Findings& findings, std::uint64_t& records) {
    Choices searching = choices;
    // With --every, find_ranges() applies the range. With --by, all tracks must be known first, so add a criterion,
    // which makes PreparedSource find them.
    if (!options.every.empty())
        searching.range.reset();
    else if (!searching.criteria.records.any())
        searching.criteria.records.only = {0};
    Losses reported_later;
    PreparedSource source(trace.input, *trace.format, to, searching.settings, findings, searching.criteria.records);
    searching.criteria = choices.criteria;
    PiecePlans plans = plan_pieces(source.schema(), source.format(), to, searching, reported_later);
    const std::uint64_t most = options.common.unlimited() ? Limits::unlimited().block : options.max_pieces;
    const PieceSearch search{choices.time.period_ps, source.format().reads.shapes, most, options.depth, choices.range};

    std::vector<Piece> pieces;
    CountedReader reader(source.reader(), records);
    if (options.every.empty()) {
        for (PieceTracks& found : find_tracks(reader, plans, piece_of(options.by), search)) {
            Piece piece{found.name, found.name, choices.range, choices.criteria};
            piece.criteria.records.only = std::move(found.tracks);
            pieces.push_back(std::move(piece));
        }
    } else {
        const std::vector<Range> ranges = find_ranges(reader, plans, parse_piece_length(options.every), search);
        const std::size_t last = ranges.empty() ? 0 : ranges.size() - 1;
        const std::size_t width = std::max<std::size_t>(fmt::formatted_size("{}", last), 4);
        for (const Range& range : ranges)
            pieces.push_back({fmt::format("{:0{}}", pieces.size(), width), range_text(range), range, choices.criteria});
    }
    trace.input.seek(0);
    return pieces;
}

/// A piece while it is written.
struct PieceWork {
    TraceFile& trace;
    const Format& to;
    const Choices& choices;
    Findings& findings;  ///< of the reading
    Effect effect;       ///< of what is known about the trace
    Losses& losses;
    Messages& messages;
};

/// Warns of shards that cannot be put together, as far as that is known when the first one is written.
void warn_of_shards(const PieceWork& work, const Plan& plan, const Schema& written) {
    const auto& range = work.choices.range;
    if (range && range->is_shard && range->begin == 0 && lacks_mark(*work.trace.format, work.to, plan.lowers, written))
        warn_of_shards(work.messages, work.trace.name(), work.to);
}

/// Writes the records of a piece, but does not commit the output. Returns true if PartLosses took a loss back.
bool write_piece(const PieceWork& work, Output& output, ConversionCounts& counts, const ProgressListener& progress) {
    const Settings& settings = work.choices.settings;
    work.trace.input.seek(0);
    PreparedSource source(work.trace.input, *work.trace.format, work.to, settings, work.findings,
                          work.choices.criteria.records, work.choices.index);
    Plan plan = make_plan(source.schema(), source.format(), work.to, work.choices, work.losses);
    const Settings for_writer = source.for_writer(work.to, settings);
    const auto writer = work.to.create(output, plan.target_schema(source.schema()), for_writer, work.losses);
    warn_of_shards(work, plan, plan.target_schema(source.schema()));
    counts = convert(source.reader(), plan, *writer, progress);
    return plan.part && plan.part->took_back();
}

/// Prints the plan of a piece.
void explain_piece(const PieceWork& work, const std::string& path) {
    const Settings& settings = work.choices.settings;
    work.trace.input.seek(0);
    PreparedSource source(work.trace.input, *work.trace.format, work.to, settings, work.findings,
                          work.choices.criteria.records, work.choices.index);
    Plan plan = make_plan(source.schema(), source.format(), work.to, work.choices, work.losses);
    explain(path, plan, source.schema(), work.to, settings, work.losses);
}

/// Compares a piece with its slice of the trace (--verify). Returns false if the piece violates its format in a way in
/// which the trace does not.
bool verify_piece(const PieceWork& work, Output& output, bool took_back) {
    TraceFile& trace = work.trace;
    VerifiedOutput written{
        output,       work.to,
        work.choices, reason_not_to_compare(work.to, work.choices, work.losses, work.effect, took_back),
        {},           {}};
    written.compare = [&](Input& piece, Findings& findings) {
        return verify_conversion(trace.input, *trace.format, piece, work.to, work.choices, findings);
    };
    FaultsOfSources faults;
    faults.add(trace.input, *trace.format, work.choices.settings);
    if (trace.format == &work.to) written.faults_of_source = [&](std::string_view rule) { return faults.total(rule); };
    return report_verification(verify_output(written), trace.name(), output.name(), work.messages);
}

/// Prints the paths of the pieces.
void explain_pieces(const std::string& file, const std::vector<Piece>& pieces, const std::vector<std::string>& paths) {
    TextOutput out(STDOUT_FILENO);
    fit_to_terminal(out);
    out.put(fmt::format("{}: {}\n", printable(file), counted(pieces.size(), "piece")));
    for (std::size_t i = 0; i < pieces.size(); ++i)
        out.put(fmt::format("  {}  {}\n", printable(paths[i]), printable(pieces[i].what)));
    out.flush();
}

/// Throws Failure::usage if the options contradict each other. Returns the format of the pieces.
const Format& check_choices(const SplitOptions& options, Messages& messages) {
    const std::string& pattern = options.target.output;
    if (options.input.empty()) fail(Failure::usage, "an input is needed; try hwtrace-split --help");
    check_ways(options);
    if (pattern.empty() && !options.target.explain)
        fail(Failure::usage, "an output is needed, such as -o 'part-{}.uscope'; try hwtrace-split --help");
    if (pattern == "-")
        fail(Failure::usage,
             "-o -: pieces cannot be written to standard output; name files, such as -o 'part-{}.uscope'");
    if (!options.every.empty()) parse_piece_length(options.every);
    if (options.target.loss_report != "-" || options.target.explain) options.target.check_loss_report();
    const Format& to = options.target.format(options.common.formats(), messages);
    options.common.refuse_unused(&to);
    if (options.target.verify) check_verifiable(to);
    piece_paths(pattern, {}, to);
    options.part.check();
    return to;
}

/// One trace and its pieces.
class Splitting {
public:
    Splitting(const SplitOptions& options, const Format& to, Messages& messages)
        : options_(options),
          to_(to),
          messages_(messages),
          settings_(options.common.settings()),
          trace_(open_trace(options.input, options.common, messages)),
          file_(trace_.name()),
          identity_(trace_.input.identity()) {
        settings_.source_format = trace_.format->name;
        trace_.input.spool(options.common.temporary_folder());
        report_findings(findings_, file_, messages);
    }

    void find();
    /// Names the outputs, and prepares them unless the plan is only explained.
    void name_files();
    /// Prints the plan of the first piece. Those of the other pieces differ only in their slice.
    Exit explain();
    /// Writes the pieces, up to one in which --verify finds a fault. The files do not have their names yet.
    void write_all();
    /// Gives the files their names and reports what was lost.
    Exit finish();

private:
    bool is_sharded() const noexcept { return options_.into != 0; }
    Choices choices_of(std::size_t i);
    /// Runs `work`, and adds the names of the trace and of piece `i` to every error.
    template <typename Work>
    void naming_piece(std::size_t i, Work&& work) {
        try {
            work();
        } catch (const Error& error) {
            throw Error(error.failure(), about(file_, about(pieces_[i].what, without(file_, error.what()))));
        }
    }
    void write(std::size_t i, const ProgressListener& progress);

    const SplitOptions& options_;
    const Format& to_;
    Messages& messages_;
    Settings settings_;
    TraceFile trace_;
    std::string file_;  ///< the trace in messages
    std::optional<Input::Identity> identity_;
    Findings findings_{findings_shown_per_rule};
    bool uses_index_ = false;  ///< of a file; otherwise, all findings are reported before the first piece
    Choices wanted_;           ///< of the slice to split
    std::vector<Piece> pieces_;
    std::vector<std::string> paths_;
    std::optional<FileSet> files_;
    Losses losses_;
    ConversionCounts counts_;
    std::uint64_t written_ = 0;  ///< bytes
    bool verified_ = true;
};

void Splitting::find() {
    std::shared_ptr<const TraceIndex> index;
    if (is_sharded() || options_.part.any()) index = index_beside(options_.input, trace_, messages_);
    uses_index_ = index != nullptr;
    wanted_ = {options_.time.model(), options_.part.chosen_range(), settings_, options_.part.criteria(), index};
    naming(file_, [&] {
        if (const auto first = options_.part.first_selected())
            wanted_.range = first_range(*first, trace_.input, *trace_.format, to_, wanted_);
        if (const auto last = options_.part.last_count())
            wanted_.range = last_range(*last, trace_.input, *trace_.format, to_, wanted_);
        pieces_ = is_sharded() ? find_shards(options_, trace_, to_, wanted_, findings_)
                               : find_pieces(options_, trace_, to_, wanted_, findings_, counts_.records_read);
    });
}

void Splitting::name_files() {
    std::vector<std::string> names;
    names.reserve(pieces_.size());
    for (const Piece& piece : pieces_)
        names.push_back(piece.name);
    paths_ = piece_paths(options_.target.output, names, to_);
    for (const std::string& path : paths_) {
        TargetOptions target = options_.target;
        target.output = path;
        if (target.loss_report != "-") target.check_loss_report();
    }
    if (!options_.target.explain)
        files_.emplace(paths_, options_.target.force ? Existing::replace : Existing::refuse, std::vector{identity_});
}

Choices Splitting::choices_of(std::size_t i) {
    const Piece& piece = pieces_[i];
    settings_.output_name = paths_[i];
    settings_.window = reading_window(piece.range, piece.criteria, &to_);
    return {wanted_.time, piece.range, settings_, piece.criteria, wanted_.index};
}

Exit Splitting::explain() {
    explain_pieces(file_, pieces_, paths_);
    if (pieces_.empty()) return Exit::done;
    naming_piece(0, [&] {
        const Choices choices = choices_of(0);
        Losses losses;
        Findings reported_before(0);
        explain_piece({trace_, to_, choices, reported_before, findings_.effect(), losses, messages_}, paths_.front());
    });
    return Exit::done;
}

void Splitting::write(std::size_t i, const ProgressListener& progress) {
    Piece& piece = pieces_[i];
    // The last shard reads to the end of the trace. The other pieces were read before.
    Findings reported_before(0);
    const bool reads_rest = is_sharded() && i + 1 == pieces_.size() && uses_index_;
    Findings& of_reading = reads_rest ? findings_ : reported_before;
    Losses losses;
    const Choices choices = choices_of(i);
    const PieceWork work{trace_, to_, choices, of_reading, findings_.effect(), losses, messages_};
    const std::unique_ptr<Output> output = files_->open(i);
    ConversionCounts counts;
    const bool took_back = write_piece(work, *output, counts, progress);
    if (options_.target.verify) verified_ = verify_piece(work, *output, took_back);
    output->commit();
    add_losses(losses, losses_);
    piece.records = counts.records_written;
    counts_.records_written += counts.records_written;
    if (is_sharded()) counts_.records_read = wanted_.index->totals().records;
    written_ += output->size();
    messages_.detail(paths_[i], fmt::format("{}, {}, {}", piece.what, counted(piece.records, "record"),
                                            counted(output->size(), "byte")));
}

void Splitting::write_all() {
    const bool reads_each = options_.every.empty();
    const std::uint64_t readings = reads_each ? pieces_.size() : 1;
    const auto size = trace_.input.size();
    Progress progress(messages_, options_.common.progress(), file_, size ? std::optional(*size * readings) : size);
    for (std::size_t i = 0; i < pieces_.size() && verified_; ++i) {
        const std::uint64_t before = reads_each ? i * size.value_or(0) : 0;
        naming_piece(i, [&] { write(i, [&](std::uint64_t bytes) { progress(before + bytes); }); });
    }
}

Exit Splitting::finish() {
    const Outcome outcome{file_,
                          std::string(trace_.format->name),
                          to_,
                          losses_,
                          counts_,
                          findings_.effect(),
                          breaks_its_format(findings_),
                          trace_.input.size()};
    write_loss_report(options_.target, outcome, split_tool, options_.common.json_integers(), {identity_});
    if (!verified_) return Exit::no;
    report_hidden_findings(findings_, file_, messages_);
    const Written written{options_.target.output, written_, [&] { files_->commit(); }};
    const Exit exit = conclude(options_.target, outcome, written, messages_);
    const bool is_refused = outcome.refused(options_.target);
    if (is_sharded() && !is_refused) write_shards_manifest(options_, pieces_, paths_, outcome, {identity_});
    if (pieces_.empty())
        messages_.note(file_, options_.part.any() ? "nothing was selected; nothing was written"
                                                  : "the trace has no records; nothing was written");
    else if (!is_refused)
        messages_.note(file_, fmt::format("{}: {}{}", counted(pieces_.size(), "piece"), paths_.front(),
                                          pieces_.size() == 1 ? "" : fmt::format(" to {}", paths_.back())));
    return exit;
}

}  // namespace

Exit split_command(const SplitOptions& options) {
    Messages messages = options.common.messages(split_tool);
    const Format& to = check_choices(options, messages);
    Splitting splitting(options, to, messages);
    splitting.find();
    splitting.name_files();
    if (options.target.explain) return splitting.explain();
    splitting.write_all();
    return splitting.finish();
}

}  // namespace hwtrace::cli

#include "cli/split_command.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "cli/index_file.hpp"
#include "cli/process.hpp"
#include "cli/shard_manifest.hpp"
#include "cli/trace_file.hpp"
#include "convert/prescan.hpp"
#include "domain/value_text.hpp"
#include "io/advised_error.hpp"
#include "io/error.hpp"
#include "io/file_set.hpp"
#include "io/http/url.hpp"
#include "io/named_error.hpp"
#include "io/text_output.hpp"
#include "operate/index_making.hpp"
#include "operate/pieces.hpp"
#include "operate/position_count.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view split_tool = "hwtrace-split";
constexpr std::string_view place_of_name = "{}";

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

/// Returns a name that is safe as part of a file name.
std::string safe_name(std::string_view name) {
    constexpr std::size_t longest = 100;
    std::string safe;
    for (const char c : name.substr(0, longest)) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
                           c == '.' || c == '_';
        safe.push_back(c == '/' ? '.' : plain ? c : '_');
    }
    if (safe.empty()) safe.push_back('_');
    if (safe.front() == '.' || safe.front() == '-') safe.front() = '_';
    return safe;
}

/// Returns the offset of the extension: at the longest matching extension of the format, otherwise at the last dot.
std::size_t extension_at(std::string_view path, const Format& format) {
    const std::size_t slash = path.rfind('/');
    const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
    std::size_t longest = 0;
    for (const std::string_view extension : format.extensions)
        if (path.size() - name > extension.size() && path.ends_with(extension))
            longest = std::max(longest, extension.size());
    if (longest != 0) return path.size() - longest;
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos || dot <= name ? path.size() : dot;
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
    ShardManifest manifest{manifest_path(options.target.output), shown_path(options.input), outcome.size, {}, {}};
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

/// Writes the records of a piece, but does not commit the output. Returns true if PartLosses took a loss back.
bool write_piece(const PieceWork& work, Output& output, ConversionCounts& counts, const ProgressListener& progress) {
    const Settings& settings = work.choices.settings;
    work.trace.input.seek(0);
    PreparedSource source(work.trace.input, *work.trace.format, work.to, settings, work.findings,
                          work.choices.criteria.records, work.choices.index);
    Plan plan = make_plan(source.schema(), source.format(), work.to, work.choices, work.losses);
    const Settings for_writer = source.for_writer(work.to, settings);
    const auto writer = work.to.create(output, plan.target_schema(source.schema()), for_writer, work.losses);
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
    out.put(fmt::format("{}: {}\n", printable(file), counted(pieces.size(), "piece")));
    for (std::size_t i = 0; i < pieces.size(); ++i)
        out.put(fmt::format("  {}  {}\n", printable(paths[i]), printable(pieces[i].what)));
    out.flush();
}

}  // namespace

std::vector<std::string> piece_paths(std::string_view pattern, const std::vector<std::string>& names,
                                     const Format& format) {
    const std::size_t slash = pattern.rfind('/');
    const std::size_t at = pattern.find(place_of_name);
    const bool is_placed = at != std::string_view::npos;
    if (is_placed && slash != std::string_view::npos && at < slash)
        fail(Failure::usage, fmt::format("{}: {{}} must be in the file name, not in a folder", pattern));
    if (is_placed && pattern.find(place_of_name, at + 1) != std::string_view::npos)
        fail(Failure::usage, fmt::format("{}: {{}} appears twice", pattern));
    const std::size_t end = is_placed ? at : extension_at(pattern, format);
    const std::string front = fmt::format("{}{}", pattern.substr(0, end), is_placed ? "" : "-");
    const std::string_view back = pattern.substr(is_placed ? at + place_of_name.size() : end);

    std::vector<std::string> paths;
    std::set<std::string> taken;
    for (const std::string& name : names) {
        const std::string safe = safe_name(name);
        std::string unique = safe;
        for (std::size_t number = 2; !taken.insert(unique).second; ++number)
            unique = fmt::format("{}-{}", safe, number);
        paths.push_back(fmt::format("{}{}{}", front, unique, back));
    }
    return paths;
}

Exit split_command(const SplitOptions& options) {
    Messages messages = options.common.messages(split_tool);
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
    Settings settings = options.common.settings();
    const std::optional<std::uint64_t> last = options.part.last_count();

    TraceFile trace = open_trace(options.input, options.common, messages);
    settings.source_format = trace.format->name;
    const std::string file = trace.name();
    const auto identity = trace.input.identity();
    trace.input.spool(options.common.temporary_folder());

    Findings findings(findings_shown_per_rule);
    report_findings(findings, file, messages);
    Losses losses;
    ConversionCounts counts;
    std::shared_ptr<const TraceIndex> index;
    if (options.into != 0 || options.part.any()) index = index_beside(options.input, trace, messages);
    const bool uses_file = index != nullptr;  // otherwise, all findings are reported before the first piece
    Choices wanted{options.time.model(), options.part.chosen_range(), settings, options.part.criteria(), index};
    std::vector<Piece> pieces;
    naming(file, [&] {
        if (const auto first = options.part.first_selected())
            wanted.range = first_range(*first, trace.input, *trace.format, to, wanted);
        if (last) wanted.range = last_range(*last, trace.input, *trace.format, to, wanted);
        pieces = options.into != 0 ? find_shards(options, trace, to, wanted, findings)
                                   : find_pieces(options, trace, to, wanted, findings, counts.records_read);
    });

    std::vector<std::string> names;
    names.reserve(pieces.size());
    for (const Piece& piece : pieces)
        names.push_back(piece.name);
    const std::vector<std::string> paths = piece_paths(pattern, names, to);
    for (const std::string& path : paths) {
        TargetOptions target = options.target;
        target.output = path;
        if (target.loss_report != "-") target.check_loss_report();
    }
    std::optional<FileSet> files;
    if (options.target.explain)
        explain_pieces(file, pieces, paths);
    else
        files.emplace(paths, options.target.force ? Existing::replace : Existing::refuse, std::vector{identity});

    std::uint64_t written = 0;
    const bool reads_each = options.every.empty();
    const std::uint64_t readings = reads_each ? pieces.size() : 1;
    const auto size = trace.input.size();
    Progress progress(messages, options.common.progress(), file, size ? std::optional(*size * readings) : size);
    bool verified = true;
    for (std::size_t i = 0; i < pieces.size() && verified; ++i) {
        Piece& piece = pieces[i];
        naming(file, [&] {
            // The last shard reads to the end of the trace. The other pieces were read before.
            Findings reported_before(0);
            const bool reads_rest = options.into != 0 && i + 1 == pieces.size() && uses_file;
            Findings& of_reading = reads_rest ? findings : reported_before;
            Losses of_piece;
            settings.output_name = paths[i];
            settings.window = reading_window(piece.range, piece.criteria, &to);
            const Choices choices{wanted.time, piece.range, settings, piece.criteria, wanted.index};
            const PieceWork work{trace, to, choices, of_reading, findings.effect(), of_piece, messages};
            if (options.target.explain) return explain_piece(work, paths[i]);
            const std::unique_ptr<Output> output = files->open(i);
            const std::uint64_t before = reads_each ? i * size.value_or(0) : 0;
            ConversionCounts made;
            const bool took_back =
                write_piece(work, *output, made, [&](std::uint64_t bytes) { progress(before + bytes); });
            if (options.target.verify) verified = verify_piece(work, *output, took_back);
            output->commit();
            add_losses(of_piece, losses);
            piece.records = made.records_written;
            counts.records_written += made.records_written;
            if (options.into != 0) counts.records_read = wanted.index->totals().records;
            written += output->size();
            messages.detail(paths[i], fmt::format("{}, {}, {}", piece.what, counted(made.records_written, "record"),
                                                  counted(output->size(), "byte")));
        });
        if (options.target.explain) break;  // the plans of the other pieces differ only in their slice
    }
    if (options.target.explain) return Exit::done;

    const Outcome outcome{
        file, std::string(trace.format->name), to, losses, counts, findings.effect(), breaks_its_format(findings),
        size};
    write_loss_report(options.target, outcome, split_tool, options.common.json_integers(), {identity});
    if (!verified) return Exit::no;
    report_hidden_findings(findings, file, messages);
    const Exit exit = conclude(options.target, outcome, Written{pattern, written, [&] { files->commit(); }}, messages);
    if (options.into != 0 && !outcome.refused(options.target))
        write_shards_manifest(options, pieces, paths, outcome, {identity});
    if (pieces.empty())
        messages.note(file, options.part.any() ? "nothing was selected; nothing was written"
                                               : "the trace has no records; nothing was written");
    else if (!outcome.refused(options.target))
        messages.note(file, fmt::format("{}: {}{}", counted(pieces.size(), "piece"), paths.front(),
                                        pieces.size() == 1 ? "" : fmt::format(" to {}", paths.back())));
    return exit;
}

}  // namespace hwtrace::cli

#include "views/pipeline_view.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "domain/timeline.hpp"
#include "domain/value_text.hpp"
#include "io/counted.hpp"
#include "io/number_text.hpp"
#include "views/lifetime_notes.hpp"
#include "views/time_axis.hpp"
#include "views/timeline_view.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t most_waiting = 1024;  // rows that are sorted at a time
constexpr std::size_t most_lines = 3;       // windows in which one row is drawn
constexpr std::string_view spare_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

bool is_letter(char c) noexcept {
    return spare_letters.find(c) != std::string_view::npos;
}

/// The letters of the stages of a scope. Different stages have different letters as long as there are any.
class StageLetters {
public:
    /// Returns the number of the stage with this name, which is declared if it is new.
    std::size_t number_of(std::string_view name) {
        const auto known = std::ranges::find(names_, name);
        if (known != names_.end()) return static_cast<std::size_t>(known - names_.begin());
        if (names_.size() == spare_letters.size()) return names_.size();
        names_.emplace_back(name);
        letters_ += free_letter(name);
        return names_.size() - 1;
    }
    char letter(std::size_t number) const noexcept { return number < letters_.size() ? letters_[number] : '*'; }
    const std::vector<std::string>& names() const noexcept { return names_; }

private:
    char free_letter(std::string_view name) const {
        const auto is_free = [&](char c) { return is_letter(c) && letters_.find(c) == std::string::npos; };
        for (const std::string_view choice : {name, spare_letters})
            if (const auto found = std::ranges::find_if(choice, is_free); found != choice.end()) return *found;
        return '*';
    }

    std::vector<std::string> names_;
    std::string letters_;
};

/// A lifetime, reduced to what is drawn. Times are cycles.
struct PipelineRow {
    struct Stage {
        std::size_t number = 0;
        Tick begin = 0, end = 0;
    };
    Tick first = 0, last = 0;
    std::uint64_t id = 0, serial = 0;
    char end_mark = ' ';
    std::string label;
    std::vector<Stage> stages;
};

char end_mark(Lifetime::Status status) noexcept {
    switch (status) {
        case Lifetime::Status::retired:
            return ' ';
        case Lifetime::Status::flushed:
            return 'x';
        case Lifetime::Status::in_flight:
            return '>';
        case Lifetime::Status::replaced:
            break;
    }
    return '?';
}

/// Draws the rows of one scope.
class Staircase {
public:
    Staircase(const Schema& schema, TerminalCanvas& canvas) : schema_(schema), canvas_(canvas) {}

    void add(const Catalogue& catalogue, const Lifetime& life) {
        const CycleScale& cycles = catalogue.cycles;
        PipelineRow row;
        row.first = cycles.cycle(life.first);
        row.last = cycles.cycle(life.last);
        row.id = life.id;
        row.serial = serial_++;
        row.end_mark = end_mark(life.status);
        row.label = label(catalogue, life);
        for (const Lifetime::Stage& stage : life.stages) {
            if (stage.lane != 0) {
                has_lanes_ = true;
                continue;
            }
            const Tick end = cycles.cycle(stage.end);
            row.stages.push_back({letters_.number_of(stage_name(catalogue, stage.stage)), cycles.cycle(stage.begin),
                                  stage.open ? end + (end != std::numeric_limits<Tick>::max() ? 1 : 0) : end});
            row.last = std::max(row.last, row.stages.back().end);
        }
        waiting_.push_back(std::move(row));
    }
    bool is_full() const noexcept { return waiting_.size() >= most_waiting; }
    /// Draws the rows that begin first, all of them or half.
    void draw(bool all, std::string_view heading) {
        if (waiting_.empty()) return;
        std::ranges::sort(waiting_, {},
                          [](const PipelineRow& row) { return std::tuple(row.first, row.id, row.serial); });
        if (columns_ == 0) choose_scale();
        const std::size_t drawn = all ? waiting_.size() : waiting_.size() / 2;
        if (!heading.empty()) {
            canvas_.text(canvas_.printable_name(heading));
            canvas_.end_line();
        }
        if (!heading.empty() || !has_ruler_) draw_ruler();
        has_ruler_ = true;
        for (std::size_t i = 0; i < drawn; ++i)
            draw_row(waiting_[i]);
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(drawn));
    }
    void explain(const Catalogue& catalogue, const LifetimeCounts& counts) {
        canvas_.text("# " + canvas_.printable_name(catalogue.path) + ": " + summary(catalogue.protocol, counts) + "\n");
        std::string line = "#";
        for (std::size_t i = 0; i < letters_.names().size(); ++i) {
            std::string item = std::string("  ") + letters_.letter(i) + " ";
            item += canvas_.printable_name(letters_.names()[i]);
            if (line != "#" && display_width(line) + display_width(item) > canvas_.drawing().width) {
                canvas_.text(line + "\n");
                line.assign(1, '#');
            }
            line += item;
        }
        if (line != "#") canvas_.text(line + "\n");
        canvas_.text("# one column is " + counted(static_cast<std::uint64_t>(group_), "cycle") +
                     "; '.' is in no stage\n# before the id: x flushed, > in flight, ? replaced\n");
        if (has_lanes_) canvas_.text("# stages of other lanes than 0 are not drawn; --view timeline shows them\n");
    }

private:
    static std::string stage_name(const Catalogue& catalogue, std::uint64_t stage) {
        return stage < catalogue.stages.size() ? catalogue.stages[static_cast<std::size_t>(stage)]
                                               : std::to_string(stage);
    }
    /// Returns "#17 addi x1, x0, 1", or the pc if there is no disassembly.
    std::string label(const Catalogue& catalogue, const Lifetime& life) const {
        std::string text = std::string("#").append(std::to_string(life.id));
        const Lifetime::Remark* const disassembly = disassembly_of(schema_, catalogue, life);
        if (disassembly != nullptr) {
            TextOutput quoted(-1, 128);
            append_quoted(text_of(schema_, catalogue, *disassembly), quoted);
            std::string_view shown = quoted.text();
            shown = shown.substr(1, shown.size() - 2);
            text.append(" ").append(canvas_.printable(shown));
        } else if (life.has(catalogue.pc) && life.cells[catalogue.pc] != 0) {
            text.append(" ").append(hexadecimal_text(life.cells[catalogue.pc]));
        }
        return text;
    }

    /// Chooses the widths, and as many cycles per column as 9 of 10 rows need to fit into a window.
    void choose_scale() {
        const std::size_t width = canvas_.drawing().width;
        for (const PipelineRow& row : waiting_) {
            label_width_ = std::max(label_width_, display_width(row.label));
            time_width_ = std::max(time_width_, std::to_string(row.last).size());
        }
        label_width_ = std::min(label_width_, width * 2 / 5);
        const std::size_t used = label_width_ + time_width_ + 4;
        columns_ = std::max<std::size_t>(width - std::min(width, used), 10) / 10 * 10;
        std::vector<std::uint64_t> durations;
        for (const PipelineRow& row : waiting_)
            durations.push_back(ticks_between(row.first, row.last));
        const auto most = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() * 9 / 10);
        std::ranges::nth_element(durations, most);
        const std::uint64_t needed = *most / columns_ + (*most > columns_ ? 1 : 0);
        group_ = static_cast<Tick>(rounded_up(WideTick{std::max<std::uint64_t>(needed, 1)}));
    }
    void draw_ruler() {
        canvas_.spaces(2 + label_width_ + 1);
        canvas_.right_label("+", time_width_);
        canvas_.text(" ");
        std::string line;
        for (std::size_t column = 0; column < columns_; column += 10) {
            line.resize(std::max(line.size(), column), ' ');
            if (line.size() == column) line += std::to_string(static_cast<Tick>(column) * group_) + " ";
        }
        while (line.ends_with(' '))
            line.pop_back();
        canvas_.text(line);
        canvas_.end_line();
    }
    void draw_row(const PipelineRow& row) {
        const WideTick window = WideTick{columns_} * group_;
        // The window moves to a row that does not fit into it.
        if (row.first < base_ || row.last > base_ + window) {
            const WideTick tens = WideTick{10} * group_;
            base_ = row.first / tens * tens;
            if (base_ > row.first) base_ -= tens;
        }
        WideTick base = base_;
        std::string cells(columns_, ' ');
        std::vector<std::int8_t> colours(columns_, -1);
        for (std::size_t line = 0; line == 0 || (base < row.last && line < most_lines); ++line, base += window) {
            fill(row, base, cells, colours);
            const bool is_cut = line + 1 == most_lines && base + window < row.last;
            canvas_.text(std::string_view(line == 0 ? &row.end_mark : " ", 1));
            canvas_.text(" ");
            canvas_.left_label(line == 0 ? std::string_view(row.label) : "", label_width_);
            canvas_.text(" ");
            canvas_.right_label(text_of(base), time_width_);
            canvas_.text(" ");
            const std::size_t end = cells.find_last_not_of(' ') + 1;
            canvas_.letters(std::string_view(cells).substr(0, end), std::span(colours).first(end));
            if (is_cut) canvas_.text(canvas_.drawing().ascii ? ">" : "›");
            canvas_.end_line();
        }
    }
    /// Fills the cells of the window that begins at cycle `base`.
    void fill(const PipelineRow& row, WideTick base, std::string& cells, std::vector<std::int8_t>& colours) const {
        std::ranges::fill(cells, ' ');
        std::ranges::fill(colours, std::int8_t{-1});
        const auto columns = static_cast<WideTick>(columns_);
        const auto paint = [&](Tick begin, Tick end, char letter, int colour, bool over) {
            const WideTick from =
                std::max<WideTick>((begin - base) / group_, begin < base ? 0 : (begin - base) / group_);
            const WideTick to = end <= base ? 0 : std::min((end - base + group_ - 1) / group_, columns);
            for (WideTick i = std::max<WideTick>(from, 0); i < to; ++i) {
                const auto column = static_cast<std::size_t>(i);
                if (!over && cells[column] != ' ' && cells[column] != '.') continue;
                cells[column] = letter;
                colours[column] = static_cast<std::int8_t>(colour);
            }
        };
        const auto next = [](Tick time) { return time == std::numeric_limits<Tick>::max() ? time : time + 1; };
        paint(row.first, std::max(row.last, next(row.first)), '.', -1, true);
        for (const PipelineRow::Stage& stage : row.stages) {
            const bool takes_time = stage.end > stage.begin;
            paint(stage.begin, takes_time ? stage.end : next(stage.begin), letters_.letter(stage.number),
                  static_cast<int>(stage.number % 6), takes_time);
        }
    }

    const Schema& schema_;
    TerminalCanvas& canvas_;
    StageLetters letters_;
    std::vector<PipelineRow> waiting_;
    std::uint64_t serial_ = 0;
    bool has_lanes_ = false, has_ruler_ = false;
    std::size_t label_width_ = 0, time_width_ = 1, columns_ = 0;  // columns_: 0 until the first row is drawn
    WideTick base_ = 0;                                           // cycle of the first column
    Tick group_ = 1;                                              // cycles per column
};

}  // namespace

std::vector<std::string> show_pipeline(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    if (form != TextForm::text) return show_timeline(reader, form, options, settings, out, progress);
    const Schema& schema = reader.schema();
    Timeline timeline(schema, Timeline::Detail::whole, options.entity);
    TerminalCanvas canvas(options.drawing, out);
    std::vector<Staircase> scopes;
    std::size_t last_drawn = timeline.catalogues().size();
    const auto heading = [&](std::size_t scope) {
        const bool is_other = timeline.catalogues().size() > 1 && scope != last_drawn;
        last_drawn = scope;
        return is_other ? std::string_view(timeline.catalogues()[scope].path) : std::string_view();
    };
    const LifetimeListener listener = [&](const Lifetime& life) {
        while (scopes.size() <= life.catalogue)
            scopes.emplace_back(schema, canvas);
        Staircase& scope = scopes[life.catalogue];
        scope.add(timeline.catalogues()[life.catalogue], life);
        if (scope.is_full()) scope.draw(false, heading(life.catalogue));
    };
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        timeline.add(batch, listener);
        if (progress) progress(reader.position());
    }
    timeline.finish(listener);
    for (std::size_t i = 0; i < scopes.size(); ++i)
        scopes[i].draw(true, heading(i));
    for (std::size_t i = 0; i < scopes.size(); ++i)
        scopes[i].explain(timeline.catalogues()[i], timeline.counts()[i]);
    return lifetime_notes(schema, timeline, options, std::nullopt);
}

}  // namespace hwtrace

// symbols/code_places.hpp - describes addresses of code for views: function, offset and source line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "io/text_output.hpp"
#include "symbols/symbols.hpp"

namespace hwtrace {

/// A position in a program.
struct CodePlace {
    const Symbols::Function* function = nullptr;  ///< null: unknown; the other members are then empty
    std::uint64_t offset = 0;                     ///< in the function
    std::string_view file;                        ///< of the source line; empty if unknown
    std::uint32_t line = 0;
};

/// Describes addresses for one thread. Remembers recent answers, so that loops cost little.
class CodePlaces {
public:
    explicit CodePlaces(std::shared_ptr<const Symbols> symbols)
        : symbols_(std::move(symbols)), has_lines_(symbols_->has_lines()) {}

    const Symbols& symbols() const noexcept { return *symbols_; }
    CodePlace at(std::uint64_t pc) {
        CodePlace place;
        place.function = symbols_->function_at(pc, recent_);
        if (place.function == nullptr) return place;
        place.offset = pc - place.function->begin;
        if (!has_lines_) return place;
        Symbols::Line& line = lines_[static_cast<std::size_t>(pc >> 1) % lines_.size()];
        if (pc < line.begin || pc >= line.end) line = symbols_->line_at(pc);
        place.file = line.file;
        place.line = line.line;
        return place;
    }

private:
    std::shared_ptr<const Symbols> symbols_;
    bool has_lines_;
    Symbols::Recent recent_;
    std::array<Symbols::Line, 1024> lines_{};
};

/// Appends "function+0xoff", such as "main+0x1c". `place` must have a function.
void append_function_and_offset(const CodePlace& place, TextOutput& out);
/// Appends a comment with the function, and the source line without its folders: "# main+0x1c sort.c:120", or "# ?" if
/// the function is unknown.
void append_place_comment(const CodePlace& place, TextOutput& out);

}  // namespace hwtrace

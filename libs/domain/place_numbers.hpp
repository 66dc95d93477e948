// domain/place_numbers.hpp - the functions and source lines of instructions, as numbers with texts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "symbols/symbols.hpp"

namespace hwtrace {

/// Looks up the functions and source lines of instructions. Numbers each text once. Not shared by threads.
class PlaceNumbers {
public:
    static constexpr std::uint32_t unknown = 0xFFFF'FFFF;

    struct Place {
        std::uint32_t function = unknown;  ///< for function_name(); functions with the same name have one number
        std::uint32_t source = unknown;    ///< for source()
        std::uint64_t offset = 0;          ///< of the instruction in its function, if this is known
    };

    explicit PlaceNumbers(std::shared_ptr<const Symbols> symbols);

    const Symbols& symbols() const noexcept { return *symbols_; }
    /// Returns the place of the instruction at `pc`, without its source line. Allocates nothing.
    Place function_at(std::uint64_t pc) noexcept;
    /// Returns the number of the source line of the instruction at `pc`, or `unknown`. Throws as Symbols::line_at.
    std::uint32_t source_at(std::uint64_t pc) {
        const Lines& known = recent_[static_cast<std::size_t>(pc >> 1) % recent_.size()];
        return pc >= known.begin && pc < known.end ? known.source : find_source(pc);
    }

    std::string_view function_name(std::uint32_t function) const noexcept { return symbols_->function(function).name; }
    /// Returns "file:line". The text lives as long as this object.
    const std::string& source(std::uint32_t number) const noexcept { return sources_[number]; }
    /// Returns how many source lines have a number.
    std::size_t sources() const noexcept { return sources_.size(); }
    /// Returns true if the number names a function: it is the first one with its name.
    bool is_named(std::uint32_t function) const noexcept { return first_of_name_[function] == function; }

private:
    struct Lines {
        std::uint64_t begin = 0, end = 0;
        std::uint32_t source = unknown;
    };

    std::uint32_t find_source(std::uint64_t pc);

    std::shared_ptr<const Symbols> symbols_;
    Symbols::Recent recent_functions_;
    std::vector<std::uint32_t> first_of_name_;  // by function
    std::array<Lines, 4096> recent_{};
    std::map<std::pair<std::string_view, std::uint32_t>, std::uint32_t> numbers_;  // by file and line
    std::deque<std::string> sources_;                                              // their addresses do not change
};

/// Returns "file:line" of an instruction, or an empty text without debug information. Throws as Symbols::line_at.
std::string source_text(const Symbols& symbols, std::uint64_t pc);

}  // namespace hwtrace

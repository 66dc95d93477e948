// cli/function_report.hpp - prints the functions of hwtrace-info, and the functions of its addresses (--elf).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/json.hpp"
#include "cli/messages.hpp"
#include "io/text_output.hpp"
#include "symbols/symbols.hpp"
#include "views/function_profile.hpp"

namespace hwtrace::cli {

/// Names the addresses of a report.
class AddressNames {
public:
    /// Without symbols (null), nothing has a name.
    AddressNames(std::shared_ptr<const Symbols> symbols, Volume volume)
        : symbols_(std::move(symbols)), volume_(volume) {}

    explicit operator bool() const noexcept { return symbols_ != nullptr; }
    const Symbols& symbols() const noexcept { return *symbols_; }
    /// Returns "function+0xoff", or "-". Long names are shortened unless verbose.
    std::string text(std::uint64_t pc) const;
    /// Returns the name of a function, or "-". Long names are shortened unless verbose.
    std::string text_of(Symbols::FunctionId function) const;
    /// Adds the members "function", "offset" and "source" if they are known.
    void add_to(Json& entry, std::uint64_t pc, JsonIntegers integers) const;

private:
    std::string shortened(std::string_view name) const;

    std::shared_ptr<const Symbols> symbols_;
    Volume volume_;
};

/// Prints the hottest 20 functions, or all that are known if verbose.
void print_functions(const FunctionProfile& profile, const AddressNames& names, Volume volume, TextOutput& out);
Json functions_json(const FunctionProfile& profile, const AddressNames& names, JsonIntegers integers);

}  // namespace hwtrace::cli

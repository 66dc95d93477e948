// symbols/symbols.hpp - names of code addresses: functions, source lines and inlined calls of the programs that ran.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/limits.hpp"

namespace hwtrace {

struct CodeSymbol;

/// A program or a library in an ELF file, and where it was loaded.
struct SymbolFile {
    std::string path;
    /// Is added to every address of the file. Programs with fixed addresses need none. Position-independent programs
    /// and libraries need the address at which the loader placed their address 0. None: 0.
    std::optional<std::uint64_t> base{};
};

/// A function with explicit addresses, for Symbols::of.
struct NamedFunction {
    std::uint64_t begin = 0, end = 0;  ///< [begin, end)
    std::string name;
};

/// The functions, source lines and inlined calls of a set of programs and libraries. Immutable: threads may share it.
/// All names are valid as long as this object.
class Symbols {
public:
    /// An index into functions().
    using FunctionId = std::uint32_t;
    static constexpr FunctionId no_function = 0xFFFF'FFFF;

    struct Function {
        std::uint64_t begin = 0, end = 0;  ///< [begin, end), as loaded
        std::string_view name;             ///< demangled, without a symbol version
        std::string_view raw_name;         ///< as in the symbol table
        std::uint32_t file = 0;            ///< an index into files()
    };
    /// The addresses [begin, end) that belong to one function, or to none. A function within another one splits it
    /// into several ranges.
    struct Range {
        std::uint64_t begin = 0, end = 0;
        FunctionId function = no_function;

        bool contains(std::uint64_t pc) const noexcept { return pc >= begin && pc < end; }
    };
    /// A source line. `file` is empty if the debug information states none.
    struct Line {
        std::string_view file;  ///< with the folder in which it was compiled
        std::uint32_t line = 0;
        std::uint64_t begin = 0, end = 0;  ///< the answer is the same for [begin, end)
    };
    /// A call that the compiler replaced by the body of the called function.
    struct InlinedCall {
        std::string_view name;       ///< of the called function, demangled
        std::string_view call_file;  ///< the source line of the call; empty if not stated
        std::uint32_t call_line = 0;
        const InlinedCall* caller = nullptr;  ///< the inlined call that contains this call; null: the function itself
    };
    struct Inlining {
        const InlinedCall* innermost = nullptr;  ///< null: nothing is inlined there
        std::uint64_t begin = 0, end = 0;        ///< the answer is the same for [begin, end)
    };
    /// The recent look-ups of one caller. It makes repeated look-ups fast. Not shared by threads.
    class Recent {
        friend class Symbols;
        std::array<std::uint32_t, 64> ranges_{};
        std::uint32_t last_ = 0;
    };

    /// Returns whether this build can read ELF files (libdw was found when it was built).
    static bool can_load() noexcept;
    /// Reads files. Throws Failure::io if a file cannot be opened, Failure::input if it is not a little-endian ELF
    /// program or library with function symbols, or is damaged, Failure::limit if it exceeds `limits`, and
    /// Failure::usage if two files overlap or can_load() is false. Messages name the file.
    static std::shared_ptr<const Symbols> load(std::span<const SymbolFile> files, const Limits& limits);
    /// Returns true if a file is an ELF program or library that can be loaded anywhere. False also if it cannot be
    /// read.
    static bool is_position_independent(const std::string& path);
    /// Makes symbols from a list of functions, without files and lines.
    static std::shared_ptr<const Symbols> of(std::vector<NamedFunction> functions);

    ~Symbols();
    Symbols(const Symbols&) = delete;
    Symbols& operator=(const Symbols&) = delete;

    /// Returns all functions, sorted by address.
    std::span<const Function> functions() const noexcept { return functions_; }
    const Function& function(FunctionId id) const noexcept { return functions_[id]; }
    std::span<const SymbolFile> files() const noexcept { return files_; }

    /// Returns the range that contains `pc`. All addresses have one. Allocates nothing.
    const Range& range_at(std::uint64_t pc, Recent& recent) const noexcept {
        if (const Range& last = ranges_[recent.last_]; last.contains(pc)) [[likely]]
            return last;
        return find_range(pc, recent);
    }
    /// Returns the function at `pc`, or nullptr. Allocates nothing.
    const Function* function_at(std::uint64_t pc, Recent& recent) const noexcept {
        const FunctionId id = range_at(pc, recent).function;
        return id == no_function ? nullptr : &functions_[id];
    }
    /// Returns true if some file has debug information.
    bool has_lines() const noexcept;
    /// Returns the source line of the instruction at `pc`. Slower than function_at: keep the answer for its range.
    /// Throws Failure::limit if the debug information exceeds the limits.
    Line line_at(std::uint64_t pc) const;
    /// Returns the inlined calls that contain the instruction at `pc`. Slow like line_at, and throws like it.
    Inlining inlining_at(std::uint64_t pc) const;

private:
    struct Part;
    Symbols();
    void set_functions(std::vector<CodeSymbol> symbols, const Limits& limits);
    const Range& find_range(std::uint64_t pc, Recent& recent) const noexcept;
    template <typename Answer, typename Ask>
    Answer ask(std::uint64_t pc, Ask&& lines_of) const;

    std::vector<SymbolFile> files_;
    std::vector<Part> parts_;  // the code of the files, by address
    std::vector<char> names_;
    std::vector<Function> functions_;
    std::vector<Range> ranges_;  // without gaps, from 0 up
};

}  // namespace hwtrace

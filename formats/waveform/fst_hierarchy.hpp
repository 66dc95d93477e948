// formats/waveform/fst_hierarchy.hpp - reads the names and sizes of the variables of an FST file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fst_file.hpp"
#include "io/limits.hpp"
#include "model/schema.hpp"
#include "signal_tracks.hpp"

namespace hwtrace::waveform {

/// The form of the values of a handle. Handles count from 0 here.
struct FstHandle {
    std::uint32_t size = 1;  ///< states, or bytes of a real; 0: texts
    bool is_real = false;
    std::uint32_t signal = no_number;  ///< the first signal with its values
};

/// The handles and signals of a file.
class FstHierarchy {
public:
    /// All arguments must outlive this object.
    FstHierarchy(const FstFile& file, const FstFindings& findings, const Limits& limits, Schema& schema,
                 SignalTracks& tracks)
        : file_(file), findings_(findings), limits_(limits), schema_(schema), tracks_(tracks) {}

    /// Reads the hierarchy and the geometry.
    void read();

    /// Returns true if all handles are known.
    bool is_complete() const noexcept { return is_complete_; }
    const std::vector<FstHandle>& handles() const noexcept { return handles_; }
    /// Returns the next signal with the same values, or no_number.
    std::uint32_t next(std::uint32_t signal) const noexcept { return next_[signal]; }

private:
    /// Returns the unpacked hierarchy; empty if it is damaged.
    std::vector<std::byte> unpacked(const FstBlock& block) const;
    bool unpack(const FstBlock& block, std::span<const std::byte> data, std::span<std::byte> raw) const;
    void parse(const FstBlock& block, std::span<const std::byte> bytes);
    bool parse_scope();
    bool parse_attribute();
    bool parse_variable(std::uint8_t type);
    bool take_text(std::string_view& text) noexcept;
    void declare_enum(std::string_view text, std::uint64_t number);
    void read_geometry();

    const FstFile& file_;
    const FstFindings& findings_;
    const Limits& limits_;
    Schema& schema_;
    SignalTracks& tracks_;
    std::vector<FstHandle> handles_;
    std::vector<std::uint32_t> next_;
    const std::byte* at_ = nullptr;
    const std::byte* end_ = nullptr;
    ScopeId scope_ = none;
    std::map<std::uint64_t, EnumId> enums_;
    bool is_complete_ = false;
    EnumId next_enum_ = none;  ///< of the next variable
};

}  // namespace hwtrace::waveform

// formats/waveform/vcd_header.hpp - reads the declarations of a VCD file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/unpacked.hpp"
#include "model/hash.hpp"
#include "rules.hpp"
#include "signal_tracks.hpp"
#include "words.hpp"

namespace hwtrace::waveform {

/// Some editors put it in front of a text in UTF-8.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Finds variables by their identifier code.
class Codes {
public:
    /// Adds a variable. Returns the first variable of the code, or `signal` itself if the code is new.
    std::uint32_t add(std::string_view code, std::uint32_t signal);
    /// Returns the first variable of a code, or no_number.
    std::uint32_t find(std::string_view code) const {
        const std::uint64_t number = number_of(code);
        if (number < dense_.size()) [[likely]]
            return dense_[static_cast<std::size_t>(number)];
        const auto found = sparse_.find(code);
        return found == sparse_.end() ? no_number : found->second;
    }
    /// Returns the next variable of the same code, or no_number.
    std::uint32_t next(std::uint32_t signal) const noexcept { return next_[signal]; }

private:
    static constexpr std::uint64_t most_dense = 1u << 20;
    /// Returns the position of a code among all codes, shorter ones first; at least most_dense if that is far.
    static std::uint64_t number_of(std::string_view code) noexcept {
        if (code.size() > 4) return most_dense;
        std::uint64_t number = 0;
        for (std::size_t at = code.size(); at-- != 0;) {
            const unsigned digit = static_cast<unsigned char>(code[at]) - unsigned{'!'};
            if (digit >= 94) return most_dense;
            number = number * 94 + digit + 1;
        }
        return number;
    }

    std::vector<std::uint32_t> dense_, next_;
    HashMap<std::string, std::uint32_t> sparse_;
};

/// Reports findings about the current word of a file.
class VcdFindings {
public:
    VcdFindings(const Words& words, const Unpacked& bytes, Findings& findings)
        : words_(words), bytes_(bytes), findings_(findings) {}
    void report(VcdCheck check, std::string expected = {}, std::string got = {}) const {
        report_at(words_.offset(), words_.word().size(), check, std::move(expected), std::move(got));
    }
    void report_at(std::uint64_t offset, std::uint64_t length, VcdCheck check, std::string expected,
                   std::string got) const;

private:
    const Words& words_;
    const Unpacked& bytes_;
    Findings& findings_;
};

/// Reads everything up to $enddefinitions.
class VcdHeader {
public:
    VcdHeader(Words& words, const VcdFindings& findings, Schema& schema, SignalTracks& tracks, Codes& codes)
        : words_(words), findings_(findings), schema_(schema), tracks_(tracks), codes_(codes) {}

    enum class Result : std::uint8_t { complete, cut, no_magic };
    Result read();

private:
    bool read_command(std::string_view keyword);
    bool collect();
    void read_timescale();
    void read_scope();
    void read_variable();
    void describe(std::string_view key);

    Words& words_;
    const VcdFindings& findings_;
    Schema& schema_;
    SignalTracks& tracks_;
    Codes& codes_;
    std::vector<std::string> parts_;  ///< the words between a keyword and its $end
    std::uint64_t begin_ = 0;         ///< offset of the keyword
    ScopeId scope_ = none;
    bool has_timescale_ = false;
};

}  // namespace hwtrace::waveform

// formats/stf/transaction_text.hpp - transactions in the view "records".
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "scanner.hpp"

namespace hwtrace::stf {

/// Prints a transaction as the reference transaction dump does: labels in 20 columns, its dependencies inside it.
class TransactionText {
public:
    /// Both outlive it.
    TransactionText(const Limits& limits, TextOutput& out) : limits_(limits), out_(out) {}

    /// PROTOCOL and the clocks, whose names the transactions have from then on.
    void header(std::span<const HeaderRecord> records);
    /// True when `record` is one that only transaction traces have: it is printed, a dependency with its transaction.
    bool record(const RawRecord& record);
    /// Dependencies whose transaction has not come.
    void end();

private:
    void label(std::string_view name);
    void line(std::string_view name, std::string_view text);
    void line_decimal(std::string_view name, std::uint64_t value);
    void line_hex(std::string_view name, std::uint64_t value, unsigned digits);
    void moment(const RawRecord& record);
    void dependencies();
    void metadata(const RawRecord& record);
    void message(const RawRecord& record);
    template <typename Put>
    void list(std::string_view name, std::size_t count, Put put);

    const Limits& limits_;
    TextOutput& out_;
    std::array<std::string, 256> clocks_;
    std::array<bool, 256> known_clocks_{};
    std::vector<std::byte> dependencies_;  ///< that wait
};

}  // namespace hwtrace::stf

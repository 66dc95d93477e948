// formats/stf/transaction_text.hpp - prints transactions in the view "records".
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "scanner.hpp"

namespace hwtrace::stf {

/// Prints transactions like the reference transaction dump: labels in 20 columns, dependencies inside the transaction.
class TransactionText {
public:
    /// Both arguments must outlive the object.
    TransactionText(const Limits& limits, TextOutput& out) : limits_(limits), out_(out) {}

    /// Prints PROTOCOL and the clocks, and stores the clocks' names for the transactions.
    void header(std::span<const HeaderRecord> records);
    /// Prints a record that occurs only in transaction traces. A dependency is printed with its transaction. Returns
    /// false for other records.
    bool record(const RawRecord& record);
    /// Returns true if dependencies wait for their transaction.
    bool has_dependencies() const noexcept { return !dependencies_.empty(); }
    /// Prints the dependencies whose transaction is missing.
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
    std::vector<std::byte> dependencies_;  ///< dependencies that wait for their transaction
};

}  // namespace hwtrace::stf

// formats/transaction_formats.cpp - the formats that can hold arbitrary transactions. Separate from formats.cpp, so
// that a program that records transactions links no other format.
#include <array>

#include "formats.hpp"

namespace hwtrace {

extern const Format uscope_format;
extern const Format pccx_format;
extern const Format flux_format;
extern const Format ftr_format;
extern const Format txlog_format;
extern const Format jsonl_format;

FormatList transaction_formats() noexcept {
    static constexpr std::array all{&uscope_format, &pccx_format,  &flux_format,
                                    &ftr_format,    &txlog_format, &jsonl_format};
    return all;
}

}  // namespace hwtrace

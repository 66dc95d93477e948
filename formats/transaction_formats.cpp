// formats/transaction_formats.cpp - the formats that have a place for transactions of any kind, and nothing of the
// others: what records transactions is linked with these.
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

// formats/formats.cpp - the one list of formats. A new format is a folder, a line in CMakeLists.txt, and a line here.
#include "formats.hpp"

#include <array>

namespace hwtrace {

extern const Format uscope_format;
extern const Format stf_format;
extern const Format pccx_format;
extern const Format flux_format;
extern const Format kanata_format;
extern const Format o3pipeview_format;
extern const Format ftr_format;
extern const Format txlog_format;
extern const Format jsonl_format;
extern const Format perfetto_format;
extern const Format chrome_format;
extern const Format report_format;
extern const Format vcd_format;
extern const Format fst_format;
extern const Format parquet_format;
extern const Format csv_format;
extern const Format commitlog_format;
extern const Format champsim_format;
#ifdef HWTRACE_SQLITE
extern const Format sqlite_format;
#endif

FormatList formats() noexcept {
    static constexpr std::array all{&uscope_format, &stf_format,        &pccx_format,  &flux_format, &ftr_format,
                                    &kanata_format, &o3pipeview_format, &txlog_format, &jsonl_format};
    return all;
}

FormatList targets() noexcept {
    static constexpr std::array all{
        &uscope_format,     &stf_format,   &pccx_format,    &flux_format,     &ftr_format,      &kanata_format,
        &o3pipeview_format, &txlog_format, &jsonl_format,   &perfetto_format, &chrome_format,   &report_format,
        &vcd_format,        &fst_format,   &parquet_format, &csv_format,      &champsim_format, &commitlog_format,
#ifdef HWTRACE_SQLITE
        &sqlite_format
#endif
    };
    return all;
}

}  // namespace hwtrace

// formats/stf/names.cpp - names of STF's codes, as in the reference tools.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "wire.hpp"

namespace hwtrace::stf {
namespace {

struct CsrName {
    std::uint16_t number;
    std::string_view name;
};

// The names are sorted by number, which is the RISC-V CSR address.
constexpr CsrName csr_names[] = {
    {0x000, "USTATUS"},       {0x001, "FFLAGS"},        {0x002, "FRM"},           {0x003, "FCSR"},
    {0x004, "UIE"},           {0x005, "UTVEC"},         {0x007, "UTVT"},          {0x008, "VSTART"},
    {0x009, "VXSAT"},         {0x00a, "VXRM"},          {0x00f, "VCSR"},          {0x010, "DMCONTROL"},
    {0x011, "DMSTATUS"},      {0x040, "USCRATCH"},      {0x041, "UEPC"},          {0x042, "UCAUSE"},
    {0x043, "UTVAL"},         {0x044, "UIP"},           {0x045, "UNXTI"},         {0x046, "UINTSTATUS"},
    {0x048, "USCRATCHCSW"},   {0x049, "USCRATCHCSWL"},  {0x100, "SSTATUS"},       {0x102, "SEDELEG"},
    {0x103, "SIDELEG"},       {0x104, "SIE"},           {0x105, "STVEC"},         {0x106, "SCOUNTEREN"},
    {0x107, "STVT"},          {0x10a, "SENVCFG"},       {0x140, "SSCRATCH"},      {0x141, "SEPC"},
    {0x142, "SCAUSE"},        {0x143, "STVAL"},         {0x144, "SIP"},           {0x145, "SNXTI"},
    {0x146, "SINTSTATUS"},    {0x148, "SSCRATCHCSW"},   {0x149, "SSCRATCHCSWL"},  {0x180, "SATP"},
    {0x19a, "SENVCFG"},       {0x200, "VSSTATUS"},      {0x204, "VSIE"},          {0x205, "VSTVEC"},
    {0x240, "VSSCRATCH"},     {0x241, "VSEPC"},         {0x242, "VSCAUSE"},       {0x243, "VSTVAL"},
    {0x244, "VSIP"},          {0x280, "VSATP"},         {0x300, "MSTATUS"},       {0x301, "MISA"},
    {0x302, "MEDELEG"},       {0x303, "MIDELEG"},       {0x304, "MIE"},           {0x305, "MTVEC"},
    {0x306, "MCOUNTEREN"},    {0x307, "MTVT"},          {0x30a, "MENVCFG"},       {0x310, "MSTATUSH"},
    {0x31a, "MENVCFGH"},      {0x320, "MCOUNTINHIBIT"}, {0x323, "MHPMEVENT3"},    {0x324, "MHPMEVENT4"},
    {0x325, "MHPMEVENT5"},    {0x326, "MHPMEVENT6"},    {0x327, "MHPMEVENT7"},    {0x328, "MHPMEVENT8"},
    {0x329, "MHPMEVENT9"},    {0x32a, "MHPMEVENT10"},   {0x32b, "MHPMEVENT11"},   {0x32c, "MHPMEVENT12"},
    {0x32d, "MHPMEVENT13"},   {0x32e, "MHPMEVENT14"},   {0x32f, "MHPMEVENT15"},   {0x330, "MHPMEVENT16"},
    {0x331, "MHPMEVENT17"},   {0x332, "MHPMEVENT18"},   {0x333, "MHPMEVENT19"},   {0x334, "MHPMEVENT20"},
    {0x335, "MHPMEVENT21"},   {0x336, "MHPMEVENT22"},   {0x337, "MHPMEVENT23"},   {0x338, "MHPMEVENT24"},
    {0x339, "MHPMEVENT25"},   {0x33a, "MHPMEVENT26"},   {0x33b, "MHPMEVENT27"},   {0x33c, "MHPMEVENT28"},
    {0x33d, "MHPMEVENT29"},   {0x33e, "MHPMEVENT30"},   {0x33f, "MHPMEVENT31"},   {0x340, "MSCRATCH"},
    {0x341, "MEPC"},          {0x342, "MCAUSE"},        {0x343, "MTVAL"},         {0x344, "MIP"},
    {0x345, "MNXTI"},         {0x346, "MINTSTATUS"},    {0x348, "MSCRATCHCSW"},   {0x349, "MSCRATCHCSWL"},
    {0x34a, "MTINST"},        {0x34b, "MTVAL2"},        {0x3a0, "PMPCFG0"},       {0x3a1, "PMPCFG1"},
    {0x3a2, "PMPCFG2"},       {0x3a3, "PMPCFG3"},       {0x3a4, "PMPCFG4"},       {0x3a5, "PMPCFG5"},
    {0x3a6, "PMPCFG6"},       {0x3a7, "PMPCFG7"},       {0x3a8, "PMPCFG8"},       {0x3a9, "PMPCFG9"},
    {0x3aa, "PMPCFG10"},      {0x3ab, "PMPCFG11"},      {0x3ac, "PMPCFG12"},      {0x3ad, "PMPCFG13"},
    {0x3ae, "PMPCFG14"},      {0x3af, "PMPCFG15"},      {0x3b0, "PMPADDR0"},      {0x3b1, "PMPADDR1"},
    {0x3b2, "PMPADDR2"},      {0x3b3, "PMPADDR3"},      {0x3b4, "PMPADDR4"},      {0x3b5, "PMPADDR5"},
    {0x3b6, "PMPADDR6"},      {0x3b7, "PMPADDR7"},      {0x3b8, "PMPADDR8"},      {0x3b9, "PMPADDR9"},
    {0x3ba, "PMPADDR10"},     {0x3bb, "PMPADDR11"},     {0x3bc, "PMPADDR12"},     {0x3bd, "PMPADDR13"},
    {0x3be, "PMPADDR14"},     {0x3bf, "PMPADDR15"},     {0x3c0, "PMPADDR16"},     {0x3c1, "PMPADDR17"},
    {0x3c2, "PMPADDR18"},     {0x3c3, "PMPADDR19"},     {0x3c4, "PMPADDR20"},     {0x3c5, "PMPADDR21"},
    {0x3c6, "PMPADDR22"},     {0x3c7, "PMPADDR23"},     {0x3c8, "PMPADDR24"},     {0x3c9, "PMPADDR25"},
    {0x3ca, "PMPADDR26"},     {0x3cb, "PMPADDR27"},     {0x3cc, "PMPADDR28"},     {0x3cd, "PMPADDR29"},
    {0x3ce, "PMPADDR30"},     {0x3cf, "PMPADDR31"},     {0x3d0, "PMPADDR32"},     {0x3d1, "PMPADDR33"},
    {0x3d2, "PMPADDR34"},     {0x3d3, "PMPADDR35"},     {0x3d4, "PMPADDR36"},     {0x3d5, "PMPADDR37"},
    {0x3d6, "PMPADDR38"},     {0x3d7, "PMPADDR39"},     {0x3d8, "PMPADDR40"},     {0x3d9, "PMPADDR41"},
    {0x3da, "PMPADDR42"},     {0x3db, "PMPADDR43"},     {0x3dc, "PMPADDR44"},     {0x3dd, "PMPADDR45"},
    {0x3de, "PMPADDR46"},     {0x3df, "PMPADDR47"},     {0x3e0, "PMPADDR48"},     {0x3e1, "PMPADDR49"},
    {0x3e2, "PMPADDR50"},     {0x3e3, "PMPADDR51"},     {0x3e4, "PMPADDR52"},     {0x3e5, "PMPADDR53"},
    {0x3e6, "PMPADDR54"},     {0x3e7, "PMPADDR55"},     {0x3e8, "PMPADDR56"},     {0x3e9, "PMPADDR57"},
    {0x3ea, "PMPADDR58"},     {0x3eb, "PMPADDR59"},     {0x3ec, "PMPADDR60"},     {0x3ed, "PMPADDR61"},
    {0x3ee, "PMPADDR62"},     {0x3ef, "PMPADDR63"},     {0x600, "HSTATUS"},       {0x602, "HEDELEG"},
    {0x603, "HIDELEG"},       {0x604, "HIE"},           {0x605, "HTIMEDELTA"},    {0x606, "HCOUNTEREN"},
    {0x607, "HGEIE"},         {0x60a, "HENVCFG"},       {0x643, "HTVAL"},         {0x644, "HIP"},
    {0x645, "HVIP"},          {0x64a, "HTINST"},        {0x680, "HGATP"},         {0x6a8, "HCONTEXT"},
    {0x747, "MSECCFG"},       {0x757, "MSECCFGH"},      {0x7a0, "TSELECT"},       {0x7a1, "TDATA1"},
    {0x7a2, "TDATA2"},        {0x7a3, "TDATA3"},        {0x7a4, "TINFO"},         {0x7a5, "TCONTROL"},
    {0x7a8, "MCONTEXT"},      {0x7aa, "SCONTEXT"},      {0x7b0, "DCSR"},          {0x7b1, "DPC"},
    {0x7b2, "DSCRATCH0"},     {0x7b3, "DSCRATCH1"},     {0xb00, "MCYCLE"},        {0xb02, "MINSTRET"},
    {0xb03, "MHPMCOUNTER3"},  {0xb04, "MHPMCOUNTER4"},  {0xb05, "MHPMCOUNTER5"},  {0xb06, "MHPMCOUNTER6"},
    {0xb07, "MHPMCOUNTER7"},  {0xb08, "MHPMCOUNTER8"},  {0xb09, "MHPMCOUNTER9"},  {0xb0a, "MHPMCOUNTER10"},
    {0xb0b, "MHPMCOUNTER11"}, {0xb0c, "MHPMCOUNTER12"}, {0xb0d, "MHPMCOUNTER13"}, {0xb0e, "MHPMCOUNTER14"},
    {0xb0f, "MHPMCOUNTER15"}, {0xb10, "MHPMCOUNTER16"}, {0xb11, "MHPMCOUNTER17"}, {0xb12, "MHPMCOUNTER18"},
    {0xb13, "MHPMCOUNTER19"}, {0xb14, "MHPMCOUNTER20"}, {0xb15, "MHPMCOUNTER21"}, {0xb16, "MHPMCOUNTER22"},
    {0xb17, "MHPMCOUNTER23"}, {0xb18, "MHPMCOUNTER24"}, {0xb19, "MHPMCOUNTER25"}, {0xb1a, "MHPMCOUNTER26"},
    {0xb1b, "MHPMCOUNTER27"}, {0xb1c, "MHPMCOUNTER28"}, {0xb1d, "MHPMCOUNTER29"}, {0xb1e, "MHPMCOUNTER30"},
    {0xb1f, "MHPMCOUNTER31"}, {0xb80, "MCYCLEH"},       {0xb82, "MINSTRETH"},     {0xc00, "CYCLE"},
    {0xc01, "TIME"},          {0xc02, "INSTRET"},       {0xc03, "HPMCOUNTER3"},   {0xc04, "HPMCOUNTER4"},
    {0xc05, "HPMCOUNTER5"},   {0xc06, "HPMCOUNTER6"},   {0xc07, "HPMCOUNTER7"},   {0xc08, "HPMCOUNTER8"},
    {0xc09, "HPMCOUNTER9"},   {0xc0a, "HPMCOUNTER10"},  {0xc0b, "HPMCOUNTER11"},  {0xc0c, "HPMCOUNTER12"},
    {0xc0d, "HPMCOUNTER13"},  {0xc0e, "HPMCOUNTER14"},  {0xc0f, "HPMCOUNTER15"},  {0xc10, "HPMCOUNTER16"},
    {0xc11, "HPMCOUNTER17"},  {0xc12, "HPMCOUNTER18"},  {0xc13, "HPMCOUNTER19"},  {0xc14, "HPMCOUNTER20"},
    {0xc15, "HPMCOUNTER21"},  {0xc16, "HPMCOUNTER22"},  {0xc17, "HPMCOUNTER23"},  {0xc18, "HPMCOUNTER24"},
    {0xc19, "HPMCOUNTER25"},  {0xc1a, "HPMCOUNTER26"},  {0xc1b, "HPMCOUNTER27"},  {0xc1c, "HPMCOUNTER28"},
    {0xc1d, "HPMCOUNTER29"},  {0xc1e, "HPMCOUNTER30"},  {0xc1f, "HPMCOUNTER31"},  {0xc20, "VL"},
    {0xc21, "VTYPE"},         {0xc22, "VLENB"},         {0xc80, "CYCLEH"},        {0xc81, "TIMEH"},
    {0xc82, "INSTRETH"},      {0xe12, "HGEIP"},         {0xf11, "MVENDORID"},     {0xf12, "MARCHID"},
    {0xf13, "MIMPID"},        {0xf14, "MHARTID"},       {0xf15, "MCONFIGPTR"},
};

/// Returns a table by CSR address: the index of the name plus 1, or 0 if the CSR has no name.
constexpr std::array<std::uint16_t, 4096> make_csr_index() {
    std::array<std::uint16_t, 4096> index{};
    std::uint16_t position = 0;
    for (const CsrName& csr : csr_names)
        index[csr.number] = ++position;
    return index;
}
constexpr std::array<std::uint16_t, 4096> csr_index = make_csr_index();

constexpr std::string_view generators[] = {
    "STF_GEN_RESERVED", "QEMU",      "Android Emulator", "GEM5",      "PTE_GEN",
    "Imperas",          "Spike",     "stf_extract",      "stf_merge", "stf_filter_evt",
    "Athena",           "stf_morph", "Dromajo",          "Pegasus",   "stf_transaction_extract",
};

template <std::size_t N>
std::string_view pick(const std::string_view (&names)[N], std::size_t at) noexcept {
    return at < N ? names[at] : std::string_view{};
}

}  // namespace

std::string_view name_of(Descriptor descriptor) noexcept {
    switch (descriptor) {
        case Descriptor::reserved:
            return "STF_RESERVED";
        case Descriptor::identifier:
            return "STF_IDENTIFIER";
        case Descriptor::version:
            return "VERSION";
        case Descriptor::comment:
            return "COMMENT";
        case Descriptor::isa:
            return "ISA";
        case Descriptor::inst_iem:
            return "INST_IEM";
        case Descriptor::trace_info:
            return "TRACE_INFO";
        case Descriptor::trace_info_feature:
            return "TRACE_INFO_FEATURE";
        case Descriptor::process_id_ext:
            return "PROCESS_ID_EXT";
        case Descriptor::force_pc:
            return "FORCE_PC";
        case Descriptor::vlen_config:
            return "VLEN_CONFIG";
        case Descriptor::protocol_id:
            return "PROTOCOL_ID";
        case Descriptor::clock_id:
            return "CLOCK_ID";
        case Descriptor::isa_extended:
            return "ISA_EXTENDED";
        case Descriptor::end_header:
            return "END_HEADER";
        case Descriptor::inst_pc_target:
            return "INST_PC_TARGET";
        case Descriptor::inst_reg:
            return "INST_REG";
        case Descriptor::inst_ready_reg:
            return "INST_READY_REG";
        case Descriptor::page_table_walk:
            return "PAGE_TABLE_WALK";
        case Descriptor::inst_mem_access:
            return "INST_MEM_ACCESS";
        case Descriptor::inst_mem_content:
            return "INST_MEM_CONTENT";
        case Descriptor::bus_master_access:
            return "BUS_MASTER_ACCESS";
        case Descriptor::bus_master_content:
            return "BUS_MASTER_CONTENT";
        case Descriptor::event:
            return "EVENT";
        case Descriptor::event_pc_target:
            return "EVENT_PC_TARGET";
        case Descriptor::inst_microop:
            return "INST_MICROOP";
        case Descriptor::inst_opcode32:
            return "INST_OPCODE32";
        case Descriptor::inst_opcode16:
            return "INST_OPCODE16";
        case Descriptor::transaction:
            return "TRANSACTION";
        case Descriptor::transaction_dependency:
            return "TRANSACTION_DEPENDENCY";
        case Descriptor::reserve_end:
            return "STF_RESERVE_END";
    }
    return {};
}

std::string_view isa_name(std::uint16_t isa) noexcept {
    constexpr std::string_view names[] = {"RESERVED", "RISCV", "ARM", "X86", "POWER"};
    return isa == 0 ? std::string_view{} : pick(names, isa);
}

std::string_view iem_name(std::uint16_t iem) noexcept {
    constexpr std::string_view names[] = {"", "RV32", "RV64"};
    return pick(names, iem);
}

std::string_view generator_name(std::uint8_t generator) noexcept {
    if (generator == 0x40) return "stf_transaction_example";
    if (generator == generator_unlisted) return "STF_GEN_RESERVED_END";
    return pick(generators, generator);
}

std::string_view csr_name(std::uint16_t number) noexcept {
    const std::uint16_t position = number < csr_index.size() ? csr_index[number] : std::uint16_t{0};
    return position == 0 ? std::string_view{} : csr_names[position - 1u].name;
}

std::string_view operand_name(unsigned operand) noexcept {
    constexpr std::string_view names[] = {"", "STATE", "SOURCE", "DEST"};
    return pick(names, operand);
}

std::string_view memory_type_name(std::uint8_t type) noexcept {
    constexpr std::string_view names[] = {"INVALID", "READ", "WRITE"};
    return pick(names, type);
}

std::string_view bus_master_name(std::uint8_t master) noexcept {
    constexpr std::string_view names[] = {"INVALID", "CORE", "GPU", "DMA", "PCIE", "SRIO", "ICN"};
    return pick(names, master);
}

}  // namespace hwtrace::stf

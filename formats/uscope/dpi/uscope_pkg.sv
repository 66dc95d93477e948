// formats/uscope/dpi/uscope_pkg.sv - records µScope traces from SystemVerilog (µScope Trace Format Specification, 9.1).
// hwtrace/uscope_dpi.h describes each function.
// verilator lint_off TIMESCALEMOD
package uscope_pkg;
// verilator lint_on TIMESCALEMOD

    // verilator lint_off UNUSEDPARAM
    // Field types.
    localparam int USCOPE_U8 = 1;
    localparam int USCOPE_U16 = 2;
    localparam int USCOPE_U32 = 3;
    localparam int USCOPE_U64 = 4;
    localparam int USCOPE_I8 = 5;
    localparam int USCOPE_I16 = 6;
    localparam int USCOPE_I32 = 7;
    localparam int USCOPE_I64 = 8;
    localparam int USCOPE_BOOL = 9;
    localparam int USCOPE_STRING_REF = 10;
    localparam int USCOPE_ENUM = 11;

    // Flags of storages, roles of properties, and "none" for scopes and clocks.
    localparam int USCOPE_SPARSE = 1;
    localparam int USCOPE_BUFFER = 2;
    localparam int USCOPE_HEAD_POINTER = 1;
    localparam int USCOPE_TAIL_POINTER = 2;
    localparam int USCOPE_NONE = -1;
    // verilator lint_on UNUSEDPARAM

    import "DPI-C" uscope_dpi_open = function chandle uscope_open(string path);
    import "DPI-C" uscope_dpi_close = function void uscope_close(chandle w);

    import "DPI-C" uscope_dpi_declare_clock = function int uscope_declare_clock(
        chandle w, string name, int unsigned period_ps
    );
    import "DPI-C" uscope_dpi_declare_scope = function int uscope_declare_scope(
        chandle w, string name, int parent, string protocol, int clock
    );
    import "DPI-C" uscope_dpi_declare_enum = function int uscope_declare_enum(chandle w, string name);
    import "DPI-C" uscope_dpi_declare_enum_value = function int uscope_declare_enum_value(
        chandle w, int enum_id, byte unsigned value, string name
    );
    import "DPI-C" uscope_dpi_declare_storage = function int uscope_declare_storage(
        chandle w, string name, int unsigned slots, int flags, int scope
    );
    import "DPI-C" uscope_dpi_declare_event = function int uscope_declare_event(chandle w, string name, int scope);
    import "DPI-C" uscope_dpi_declare_field = function int uscope_declare_field(
        chandle w, int storage_id, string name, int field_type, int enum_id
    );
    import "DPI-C" uscope_dpi_declare_property = function int uscope_declare_property(
        chandle w, int storage_id, string name, int field_type, int enum_id, int role, int pair
    );
    import "DPI-C" uscope_dpi_declare_event_field = function int uscope_declare_event_field(
        chandle w, int event_type_id, string name, int field_type, int enum_id
    );
    import "DPI-C" uscope_dpi_declare_dut_property = function int uscope_declare_dut_property(
        chandle w, string key, string value
    );
    import "DPI-C" uscope_dpi_set_checkpoint_interval = function void uscope_set_checkpoint_interval(
        chandle w, longint unsigned interval_ps
    );
    import "DPI-C" uscope_dpi_set_options = function void uscope_set_options(
        chandle w, int compression, int sync_segments, int threads
    );

    import "DPI-C" uscope_dpi_begin_cycle = function void uscope_begin_cycle(chandle w, longint unsigned time_ps);
    import "DPI-C" uscope_dpi_end_cycle = function void uscope_end_cycle(chandle w);
    import "DPI-C" uscope_dpi_slot_set = function void uscope_slot_set(
        chandle w, shortint unsigned storage_id, shortint unsigned slot,
        shortint unsigned field, longint unsigned value
    );
    import "DPI-C" uscope_dpi_slot_clear = function void uscope_slot_clear(
        chandle w, shortint unsigned storage_id, shortint unsigned slot
    );
    import "DPI-C" uscope_dpi_slot_add = function void uscope_slot_add(
        chandle w, shortint unsigned storage_id, shortint unsigned slot,
        shortint unsigned field, longint unsigned value
    );
    import "DPI-C" uscope_dpi_prop_set = function void uscope_prop_set(
        chandle w, shortint unsigned storage_id, shortint unsigned property_id, longint unsigned value
    );
    import "DPI-C" uscope_dpi_event_raw = function void uscope_event_raw(
        chandle w, shortint unsigned event_type_id, input byte unsigned payload[]
    );
    import "DPI-C" uscope_dpi_event_values = function void uscope_event_values(
        chandle w, shortint unsigned event_type_id, input longint unsigned values[]
    );
    import "DPI-C" uscope_dpi_string = function int uscope_string(chandle w, string text);
    import "DPI-C" uscope_dpi_flush_segment = function void uscope_flush_segment(chandle w);
    import "DPI-C" uscope_dpi_error = function string uscope_error(chandle w);

endpackage

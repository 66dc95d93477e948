// tests/uscope_api/dpi_machine.sv - records a hundred cycles with uscope_pkg; dpi.c makes the same trace and checks both.
module dpi_machine;
    import uscope_pkg::*;

    chandle w;
    string path;
    int root, core, states, slot_table, counter, raw, values, text;
    byte unsigned payload[6];
    longint unsigned cells[2];

    task automatic declare_trace();
        void'(uscope_declare_dut_property(w, "dut_name", "bench"));
        void'(uscope_declare_clock(w, "core_clk", 1000));
        root = uscope_declare_scope(w, "/", USCOPE_NONE, "", 0);
        core = uscope_declare_scope(w, "core0", root, "cpu", USCOPE_NONE);
        states = uscope_declare_enum(w, "state");
        void'(uscope_declare_enum_value(w, states, 0, "idle"));
        void'(uscope_declare_enum_value(w, states, 2, "done"));
        slot_table = uscope_declare_storage(w, "table", 8, USCOPE_SPARSE, core);
        void'(uscope_declare_field(w, slot_table, "id", USCOPE_U32, 0));
        void'(uscope_declare_field(w, slot_table, "state", USCOPE_ENUM, states));
        void'(uscope_declare_property(w, slot_table, "head", USCOPE_U16, 0, USCOPE_HEAD_POINTER, 3));
        counter = uscope_declare_storage(w, "count", 1, 0, core);
        void'(uscope_declare_field(w, counter, "count", USCOPE_U64, 0));
        raw = uscope_declare_event(w, "raw", core);
        void'(uscope_declare_event_field(w, raw, "number", USCOPE_U16, 0));
        void'(uscope_declare_event_field(w, raw, "text", USCOPE_STRING_REF, 0));
        values = uscope_declare_event(w, "values", core);
        void'(uscope_declare_event_field(w, values, "time", USCOPE_U64, 0));
        void'(uscope_declare_event_field(w, values, "delta", USCOPE_I8, 0));
        uscope_set_checkpoint_interval(w, 20000);
    endtask

    task automatic record_cycle(int n);
        uscope_begin_cycle(w, 64'(n) * 1000);
        uscope_slot_set(w, 16'(slot_table), 16'(n % 8), 0, 64'(n));
        uscope_slot_set(w, 16'(slot_table), 16'(n % 8), 1, n % 2 == 0 ? 64'd0 : 64'd2);
        if (n % 4 == 3) uscope_slot_clear(w, 16'(slot_table), 16'((n + 5) % 8));
        uscope_prop_set(w, 16'(slot_table), 0, 64'(n));
        uscope_slot_add(w, 16'(counter), 0, 0, 2);
        text = uscope_string(w, n % 2 == 0 ? "even" : "odd");
        payload[0] = 8'(n);
        payload[1] = 8'(n >> 8);
        for (int i = 0; i < 4; ++i) payload[2 + i] = 8'(text >> (8 * i));
        uscope_event_raw(w, 16'(raw), payload);
        cells[0] = 64'(n) * 1000;
        cells[1] = -64'(n);
        uscope_event_values(w, 16'(values), cells);
        uscope_end_cycle(w);
        if (n == 10) uscope_flush_segment(w);
    endtask

    initial begin
        if (!$value$plusargs("trace=%s", path)) $fatal(1, "+trace=FILE is missing");
        w = uscope_open(path);
        declare_trace();
        for (int n = 0; n < 100; ++n) record_cycle(n);
        if (uscope_error(w) != "") $fatal(1, "%s", uscope_error(w));
        uscope_close(w);
        $finish;
    end
endmodule

// A master that sends the requests of requests.hex to a memory. Records µScope through DPI and a waveform beside it:
//     bus +requests=requests.hex +uscope=rtl.uscope +wave=rtl.fst
`timescale 1ps / 1ps

module master (
    input logic clk,
    output logic valid,
    output logic write,
    output logic [19:0] address,
    output logic [31:0] wdata,
    input logic ready,
    input logic [31:0] rdata,
    output logic done
);
    import uscope_pkg::*;

    localparam int unsigned count = 64;
    logic [31:0] requests[count];

    // verilator tracing_off
    string requests_file, trace_file;

    // The trace: clock, scope, what is under way, and two types of events.
    chandle trace;
    int clk_id, root, bus, outstanding, request_event, response_event;
    longint unsigned request_values[3], response_values[2];
    // verilator tracing_on
    initial begin
        if (!$value$plusargs("requests=%s", requests_file)) requests_file = "requests.hex";
        if (!$value$plusargs("uscope=%s", trace_file)) trace_file = "rtl.uscope";
        $readmemh(requests_file, requests);
        trace = uscope_open(trace_file);
        clk_id = uscope_declare_clock(trace, "clk", 10_000);
        root = uscope_declare_scope(trace, "/", USCOPE_NONE, "", clk_id);
        bus = uscope_declare_scope(trace, "bus", root, "", clk_id);
        outstanding = uscope_declare_storage(trace, "outstanding", 1, USCOPE_SPARSE, bus);
        void'(uscope_declare_field(trace, outstanding, "id", USCOPE_U32, 0));
        void'(uscope_declare_field(trace, outstanding, "address", USCOPE_U32, 0));
        request_event = uscope_declare_event(trace, "request", bus);
        void'(uscope_declare_event_field(trace, request_event, "id", USCOPE_U32, 0));
        void'(uscope_declare_event_field(trace, request_event, "address", USCOPE_U32, 0));
        void'(uscope_declare_event_field(trace, request_event, "write", USCOPE_BOOL, 0));
        response_event = uscope_declare_event(trace, "response", bus);
        void'(uscope_declare_event_field(trace, response_event, "id", USCOPE_U32, 0));
        void'(uscope_declare_event_field(trace, response_event, "data", USCOPE_U32, 0));
    end
    final uscope_close(trace);

    logic [5:0] id = 0;
    logic [7:0] gap = 0;
    logic started = 0;
    initial begin
        valid = 0;
        write = 0;
        address = 0;
        wdata = 0;
        done = 0;
    end

    always_ff @(posedge clk) begin
        if (!started) begin
            started <= 1;
            gap <= requests[0][31:24];
        end else if (valid && ready) begin
            valid <= 0;
            uscope_begin_cycle(trace, 64'($time));
            uscope_slot_clear(trace, 16'(outstanding), 0);
            record_response(64'(id), write ? 64'(wdata) : 64'(rdata));
            uscope_end_cycle(trace);
            if (id == 6'(count - 1)) done <= 1;
            id <= id + 1;
            gap <= requests[id + 1][31:24];
        end else if (!valid && !done) begin
            if (gap != 0) begin
                gap <= gap - 1;
            end else begin
                valid <= 1;
                write <= requests[id][20];
                address <= requests[id][19:0];
                wdata <= 32'(requests[id][19:0]) * 3 + 32'(id);
                uscope_begin_cycle(trace, 64'($time));
                uscope_slot_set(trace, 16'(outstanding), 0, 0, 64'(id));
                uscope_slot_set(trace, 16'(outstanding), 0, 1, 64'(requests[id][19:0]));
                record_request(64'(id), 64'(requests[id][19:0]), requests[id][20]);
                uscope_end_cycle(trace);
            end
        end
    end

    task automatic record_request(input longint unsigned number, input longint unsigned to, input logic writes);
        request_values[0] = number;
        request_values[1] = to;
        request_values[2] = 64'(writes);
        uscope_event_values(trace, 16'(request_event), request_values);
    endtask
    task automatic record_response(input longint unsigned number, input longint unsigned data);
        response_values[0] = number;
        response_values[1] = data;
        uscope_event_values(trace, 16'(response_event), response_values);
    endtask
endmodule

// Answers a write after one cycle, a read after three, and a read of the last quarter of a row after seven.
module memory (
    input logic clk,
    input logic valid,
    input logic write,
    input logic [19:0] address,
    input logic [31:0] wdata,
    output logic ready,
    output logic [31:0] rdata
);
    logic [31:0] words[256];
    logic [3:0] waited = 0;
    logic [3:0] latency;
    assign latency = write ? 1 : address[7:6] == 2'b11 ? 7 : 3;
    initial begin
        ready = 0;
        rdata = 0;
        for (int i = 0; i < 256; ++i) words[i] = 0;
    end

    always_ff @(posedge clk) begin
        if (ready) begin
            ready <= 0;
        end else if (valid) begin
            if (waited == latency) begin
                waited <= 0;
                ready <= 1;
                rdata <= words[address[9:2]];
                if (write) words[address[9:2]] <= wdata;
            end else begin
                waited <= waited + 1;
            end
        end
    end
endmodule

module bus;
    logic clk = 0;
    always #5000 clk = ~clk;

    logic valid, write, ready, done;
    logic [19:0] address;
    logic [31:0] wdata, rdata;
    master master_i (.*);
    memory memory_i (.*);

    string wave_file;
    initial begin
        if ($value$plusargs("wave=%s", wave_file)) begin
            $dumpfile(wave_file);
            $dumpvars(0, bus);
        end
    end
    always_ff @(posedge clk) if (done) $finish;
endmodule

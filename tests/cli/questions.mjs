// questions.mjs: reads lines "SQL" as JSON strings from standard input, runs each in DuckDB, and prints the only value of
// each answer.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(process.env.HWTRACE_DUCKDB + '/');
const { DuckDBInstance } = require('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
for await (const line of createInterface({ input: process.stdin })) {
    const rows = (await connection.runAndReadAll(JSON.parse(line))).getRows();
    if (rows.length !== 1 || rows[0].length !== 1) throw new Error(`${line} has ${rows.length} rows`);
    console.log(String(rows[0][0]));
}

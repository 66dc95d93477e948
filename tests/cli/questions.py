# questions.py BIN TESTDATA DUCKDB.mjs: asks ten questions about traces. Each is answered in four ways: in SQL by
# hwtrace-query, in SQL by DuckDB on Parquet tables, by pandas on CSV tables, and by hwtrace-info.
import json
import math
import subprocess
import sys
from fractions import Fraction

import pandas

bin_folder, data, duckdb = sys.argv[1:]
STF, NPU, SOC = "stf/valid/sum.zstf", "pccx/valid/npu.pccx", "ftr/valid/soc.ftr"
names = {STF: "stf", NPU: "npu", SOC: "soc"}


def run(tool, *arguments):
    done = subprocess.run([f"{bin_folder}/{tool}", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{tool} {' '.join(arguments)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


info = {}
for trace, name in names.items():
    info[trace] = json.loads(run("hwtrace-info", f"{data}/{trace}", "--format", "json"))["files"][0]
    run("hwtrace-convert", "-q", f"{data}/{trace}", f"{name}.parquet/")
    run("hwtrace-convert", "-q", f"{data}/{trace}", f"{name}.csv/")


def named(list_of, name):
    return next(one for one in list_of if one["name"] == name)


def nearest_rank(values, per_cent):
    return sorted(values)[math.ceil(len(values) * per_cent / 100) - 1]


def rank_sql(table, per_cent):
    return (
        f"SELECT duration FROM {table} ORDER BY duration LIMIT 1 OFFSET "
        f"(SELECT CAST((count(*) * {per_cent} + 99) / 100 AS INTEGER) - 1 FROM {table})"
    )


branches = "inst_bits % 128 = 99"
# What, the trace, its table, the SQL with {} for the table, pandas, hwtrace-info. DuckDB divides integers exactly with //.
questions = [
    ("instructions", STF, "core0", "SELECT count(*) FROM {}", len, lambda i: i["instructions"]["counters"]["inst_count"]),
    ("taken branches", STF, "core0", f"SELECT count(target) FROM {{}} WHERE {branches}",
     lambda t: t[t.inst_bits % 128 == 99].target.notna().sum(), lambda i: i["instructions"]["branches"]["taken"]),
    ("different pcs", STF, "core0", "SELECT count(DISTINCT pc) FROM {}",
     lambda t: t.pc.nunique(), lambda i: i["profile"]["different_pcs"]),
    ("executions of the hottest pc", STF, "core0",
     "SELECT count(*) AS executions FROM {} GROUP BY pc ORDER BY executions DESC LIMIT 1",
     lambda t: t.pc.value_counts().max(), lambda i: i["profile"]["pcs"][0]["executions"]),
    ("the last instruction", STF, "core0", "SELECT max(position) + 1 FROM {}",
     lambda t: t.position.max() + 1, lambda i: i["time"]["last"]),
    ("time in API calls", NPU, "API_CALL", "SELECT sum(duration) FROM {}",
     lambda t: t.duration.sum(), lambda i: named(i["intervals"]["tracks"], "API_CALL")["total"]),
    ("p90 of API calls", NPU, "API_CALL", rank_sql("{0}", 90),
     lambda t: nearest_rank(t.duration, 90), lambda i: named(i["intervals"]["tracks"], "API_CALL")["p90"]),
    ("longest time between API calls", NPU, "API_CALL",
     "SELECT max(gap) FROM (SELECT begin - lag(begin) OVER (ORDER BY begin) AS gap FROM {})",
     lambda t: int(t.begin.sort_values().diff().max()),
     lambda i: named(i["arrivals"]["tracks"], "API_CALL")["gaps"]["greatest"]),
    ("mean duration of instructions", SOC, "instruction", "SELECT avg(duration) FROM {}",
     lambda t: t.duration.mean(), lambda i: named(i["intervals"]["tracks"], "instruction")["mean"]),
    ("time of the bus", SOC, "transfer", "SELECT sum(duration) FROM {} WHERE command = 'WRITE'",
     lambda t: t[t.command == "WRITE"].duration.sum(), lambda i: named(i["names"]["names"], '"WRITE"')["total"]),
]

statements = []
for what, trace, table, sql, _, _ in questions:
    file = f"read_parquet('{names[trace]}.parquet/{table}.parquet')"
    statements.append(json.dumps(sql.replace("{0}", "{}").replace("{}", file).replace("begin", '"begin"')))
answers = subprocess.run(["node", duckdb], input="\n".join(statements) + "\n", capture_output=True, text=True)
if answers.returncode != 0:
    sys.exit(answers.stderr)
answers = answers.stdout.split()

wrong = 0
for (what, trace, table, sql, by_pandas, by_info), of_duckdb in zip(questions, answers, strict=True):
    sql = sql.replace("{0}", "{}").replace("{}", table).replace("begin", '"begin"')
    of_query = run("hwtrace-query", f"{data}/{trace}", "--format", "csv", sql).splitlines()[1]
    of_pandas = by_pandas(pandas.read_csv(f"{names[trace]}.csv/{table}.csv"))
    all_answers = [Fraction(str(answer)) for answer in (of_query, of_duckdb, of_pandas, by_info(info[trace]))]
    print(f"{what}: {all_answers[0]}")
    if len(set(all_answers)) != 1:
        wrong += 1
        print(f"  hwtrace-query {of_query}, DuckDB {of_duckdb}, pandas {of_pandas}, hwtrace-info {by_info(info[trace])}")
sys.exit(f"{wrong} answers differ" if wrong else 0)

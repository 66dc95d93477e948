# tests/install/action.py ACTION WORKFLOW FOLDER - checks action.yml in the folder ACTION and a workflow that uses it, and
# writes the line of each step that runs a script to FOLDER/NAME.step. Stricter than GitHub: unknown keys, inputs that no
# step uses, inputs and outputs that do not exist, and scripts that are missing are errors.
import pathlib
import re
import sys

import yaml

folder, workflow_file, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
text = (folder / "action.yml").read_text()
action = yaml.safe_load(text)
faults = []


def check(condition, fault):
    if not condition:
        faults.append(fault)


def keys(value, allowed, required, where):
    check(set(value) <= set(allowed), f"{where}: unknown keys {set(value) - set(allowed)}")
    check(set(required) <= set(value), f"{where}: missing keys {set(required) - set(value)}")


keys(action, ["name", "description", "author", "branding", "inputs", "outputs", "runs"], ["name", "description", "inputs", "runs"], "action")
for name, given in action["inputs"].items():
    keys(given, ["description", "required", "default"], ["description"], f"input {name}")
    check(given.get("required", False) != ("default" in given), f"input {name}: either required or with a default")
    check(isinstance(given.get("default", ""), str), f"input {name}: a default is text")
    check(f"inputs.{name} " in text, f"input {name}: no step uses it")
keys(action["runs"], ["using", "steps"], ["using", "steps"], "runs")
check(action["runs"]["using"] == "composite", "runs: not composite")
steps = {}
for step in action["runs"]["steps"]:
    where = f"step {step.get('name')}"
    keys(step, ["name", "id", "if", "shell", "env", "run", "uses", "with"], ["name"], where)
    check(("run" in step) != ("uses" in step), f"{where}: either run or uses")
    check("run" not in step or "shell" in step, f"{where}: a composite action needs a shell")
    check("uses" not in step or re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", step["uses"]), f"{where}: uses {step.get('uses')}")
    check("${{" not in step.get("run", ""), f"{where}: an expression in a script lets inputs run commands")
    if "id" in step:
        steps[step["id"]] = step
    script = re.search(r"\$GITHUB_ACTION_PATH/(\w+)\.sh", step.get("run", ""))
    if script:
        source = folder / f"{script[1]}.sh"
        check(source.is_file(), f"{where}: {source} is missing")
        (out / f"{script[1]}.step").write_text(step["run"] + "\n")
        for variable in step.get("env", {}):
            check("${" + variable + ":-" in source.read_text(), f"{where}: the script does not use {variable}")
for name in re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", text):
    check(name in action["inputs"], f"inputs.{name} does not exist")
for step_id, output in re.findall(r"steps\.([\w-]+)\.outputs\.([\w-]+)", text):
    check(step_id in steps, f"steps.{step_id} does not exist")
    check(f'"{output}=' in (folder / f"{step_id}.sh").read_text(), f"{step_id}.sh does not write {output}")

workflow = yaml.safe_load(open(workflow_file))
workflow["on"] = workflow.pop(True, workflow.get("on"))  # YAML 1.1 reads "on" as a truth value
keys(workflow, ["name", "on", "permissions", "jobs"], ["on", "jobs", "permissions"], "workflow")
uses = [step for job in workflow["jobs"].values() for step in job["steps"] if "hwtrace-validate" in step.get("uses", "")]
check(len(uses) == 1, "the workflow does not use the action")
for step in uses:
    for name in step["with"]:
        check(name in action["inputs"], f"workflow: the action has no input {name}")
    for name, given in action["inputs"].items():
        check(not given.get("required") or name in step["with"], f"workflow: input {name} is missing")
if faults:
    sys.exit("\n".join(faults))

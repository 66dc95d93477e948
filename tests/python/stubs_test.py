"""The stubs and docstrings of the module."""

import ast
import inspect
import unittest
from pathlib import Path

import support
import hwtrace
from hwtrace import _hwtrace

FOLDER = Path(hwtrace.__file__).parent


class Stubs(support.Case):
    def test_the_package_is_typed_and_every_public_name_is_in_its_stub(self):
        self.assertTrue((FOLDER / "py.typed").exists())
        names = set()
        for node in ast.parse((FOLDER / "__init__.pyi").read_text()).body:
            if isinstance(node, ast.ImportFrom):
                names |= {alias.asname or alias.name for alias in node.names}
            elif hasattr(node, "name"):
                names.add(node.name)
        self.assertEqual(set(hwtrace.__all__) - names, set())

    def test_functions_have_the_parameters_of_their_stubs(self):
        for node in ast.parse((FOLDER / "__init__.pyi").read_text()).body:
            if isinstance(node, ast.FunctionDef):
                arguments = node.args
                stub = [argument.arg for argument in arguments.args + arguments.kwonlyargs]
                stub += [arguments.kwarg.arg] if arguments.kwarg else []
                self.assertEqual(list(inspect.signature(getattr(hwtrace, node.name)).parameters), stub, node.name)

    def test_enumerations_have_the_members_of_their_stubs(self):
        for node in ast.parse((FOLDER / "__init__.pyi").read_text()).body:
            if isinstance(node, ast.ClassDef):
                stub = {statement.targets[0].id: statement.value.value for statement in node.body}
                actual = {name: int(value) for name, value in getattr(hwtrace, node.name).__members__.items()}
                self.assertEqual(actual, stub)

    def test_batches_have_the_members_of_their_stub(self):
        batch = next(node for node in ast.parse((FOLDER / "_hwtrace.pyi").read_text()).body
                     if isinstance(node, ast.ClassDef))
        stub = {node.name for node in batch.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("__")}
        self.assertEqual({name for name in dir(_hwtrace.Batch) if not name.startswith("_")}, stub)

    def test_public_functions_and_classes_are_documented(self):
        for name in hwtrace.__all__:
            item = getattr(hwtrace, name)
            if name not in ("Kind", "RegisterClass", "OperandRole", "AccessType"):
                self.assertTrue((item.__doc__ or "").strip(), name)


if __name__ == "__main__":
    support.main()

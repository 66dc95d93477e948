"""Builds a wheel: pip install --no-build-isolation ./libs/python. CMake builds the extension, from the whole project.

HWTRACE_BUILD      the folder for everything that is built (default: build/wheel of the project)
HWTRACE_EXTENSION  an extension that is built already, instead of building one
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
VERSION = re.search(r"project\(hwtrace VERSION ([0-9.]+)", (PROJECT / "CMakeLists.txt").read_text()).group(1)
# Everything is built in the project's folder for builds, so that the sources stay as they are.
BUILD = Path(os.environ.get("HWTRACE_BUILD") or PROJECT / "build" / "wheel")
BUILD.mkdir(parents=True, exist_ok=True)


class CMakeBuild(build_ext):
    """Builds the target hwtrace_python, and copies the result to where setuptools expects it."""

    def build_extension(self, extension):
        built = os.environ.get("HWTRACE_EXTENSION") or self.build()
        target = Path(self.get_ext_fullpath(extension.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["strip", "--strip-unneeded", "-o", str(target), str(built)], check=True)

    @staticmethod
    def build() -> Path:
        build = BUILD / "cmake"
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DHWTRACE_UNITY=ON", "-DHWTRACE_TOOLS=OFF", "-DHWTRACE_TESTS=OFF",
                   "-DHWTRACE_INSTALL=OFF", "-DHWTRACE_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}"]
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", str(PROJECT), "-B", str(build), *generator, *options], check=True)
        jobs = ["-j", os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)]
        subprocess.run(["cmake", "--build", str(build), "--target", "hwtrace_python", *jobs], check=True)
        built = next((build / "python" / "hwtrace").glob("_hwtrace*.so"), None)
        if built is None:
            sys.exit("CMake did not build the module; it needs pybind11-dev and the headers of this Python")
        return built


setup(
    name="hwtrace",
    version=VERSION,
    description="Reads, writes, converts and validates hardware traces",
    license="Apache-2.0",
    python_requires=">=3.9",
    install_requires=["numpy"],
    extras_require={"pandas": ["pandas"]},
    packages=["hwtrace"],
    package_data={"hwtrace": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("hwtrace._hwtrace", [])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": str(BUILD / "setuptools")}, "egg_info": {"egg_base": str(BUILD)}},
    zip_safe=False,
)

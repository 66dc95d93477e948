"""The worked examples of libs/python/README.md run, in order, and print what their comments say."""

import contextlib
import io
import os
import re
import shutil
import unittest
import warnings
from pathlib import Path

import support

PAGE = Path(__file__).resolve().parents[2] / "libs" / "python" / "README.md"
SAMPLES = {"soc.ftr": "ftr/valid/soc.ftr", "core.zstf": "stf/valid/sum.zstf"}


class Pages(support.Case):
    def test_the_examples_of_the_page_run(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 6)
        for name, sample in SAMPLES.items():
            shutil.copy(self.sample(sample), self.folder / name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        names, compared = {}, 0
        for block in blocks:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed), warnings.catch_warnings():
                warnings.simplefilter("error")
                exec(compile(block, str(PAGE), "exec"), names)
            # The comments behind print() and below a loop are what is printed; "..." leaves out the rest.
            for expected in re.findall(r"print\(.*\)\s+# (.*)$|^# (.*)$", block, re.MULTILINE):
                text = (expected[0] or expected[1]).removesuffix(" ...")
                self.assertIn(text, printed.getvalue())
                compared += 1
        self.assertGreater(compared, 4)


if __name__ == "__main__":
    support.main()

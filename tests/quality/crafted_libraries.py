"""Reads some 2000 crafted libraries, each by some of the verbs in turn: none may crash, go on for 10 s, or take 1 GiB.

    crafted_libraries.py BOWHIST [--verbs 1]

The suite reads each seventeenth of them (tests/cli/crafted_rows_test.py).
"""
import argparse
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bowhist")
    parser.add_argument("--verbs", default="1", help="that read each library")
    arguments = parser.parse_args()
    os.environ["BOWHIST"] = str(pathlib.Path(arguments.bowhist).resolve())
    os.environ["BOWHIST_TEST_CRAFTED_EVERY"] = "1"
    os.environ["BOWHIST_TEST_CRAFTED_VERBS"] = arguments.verbs
    unittest.main("crafted_rows_test", argv=["crafted_libraries"])


if __name__ == "__main__":
    main()

"""The prose is plain: certain turns of phrase stand at most once in 10 000 words.

A part is the comments of one folder, what the program prints (`messages`), or the pages (`docs`).
By default the parts in UNDER_TEST are counted; names after the source folder choose others:

    words_test.py SOURCE lib messages
"""
import ast
import io
import pathlib
import re
import sys
import tokenize
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
UNDER_TEST = ("app", "lib", "cl", "bench", "tests", "messages", "docs")

TICS = re.compile(r"\b(tell|tells|told|telling|is none|whoever|nobody|somebody|"
                  r"(?:go|goes|went) on with|comes to|for to|mend|mends|mended|mending|passed over|"
                  r"so many(?! that\b))\b", re.I)
WORD = re.compile(r"[A-Za-z][A-Za-z'’]+")
SENTENCE = re.compile(r"[a-z]+ [a-z]+ [a-z]+")

CODE = re.compile(r'(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)|R"(?P<mark>[^(\s]*)\((?P<raw>.*?)\)(?P=mark)"|'
                  r'"(?P<text>(?:\\.|[^"\\\n])*)"|(?<![0-9a-fA-F])\'(?:\\[^\']+|[^\'\\\n])\'|(?P<code>[^\s"\'/]+|.)|\s+', re.S)


def files(folder, *endings):
    return sorted(p for p in (SOURCE / folder).rglob("*") if p.is_file() and p.name.endswith(endings))


def comments_of_c(text):
    return " ".join(match["comment"].strip("/*") for match in CODE.finditer(text) if match["comment"])


def messages_of_c(text):
    """The literals that hold a sentence; neighbors are one, as the compiler joins them."""
    literals, open_literal = [], False
    for match in CODE.finditer(text):
        literal = match["raw"] if match["raw"] is not None else match["text"]
        if literal is not None:
            literals.append((literals.pop() if open_literal else "") + literal.replace("\\n", "\n"))
        if not match[0].isspace() and not match["comment"]:
            open_literal = literal is not None
    return " | ".join(literal for literal in literals if SENTENCE.search(literal))


def comments_of_python(text):
    tree = ast.walk(ast.parse(text))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = [ast.get_docstring(node) or "" for node in tree if isinstance(node, documented)]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return " ".join(found + [token.string.strip("# ") for token in tokens if token.type == tokenize.COMMENT])


def comments_of_scripts(text):
    return " ".join(re.findall(r"(?:^|\s)#+ (.*)", text))


def comments(folder):
    for path in files(folder, ".hpp", ".cpp", ".h", ".cl"):
        yield path, comments_of_c(path.read_text())
    for path in files(folder, ".py"):
        yield path, comments_of_python(path.read_text())
    for path in files(folder, ".sh", "CMakeLists.txt"):
        yield path, comments_of_scripts(path.read_text())


def messages():
    for path in (p for folder in ("app", "bench", "lib") for p in files(folder, ".hpp", ".cpp")):
        yield path, messages_of_c(path.read_text())


def docs():
    for path in [*SOURCE.glob("*.md"), *files("docs", ".md"), *files("samples", "")]:
        yield path, path.read_text()


PARTS = {folder: lambda folder=folder: comments(folder) for folder in ("app", "lib", "cl", "bench", "tests")}
PARTS |= {"messages": messages, "docs": docs}


def count(texts):
    """(words, tics): each tic with its file and what stands around it."""
    words, tics = 0, []
    for path, text in texts:
        text = re.sub(r"\s+", " ", text)
        words += len(WORD.findall(text))
        tics += [f"{path}: …{text[max(0, match.start() - 40):match.end() + 40]}…" for match in TICS.finditer(text)]
    return words, tics


def plain(texts):
    words, tics = count(texts)
    return len(tics) * 10_000 <= words, tics


class Words(unittest.TestCase):
    def test_the_prose_is_plain(self):
        for part in PARTS_TO_COUNT:
            with self.subTest(part=part):
                fine, tics = plain(PARTS[part]())
                self.assertTrue(fine, "\n".join([f"{len(tics)} in {part}", *tics]))

    def test_a_planted_sentence_is_found(self):
        for part in UNDER_TEST:
            texts = list(PARTS[part]())
            planted = "Nobody told it of so many rows, and there is none to mend. " * (1 + count(texts)[0] // 50_000)
            self.assertFalse(plain([*texts, ("planted", planted)])[0], part)
        for sentence in ("It goes on\nwith the next.", "Others are passed over.", "What is it for to begin?", "Whoever comes"):
            self.assertFalse(plain([("planted", sentence)])[0], sentence)
        self.assertTrue(plain([("plain", "There are so many that none fits. It goes on; retold, commended, someone.")])[0])

    def test_comments_and_messages_are_told_from_code(self):
        code = '''tell(1'000, '"'); // so many
            print("who" /* nobody */ "ever it is that comes", R"(a mend of // it)", "tell"); /// told
            const char *path = "a//told";'''
        self.assertEqual(len(count([("", comments_of_c(code))])[1]), 3)
        self.assertEqual(messages_of_c(code), "whoever it is that comes | a mend of // it")
        python = '"""so many"""\ntell = "nobody"  # told\ndef mend():\n    """told"""\n'
        self.assertEqual(len(count([("", comments_of_python(python))])[1]), 3)
        self.assertEqual(comments_of_scripts("#!/bin/sh\ntell # told\n# mend"), "told mend")


if __name__ == "__main__":
    PARTS_TO_COUNT = sys.argv[1:] or UNDER_TEST
    unittest.main(argv=sys.argv[:1])

"""The expression boundary of lab Part 4, written a second time over `ast`.

    python3 expression_reference.py QUESTIONS ANSWERS

QUESTIONS holds one JSON array a line, [function, text, inputs]; ANSWERS gets
one JSON object a line in the same order. Syntax, node counts, depth and the
place of a fault come from CPython's own parser; what the lab adds to Python's
rules (text bounds, token forms, limits, the allowed nodes, types, bounded
arithmetic) is written here without a look at the program under test.

Needs CPython 3.11 or newer: older ones have another grammar for subscripts.
"""

import ast
import json
import re
import sys
import warnings

PARAMETERS = {"clamp": ["x", "lo", "hi"], "total": ["unit", "qty", "fee"]}
LIMIT = 1_000_000


class Refused(Exception):
    """The first fault: a code, and a column where the fault has one."""

    def __init__(self, code, column=None):
        super().__init__(code)
        self.code = code
        self.column = column


# --- text and tokens -------------------------------------------------------

PREFIX = r"(?:[rR][bBfF]?|[bBfF][rR]?|[uU])?"
STRING_OPENING = re.compile(rf"({PREFIX})('''|\"\"\"|'|\")")
WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
FLOAT = re.compile(r"(?:\d+\.\d*|\.\d+)(?!\w)")
INTEGER = re.compile(r"(?:0+|[1-9]\d*)(?!\w)")
MARK = re.compile(r"\.\.\.|\*\*|//|<<|>>|[<>=!:]=|[-+*/%@&|^~<>()\[\]{},.;:=!]")


def check_text(text):
    if not 1 <= len(text) <= 256:
        raise Refused("expression_bounds")
    if any(not " " <= character <= "~" for character in text):
        raise Refused("expression_bounds")


class Scan:
    """Token forms, digits and parentheses, from left to right."""

    def __init__(self, text):
        self.text = text
        self.at = 0
        self.parentheses = 0
        if text[0] == " ":
            raise Refused("expression_syntax")
        while self.at < len(text):
            self.token()
            self.spaces()
        if text[-1] == " ":
            raise Refused("expression_syntax")

    def spaces(self):
        while self.text[self.at:self.at + 1] == " ":
            self.at += 1

    def token(self):
        text, at = self.text, self.at
        opening = STRING_OPENING.match(text, at)
        if opening:
            self.string(opening)
        elif text[at].isdigit() or re.match(r"\.\d", text[at:]):
            number = FLOAT.match(text, at) or INTEGER.match(text, at)
            # "1" of "1.5" or "1.e5" is no integer on its own.
            if not number or text[number.end():number.end() + 1] == "." and (
                "." not in number.group()
            ):
                raise Refused("expression_syntax")
            if "." not in number.group() and len(number.group()) > 7:
                raise Refused("expression_limit", at)
            self.at = number.end()
        elif WORD.match(text, at):
            self.at = WORD.match(text, at).end()
        else:
            mark = MARK.match(text, at)
            if not mark:
                raise Refused("expression_syntax")
            if mark.group() == "(":
                self.parentheses += 1
                if self.parentheses > 16:
                    raise Refused("expression_limit", at)
            if mark.group() == ")":
                self.parentheses = max(0, self.parentheses - 1)
            self.at = mark.end()

    def string(self, opening):
        prefix, quote = opening.group(1).lower(), opening.group(2)
        self.at = opening.end()
        if "f" in prefix:
            self.pieces(quote, "r" in prefix, False)
            self.at += len(quote)
            return
        rest = re.compile(r"(?:[^\\]|\\.)*?" + quote).match(self.text, self.at)
        if not rest:
            raise Refused("expression_syntax")
        self.at = rest.end()

    def pieces(self, quote, raw, in_format):
        text = self.text
        while self.at < len(text):
            here = text[self.at:]
            if here.startswith(quote):
                if in_format:
                    break
                return
            if here[0] == "}" and in_format:
                return
            named = None if raw else re.match(r"\\N\{[^}]*\}?", here)
            if named:
                self.at += named.end()
            elif re.match(r"\\[{}]", here):
                self.at += 1
            elif here[0] == "\\":
                self.at += 2
            elif not in_format and here[:2] in ("{{", "}}"):
                self.at += 2
            elif here[0] == "{":
                self.at += 1
                self.field(quote, raw)
            else:
                self.at += 1
        raise Refused("expression_syntax")

    def field(self, quote, raw):
        level = 0
        while True:
            self.spaces()
            if self.at >= len(self.text):
                raise Refused("expression_syntax")
            character = self.text[self.at]
            if level == 0 and character == ":":
                self.at += 1
                self.pieces(quote, raw, True)
                self.at += 1
                return
            if level == 0 and character == "}":
                self.at += 1
                return
            if character in "([{":
                level += 1
            elif character in ")]}":
                level = max(0, level - 1)
            self.token()


# --- the tree --------------------------------------------------------------


def is_newer_python(node):
    """Whether Python 3.13, which the lab pins, has no such node."""
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return isinstance(node.elt, ast.Starred)
    if isinstance(node, ast.DictComp):
        return node.value is None
    return type(node).__name__ in ("TemplateStr", "Interpolation")


def parse(text):
    try:
        root = ast.parse(text, mode="eval").body
    except (MemoryError, RecursionError):
        # Too deep for CPython's own parser is too deep for the lab.
        raise Refused("expression_limit") from None
    except (SyntaxError, ValueError):
        raise Refused("expression_syntax") from None
    if any(is_newer_python(node) for node in ast.walk(root)):
        raise Refused("expression_syntax")
    return root


def depth_of(root):
    deepest, pending = 0, [(root, 0)]
    while pending:
        node, above = pending.pop()
        depth = above + isinstance(node, ast.expr)
        deepest = max(deepest, depth)
        pending.extend((child, depth) for child in ast.iter_child_nodes(node))
    return deepest


OPERATIONS = (ast.Add, ast.Sub, ast.Mult)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def is_allowed(node):
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, (ast.UAdd, ast.USub))
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, OPERATIONS)
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1 and isinstance(node.ops[0], COMPARISONS)
    return isinstance(node, (ast.Name, ast.IfExp))


def admit(names, node):
    """Refuses the first part that mustn't stand anywhere, in pre-order."""
    if not is_allowed(node):
        raise Refused("expression_forbidden_node", node.col_offset)
    if isinstance(node, ast.Name) and node.id not in names:
        raise Refused("unknown_name", node.col_offset)
    if isinstance(node, ast.Constant) and node.value > LIMIT:
        raise Refused("expression_limit", node.col_offset)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            admit(names, child)


def check_types(node, wanted):
    found = bool if isinstance(node, ast.Compare) else int
    if found is not wanted:
        raise Refused("expression_type", node.col_offset)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            is_condition = isinstance(node, ast.IfExp) and child is node.test
            check_types(child, bool if is_condition else int)


# --- values ----------------------------------------------------------------


class Limited(Exception):
    """A limit met while evaluating."""


def evaluate(node, values, budget):
    budget[0] -= 1
    if budget[0] < 0:
        raise Limited("visit_limit")
    if isinstance(node, ast.Compare):
        left = evaluate(node.left, values, budget)
        right = evaluate(node.comparators[0], values, budget)
        order = (left > right) - (left < right)
        return {
            ast.Lt: order < 0,
            ast.LtE: order <= 0,
            ast.Gt: order > 0,
            ast.GtE: order >= 0,
            ast.Eq: order == 0,
            ast.NotEq: order != 0,
        }[type(node.ops[0])]
    if isinstance(node, ast.IfExp):
        chosen = evaluate(node.test, values, budget)
        return evaluate(node.body if chosen else node.orelse, values, budget)
    if isinstance(node, ast.Constant):
        result = node.value
    elif isinstance(node, ast.Name):
        result = values[node.id]
    elif isinstance(node, ast.UnaryOp):
        operand = evaluate(node.operand, values, budget)
        result = -operand if isinstance(node.op, ast.USub) else operand
    else:
        left = evaluate(node.left, values, budget)
        right = evaluate(node.right, values, budget)
        if isinstance(node.op, ast.Add):
            result = left + right
        elif isinstance(node.op, ast.Sub):
            result = left - right
        else:
            result = left * right
    if abs(result) > LIMIT:
        raise Limited("magnitude_limit")
    return result


def answer(function, text, inputs):
    names = PARAMETERS[function]
    size = {}
    try:
        check_text(text)
        Scan(text)
        root = parse(text)
        nodes, depth = sum(1 for _ in ast.walk(root)), depth_of(root)
        if nodes > 128 or depth > 16:
            raise Refused("expression_limit")
        size = {"nodes": nodes, "depth": depth}
        admit(names, root)
        check_types(root, int)
    except Refused as refused:
        result = {"ok": False, "code": refused.code, **size}
        if refused.column is not None:
            result["offset"] = refused.column
        return result
    result = {"ok": True, **size}
    try:
        if any(abs(value) > LIMIT for value in inputs):
            raise Limited("magnitude_limit")
        result["value"] = evaluate(root, dict(zip(names, inputs)), [256])
    except Limited as limited:
        result["error"] = str(limited)
    return result


def main():
    if sys.version_info < (3, 11):
        sys.exit("CPython 3.11 or newer is needed, this is " + sys.version)
    warnings.simplefilter("ignore")
    with open(sys.argv[1], encoding="utf-8") as questions, open(
        sys.argv[2], "w", encoding="utf-8"
    ) as answers:
        for line in questions:
            print(json.dumps(answer(*json.loads(line))), file=answers)


if __name__ == "__main__":
    main()

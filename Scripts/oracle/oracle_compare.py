"""Compares the answers of `holdfast batch` with those of Scripts/oracle/oracle.py on generated questions.

Scripts/oracle/oracle prepares what this needs, and has the options.
"""
import argparse
import collections
import json
import subprocess
import sys
import time

import differential
import oracle
import oracle_questions

EXAMPLES = 5


def disagreement(question, answer):
    """What the oracle cannot explain in an answer; None if nothing."""
    valid, broken = oracle.decide(question)
    verdict, rule = answer["verdict"], answer["rule"]
    if verdict == "trusted":
        if answer["path"] in [digests(path) + [anchor.digest] for path, anchor in valid]:
            return None
        found = [rules for path, anchor, rules in broken
                 if anchor and answer["path"] == digests(path) + [anchor.digest]]
        return f"trusted, but the path breaks {sorted(found[0])}" if found else "trusted, but that is no path"
    if verdict != "rejected":
        return f"the verdict is {verdict}: {rule}"
    if valid:
        return f"rejected for {rule}, but there is a valid path"
    # The rule that is named first is broken, as is each other where it is said to be.
    for found in answer["rejections"]:
        if not is_broken(found, question, broken):
            return f"{found['rule']} is not broken by certificate {found['index']} of that path"
    ours = {found["rule"] for found in answer["rejections"]}
    if rule not in ours:
        return f"{rule} is named, but not among the rejections"
    # And together they leave no path over that reaches an anchor. Others need not be explored.
    for path, anchor, rules in broken:
        names = {name for name, _ in rules}
        if anchor and not names & ours:
            return f"a path breaks only {sorted(names)}, but {sorted(ours)} are named"
    return None


def is_broken(found, question, broken):
    """Whether a path that begins as in a rejection breaks its rule at its certificate."""
    begin, index = found["path"], found["index"]
    if found["rule"] == "untrustedRoot":
        # It may go on from there, by issuers that were rejected before.
        ends = [one for one in [question.leaf, *question.others] if begin[index:] == [one.digest]]
        if ends and ends[0].is_self_issued:
            return True
    return any(
        (found["rule"], index) in rules and digests(path)[: len(begin)] == begin for path, _, rules in broken)


def digests(path):
    return [one.digest for one in path]


def explained_by(question, answer):
    """What explains an answer that the oracle agrees with: "standards", or the decisions that it needs."""
    decisions = sorted(oracle.applied)
    if not decisions:
        return "standards"
    try:
        oracle.are_decisions_left_out = True
        is_needed = disagreement(question, answer) is not None or "scripts" in decisions
    finally:
        oracle.are_decisions_left_out = False
    return " + ".join(decisions) if is_needed else "standards"


class Comparison:
    def __init__(self, options):
        self.options = options
        run = {"piece size": options.piece_size, "kinds": options.kinds, "first": options.first}
        self.state = differential.load(options.state) or {
            **run, "pieces": 0, "seconds": 0, "counts": {}, "decisions": {}, "disagreements": {}, "versions": []}
        for key, value in run.items():
            if self.state[key] != value:
                sys.exit(f"oracle: {options.state} is of another run: its {key} is {self.state[key]}, not {value}")
        if options.commit not in self.state["versions"]:
            self.state["versions"].append(options.commit)

    def run(self):
        end = time.monotonic() + self.options.seconds
        while self.state["pieces"] < self.options.pieces and time.monotonic() < end:
            start = time.monotonic()
            self.add(self.state["pieces"])
            self.state["pieces"] += 1
            self.state["seconds"] += time.monotonic() - start
            differential.store(self.state, self.options.state)

    def add(self, piece):
        kind = self.options.kinds[piece % len(self.options.kinds)]
        first = self.options.first + piece // len(self.options.kinds) * self.options.piece_size
        numbers = range(first, first + self.options.piece_size)
        lines = [oracle_questions.make(kind, number) for number in numbers]
        command = [self.options.holdfast, "batch", "-", "--jobs", "1"]
        answers = differential.ask(command, lines, json.loads)
        counts = self.state["counts"].setdefault(kind, {})
        for number, line, answer in zip(numbers, lines, answers):
            found, verdict, names = "the program ended: " + str(answer), "none", []
            if isinstance(answer, dict):
                question = oracle.Question(line)
                found, verdict = disagreement(question, answer), answer["verdict"]
            if found is None:
                by = explained_by(question, answer)
                names = ["explained", "by standards" if by == "standards" else "by decisions"]
                if by != "standards":
                    self.state["decisions"][by] = self.state["decisions"].get(by, 0) + 1
            for name in ("questions", verdict, *names):
                counts[name] = counts.get(name, 0) + 1
            if found:
                where = self.state["disagreements"].setdefault(found, {"count": 0, "examples": []})
                where["count"] += 1
                if len(where["examples"]) < EXAMPLES:
                    where["examples"].append(f"{kind} {number}")


def report(state):
    names = ["questions", "trusted", "rejected", "explained", "by standards", "by decisions"]
    print("| kind | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 1) + "|")
    sums = collections.Counter()
    for kind, counts in state["counts"].items():
        sums.update(counts)
        print(f"| {kind} | " + " | ".join(f"{counts.get(name, 0):,}" for name in names) + " |")
    print("| all | " + " | ".join(f"{sums[name]:,}" for name in names) + " |")
    print("\nAgreement by decisions is no evidence; those that a question met, of which one at least it needs:")
    for decisions, count in sorted(state["decisions"].items(), key=lambda row: -row[1]):
        print(f"- {decisions}: {count:,}")
    for found, where in sorted(state["disagreements"].items(), key=lambda row: -row[1]["count"]):
        print(f"\nNOT EXPLAINED: {found}: {where['count']:,}, such as {', '.join(where['examples'])}")
    print(f"\n{state['pieces']} pieces of {state['piece size']:,} questions from number {state['first']}, "
          f"{state['seconds']:,.0f} s, Holdfast {', '.join(state['versions'])}.")


def show(kind, number, holdfast):
    """Prints a question, our answer, and what the oracle finds."""
    line = oracle_questions.make(kind, number)
    run = subprocess.run([holdfast, "batch", "-", "--jobs", "1"], input=line, capture_output=True)
    answer, question = json.loads(run.stdout), oracle.Question(line)
    label = {}
    for index, one in enumerate([question.leaf, *question.others]):
        label[one.digest] = f"C{index}"
    for index, one in enumerate(question.anchors):
        label[one.digest] = f"A{index}"
    print(f"{question.purpose} {question.host}, {question.rules}, {question.demand}")
    for one in [question.leaf, *question.others, *question.anchors]:
        facts = {key: value for key, value in vars(one).items()
                 if key not in ("der", "digest", "signed", "signature", "extensions", "subject_attributes", "key")
                 and value not in (None, [], False)}
        print(f"{label[one.digest]}: {facts}")
    for each in question.lists:
        print({key: value for key, value in vars(each).items() if key not in ("signed", "signature", "extensions")})
    print(f"ours: {answer['verdict']}, {answer['reason']}, {[label[each] for each in answer['path']]}")
    for found in answer["rejections"]:
        print(f"  {[label[each] for each in found['path']]} {found['index']} {found['rule']}: {found['reason']}")
    valid, broken = oracle.decide(question)
    for path, anchor in valid:
        print(f"valid: {[label[one.digest] for one in path]} {label[anchor.digest]}")
    for path, anchor, rules in broken:
        print(f"broken: {[label[one.digest] for one in path]} {anchor and label[anchor.digest]} {sorted(rules)}")
    print(disagreement(question, answer) or "explained")


def main():
    parser = argparse.ArgumentParser(prog="Scripts/oracle/oracle")
    parser.add_argument("--pieces", type=int, default=6)
    parser.add_argument("--piece-size", type=int, default=1000)
    parser.add_argument("--kinds", default=",".join(oracle_questions.KINDS), type=lambda text: text.split(","))
    parser.add_argument("--state", default=".build/oracle/state.json")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--show", nargs=2, metavar=("KIND", "NUMBER"))
    parser.add_argument("--holdfast", default=".build/release/holdfast", help=argparse.SUPPRESS)
    parser.add_argument("--commit", default="unknown", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.show:
        return show(options.show[0], int(options.show[1]), options.holdfast)
    if options.report:
        state = differential.load(options.state) or sys.exit(f"oracle: there is no state in {options.state}")
    else:
        comparison = Comparison(options)
        comparison.run()
        state = comparison.state
    report(state)
    sys.exit(1 if state["disagreements"] else 0)


if __name__ == "__main__":
    main()

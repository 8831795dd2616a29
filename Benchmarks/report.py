#!/usr/bin/env python3
"""Makes pictures and comparisons from the JSON that the benchmarks write; tables are made by Scripts/fill.

    python3 report.py pictures JSON FOLDER     chains.svg and growth.svg
    python3 report.py summary JSON             ten lines, and whether the machine was noisy
    python3 report.py beside OLD… -- NEW…      ratios of two commits, file by file in the same turns
    python3 report.py corpus TSV SVG           a picture of what Examples/Spark/trial.py --growth measured
"""
import json
import math
import pathlib
import statistics
import sys

CHAINS = ["RSA-2048", "P-256", "P-256 under P-384", "P-256 under RSA-4096", "P-384", "RSA-PSS-2048",
          "Ed25519"]
PEERS = ["OpenSSL", "GnuTLS", "Go", "newest Go", "pyca"]
LIGHT = {
    "text": "#1f2328", "small": "#59636e", "page": "#ffffff", "edge": "#d1d9e0", "axis": "#818b98",
    "cold": "#0969da", "OpenSSL": "#bc4c00", "GnuTLS": "#9a6700", "Go": "#1a7f37",
    "newest Go": "#1b7c83",
    "pyca": "#8250df",
}
DARK = {
    "text": "#f0f6fc", "small": "#9198a1", "page": "#0d1117", "edge": "#3d444d", "axis": "#656c76",
    "cold": "#4493f8", "OpenSSL": "#f0883e", "GnuTLS": "#d29922", "Go": "#3fb950",
    "newest Go": "#39c5cf",
    "pyca": "#ab7df8",
}


def shown(value):
    """Formats a value with three significant digits, as in the text report."""
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def read(path):
    return json.loads(pathlib.Path(path).read_text())


def chains(results):
    rows = {row["name"]: row for row in results["rows"] if row["subject"] == "validate"}
    return [rows[name] for name in CHAINS if name in rows]


def median(row, contender):
    return row["figures"].get(contender, {}).get("time", {}).get("median")


class Picture:
    """An SVG picture in the reader's light or dark color scheme."""

    def __init__(self, width, height, title):
        self.width, self.height, self.shapes = width, height, [f"<title>{title}</title>"]

    def text(self, x, y, text, style="text", anchor="start"):
        text = text.replace("&", "&amp;").replace("<", "&lt;")
        self.shapes.append(
            f"<text x='{x:.1f}' y='{y:.1f}' class='{style}' text-anchor='{anchor}'>{text}</text>")

    def bar(self, x, y, width, height, color):
        self.shapes.append(
            f"<rect x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='{height:.1f}' rx='2' "
            f"style='fill:var(--{color})'/>")

    def line(self, points, color, style=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.shapes.append(
            f"<polyline points='{path}' style='fill:none;stroke:var(--{color});{style}'/>")

    def write(self, path):
        light, dark = (
            " ".join(f"--{name}: {color};" for name, color in scheme.items())
            for scheme in (LIGHT, DARK))
        shapes = "\n".join(self.shapes)
        pathlib.Path(path).write_text(f"""\
<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {self.width:.0f} {self.height:.0f}' \
width='{self.width:.0f}' height='{self.height:.0f}' role='img'>
<style>
svg {{ {light} }}
@media (prefers-color-scheme: dark) {{ svg {{ {dark} }} }}
text {{ font: 12px system-ui, sans-serif; fill: var(--text) }}
.title {{ font-size: 15px; font-weight: 600 }}
.group {{ font-weight: 600 }}
.small {{ font-size: 10px; fill: var(--small) }}
</style>
<rect width='100%' height='100%' rx='8' style='fill:var(--page);stroke:var(--edge)'/>
{shapes}
</svg>
""")


def bars(results, path):
    """Draws the time of each peer as a multiple of ours."""
    groups = [
        (row, [peer for peer in PEERS if peer in row["figures"]]) for row in chains(results)
        if median(row, "cold")]
    if not groups:
        return
    times = lambda row, peer: (median(row, peer) or 0) / median(row, "cold")
    largest = max([1] + [times(row, peer) for row, peers in groups for peer in peers])
    left, width, unit = 228, 760, (760 - 228 - 110) / largest
    height = 80 + sum(15 * len(peers) + 16 for _, peers in groups)
    picture = Picture(width, height, "Validation time of other libraries, relative to Holdfast")
    picture.text(16, 26, "Time to parse and validate a server's chain, cold", "title")
    picture.text(
        16, 44, "other libraries, as a multiple of Holdfast's time (the dashed line); medians",
        "small")
    y = 64
    for row, peers in groups:
        picture.text(16, y + 12, row["name"], "group")
        picture.text(16, y + 26, f"{shown(median(row, 'cold'))} µs cold", "small")
        for peer in peers:
            ratio = times(row, peer)
            picture.text(left - 6, y + 11, peer, "small", "end")
            picture.bar(left, y + 1, ratio * unit, 13, peer)
            label = f"{ratio:.1f}×" if ratio else "does not accept this chain"
            picture.text(left + (ratio or 1) * unit + 5, y + 11, label, "small")
            y += 15
        y += 16
    picture.line([(left + unit, 58), (left + unit, y - 14)], "text", "stroke-dasharray:3 3")
    picture.write(path)


def growth(results, path):
    """Draws a panel for each curve, with logarithmic axes, and one for the threads."""
    curves, threads = results["curves"], results["threads"]
    if not curves:
        return
    count = len(curves) + bool(threads)
    # Two panels side by side can still be read on a phone.
    picture = Picture(620, math.ceil(count / 2) * 220 + 84,
                      "Validation time as the input grows")
    picture.text(16, 26, "Validation time as the input grows", "title")
    picture.text(
        16, 44, "time to parse and validate a P-256 chain, cold, over what each panel counts; both "
        "axes logarithmic;", "small")
    picture.text(16, 58, "the exponent is Holdfast's slope at the end", "small")
    names = {name for curve in curves for name in curve["costs"] if curve["costs"][name]["points"]}
    x = 604
    for name in sorted(names, reverse=True):
        label = "Holdfast" if name == "cold" else name
        picture.text(x, 26, label, "small", "end")
        x -= 6.2 * len(label) + 6
        picture.line([(x - 18, 22), (x, 22)], name, "stroke-width:3")
        x -= 32
    corners = [(10 + place % 2 * 300, 70 + place // 2 * 220) for place in range(count)]
    for curve, corner in zip(curves, corners):
        panel(picture, curve, *corner)
    if threads:
        x, y = corners[-1]
        picture.text(x + 16, y + 18, "threads: throughput relative to one", "group")
        most = max(point["threads"] for work in threads for point in work["points"])
        for place, work in enumerate(threads):
            last, top = work["points"][-1], y + 38 + place * 18
            ratio = last["timesOne"]["median"]
            length = ratio * 62 / most
            picture.text(x + 16, top + 8, work["name"], "small")
            picture.bar(x + 158, top, length, 10, "cold")
            picture.text(
                x + 162 + length, top + 9, f"{ratio:.2f}× with {last['threads']}", "small")
    picture.write(path)


def panel(picture, curve, x, y):
    costs = {name: cost["points"] for name, cost in curve["costs"].items() if cost["points"]}
    every = [point for points in costs.values() for point in points]
    if not every:
        return
    low = math.floor(math.log10(min(cost for _, cost in every)))
    high = max(math.ceil(math.log10(max(cost for _, cost in every))), low + 1)
    last = max(size for size, _ in every)
    left, right, top, bottom = x + 48, x + 284, y + 30, y + 186
    across = lambda size: left + (right - left) * math.log(size) / max(math.log(last), 1)
    up = lambda cost: bottom - (bottom - top) * (math.log10(cost) - low) / (high - low)
    picture.text(x + 16, y + 18, curve["name"], "group")
    for power in range(low, high + 1):
        height = up(10**power)
        picture.line([(left, height), (right, height)], "edge", "stroke-width:0.5")
        label = f"{10**power:g} µs" if power < 3 else f"{10**(power - 3):g} ms"
        picture.text(left - 4, height + 3, label, "small", "end")
    picture.line([(left, bottom), (right, bottom)], "axis")
    for size in {1, 16, 256, last}:
        if size <= last:
            picture.text(across(size), bottom + 14, f"{size:g}", "small", "middle")
    for name, points in costs.items():
        picture.line([(across(size), up(cost)) for size, cost in points], name, "stroke-width:2")
    exponent = curve["costs"].get("cold", {}).get("exponent")
    if exponent is not None:
        picture.text(right, y + 18, f"exponent {exponent:.2f}", "small", "end")


def corpus(table, path):
    """Draws time and memory over the number of lines, for one core, two cores and Spark."""
    rows = [line.split("\t") for line in pathlib.Path(table).read_text().splitlines()
            if not line.startswith(("#", "lines"))]
    colors = dict(zip(dict.fromkeys(row[1] for row in rows), ["cold", "Go", "OpenSSL"]))
    picture = Picture(620, 356, "Time and memory as a corpus grows")
    picture.text(16, 26, "Time and memory as a corpus grows", "title")
    picture.text(16, 44, "chains with P-256, most leaves new to the caches, one in five rejected; all axes "
                 "logarithmic;", "small")
    picture.text(16, 58, "lines a second, and the exponent of the time, are those of the last step",
                 "small")
    for place, (column, name, unit) in enumerate([(2, "time", "s"), (3, "memory", "MiB")]):
        x, y = 10 + place * 300, 66
        values = [float(row[column]) for row in rows]
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        sizes = sorted({int(row[0]) for row in rows})
        left, right, top, bottom = x + 56, x + 272, y + 30, y + 190
        across = lambda size: left + (right - left) * math.log(size / sizes[0]) / math.log(
            sizes[-1] / sizes[0])
        up = lambda value: bottom - (bottom - top) * (math.log10(value) - low) / (high - low)
        picture.text(x + 16, y + 18, name, "group")
        for power in range(low, high + 1):
            picture.line([(left, up(10**power)), (right, up(10**power))], "edge", "stroke-width:0.5")
            picture.text(left - 4, up(10**power) + 3, f"{10**power:g} {unit}", "small", "end")
        picture.line([(left, bottom), (right, bottom)], "axis")
        for size in sizes:
            picture.text(across(size), bottom + 14, f"{size:,}".replace(",", "\u202f"), "small", "middle")
        for label, color in colors.items():
            points = [(int(row[0]), float(row[column])) for row in rows if row[1] == label]
            picture.line([(across(size), up(value)) for size, value in points], color,
                         "stroke-width:2")
    for place, (label, color) in enumerate(colors.items()):
        points = [(int(row[0]), float(row[2])) for row in rows if row[1] == label]
        (size, time), (last, end) = points[-2:]
        exponent = math.log(end / time) / math.log(last / size)
        y = 298 + 18 * place
        picture.line([(26, y), (44, y)], color, "stroke-width:3")
        picture.text(52, y + 4, f"{label}: {last / end:,.0f} lines a second, exponent {exponent:.2f}",
                     "small")
    picture.write(path)


def elsewhere(results):
    """The newest file of peers that were measured elsewhere: its name, and the ratio for each chain."""
    kind = "doubles ratio" if "vectors: doubles" in results["conditions"] else "ratio"
    path = max((pathlib.Path(__file__).parent / "results").glob("*-elsewhere.tsv"))
    columns, *rows = (line.split("\t") for line in path.read_text().splitlines()
                      if not line.startswith("#"))
    return path.name, {row[0]: row[columns.index(kind)] for row in rows}


# The largest accepted ratio of a time to that of an earlier commit.
BOUNDS = {"cold": 1.05, "new leaf": 1.15, "warm": 1.4}


def summary(path):
    """Prints each chain beside its fastest peer, and how far the rounds of a row lie apart."""
    results = read(path)
    print("\nmicroseconds, medians; ×: the fastest peer's time, as a multiple of Holdfast's")
    for row in chains(results):
        cold, warm = median(row, "cold"), median(row, "warm")
        peers = [(median(row, name), name) for name, figure in row["figures"].items()
                 if figure["isPeer"] and median(row, name)]
        line = f"  {row['name']:<22}{f'{shown(cold)} cold' if cold else '':>12}"
        line += f"{f'{shown(warm)} warm' if warm else '':>12}"
        if cold and peers:
            fastest, name = min(peers)
            line += f"{fastest / cold:>8.1f}× {name} ({shown(fastest)})"
        print(line)
    if chains(results) and any("NOT MEASURED" in each for each in results["conditions"]):
        name, ratios = elsewhere(results)
        print(f"  not run here, quoted from results/{name}: cold, times of the fastest peer: "
              + ", ".join(f"{chain} {ratio}" for chain, ratio in ratios.items()))
    # The quartiles of a quiet machine are within a twentieth of the median.
    spreads = [
        (time["high"] - time["low"]) / time["median"] for row in results["rows"]
        for figure in row["figures"].values() if (time := figure.get("time"))
        if time.get("median") and "high" in time and "low" in time]
    if not spreads:
        return
    spread = statistics.median(spreads)
    noisy = sum(each > 0.15 for each in spreads)
    print(f"  spread of the rounds: {spread:.0%} of the median, more than 15% in {noisy} of "
          f"{len(spreads)} figures")
    if spread > 0.08 or noisy > len(spreads) / 5:
        print("  THE MACHINE WAS NOISY: something else was running; compare ratios, not times")


def beside(old_paths, new_paths):
    """Returns the median ratio over the turns; allocations are those of the last turn."""
    turns = []
    for old, new in zip(map(read, old_paths), map(read, new_paths)):
        turns.append([
            {(row["subject"], row["name"], name): figure for row in results["rows"]
             for name, figure in row["figures"].items() if not figure["isPeer"]}
            for results in (old, new)])
    print(f"{'row':46}{'old µs':>10}{'new µs':>10}{'ratio':>8}{'turns':>18}  allocations")
    failed = 0
    for key in turns[-1][1]:
        pairs = [[figures.get(key, {}) for figures in turn] for turn in turns]
        times = [[figure["time"]["median"] for figure in pair] for pair in pairs
                 if all("time" in figure for figure in pair)]
        if not times:
            continue
        ratios = sorted(new / old for old, new in times)
        ratio = statistics.median(ratios)
        subject, name, contender = key
        bound = BOUNDS.get(contender) if subject == "validate" and name in CHAINS else None
        verdict = "" if bound is None else f"  ≤ {bound}: {'met' if ratio <= bound else 'NOT met'}"
        failed += bound is not None and ratio > bound
        old, new = (statistics.median(column) for column in zip(*times))
        heap = " ".join(str(figure.get("allocations", "–")) for figure in pairs[-1])
        print(f"{f'{subject}: {name}: {contender}':46}{shown(old):>10}{shown(new):>10}{ratio:8.3f}"
              f"{f'[{ratios[0]:.3f}–{ratios[-1]:.3f}]':>18}  {heap}{verdict}")
    return failed


def main(arguments):
    match arguments:
        case ["pictures", path, folder]:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            bars(read(path), f"{folder}/chains.svg")
            growth(read(path), f"{folder}/growth.svg")
        case ["summary", path]:
            summary(path)
        case ["corpus", path, picture]:
            corpus(path, picture)
        case ["beside", *paths] if "--" in paths:
            middle = paths.index("--")
            return 1 if beside(paths[:middle], paths[middle + 1:]) else 0
        case _:
            return __doc__


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

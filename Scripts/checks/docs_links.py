#!/usr/bin/env python3
"""Checks the links of the documentation site: each leads to a page, to a heading of it or to a file of the
site. Links out of the site are counted by host, and must be absolute; they are not fetched.

    python3 Scripts/checks/docs_links.py SITE
"""
import collections
import json
import pathlib
import re
import sys
import urllib.parse


def values(node, key):
    """All values of a key, at any depth."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key:
                yield value
            yield from values(value, key)
    elif isinstance(node, list):
        for each in node:
            yield from values(each, key)


def anchors(page):
    """The anchors of a page: its headings, and the topics and other sections that DocC adds."""
    titles = [section.get("title", "") for section in page.get("topicSections", [])]
    found = {anchor for anchor in values(page, "anchor") if isinstance(anchor, str)}
    return found | set(titles) | {re.sub(r"[^\w]+", "-", title) for title in titles} | {"topics"}


def main(site):
    pages = {}
    for path in sorted((site / "data").rglob("*.json")):
        pages["/" + str(path.relative_to(site / "data").with_suffix(""))] = json.loads(path.read_text())
    if not pages:
        return f"docs_links.py: no pages in {site}"
    wrong, hosts, links = [], collections.Counter(), 0
    for name, page in pages.items():
        if not (site / name[1:] / "index.html").is_file():
            wrong.append(f"{name}: has no index.html")
        for reference in page.get("references", {}).values():
            kind = reference.get("type")
            if kind in ("image", "video", "download", "file"):
                files = [each["url"] for each in reference.get("variants", [])] or [reference.get("url", "")]
                links += len(files)
                wrong += [f"{name}: no file {each}" for each in files
                          if each.startswith("/") and not (site / each[1:]).is_file()]
                continue
            # Protocols of the standard library are only named: DocC warns of what our pages link to.
            if not reference.get("url"):
                continue
            url = urllib.parse.urlsplit(reference["url"])
            links += 1
            if url.scheme in ("http", "https"):
                hosts[url.netloc] += 1
            elif url.scheme or not url.path.startswith("/"):
                wrong.append(f"{name}: {reference['url']} is no address")
            elif (site / url.path[1:]).is_file():
                continue
            elif url.path.rstrip("/").lower() not in pages:
                wrong.append(f"{name}: no page {url.path}")
            elif url.fragment and urllib.parse.unquote(url.fragment) not in anchors(pages[url.path.lower()]):
                wrong.append(f"{name}: no heading {reference['url']}")
    for each in sorted(set(wrong)):
        print(f"docs: {each}")
    print(f"docs: {len(pages)} pages, {links} links, {len(set(wrong))} of them dead; out of the site: "
          + ", ".join(f"{host} {count}" for host, count in hosts.most_common()))
    return 1 if wrong else None


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1])))

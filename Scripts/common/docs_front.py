#!/usr/bin/env python3
"""Makes the front page of the documentation site: one sentence, links to the articles, the products,
and then the layers below them. `/` redirects to it, and the page of each module links to it.

    python3 Scripts/common/docs_front.py SITE [MODULE…]

Of the modules that are named the site has no declarations, which the page says. It links to verify.html if the
site has that.
"""
import json
import pathlib
import sys

PRODUCTS = ["Holdfast", "HoldfastOpenSSL", "HoldfastCertificates", "HoldfastCompatibility",
            "HoldfastConfigurations", "HoldfastIdentities", "HoldfastOnline", "HoldfastHTTP",
            "HoldfastURLSession", "HoldfastNIO", "HoldfastTrustStores"]
LAYERS = ["HoldfastTransparency", "HoldfastPaths", "HoldfastFilters",
          "HoldfastDER", "HoldfastHashes", "HoldfastBase"]
ABSTRACT = ("Validates X.509 certificates and checks pins, in pure Swift, and explains each "
            "decision.")


def text(words):
    return {"type": "text", "text": words}


def articles_of(module, page, site):
    """The articles of a module by topic, in the order of its page; what they are goes into this page."""
    found = []
    document = json.loads((site / f"data/documentation/{module.lower()}.json").read_text())
    for section in document.get("topicSections", []):
        articles = [each for each in section["identifiers"]
                    if document["references"].get(each, {}).get("role") == "article"]
        page["references"].update((each, document["references"][each]) for each in articles)
        if articles:
            found.append((section["title"], articles))
    return found


def listed(title, identifiers):
    """A heading, and a list of links."""
    return [{"type": "heading", "level": 3, "text": title, "anchor": title.replace(" ", "-")},
            {"type": "unorderedList", "items": [
                {"content": [{"type": "paragraph", "inlineContent": [
                    {"type": "reference", "isActive": True, "identifier": each}]}]}
                for each in identifiers]}]


def missing(modules):
    """A box that names the modules without declarations; nothing if there are none."""
    return [{"type": "aside", "style": "important", "name": "Important", "content": [
        {"type": "paragraph", "inlineContent": [text(
            f"The declarations of {', '.join(modules)} are absent: what they need was not there when this "
            "site was built. Their articles are here.")]}]}] if modules else []


def explainer(page):
    """A line that leads to the page that explains a chain."""
    page["references"]["verify.html"] = {"type": "link", "identifier": "verify.html", "url": "/verify.html",
                                         "title": "A page", "titleInlineContent": [text("A page")]}
    return {"type": "paragraph", "inlineContent": [
        {"type": "reference", "isActive": True, "identifier": "verify.html"},
        text(" says whether a chain is trusted, and why not, in this browser: it sends nothing.")]}


def main(site, absent):
    path = site / "data/documentation.json"
    page = json.loads(path.read_text())
    identifiers = {page["references"][each]["title"]: each
                   for section in page["topicSections"] for each in section["identifiers"]}
    unknown = set(identifiers) - set(PRODUCTS + LAYERS)
    if unknown:
        return f"docs_front.py: neither a product nor a layer: {', '.join(sorted(unknown))}"
    page["abstract"] = [text(ABSTRACT)]
    page["topicSections"] = [
        {"title": title, "anchor": title,
         "identifiers": [identifiers[name] for name in names if name in identifiers]}
        for title, names in (("Products", PRODUCTS), ("Layers", LAYERS))]
    articles = {"type": "reference", "isActive": True, "identifier": identifiers["Holdfast"]}
    topics = articles_of("Holdfast", page, site)
    topics.append(("Move and extend", [
        each for name in PRODUCTS + LAYERS[:1] if name != "Holdfast" and name in identifiers
        for _, articles in articles_of(name, page, site) for each in articles]))
    page["primaryContentSections"] = [{"kind": "content", "content": [
        {"type": "heading", "level": 2, "text": "Overview", "anchor": "overview"},
        {"type": "paragraph", "inlineContent": [
            text("The articles, in the order in which they are of use; the page of "), articles,
            text(" has the types. The layers are part of the products above them.")]},
        *([explainer(page)] if (site / "verify.html").is_file() else []),
        *missing(absent),
        *(part for title, each in topics for part in listed(title, each))]}]
    path.write_text(json.dumps(page))

    # The page of a module has no way back. In longer paths the sidebar would not find the page.
    root = page["identifier"]["url"]
    for name in identifiers:
        path = site / f"data/documentation/{name.lower()}.json"
        document = json.loads(path.read_text())
        document["hierarchy"]["paths"] = [[root]]
        document["references"][root] = {
            "type": "topic", "identifier": root, "title": "All modules", "url": "/documentation",
            "kind": "article", "role": "collection", "abstract": []}
        path.write_text(json.dumps(document))

    # The sidebar has the same order.
    path = site / "index/index.json"
    index = json.loads(path.read_text())
    for root in index["interfaceLanguages"]["swift"]:
        root.get("children", []).sort(
            key=lambda child: (PRODUCTS + LAYERS).index(child["title"])
            if child["title"] in PRODUCTS + LAYERS else -1)
    path.write_text(json.dumps(index))

    # DocC has no page for `/` itself.
    (site / "index.html").write_text(
        '<!doctype html>\n<meta charset="utf-8">\n<title>Holdfast</title>\n'
        '<meta http-equiv="refresh" content="0; url=documentation/">\n'
        '<a href="documentation/">Documentation of Holdfast</a>\n')
    return None


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))

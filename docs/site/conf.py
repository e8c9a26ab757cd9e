"""How Sphinx makes a site of the pages: scripts/docs."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

project = "stubdb"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "stubdb"
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
templates_path = ["."]
# Furo's, with the way to what DocC makes.
html_sidebars = {"**": [
    "sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "sidebar/navigation.html", "declarations.html",
    "sidebar/scroll-end.html",
]}
html_context = {"libraries": sorted(path.stem for path in ROOT.glob("Sources/*/*.docc"))}
root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "Examples/*/README.md"]
# Anchors of headings, by the rule of hosting sites.
myst_heading_anchors = 4
# Quotation marks stay as they are written.
smartquotes = False
# `…` in a block of code stands for what a page leaves out; no lexer knows it.
suppress_warnings = ["misc.highlighting_failure"]


def navigation():
    """The pages that docs/README.md lists, by its headings, and those of the top folder."""
    trees = []
    index = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    for part in index.split("\n## ")[1:]:
        caption, _, text = part.partition("\n")
        pages = dict.fromkeys(re.findall(r"\]\((\w[\w-]*)\.md\)", text))
        trees.append((caption, [f"docs/{page}" for page in pages]))
    top = sorted(path.stem for path in ROOT.glob("*.md") if path.stem != root_doc)
    trees.append(("stubdb itself", ["docs/README", *top, "Examples/ShopApp/README", "Examples/SweptShop/README"]))
    return trees


def add_navigation(app, docname, source):
    if docname != root_doc:
        return
    for caption, names in navigation():
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(names) + "\n```\n"


def setup(app):
    app.connect("source-read", add_navigation)

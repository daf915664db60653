"""What the pages need beyond Jupyter Book: one address, honest heads, light scripts, alt text.

A local Sphinx extension. The repository's address is read from pyproject.toml, so that a fork
changes one line; from it follow the launch buttons, the canonical links, the social card and the
sitemap. What would embarrass a page is a warning here, and the book is built with warnings as
errors: a picture without a description, two pages with one title.
"""

import html
import os
import re
from pathlib import Path
from urllib.parse import quote
from zlib import crc32

import course_facts
import landing
import page_widgets
from course_facts import repository
from docutils import nodes
from sphinx.util import logging

LOG = logging.getLogger(__name__)
SITE = Path(__file__).parent
UNWANTED = ("sphinx-thebe", "THEBE_JS_URL", "kernelName")  # no page uses them
PAGE_ADDRESS = re.compile(r"https://github\.com/([^/]+)/([^/]+)")


def pages_address(repository: str) -> str:
    """Where GitHub publishes a repository's pages.

    >>> pages_address("https://github.com/Firth/company")
    'https://firth.github.io/company/'
    >>> pages_address("https://github.com/Firth/firth.github.io")
    'https://firth.github.io/'
    """
    owner, name = PAGE_ADDRESS.fullmatch(repository).groups()
    pages = f"{owner.lower()}.github.io"
    return f"https://{pages}/" if name.lower() == pages else f"https://{pages}/{name}/"


def address(app, config):
    """Every address in the book follows from one."""
    url = repository(Path(app.srcdir))
    config.html_baseurl = pages_address(url)
    config.html_theme_options |= {
        "repository_url": url,
        "repository_branch": "main",
        "path_to_docs": "",
        "use_repository_button": True,
        "use_edit_page_button": True,
        "use_issues_button": True,
        "logo": {"text": config.html_title, "alt_text": ""},
        "primary_sidebar_end": [],
        "show_navbar_depth": 1,
        "show_toc_level": 2,
        "use_download_button": True,
        "use_fullscreen_button": False,
        "search_as_you_type": False,  # it would load the whole index on every page
    }


def first_words(doctree: nodes.document, limit: int = 155) -> str:
    """The opening sentences of a page, as many as a search result shows."""
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section | nodes.document):
            words = " ".join(paragraph.astext().split())
            if len(words) > 40:
                cut = words[:limit].rsplit(" ", 1)[0].rstrip(",;:—–- ")
                return words if len(words) <= limit else f"{cut} …"
    return ""


def head(app, page, template, context, doctree):
    """Description, canonical address and social card, from the page's own front matter or words."""
    title = re.sub(r"<[^>]+>", "", context.get("title", ""))
    described = (context.get("meta") or {}).get("description")
    name = title
    if page == app.config.root_doc:
        described, subject = course_facts.sentence(app.srcdir), course_facts.subject(app.srcdir)
        name, context["docstitle"] = f"{title}: {subject}", subject  # in cards, and in the window
    if not described and doctree is not None:
        described = first_words(doctree)
    if not described:
        described = (
            f"{title}: a page of {app.config.html_title}, a course on embeddings and transformers."
        )
    base = app.config.html_baseurl
    where = base + ("" if page == app.config.root_doc else app.builder.get_target_uri(page))
    context["pageurl"] = where
    context["metatags"] = ""  # the theme repeats the viewport, MyST the description
    pairs = [("name", "description", described), ("name", "theme-color", "#1f4e8c")]
    pairs += [
        ("property", f"og:{name}", value)
        for name, value in [
            ("title", html.unescape(name)),
            ("description", described),
            ("type", "article" if doctree is not None else "website"),
            ("url", where),
            ("site_name", app.config.html_title),
            ("image", f"{base}_static/card.png"),
            ("image:width", "1200"),
            ("image:height", "630"),
            ("image:alt", "The Company Words Keep: a word in the middle of its neighbours"),
        ]
    ]
    folder, _, name = page.partition("/")
    solution = Path(app.srcdir, "solutions", f"{name}.ipynb")
    if folder == "exercises" and solution.exists():  # students' repositories have none
        # linked, so that it can be found; not rendered, so that it is not met
        repository = app.config.html_theme_options["repository_url"]
        context["firth_solution"] = f"{repository}/blob/main/solutions/{name}.ipynb"
    pairs.append(("name", "twitter:card", "summary_large_image"))
    if template != "page.html":
        pairs.append(("name", "robots", "noindex"))
    context["firth_head"] = "\n  ".join(
        f'<meta {kind}="{name}" content="{html.escape(value)}" />' for kind, name, value in pairs
    )


def widgets(app, page, template, context, doctree):
    """The state of a page's widgets stands in the page."""
    if doctree is not None:
        context["body"] += page_widgets.element(Path(app.env.doc2path(page)))


def widget_files(app, doctree):
    """A page whose widgets' files have changed is read again."""
    for path in page_widgets.files(Path(app.env.doc2path(app.env.docname))):
        app.env.note_dependency(str(path))


def scripts(app, page, template, context, doctree):
    """Each script once, none that the page cannot use, none before the text."""
    seen, kept, body = set(), [], context.get("body", "")
    for script in context.get("script_files", []):
        # a copy, because all pages share what they are given
        script = type(script)(script.filename, priority=script.priority, **script.attributes)
        attributes = script.attributes
        key = (str(script.filename or ""), attributes.get("body"))
        if key in seen or any(word in f"{key[0]} {key[1]}" for word in UNWANTED):
            continue
        seen.add(key)
        if script.filename and page != "search":  # its own scripts want these at once
            attributes["defer"] = "defer"
        elif not script.filename and page != "search" and "DOCUMENTATION_OPTIONS" in key[1]:
            attributes["type"] = "module"  # after the deferred script that it speaks of
        if "widgets.js" in key[0] and not re.search("data-(model|later)=", body):
            continue
        if "landing.js" in key[0] and "data-later=" not in body:
            continue
        kept.append(script)
    context["script_files"] = kept
    context["body"] = re.sub(
        r'<script type="text/x-thebe-config">.*?</script>|<script>kernelName = .*?</script>',
        "",
        body,
        flags=re.DOTALL,
    )
    context["css_files"] = [css for css in context["css_files"] if "thebe" not in str(css.filename)]


def descriptions(app, page, template, context, doctree):
    """A picture that says nothing to a reader who cannot see it stops the build."""
    if doctree is None:
        return
    for image in doctree.findall(nodes.image):
        if not image.get("alt"):
            LOG.warning(
                "picture without a description: give it alt text", location=(page, image.line)
            )
    for tag in re.findall(r"<img\b[^>]*>", context.get("body", "")):
        if not re.search(r'\balt="', tag):
            LOG.warning("picture without a description: %s", tag[:80], location=page)
    for tag in re.findall(r"<svg\b[^>]*>", context.get("body", "")):
        if not re.search(r'aria-(label|labelledby|hidden)="[^"]+"', tag):
            LOG.warning("drawing without a description: %s", tag[:80], location=page)


def titles(app, environment):
    """Two pages of one name cannot be told apart in a list of search results."""
    seen = {}
    for page, title in sorted(environment.titles.items()):
        other = seen.setdefault(title.astext(), page)
        if other != page:
            LOG.warning("the title %r is also that of %s", title.astext(), other, location=page)


def finish(app, error):
    """The files of the site as a whole: a page for wrong addresses, a map, a word to robots."""
    if error or app.builder.name != "html":
        return
    out, base = Path(app.outdir), app.config.html_baseurl
    drawing = (SITE / "_static" / "favicon.svg").read_text(encoding="utf-8")
    page = (SITE / "_templates" / "404.html").read_text(encoding="utf-8")
    if landing.CHAPTER in app.env.found_docs:
        write(out / "_static" / landing.MODEL, landing.model_file(Path(app.srcdir)))
    folder = "/" + base.split("/", 3)[3]
    values = {
        "title": html.escape(app.config.html_title),
        "base": folder,
        "drawing": drawing.replace("<svg ", '<svg aria-hidden="true" '),
        "icon": quote(drawing),
    }
    for name, value in values.items():
        page = page.replace("{{ " + name + " }}", value)
    write(out / "404.html", page)
    addresses = sorted(
        base + ("" if name == app.config.root_doc else app.builder.get_target_uri(name))
        for name in app.env.found_docs
    )
    entries = "".join(f"<url><loc>{html.escape(url)}</loc></url>\n" for url in addresses)
    write(
        out / "sitemap.xml",
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n',
    )
    write(out / "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n")


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all: the pages may be served meanwhile."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def setup(app):
    app.add_js_file("course.js", loading_method="defer")
    app.add_js_file("widgets.js", loading_method="defer")
    app.add_js_file("landing.js", loading_method="defer")
    for name, directive in landing.DIRECTIVES.items():
        app.add_directive(name, directive)
    app.connect("config-inited", address)
    app.connect("env-check-consistency", titles)
    app.connect("doctree-read", widget_files)
    app.connect("html-page-context", head, priority=800)
    app.connect("html-page-context", widgets, priority=840)
    app.connect("html-page-context", descriptions, priority=850)
    app.connect("html-page-context", scripts, priority=900)
    app.connect("build-finished", finish)
    code = b"".join(path.read_bytes() for path in sorted(SITE.glob("*.py")))
    # Another number, and every page is built again.
    return {"env_version": crc32(code), "parallel_read_safe": True, "parallel_write_safe": True}

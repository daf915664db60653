"""The button *Do it here* of the exercises, and what it loads: Python that runs in the page.

A local Sphinx extension. The button names the megabytes that a browser loads. `tools/book.py`
brings Python into the cache before the build; where that was not possible, no page has a button.
"""

from pathlib import Path

SCRIPT = "do_it_here.js"


def measure(app, config):
    """Note the megabytes of each exercise; another number lets the pages be written again."""
    if any(Path(app.srcdir, "exercises").glob("*.ipynb")):
        from python import publish  # imports firth.store, which a book without exercises lacks

        config.python_megabytes = publish.megabytes()


def button(app, page, template, context, doctree):
    """Give the page of an exercise its button and the button's script; no other page has them."""
    folder, _, name = page.partition("/")
    size = app.config.python_megabytes.get(name) if folder == "exercises" else None
    context["python_exercise"], context["python_megabytes"] = name, size
    if not size:
        scripts = context.get("script_files", [])
        context["script_files"] = [s for s in scripts if SCRIPT not in str(s.filename)]


def publish_python(app, error):
    """Write what the button loads, if a page has one."""
    if not error and app.builder.name == "html" and app.config.python_megabytes:
        from python import publish

        publish.publish(Path(app.outdir, "_static"))


def setup(app):
    app.add_config_value("python_megabytes", {}, "html")
    app.add_js_file(SCRIPT, loading_method="defer")
    app.connect("config-inited", measure)
    app.connect("html-page-context", button, priority=950)
    app.connect("build-finished", publish_python)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

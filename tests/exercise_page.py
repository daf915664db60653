"""An exercise that is done on its page: what a reader clicks and types there, and what they see."""

import json

from notebooks import COURSE

READY = "Python is ready."
START = 120_000  # milliseconds: a busy machine may take so long


class ExercisePage:
    """One exercise, opened by a visit of a reader and done on its page."""

    def __init__(self, reader, name):
        self.reader, self.name = reader, name
        self.page = reader.open(f"exercises/{name}")

    def begin(self):
        """Click on the button, and wait until Python has started."""
        self.page.get_by_role("button", name="Do it here").click()
        self.wait_for(READY)
        return self

    def wait_for(self, sentence):
        status = self.page.locator(".do-it-bar [role='status']")
        status.filter(has_text=sentence).wait_for(timeout=START)

    def cells(self):
        return self.page.locator(".bd-article div.cell:has(.cm-editor)")

    def cell(self, code):
        """The first cell that has this code on the page, whatever the reader makes of it."""
        return self.cells().filter(has=self.page.locator("pre", has_text=code)).first

    def text(self, cell):
        """What stands in the editor of a cell."""
        cell.scroll_into_view_if_needed()
        return "\n".join(cell.locator(".cm-line").all_inner_texts())

    def write(self, cell, text):
        """Put a text in the place of what stands in an editor, as one does by pasting."""
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def below(self, cell):
        """The cell right below another one."""
        return cell.locator("xpath=following-sibling::div[1]")

    def add(self, cell, text):
        """A new cell with this text right below another one."""
        cell.get_by_role("button", name="+ cell").click()
        self.write(self.below(cell), text)
        return self.below(cell)

    def unfold(self, cell):
        """Open the lid under which a cell may stand."""
        cell.locator("details").evaluate_all("(lids) => lids.forEach((lid) => (lid.open = true))")

    def run(self, cell, timeout=START):
        """Run a cell with the keys of a notebook, and return what it shows."""
        cell.locator(".cm-content").press("Shift+Enter")
        self.page.wait_for_function(
            "() => !document.querySelector('.do-it-running')", timeout=timeout
        )
        return cell.locator(".cell_output").inner_text()

    def button(self, name):
        return self.page.locator(".do-it-bar").get_by_role("button", name=name)


def shown_cells(path):
    """The code cells of a notebook that its page shows."""
    cells = json.loads((COURSE / path).read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    return [cell for cell in code if "remove-cell" not in cell["metadata"].get("tags", [])]


def stored_outputs(cell):
    """What a notebook stores of a cell's outputs: its prints, and its value as HTML or as text."""
    found = []
    for output in cell["outputs"]:
        data = output.get("data", {})
        text = output.get("text") or data.get("text/html") or data["text/plain"]
        found.append(("html" if "text/html" in data else "text", "".join(text)))
    return found

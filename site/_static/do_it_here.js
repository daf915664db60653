// The button "Do it here" of an exercise. Its click loads the editors and Python; before it, nothing of them is loaded.
(() => {
  const place = document.querySelector(".do-it-here");
  const [button, note] = place.children;
  const root = new URL("_static/python/", new URL(document.documentElement.dataset.content_root, location.href));

  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const { folder, bytes } = await (await fetch(new URL("parts.json", root), { cache: "no-cache" })).json();
      const { open } = await import(new URL(`${folder}/page.js`, root));
      open(place, bytes);
    } catch (error) {
      button.disabled = false;
      note.textContent = `Python could not be loaded. Is there a connection? (${error.message})`;
    }
  });
})();

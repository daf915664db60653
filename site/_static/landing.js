// The first page: a guess, and a model that is loaded when a reader asks for it.

// The answer to the guess is written where a screen reader hears it.
(() => {
  const guess = document.querySelector(".first-guess");
  const answer = guess?.querySelector("[role='status']");
  const buttons = [...(guess?.querySelectorAll("button") ?? [])];
  for (const button of buttons)
    button.addEventListener("click", () => {
      for (const one of buttons) one.setAttribute("aria-pressed", one === button);
      answer.textContent = button.dataset.answer;
    });
})();

// The widget takes the place of its button, and writes at once.
(() => {
  const place = document.querySelector(".firth-widget[data-later]");
  if (!place) return;
  const button = place.querySelector(".first-write");
  const status = place.querySelector("[role='status']");
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = "The model is loading …";
    let state;
    try {
      const answer = await fetch(place.dataset.later);
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      state = await answer.json();
    } catch (error) {
      console.info("model:", error.message);
      status.textContent = "The model could not be loaded, perhaps because the connection was interrupted. Press the button to try again.";
      button.disabled = false;
      return;
    }
    status.textContent = "";
    await window.mountLater(place, state);
    place.querySelector("button:last-of-type")?.focus({ preventScroll: true });
  });
})();

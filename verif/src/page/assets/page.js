// Commands are copied by a click.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = button.dataset.copy;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      prompt("copy this", text);
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
}
// A link can do the same: page.html#sort=table-1:2&toggle=plot-1:0&zoom=plot-2:in&key=plot-1:ArrowRight
for (const wish of location.hash.slice(1).split("&")) {
  const [action, id, what] = wish.split(/[=:]/);
  const part = id && document.getElementById(id);
  const click = (element) => element && element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  if (part && action === "sort") click(part.querySelectorAll("th button")[what]);
  if (part && action === "toggle") click(part.querySelectorAll(".key")[what]);
  if (part && action === "key") part.dispatchEvent(new KeyboardEvent("keydown", { key: what }));
  if (part && action === "zoom") click(part.querySelector(`.tools [data-zoom=${what}]`));
}
document.body.dataset.ready = "yes";

// A click on the head of a column sorts by it: up, then down.
for (const table of document.querySelectorAll("table.sorted")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstChild.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of heads) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, place) => [row, row.cells[column], place]);
    rows.sort((a, b) => order(a[1], b[1], down) || a[2] - b[2]);
    body.append(...rows.map(([row]) => row));
  }));
}
// Nothing is behind everything, numbers are before text.
function order(a, b, down) {
  const rank = (cell) => cell.classList.contains("nothing") ? 2 : "v" in cell.dataset ? 0 : 1;
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  const by = "v" in a.dataset ? a.dataset.v - b.dataset.v
    : a.textContent.localeCompare(b.textContent, "en", { numeric: true });
  return down ? -by : by;
}

// Values under the pointer and by keys, series that are switched on and off, zoom.
const tip = document.getElementById("tip");
let marked = null;
function show(mark, x, y) {
  if (marked) marked.classList.remove("at");
  marked = mark;
  tip.hidden = !mark;
  if (!mark) return;
  mark.classList.add("at");
  tip.textContent = mark.dataset.t;
  const wide = tip.offsetWidth, high = tip.offsetHeight;
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - wide - 4)) + "px";
  tip.style.top = (y + 16 + high > innerHeight ? y - high - 8 : y + 16) + "px";
}
const numbers = (text) => text ? text.split(",").map(Number) : null;
const short = (value) => Number(value.toPrecision(6)).toLocaleString("en", { maximumFractionDigits: 9 });

for (const figure of document.querySelectorAll("figure.plotted")) {
  const svg = figure.querySelector("svg");
  const [left, top, right, bottom] = numbers(svg.dataset.area);
  const both = svg.dataset.zoom === "xy";
  // Each direction: pixels at its ends, values there, where it is, and how it is zoomed.
  const across = { from: left, to: right, values: numbers(svg.dataset.x), k: 1, t: 0 };
  const along = { from: bottom, to: top, values: numbers(svg.dataset.y), k: 1, t: 0 };
  const at = (way, pixel) => way.k * pixel + way.t;
  const place = (g) => /translate\(([-\d.]+)[ ,]+([-\d.]+)/.exec(g.getAttribute("transform")).slice(1).map(Number);
  const rects = [...svg.querySelectorAll(".marks rect")]
    .map((rect) => [rect, +rect.getAttribute("x"), +rect.getAttribute("width")]);
  const moved = [...svg.querySelectorAll(".marks [transform]")].map((mark) => [mark, ...place(mark)]);
  const ticks = ["x", "y"].map((name) => {
    const group = svg.querySelector(`.${name}-ticks`);
    return [group, [...group.children].map((tick) => [tick, ...place(tick)])];
  });

  function redraw() {
    svg.querySelector(".stretch").setAttribute("transform", `matrix(${across.k} 0 0 ${along.k} ${across.t} ${along.t})`);
    for (const [rect, x, width] of rects) {
      rect.setAttribute("x", at(across, x).toFixed(1));
      rect.setAttribute("width", Math.max(width * across.k, 0.3).toFixed(1));
    }
    for (const [mark, x, y] of moved) mark.setAttribute("transform", `translate(${at(across, x)} ${at(along, y)})`);
    renamed(ticks[0], across, (x) => `translate(${x} ${bottom})`, 1);
    if (both) renamed(ticks[1], along, (y) => `translate(0 ${y})`, 2);
  }
  // Names move along; round values are found anew.
  function renamed([group, known], way, transform, part) {
    if (!way.values || !known.length) {
      for (const tick of known) {
        const pixel = at(way, tick[part]);
        tick[0].setAttribute("transform", transform(pixel));
        tick[0].classList.toggle("off", (pixel - way.from) * (pixel - way.to) > 0.5);
      }
      return;
    }
    const [from, to] = [way.from, way.to].map((pixel) =>
      way.values[0] + ((pixel - way.t) / way.k - way.from) / (way.to - way.from) * (way.values[1] - way.values[0]));
    const rough = (to - from) / 6, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find((times) => times * power >= rough * 0.999) || 10);
    const made = [];
    for (let n = Math.ceil(from / step - 1e-9); n * step <= to + step * 1e-9; n++) {
      const tick = known[0][0].cloneNode(true);
      tick.setAttribute("transform", transform(way.from + (n * step - from) / (to - from) * (way.to - way.from)));
      tick.querySelector("text").textContent = short(n * step);
      made.push(tick);
    }
    group.replaceChildren(...made);
  }
  function zoom(factor, x, y) {
    for (const [way, pixel] of both ? [[across, x], [along, y]] : [[across, x]]) {
      const k = Math.min(Math.max(way.k * factor, 1), 5000);
      way.t = pixel - (pixel - way.t) * k / way.k;
      way.k = k;
    }
    inside();
  }
  // The ends never come inside.
  function inside() {
    for (const way of [across, along]) {
      const [low, high] = [Math.min(way.from, way.to), Math.max(way.from, way.to)];
      way.t = Math.min(low - way.k * low, Math.max(high - way.k * high, way.t));
    }
    redraw();
  }
  const middle = () => [(left + right) / 2, (top + bottom) / 2];
  const all = () => { for (const way of [across, along]) [way.k, way.t] = [1, 0]; redraw(); };
  const onPlot = (event) => {
    const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };

  svg.addEventListener("pointermove", (event) => show(event.target.closest("[data-t]"), event.clientX, event.clientY));
  svg.addEventListener("pointerleave", () => show(null));
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    zoom(event.deltaY + event.deltaX < 0 ? 1.25 : 0.8, ...onPlot(event));
  }, { passive: false });
  let held = null;
  svg.addEventListener("pointerdown", (event) => { held = across.k > 1 ? onPlot(event) : null; });
  window.addEventListener("pointerup", () => { held = null; });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const now = onPlot(event);
    across.t += now[0] - held[0];
    if (both) along.t += now[1] - held[1];
    held = now;
    inside();
  });

  const tools = figure.querySelector(".tools");
  tools.hidden = false;
  tools.addEventListener("click", (event) => {
    const how = event.target.dataset.zoom;
    if (how === "all") all(); else if (how) zoom(how === "in" ? 1.6 : 0.625, ...middle());
  });

  for (const key of svg.querySelectorAll(".key")) {
    key.setAttribute("role", "button");
    key.setAttribute("tabindex", "0");
    key.setAttribute("aria-pressed", "true");
    const toggle = () => {
      const off = key.getAttribute("aria-pressed") === "true";
      key.setAttribute("aria-pressed", String(!off));
      for (const series of svg.querySelectorAll(`.series[data-s="${key.dataset.s}"]`)) series.classList.toggle("off", off);
    };
    key.addEventListener("click", toggle);
    key.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
  }

  // Arrows go from mark to mark.
  figure.addEventListener("keydown", (event) => {
    if (event.target !== figure) return;
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "+") zoom(1.6, ...middle());
    else if (event.key === "-") zoom(0.625, ...middle());
    else if (event.key === "0") all();
    else if (event.key === "Escape") show(null);
    else if (event.key in steps) {
      const marks = [...svg.querySelectorAll("[data-t]")].filter((mark) => !mark.closest(".off"));
      if (!marks.length) return;
      const now = marks.indexOf(marked);
      const next = marks[(now < 0 ? 0 : now + steps[event.key] + marks.length) % marks.length];
      const box = next.getBoundingClientRect();
      show(next, box.right, box.bottom);
    } else return;
    event.preventDefault();
  });
  figure.addEventListener("blur", () => show(null));
}

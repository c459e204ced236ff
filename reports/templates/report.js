// Adds to a page what helps to read it: a choice of the run, tables to sort, values at the marks of charts, and sliders.
// Nothing on the page needs it; what it adds, it makes itself.
(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, attributes, text) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };

  // ---- tables: a button in each heading sorts by that column

  const textOf = (cell) => {
    const copy = cell.cloneNode(true);
    for (const small of all("small, .mark", copy)) small.remove();
    return copy.textContent.trim();
  };
  const numberOf = (text) => {
    const number = parseFloat(text.replaceAll("\u2212", "-").replaceAll(",", ""));
    return Number.isNaN(number) ? -Infinity : number;
  };
  const sortBy = (table, heading, index) => {
    const numeric = heading.classList.contains("number");
    const before = heading.getAttribute("aria-sort");
    const rising = before ? before === "descending" : !numeric;
    const rows = all("tbody tr", table).map((row) => [textOf(row.cells[index]), row]);
    const order = numeric ? (a, b) => numberOf(a) - numberOf(b) : (a, b) => a.localeCompare(b, "en", { numeric: true });
    rows.sort(([a], [b]) => (rising ? order(a, b) : order(b, a)));
    for (const other of all("thead th", table)) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", rising ? "ascending" : "descending");
    table.tBodies[0].append(...rows.map(([, row]) => row));
  };
  for (const table of all("table[data-sortable]")) {
    if (table.tBodies[0].rows.length < 2) continue;
    all("thead th", table).forEach((heading, index) => {
      const button = make("button", { type: "button", title: "Sort by this column" }, "");
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sortBy(table, heading, index));
    });
  }

  // ---- the run: what is about another one is hidden, in charts it fades

  const show = (run) => {
    for (const element of all("[data-run]")) {
      const other = run !== "" && element.dataset.run !== run;
      if (element.closest("svg")) element.classList.toggle("faded", other);
      else element.hidden = other;
    }
  };
  for (const picker of all("[data-picker]")) {
    const select = picker.querySelector("select");
    picker.hidden = false;
    select.addEventListener("change", () => {
      for (const other of all("[data-picker] select")) other.value = select.value;
      show(select.value);
    });
    if (select.value) show(select.value); // kept by the browser when the page is loaded again
  }

  // ---- values: a mark of a chart tells its own when pointed at, or when the arrow keys come to it

  const tip = make("div", { class: "tip", role: "status" }, "");
  document.body.append(tip);
  const values = new Map();
  let marked = null;
  const hide = () => {
    if (marked) marked.classList.remove("marked");
    marked = null;
    tip.textContent = "";
  };
  const tell = (mark) => {
    if (mark === marked) return;
    hide();
    marked = mark;
    mark.classList.add("marked");
    tip.textContent = values.get(mark);
    const box = mark.getBoundingClientRect();
    const wide = tip.offsetWidth;
    const left = Math.min(Math.max(box.left + box.width / 2 - wide / 2, 8), document.documentElement.clientWidth - wide - 8);
    const above = box.top - tip.offsetHeight - 8;
    tip.style.left = `${left + window.scrollX}px`;
    tip.style.top = `${(above > 8 ? above : box.bottom + 8) + window.scrollY}px`;
  };
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const walk = (marks, key) => {
    const shown = marks.filter((mark) => !mark.closest(".faded"));
    const at = shown.indexOf(marked);
    if (key === "Home") return shown[0];
    if (key === "End") return shown.at(-1);
    return shown[at < 0 ? 0 : (at + steps[key] + shown.length) % shown.length];
  };
  for (const svg of all("figure svg")) {
    const marks = [];
    for (const title of all("g > title", svg)) {
      values.set(title.parentNode, title.textContent);
      marks.push(title.parentNode);
      title.remove();
    }
    if (!marks.length) continue;
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("keydown", (event) => {
      if (event.key === "Escape") return hide();
      if (!(event.key in steps) && event.key !== "Home" && event.key !== "End") return;
      event.preventDefault();
      const next = walk(marks, event.key);
      if (next) tell(next);
    });
    svg.addEventListener("blur", hide);
  }
  const pointed = (event) => {
    let mark = event.target instanceof Element ? event.target.closest("svg g") : null;
    while (mark && !values.has(mark)) mark = mark.parentElement.closest("svg g");
    if (mark) tell(mark);
    else if (event.type === "pointerdown" || !document.activeElement?.closest("svg")) hide();
  };
  document.addEventListener("pointerover", pointed);
  document.addEventListener("pointerdown", pointed);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  for (const hint of all("[data-hint]")) hint.hidden = !values.size;

  // ---- sliders: one computed point at a time, with a slider for each constant that varies

  all("[data-points]").forEach((box, index) => {
    const points = all("[data-point]", box);
    if (points.length < 2) return;
    const axes = JSON.parse(box.dataset.axes);
    const places = box.dataset.start.split(",").map(Number);
    const missing = make("p", { class: "small" }, "This combination was not played.");
    const move = () => {
      const at = places.join(",");
      const point = points.find((element) => element.dataset.at === at);
      for (const element of points) element.hidden = element !== point;
      missing.hidden = Boolean(point);
      for (const mark of all("svg [data-point]")) mark.classList.toggle("here", Boolean(point) && mark.dataset.point === point.dataset.point);
    };
    const lines = axes.map((axis, place) => {
      const id = `slider-${index}-${place}`;
      const slider = make("input", { id, type: "range", min: "0", max: String(axis.values.length - 1), step: "1", autocomplete: "off" }, "");
      const output = make("output", { for: id }, "");
      const say = () => {
        output.textContent = axis.values[places[place]];
        slider.setAttribute("aria-valuetext", axis.values[places[place]]);
      };
      slider.value = String(places[place]);
      slider.addEventListener("input", () => {
        places[place] = Number(slider.value);
        say();
        move();
      });
      say();
      const line = make("p", { class: "slider" }, "");
      line.append(make("label", { for: id }, axis.label), slider, output);
      return line;
    });
    box.prepend(...lines, missing);
    move();
  });
})();

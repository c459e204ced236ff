// What a page's texts measure, seen from inside the browser: each function lists what is wrong, in words.
(() => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const named = (element) => {
    const text = (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 60);
    return `<${element.tagName.toLowerCase()}${element.className && element.className.baseVal === undefined ? "." + element.className : ""}> "${text}"`;
  };
  const section = (element) => element.closest("section, header, aside")?.id || "the top";
  const slack = 1.5; // letters of another font, and rounding

  // A line's box is higher than its letters: what lies above and below them may touch.
  const letters = (element) => {
    const box = element.getBoundingClientRect();
    const upright = box.height > box.width && element.textContent.trim().length > 2;
    const x = upright ? 0.2 * box.width : 0, y = upright ? 0 : 0.2 * box.height;
    return { left: box.left + x, right: box.right - x, top: box.top + y, bottom: box.bottom - y, element };
  };
  const drawnTexts = (svg) => [...svg.querySelectorAll("text")].filter((t) => t.textContent.trim() && shown(t)).map(letters);

  return {
    clipped() {
      const found = [];
      for (const svg of [...document.querySelectorAll("figure svg")].filter(shown)) {
        const box = svg.getBoundingClientRect();
        for (const t of drawnTexts(svg)) {
          if (t.left < box.left - slack || t.right > box.right + slack || t.top < box.top - slack || t.bottom > box.bottom + slack)
            found.push(`${section(svg)}: ${named(t.element)} leaves its picture`);
        }
      }
      for (const element of document.body.querySelectorAll("*")) {
        if (element.closest("svg") || !shown(element) || element.closest(".scroll, select, input, pre")) continue;
        if (element.clientWidth && element.scrollWidth > element.clientWidth + slack) found.push(`${section(element)}: ${named(element)} is wider than its place`);
        const style = getComputedStyle(element);
        if (style.overflowY === "hidden" && element.clientHeight && element.scrollHeight > element.clientHeight + slack)
          found.push(`${section(element)}: ${named(element)} is higher than its place`);
      }
      return found;
    },

    overlapping() {
      const found = [];
      for (const svg of [...document.querySelectorAll("figure svg")].filter(shown)) {
        const texts = drawnTexts(svg);
        texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => {
          const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          if (across > slack && down > slack) found.push(`${section(svg)}: ${named(a.element)} lies over ${named(b.element)}`);
        }));
      }
      return found;
    },

    // Letters smaller than this many pixels cannot be read on a telephone.
    tiny(least) {
      const found = [];
      for (const svg of [...document.querySelectorAll("figure svg")].filter(shown)) {
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        for (const t of drawnTexts(svg)) {
          const size = parseFloat(getComputedStyle(t.element).fontSize) * scale;
          if (size < least) found.push(`${section(svg)}: ${named(t.element)} is ${size.toFixed(1)} pixels high`);
        }
      }
      return found;
    },

    sideways() {
      const wide = document.documentElement.scrollWidth - window.innerWidth;
      return wide > 0 ? [`the page is ${wide} pixels wider than the window`] : [];
    },

    // What holds text of its own and is not to be seen, but for what only a script can use.
    unseen() {
      const own = (element) => [...element.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
      return [...document.body.querySelectorAll("*")]
        .filter((e) => own(e) && !e.closest("script, style, noscript, template, svg, [data-picker], [data-hint]") && !shown(e))
        .map((e) => `${section(e)}: ${named(e)} is not shown`);
    },

    figuresWithoutPicture() {
      return [...document.querySelectorAll("figure")].filter((f) => ![...f.querySelectorAll("svg")].some(shown)).map((f) => `${section(f)}: no picture`);
    },
  };
})()

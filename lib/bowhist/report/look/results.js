// The script of pages of results: lines between keypoints that agree, drawn when they are asked for.
//   data-lines   a button: "x,y,x,y;…", places in the query and in the result, in pixels of the originals
//   data-from, data-to   their sizes: "width,height"
//   data-outline         corners of the query in the result, "x,y x,y …"
//   data-text            what the drawing says
(() => {
  "use strict";
  const svg = (name, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const source = (element) => element?.currentSrc || element?.src || element?.getAttribute("href") || "";
  const draw = (button) => {
    const [w, h] = button.dataset.from.split(",").map(Number), [to_w, to_h] = button.dataset.to.split(",").map(Number);
    const stacked = innerWidth < 700, gap = 24, side = 600;
    const scale = side / (stacked ? w : h), to_scale = side / (stacked ? to_w : to_h);
    const dx = stacked ? 0 : w * scale + gap, dy = stacked ? h * scale + gap : 0;
    const width = stacked ? side : dx + to_w * to_scale, height = stacked ? dy + to_h * to_scale : side;
    const asked = source(button.closest(".query").querySelector(".asked img, .asked image"));
    const found = source(button.closest("figure").querySelector("img"));
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": button.dataset.text });
    if (asked) drawing.append(svg("image", { href: asked, width: w * scale, height: h * scale, preserveAspectRatio: "none" }));
    if (found) drawing.append(svg("image", { href: found, x: dx, y: dy, width: to_w * to_scale, height: to_h * to_scale, preserveAspectRatio: "none" }));
    if (button.dataset.outline) {
      const corners = button.dataset.outline.trim().split(" ").map((corner) => corner.split(",").map(Number));
      drawing.append(svg("svg", { "aria-hidden": "true", x: dx, y: dy, width: to_w * to_scale, height: to_h * to_scale, viewBox: `0 0 ${to_w * to_scale} ${to_h * to_scale}` },
        svg("polygon", { class: "outline", points: corners.map(([x, y]) => `${(x + .5) * to_scale},${(y + .5) * to_scale}`).join(" ") })));
    }
    const pairs = button.dataset.lines.split(";");
    if (pairs.length > 100) drawing.classList.add("many");
    pairs.forEach((pair, i) => {
      const [x, y, to_x, to_y] = pair.split(",").map(Number);
      const a = [(x + .5) * scale, (y + .5) * scale], b = [(to_x + .5) * to_scale + dx, (to_y + .5) * to_scale + dy];
      drawing.append(svg("g", { class: `h${i % 6}` }, svg("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }),
        svg("circle", { cx: a[0], cy: a[1], r: 5 }), svg("circle", { cx: b[0], cy: b[1], r: 5 })));
    });
    return drawing;
  };
  const show = (button) => {
    const dialog = document.createElement("dialog");
    dialog.className = "matches";
    dialog.setAttribute("aria-label", "Keypoints that agree");
    const text = document.createElement("small"), close = document.createElement("button"), tools = document.createElement("div");
    text.textContent = button.dataset.text;
    Object.assign(close, { type: "button", textContent: "Close", onclick: () => dialog.close() });
    tools.className = "tools";
    tools.append(text, close);
    dialog.append(draw(button), tools);
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => { dialog.remove(); button.focus(); });
    document.body.append(dialog);
    dialog.showModal();
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-lines]");
    if (button) show(button);
  });
})();

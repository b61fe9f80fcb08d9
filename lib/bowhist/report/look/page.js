// The script of every page. It finds elements by their data attributes, and a page without it shows the same images.
//   data-filter           an input: shows only what of data-item has its text in data-name; <output data-found> counts
//   data-item             what is filtered, one by one; data-name is its text, else what it shows
//   data-holder           holds items, and is shown as long as one of them is, or all where its own data-name fits
//   data-grid, data-thumb thumbnails, and each link in them: arrows move, Enter opens the lightbox
//                         (data-path: the path; data-bytes: the same as %XX where it is not UTF-8; data-full: another image)
//   data-card             a card of an overview: arrows move among them, too
//   data-back             the way back: key u
//   data-help             a button: the keys
//   data-sort             a button: sorts the items of [data-list] by that attribute, a number (data-sort="idf": data-idf);
//                         those of its data-part fill these in turn
//   data-pair             two images; its radio buttons show them side by side, in flicker or as difference: keys 1 2 3
//   data-mark             a checkbox of an image to drop; data-drop-list, data-drop-count: the list of them, and their number
//   data-drop-spare       a button: marks those with data-spare, or all that its URL answers with (GET /api/spare)
(() => {
  "use strict";
  const root = document.documentElement;
  root.dataset.script = "";
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const shown = (element) => element.getClientRects().length > 0;

  // the filter
  const folded = (text) => text.toLowerCase().normalize("NFC"); // macOS names files with accents of their own
  const text_of = (element) => folded(element.dataset.name ?? element.textContent);
  const fits = (element, words) => words.every((word) => text_of(element).includes(word));
  const filter = (text) => {
    const words = folded(text).split(/\s+/).filter(Boolean);
    const whole = new Set(words.length ? all("[data-holder][data-name]").filter((holder) => fits(holder, words)) : []);
    const is_whole = (element) => {
      for (let at = element.closest("[data-holder]"); at; at = at.parentElement.closest("[data-holder]"))
        if (whole.has(at)) return true;
      return false;
    };
    let found = 0;
    const items = all("[data-item]");
    for (const item of items) {
      item.hidden = words.length > 0 && !fits(item, words) && !is_whole(item);
      found += !item.hidden;
    }
    for (const holder of all("[data-holder]").reverse()) {
      holder.hidden = words.length > 0 && !whole.has(holder) && !holder.querySelector("[data-item]:not([hidden])");
      if (holder.dataset.opened && !words.length) { holder.open = false; delete holder.dataset.opened; }
      if (holder.matches("details.more") && words.length && !holder.hidden && !holder.open) { holder.open = true; holder.dataset.opened = "1"; }
    }
    for (const output of all("[data-found]")) output.value = words.length ? `${found} of ${items.length}` : "";
    all("[data-grid]").forEach((grid) => rove(grid));
  };
  let waiting = 0;
  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-filter]")) return;
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => filter(event.target.value));
  });

  // thumbnails: one tab stop a grid, arrows among them
  const rove = (grid, at) => {
    const links = all("[data-thumb]", grid);
    const visible = links.filter((link) => !link.closest("[hidden]"));
    at ??= visible.find((link) => link.tabIndex === 0) ?? visible[0];
    for (const link of links) link.tabIndex = link === at ? 0 : -1;
  };
  document.addEventListener("focusin", (event) => {
    const link = event.target.closest?.("[data-thumb]");
    const grid = link?.closest("[data-grid]");
    if (grid) rove(grid, link);
  });
  const step = (from, key) => {
    const kind = from.matches("[data-thumb]") ? "[data-thumb]" : "[data-card]";
    const within = from.closest("[data-grid]") ?? document;
    const targets = all(kind, within).filter(shown);
    const at = targets.indexOf(from);
    if (key === "Home") return targets[0];
    if (key === "End") return targets[targets.length - 1];
    if (key === "ArrowLeft" || key === "ArrowRight") return targets[at + (key === "ArrowLeft" ? -1 : 1)];
    const down = key === "ArrowDown" ? 1 : -1;
    const place = (element) => element.getBoundingClientRect();
    const own = place(from), middle = own.left + own.width / 2;
    let best, row;
    for (let i = at + down; targets[i]; i += down) {
      const other = place(targets[i]);
      if (Math.abs(other.top - own.top) < own.height / 2) continue;
      row ??= other.top;
      if (Math.abs(other.top - row) > own.height / 2) break;
      const distance = Math.abs(other.left + other.width / 2 - middle);
      if (!best || distance < best.distance) best = { target: targets[i], distance };
    }
    return best?.target;
  };

  // paths, byte for byte
  const bytes_of = (element) => {
    const { bytes, path } = element.dataset;
    if (bytes === undefined) return new TextEncoder().encode(path);
    const plain = bytes.replace(/%(..)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
    return Uint8Array.from(plain, (c) => c.charCodeAt(0));
  };
  const copy = async (path, button) => {
    try {
      await navigator.clipboard.writeText(path);
    } catch {
      const area = make("textarea", { value: path });
      (document.querySelector("dialog[open]") ?? document.body).append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say(`Copied ${path}`);
    if (button) {
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy path"; }, 1500);
    }
  };
  const status = make("p", { className: "heard" });
  status.setAttribute("role", "status");
  const say = (text) => {
    (document.querySelector("dialog[open]") ?? document.body).append(status); // what is behind a dialog is not heard
    setTimeout(() => { status.textContent = text; });
  };
  const plain = (name) => name.replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd"); // these turn the letters behind them around

  // the lightbox
  let box;
  const browsers_show = /\.(jpe?g|png|gif|webp|avif|bmp|svg)$/i;
  const make_box = () => {
    const image = make("img"), name = make("bdi"), note = make("small"), path = make("bdi", { className: "path" });
    const button = (text, label, use) => {
      const made = make("button", { type: "button", textContent: text, onclick: use });
      if (label) made.setAttribute("aria-label", label);
      return made;
    };
    const open = make("a", { className: "button", textContent: "Open file" });
    const copied = button("Copy path", "", () => copy(box.link.dataset.path, copied));
    const about = make("div", {}, name, " ", note, path);
    about.setAttribute("aria-live", "polite");
    const dialog = make("dialog", { className: "lightbox" },
      make("figure", {}, image),
      make("div", { className: "about" },
        about,
        button("‹", "Previous", () => turn(-1)), button("›", "Next", () => turn(1)), copied, open,
        button("Close", "", () => dialog.close())));
    dialog.setAttribute("aria-label", "Picture");
    dialog.addEventListener("close", () => { box.link.focus(); });
    dialog.addEventListener("click", (event) => { if (event.target === dialog || event.target.matches("figure")) dialog.close(); });
    let start = null;
    dialog.addEventListener("touchstart", (event) => { start = event.touches.length === 1 ? event.touches[0].clientX : null; }, { passive: true });
    dialog.addEventListener("touchend", (event) => {
      const moved = start === null ? 0 : event.changedTouches[0].clientX - start;
      if (Math.abs(moved) > 60) turn(moved < 0 ? 1 : -1);
    });
    document.body.append(dialog);
    return { dialog, image, name, note, path, open, link: null };
  };
  const show = (link) => {
    box ??= make_box();
    box.link = link;
    const thumbnail = link.querySelector("img");
    const name = link.dataset.path.split("/").pop();
    box.name.textContent = plain(name);
    box.path.textContent = plain(link.dataset.path);
    const links = all("[data-thumb]", link.closest("[data-grid]") ?? document).filter((other) => !other.closest("[hidden]"));
    box.note.textContent = [`${links.indexOf(link) + 1} of ${links.length}`, link.dataset.note].filter(Boolean).join(" · ");
    box.open.href = link.href;
    box.image.alt = name;
    box.image.className = "small";
    box.image.src = thumbnail?.currentSrc || thumbnail?.src || "";
    const full = link.dataset.full ?? (browsers_show.test(link.href) ? link.href : "");
    if (full) {
      const whole = new Image();
      whole.onload = () => {
        if (box.link !== link) return;
        box.image.className = whole.naturalWidth < 640 && whole.naturalHeight < 640 ? "small" : "";
        box.image.src = whole.src;
      };
      whole.src = full;
    }
    if (!box.dialog.open) box.dialog.showModal();
  };
  const turn = (by) => {
    const links = all("[data-thumb]", box.link.closest("[data-grid]") ?? document).filter((other) => !other.closest("[hidden]"));
    const next = links[links.indexOf(box.link) + by];
    if (next) show(next);
  };

  // help
  let help;
  const show_help = () => {
    if (!help) {
      const keys = [["/", "filter"], ["Esc", "leave the filter or what is open"], ["?", "this help"]];
      if (document.querySelector("[data-thumb], [data-card]")) keys.push(["← → ↑ ↓", "move among pictures and groups"], ["Enter", "open"]);
      if (document.querySelector("[data-thumb]")) keys.push(["c", "copy the path of a picture"]);
      if (document.querySelector("[data-back]")) keys.push(["u", "back"]);
      if (document.querySelector("[data-pair]")) keys.push(["1 2 3", "of a pair: side by side, flicker, difference"]);
      const list = make("dl");
      for (const [key, meaning] of keys) list.append(make("dt", {}, make("kbd", { textContent: key })), make("dd", { textContent: meaning }));
      const close = make("button", { type: "button", textContent: "Close", onclick: () => help.close() });
      help = make("dialog", {}, make("h2", { textContent: "Keys" }), list, close);
      help.setAttribute("aria-label", "Keys");
      document.body.append(help);
    }
    if (!help.open) help.showModal();
  };

  // pairs
  const view = (from, place) => {
    const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    const pair = from.closest("[data-pair]") ?? middle?.closest("[data-pair]");
    const choice = pair && all("input[type=radio]", pair)[place];
    if (choice) choice.checked = true;
  };

  // copies to drop
  const kept_marks = () => {
    const name = document.body.dataset.marks;
    try { return new Map(JSON.parse(localStorage.getItem(name) ?? "[]")); } catch { return new Map(); }
  };
  let marks = new Map();
  const remember = () => {
    try { localStorage.setItem(document.body.dataset.marks, JSON.stringify([...marks])); } catch { /* for this page alone */ }
  };
  const show_marks = () => {
    for (const mark of all("[data-mark]")) {
      mark.checked = marks.has(mark.dataset.bytes ?? mark.dataset.path);
      mark.closest("figure")?.querySelector("svg")?.classList.toggle("dropped", mark.checked);
    }
    for (const count of all("[data-drop-count]")) count.value = `${marks.size} to drop`;
    for (const button of all("[data-drop-list]")) button.disabled = marks.size === 0;
    for (const group of all("[data-copies]")) {
      const warning = group.querySelector("[data-nothing-left]");
      const own = all(`[data-copies="${group.dataset.copies}"] [data-mark]`);
      if (warning) warning.hidden = !own.every((mark) => mark.checked);
    }
  };
  const mark = (box, checked) => {
    const key = box.dataset.bytes ?? box.dataset.path;
    if (checked) marks.set(key, box.dataset.bytes !== undefined);
    else marks.delete(key);
  };
  const key_of = (path) => { // as data-bytes has it, where a byte that is not UTF-8 stands as a lone surrogate
    const is_byte = (c) => c.length === 1 && c >= "\udc80" && c <= "\udcff";
    const escaped = (byte) => /[\w.~\/-]/.test(String.fromCharCode(byte)) && byte < 128 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    const letters = [...path];
    if (!letters.some(is_byte)) return [path, false];
    const bytes = letters.flatMap((c) => (is_byte(c) ? [c.charCodeAt(0) - 0xdc00] : [...new TextEncoder().encode(c)]));
    return [bytes.map(escaped).join(""), true];
  };
  const mark_spare = async (button) => {
    const from = button.dataset.dropSpare;
    if (!from) all("[data-mark][data-spare]").forEach((box) => mark(box, true));
    else {
      button.disabled = true;
      try {
        const answer = await fetch(from);
        if (answer.status !== 200) throw new Error();
        for (const { image } of (await answer.json()).spare) marks.set(...key_of(image));
      } catch {
        for (const count of all("[data-drop-count]")) count.value = "Nothing was marked: the server is busy or gone. Try again.";
        return;
      } finally {
        button.disabled = false;
      }
    }
    remember();
    show_marks();
  };
  const download = (ending) => {
    const parts = [];
    for (const [key, is_bytes] of marks) parts.push(bytes_of({ dataset: is_bytes ? { bytes: key } : { path: key } }), ending);
    const link = make("a", { href: URL.createObjectURL(new Blob(parts)), download: ending === "\0" ? "drop.0" : "drop.txt" });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  const sort = (button) => {
    const list = document.querySelector("[data-list]");
    const key = button.dataset.sort;
    const rising = button.getAttribute("aria-pressed") === "true" && button.dataset.rising !== "1";
    const value = (item) => Number(item.dataset[key]);
    const sorted = all("[data-item]", list).sort((a, b) => (rising ? value(a) - value(b) : value(b) - value(a)));
    const parts = all("[data-part]", list).map((part) => [part, part.childElementCount]);
    if (!parts.length) list.append(...sorted);
    for (const [part, size] of parts) part.append(...sorted.splice(0, size));
    for (const other of all("[data-sort]")) other.setAttribute("aria-pressed", String(other === button));
    button.dataset.rising = rising ? "1" : "0";
  };

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest?.(selector);
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const thumb = on("[data-thumb]");
    if (thumb) { event.preventDefault(); show(thumb); }
    else if (on("[data-help]")) show_help();
    else if (on("[data-sort]")) sort(on("[data-sort]"));
    else if (on("[data-copy]")) copy(on("[data-copy]").dataset.copy, on("[data-copy]"));
    else if (on("[data-drop-list]")) download(on("[data-drop-list]").dataset.dropList === "nul" ? "\0" : "\n");
    else if (on("[data-drop-spare]")) mark_spare(on("[data-drop-spare]"));
    else if (on("[data-drop-none]")) { marks.clear(); remember(); show_marks(); }
  });
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-mark]")) return;
    mark(event.target, event.target.checked);
    remember();
    show_marks();
  });

  document.addEventListener("submit", (event) => { // both of a pair that is taken apart stay
    const pair = event.target.closest("[data-pair]");
    if (!pair) return;
    for (const box of all("[data-mark]", pair)) mark(box, false);
    remember();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = event.target;
    if (box?.dialog.open) {
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") { event.preventDefault(); turn(event.key === "ArrowLeft" ? -1 : 1); }
      if (event.key === "c") copy(box.link.dataset.path);
      return;
    }
    if (document.querySelector("dialog[open]")) return;
    if (from.matches("input:not([type=checkbox], [type=radio]), textarea, select")) {
      if (event.key === "Escape" && from.matches("[data-filter]")) { from.value = ""; filter(""); from.blur(); }
      return;
    }
    const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
    if (event.key === "/") {
      const input = document.querySelector("[data-filter]");
      if (input) { event.preventDefault(); input.focus(); input.select(); }
    } else if (event.key === "?") { event.preventDefault(); show_help(); }
    else if (event.key === "u") document.querySelector("[data-back]")?.click();
    else if (event.key === "c" && from.matches("[data-thumb]")) copy(from.dataset.path);
    else if (arrows.includes(event.key) && from.matches("[data-thumb], [data-card]")) {
      event.preventDefault();
      const next = step(from, event.key);
      if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
    } else if ("123".includes(event.key)) view(from, event.key - 1);
  });

  // what is opened stays in view; a link opens what it leads to
  document.addEventListener("toggle", (event) => {
    if (event.target.matches(".card") && event.target.open) event.target.scrollIntoView({ block: "nearest" });
  }, true);
  const open_target = () => {
    let at = document.getElementById(location.hash.slice(1));
    if (!at || at.matches("main")) return;
    for (let above = at; above; above = above.parentElement) if (above.matches("details")) above.open = true;
    at.scrollIntoView();
  };
  addEventListener("hashchange", open_target);

  document.addEventListener("DOMContentLoaded", () => {
    const bar = document.querySelector(".bar");
    if (bar) new ResizeObserver(() => root.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
    open_target();
    all("[data-grid]").forEach((grid) => rove(grid));
    marks = kept_marks();
    show_marks();
    const input = document.querySelector("[data-filter]");
    if (input?.value) filter(input.value); // kept by the browser
  });
})();

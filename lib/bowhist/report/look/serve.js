// The script of pages that a server shows. Without it their forms and links do the same.
//   data-drop    a form with a file: takes what is dropped on the page or pasted, and sends it
//   data-region  an image, data-width × data-height in the library: a part that is drawn is searched for at data-link
(() => {
  "use strict";
  document.addEventListener("DOMContentLoaded", () => {
    const form = document.querySelector("[data-drop]");
    if (form) {
      const input = form.querySelector("input[type=file]");
      const busy = form.querySelector("output");
      const submit = () => { busy.value = "Searching…"; form.submit(); };
      addEventListener("pageshow", () => { busy.value = ""; }); // also when the browser comes back here
      form.addEventListener("submit", () => { busy.value = "Searching…"; });
      const send = (data) => {
        const file = [...(data?.files ?? [])].find((one) => one.type.startsWith("image/") || one.type === "");
        if (!file) return false;
        const files = new DataTransfer();
        files.items.add(file);
        input.files = files.files;
        submit();
        return true;
      };
      input.addEventListener("change", () => { if (input.files.length) submit(); });
      document.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("over"); });
      document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) form.classList.remove("over"); });
      document.addEventListener("drop", (event) => { event.preventDefault(); form.classList.remove("over"); send(event.dataTransfer); });
      document.addEventListener("paste", (event) => { if (send(event.clipboardData)) event.preventDefault(); });
    }
    const view = document.querySelector("[data-region]");
    if (!view) return;
    const part = view.appendChild(document.createElement("div"));
    part.className = "part";
    part.hidden = true;
    let start;
    const place = (event) => {
      const box = view.getBoundingClientRect();
      const within = (value, most) => Math.min(Math.max(value, 0), most);
      return [within(event.clientX - box.left, box.width), within(event.clientY - box.top, box.height), box];
    };
    const drawn = (event) => {
      const [x, y, box] = place(event);
      const left = Math.min(x, start[0]), top = Math.min(y, start[1]);
      return { left, top, width: Math.abs(x - start[0]), height: Math.abs(y - start[1]), box };
    };
    view.addEventListener("dragstart", (event) => event.preventDefault());
    view.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      start = place(event);
      view.setPointerCapture(event.pointerId);
    });
    view.addEventListener("pointermove", (event) => {
      if (!start) return;
      const now = drawn(event);
      part.hidden = false;
      for (const side of ["left", "top", "width", "height"]) part.style[side] = `${now[side]}px`;
    });
    view.addEventListener("pointercancel", () => { start = undefined; part.hidden = true; });
    view.addEventListener("pointerup", (event) => {
      if (!start) return;
      const now = drawn(event);
      start = undefined;
      if (now.width < 8 || now.height < 8) { part.hidden = true; return; }
      const across = Number(view.dataset.width) / now.box.width, down = Number(view.dataset.height) / now.box.height;
      const region = [now.left * across, now.top * down, now.width * across, now.height * down].map(Math.floor);
      location.assign(`${view.dataset.link}?region=${region.join(",")}`);
    });
  });
})();

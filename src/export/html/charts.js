// Charts: SVG drawn at the width they have, drawn again when that changes.

const niceStep = (span, parts) => {
  const raw = span / parts || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((n) => n * power >= raw) * power;
  return Math.max(step, Number.EPSILON);
};

const ticksTo = (low, high, parts, whole = false) => {
  let step = niceStep(high - low, parts);
  if (whole) step = Math.max(1, Math.round(step));
  const ticks = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-6; v += step) ticks.push(v);
  return ticks;
};

const short = (n) => (n >= 1e6 ? `${+(n / 1e6).toFixed(2)}M` : n >= 1e3 ? `${+(n / 1e3).toFixed(1)}k` : `${+n.toFixed(1)}`);

// `spec`: height, x and y as [low, high], xName, xText, yText, yTicks, xTicks, left (margin), draw(plot),
// label, seek(x), hover(x or null).
function chart(host, spec) {
  const chart = { host, spec, head: null };
  const xText = spec.xText ?? thousands;
  chart.draw = () => {
    const width = Math.max(120, host.clientWidth);
    const margin = { left: spec.left ?? 44, right: spec.right ?? 10, top: spec.top ?? 8, bottom: spec.bare ? 4 : 30 };
    const inner = { width: width - margin.left - margin.right, height: spec.height - margin.top - margin.bottom };
    const [x0, x1] = spec.x;
    const [y0, y1] = spec.y;
    const x = (v) => margin.left + ((v - x0) / (x1 - x0 || 1)) * inner.width;
    const y = (v) => margin.top + inner.height - ((v - y0) / (y1 - y0 || 1)) * inner.height;
    // Lengths do not compare where an axis leaves out its beginning, so it says that it does.
    const offset = x0 === 0 || spec.bare ? "" : `axis begins at ${xText(x0)}, not at 0`;
    const label = offset ? `${spec.label}; ${offset}` : spec.label;
    const root = svg("svg", { width, height: spec.height, viewBox: `0 0 ${width} ${spec.height}`, role: "img", "aria-label": label });
    const base = margin.top + inner.height;
    for (const v of spec.yTicks ?? ticksTo(y0, y1, 4)) {
      root.append(svg("line", { class: "rule", x1: margin.left, x2: width - margin.right, y1: y(v), y2: y(v) }));
      if (spec.yText) root.append(svg("text", { class: "tick end", x: margin.left - 6, y: y(v) + 3.5 }, spec.yText(v)));
    }
    if (!spec.bare) {
      const ticks = spec.xTicks ?? ticksTo(x0, x1, Math.max(2, Math.floor(inner.width / 70)), true);
      for (const v of ticks) {
        root.append(svg("text", { class: "tick mid", x: x(v), y: base + 14 }, xText(v)));
      }
      root.append(svg("text", { class: "tick name", x: width - margin.right, y: base + 27 }, offset ? `${spec.xName} (${offset})` : spec.xName));
    }
    const plot = { root, x, y, width, inner, base, left: margin.left, right: width - margin.right, top: margin.top };
    plot.add = (tag, attributes, ...children) => {
      const node = svg(tag, attributes, ...children);
      root.append(node);
      return node;
    };
    plot.line = (points, name) => plot.add("path", { class: name, d: points.map(([a, b], i) => `${i ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("") });
    plot.steps = (points, name, fill) => {
      let d = "";
      points.forEach(([a, b], i) => {
        d += i ? `H${x(a).toFixed(1)}V${y(b).toFixed(1)}` : `M${x(a).toFixed(1)} ${y(b).toFixed(1)}`;
      });
      if (fill && points.length) {
        const close = `V${base}H${x(points[0][0]).toFixed(1)}Z`;
        plot.add("path", { class: `${name} area`, d: d + close });
      }
      return plot.add("path", { class: name, d });
    };
    spec.draw(plot);
    chart.plot = plot;
    if (spec.seek) {
      chart.head = plot.add("line", { class: "head", y1: margin.top - 4, y2: base });
      const value = (event) => {
        const box = root.getBoundingClientRect();
        const v = x0 + ((event.clientX - box.left - margin.left) / inner.width) * (x1 - x0);
        return Math.min(x1, Math.max(x0, v));
      };
      root.classList.add("seeks");
      root.addEventListener("click", (event) => spec.seek(value(event)));
      root.addEventListener("pointermove", (event) => event.pointerType === "mouse" && spec.hover?.(value(event)));
      root.addEventListener("pointerleave", () => spec.hover?.(null));
      if (chart.at !== undefined) chart.mark(chart.at);
    }
    host.replaceChildren(root);
  };
  chart.mark = (v) => {
    chart.at = v;
    if (!chart.head) return;
    chart.head.setAttribute("x1", chart.plot.x(v));
    chart.head.setAttribute("x2", chart.plot.x(v));
  };
  chart.draw();
  host.chart = chart;
  watchWidth.observe(host);
  return chart;
}

const watchWidth = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    if (target.chart && target.seenWidth !== contentRect.width) {
      const first = target.seenWidth === undefined;
      target.seenWidth = contentRect.width;
      if (!first) target.chart.draw();
    }
  }
});


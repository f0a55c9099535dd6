// Draws the pictures and clips of the demo's month: prints the SVG of the scene that is named. A clip is one sheet of
// frames, 12 beside one another and 10 rows. Everything is shapes and gradients; nothing is left to chance.
const [W, H] = [1080, 1440];
const FRAMES = 120;
const TAU = Math.PI * 2;

/** The same numbers in 0..1 for the same word. */
function chance(word) {
  let state = [...word].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const range = (count) => Array.from({ length: count }, (_, index) => index);
const each = (count, draw) => range(count).map(draw).join("");
const n = (value) => Number(value.toFixed(1));
const points = (...pairs) => pairs.map(([x, y]) => `${n(x)},${n(y)}`).join(" ");
const polygon = (fill, pairs, more = "") => `<polygon points="${points(...pairs)}" fill="${fill}" ${more}/>`;
const circle = (x, y, r, fill, more = "") => `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${more}/>`;
const ellipse = (x, y, rx, ry, fill, more = "") =>
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" ${more}/>`;
const rect = (x, y, w, h, fill, more = "") =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}" ${more}/>`;
const path = (d, fill, more = "") => `<path d="${d}" fill="${fill}" ${more}/>`;
const line = (d, stroke, width, more = "") =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
const at = (x, y, angle, content, scale = 1) =>
  `<g transform="translate(${n(x)} ${n(y)}) rotate(${n(angle)}) scale(${scale})">${content}</g>`;

let defs = "";
let count = 0;
function gradient(kind, attributes, stops) {
  const id = `p${count++}`;
  const colours = stops
    .map((colour, index) => [colour].flat().concat(index / (stops.length - 1)))
    .map(([colour, ...rest]) => `<stop offset="${rest[0]}" stop-color="${colour.slice(0, 7)}"${colour[7] ? ` stop-opacity="${parseInt(colour.slice(7), 16) / 255}"` : ""}/>`)
    .join("");
  defs += `<${kind}Gradient id="${id}" ${attributes}>${colours}</${kind}Gradient>`;
  return `url(#${id})`;
}
const down = (...stops) => gradient("linear", 'x1="0" y1="0" x2="0" y2="1"', stops);
const slant = (...stops) => gradient("linear", 'x1="0" y1="0" x2="1" y2="1"', stops);
const round = (...stops) => gradient("radial", 'cx="0.5" cy="0.5" r="0.5"', stops);
function blurred(by, content) {
  const id = `p${count++}`;
  defs += `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${by}"/></filter>`;
  return `<g filter="url(#${id})">${content}</g>`;
}

/** A hill's edge from one side to the other, and down to the bottom. */
function ridge(base, height, phase, fill, bottom = H) {
  const edge = range(28).map((step) => {
    const x = (step / 27) * W;
    const y = base - height * (0.5 * Math.sin(x / 190 + phase) + 0.32 * Math.sin(x / 83 + phase * 2.3) + 0.18 * Math.sin(x / 47 + phase));
    return [x, y];
  });
  return polygon(fill, [...edge, [W, bottom], [0, bottom]]);
}

/** A diamond kite of four panels, its nose up, two by three units of `size`. */
function kite(size, [one, two, three, four]) {
  const [top, right, bottom, left] = [[0, -1.1 * size], [0.8 * size, -0.1 * size], [0, 1.5 * size], [-0.8 * size, -0.1 * size]];
  const middle = [0, -0.1 * size];
  return (
    polygon(one, [top, right, middle]) +
    polygon(two, [top, left, middle]) +
    polygon(three, [left, bottom, middle]) +
    polygon(four, [right, bottom, middle]) +
    line(`M0 ${-1.1 * size}V${1.5 * size}M${-0.8 * size} ${-0.1 * size}H${0.8 * size}`, "#00000030", size / 40)
  );
}

/** A tail that waves; `time` in turns. */
function tail(size, length, colours, time) {
  const place = (part) => [Math.sin(part * 5 - time * TAU) * size * 0.34 * (0.2 + part), 1.5 * size + part * length];
  const steps = range(25).map((step) => place(step / 24));
  const bows = range(5).map((bow) => {
    const [x, y] = place((bow + 1) / 5.4);
    const wide = size * 0.17;
    return polygon(colours[bow % colours.length], [[x - wide, y - wide * 0.6], [x + wide, y + wide * 0.6], [x + wide, y - wide * 0.6], [x - wide, y + wide * 0.6]]);
  });
  return line(`M${points(...steps).replaceAll(" ", "L")}`, "#ffffffb0", size / 34) + bows.join("");
}

function gulls(random, amount, colour, [left, top, width, height]) {
  return each(amount, () => {
    const [x, y, size] = [left + random() * width, top + random() * height, 12 + random() * 16];
    return line(`M${n(x - size)} ${n(y)}q${n(size / 2)} ${n(-size * 0.7)} ${n(size)} 0q${n(size / 2)} ${n(-size * 0.7)} ${n(size)} 0`, colour, 4);
  });
}

const sky = (...colours) => rect(0, 0, W, H, down(...colours));

/** A round loaf with a leaf cut into it. */
function loaf(x, y, size) {
  const cut = (dx, dy, angle, long) =>
    at(x + dx * size, y + dy * size, angle, path(`M0 ${-long * size}Q${0.16 * size} 0 0 ${long * size}Q${-0.1 * size} 0 0 ${-long * size}Z`, slant("#f8dfae", "#d99f57")));
  return (
    blurred(26, ellipse(x, y + size * 0.36, size * 1.02, size * 0.62, "#3a200c80")) +
    ellipse(x, y, size, size * 0.78, round("#e0a155", "#c67f36", "#8f4c1b")) +
    ellipse(x - size * 0.2, y - size * 0.24, size * 0.62, size * 0.4, round("#f3c98390", "#f3c98300")) +
    cut(0, -0.04, 90, 0.7) +
    each(4, (k) => cut(-0.42 + k * 0.28, -0.28, 28, 0.19) + cut(-0.42 + k * 0.28, 0.2, 152, 0.19))
  );
}

const linen = (one, two) =>
  sky(one, two) + each(9, (k) => rect(60 + k * 122, 0, 16, H, "#ffffff22")) + each(12, (k) => rect(0, 40 + k * 122, W, 16, "#ffffff1c"));

/** A paper plane of three facets, its nose to the right. */
const plane = (size, [light, middle, dark]) =>
  polygon(middle, [[size, 0], [-size, -0.72 * size], [-0.52 * size, 0]]) +
  polygon(light, [[size, 0], [-size, 0.62 * size], [-0.52 * size, 0]]) +
  polygon(dark, [[size, 0], [-0.52 * size, 0], [-0.7 * size, 0.5 * size], [-0.34 * size, 0.17 * size]]);

const cloud = (x, y, size, opacity) =>
  `<g fill="#ffffff" opacity="${opacity}">${ellipse(x, y, size, size * 0.2, "inherit")}${circle(x - size * 0.36, y - size * 0.12, size * 0.24, "inherit")}${circle(x + size * 0.06, y - size * 0.24, size * 0.34, "inherit")}${circle(x + size * 0.46, y - size * 0.08, size * 0.2, "inherit")}</g>`;

/** A pointed leaf that grows up from where it is. */
const leaf = (x, y, angle, [wide, long], fill, vein = "#ffffff40") =>
  at(x, y, angle, path(`M0 0C${wide} ${-long * 0.3} ${wide * 0.7} ${-long * 0.8} 0 ${-long}C${-wide * 0.7} ${-long * 0.8} ${-wide} ${-long * 0.3} 0 0Z`, fill) + line(`M0 0V${n(-long * 0.86)}`, vein, 3));

const CLOTH = ["#e4572e", "#f3a712", "#f6d8ae", "#2e86ab", "#17486b", "#a8c686", "#d1495b", "#fff1d6"];

const scenes = {
  sails() {
    const random = chance("sails");
    const side = 270;
    const square = (column, row) => {
      const [x, y] = [column * side, row * side];
      const [one, two] = range(2).map(() => CLOTH[Math.floor(random() * CLOTH.length)]);
      const [nw, ne, se, sw] = [[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
      const halves = (column + row) % 2 ? [[nw, ne, sw], [ne, se, sw]] : [[nw, ne, se], [nw, se, sw]];
      const seam = (column + row) % 2 ? `M${ne}L${sw}` : `M${nw}L${se}`;
      return polygon(one, halves[0]) + polygon(two, halves[1]) + line(`${seam}M${nw}H${x + side}M${nw}V${y + side}`, "#ffffffa0", 3, 'stroke-dasharray="14 12"');
    };
    return each(24, (k) => square(k % 4, Math.floor(k / 4))) + rect(0, 0, W, H, slant("#ffffff40", "#ffffff00", "#10203050"));
  },
  dusk() {
    const random = chance("dusk");
    const glint = (k) => rect(540 - (150 + k * 13) * (0.5 + random() / 2), 1012 + k * 19, (300 + k * 26) * (0.35 + random() * 0.5), 7, "#ffd9a0", `opacity="${n(0.9 - k * 0.035)}" rx="3.5"`);
    return (
      sky("#1f2350", "#5b3a77", "#c75b7a", "#f39a6b", "#ffd28f") +
      circle(540, 985, 300, round("#fff3cfc0", "#ffcf8a00")) + circle(540, 990, 128, "#fff0c9") +
      rect(0, 1000, W, 440, down("#a4527a", "#3b2a5e", "#1d1c45")) + each(20, glint) +
      ridge(1012, 34, 2.2, "#3b2a5e", 1012) +
      at(330, 420, -24, tail(96, 330, ["#f6d8ae", "#e4572e"], 0.1) + kite(96, ["#e4572e", "#f3a712", "#d1495b", "#f6d8ae"])) +
      at(742, 268, 18, tail(64, 250, ["#a8c686", "#fff1d6"], 0.55) + kite(64, ["#2e86ab", "#8ed1d6", "#17486b", "#a8c686"])) +
      line("M346 520Q420 980 560 1440M724 360Q640 900 600 1440", "#ffffff50", 2.5) +
      gulls(random, 5, "#2a2350", [120, 640, 840, 200])
    );
  },
  spool() {
    const rings = each(22, (k) => circle(540, 660, 318 - k * 9.2, k % 2 ? "#e4572e" : "#f07a4f"));
    return (
      sky("#24756f", "#1a5654") + each(7, (k) => rect(-40, 80 + k * 230, W + 80, 4, "#ffffff12")) +
      blurred(34, ellipse(566, 730, 400, 390, "#06262590")) +
      circle(540, 660, 392, slant("#f0d3a2", "#b98146")) + circle(540, 660, 356, "#8c5a2c") + rings +
      circle(540, 660, 118, slant("#f0d3a2", "#b98146")) + circle(540, 660, 54, "#173f3e") +
      each(18, (k) => at(540, 660, k * 20, rect(366, -3, 18, 6, "#8c5a2c60"))) +
      line("M812 826C990 960 1010 1120 820 1170S470 1190 500 1300S760 1380 900 1480", "#f07a4f", 15) +
      line("M812 822C990 956 1010 1116 820 1166S470 1186 500 1296S760 1376 900 1476", "#ffc2a6", 4)
    );
  },
  loaf() {
    const random = chance("flour");
    return (
      linen("#e9dcc6", "#d9c4a2") +
      at(540, 790, -7, rect(-455, -500, 910, 990, slant("#b5763f", "#8b5227"), 'rx="46"') + each(7, (k) => line(`M${-400 + k * 130} -470q${24 - k * 6} 480 0 930`, "#6c3d1a50", 4)) + circle(0, -420, 26, "#e0cfae")) +
      loaf(540, 800, 372) +
      each(60, () => circle(80 + random() * 920, 250 + random() * 1050, 2 + random() * 4, "#ffffff", `opacity="${n(0.3 + random() * 0.5)}"`))
    );
  },
  oven() {
    const random = chance("oven");
    const brick = (k) => {
      const [row, column] = [Math.floor(k / 7), k % 7];
      const tone = ["#8e4a35", "#9c5540", "#7e3f2d", "#a3604a"][Math.floor(random() * 4)];
      return rect(column * 190 - (row % 2) * 95, row * 96, 180, 86, tone, 'rx="8"');
    };
    const flame = (x, size, colour) => path(`M${x} 1010C${x - size} 900 ${x - size * 0.2} 850 ${x} ${1010 - size * 2.6}C${x + size * 0.3} 850 ${x + size} 900 ${x} 1010Z`, colour);
    return (
      rect(0, 0, W, H, "#4f281c") + each(105, brick) + rect(0, 0, W, H, down("#00000070", "#00000000", "#00000090")) +
      path("M150 1090V690C150 420 330 270 540 270S930 420 930 690V1090Z", "#2c130c") +
      path("M205 1090V700C205 470 360 335 540 335S875 470 875 700V1090Z", gradient("radial", 'cx="0.5" cy="0.92" r="0.85"', ["#ffe08a", "#ff9a3c", "#c63f14", "#2a0d07"])) +
      each(5, (k) => flame(300 + k * 120, 54 + (k % 2) * 26, "#ff7b2e")) + each(5, (k) => flame(320 + k * 112, 30 + (k % 3) * 10, "#ffd56b")) +
      rect(120, 1000, 840, 110, down("#6d4a3a", "#3a241b"), 'rx="14"') + loaf(395, 950, 118) + loaf(690, 944, 132)
    );
  },
  harbor() {
    const random = chance("harbor");
    const boat = (x, y, size, hull) =>
      path(`M${x - size} ${y}h${2 * size}l${-0.26 * size} ${0.36 * size}h${-1.5 * size}Z`, hull) + rect(x - 0.03 * size, y - 2.3 * size, 0.06 * size, 2.3 * size, "#3d4c5c") +
      line(`M${x} ${y - 2.3 * size}L${x - 0.9 * size} ${y}M${x} ${y - 2.3 * size}L${x + 0.9 * size} ${y}`, "#3d4c5c", 2.5) + rect(x - 0.46 * size, y - 0.34 * size, 0.62 * size, 0.36 * size, "#f5efe4", 'rx="4"') +
      path(`M${x - 0.7 * size} ${y + 0.44 * size}h${1.4 * size}l${-0.2 * size} ${0.4 * size}h${-1 * size}Z`, hull, 'opacity="0.28"');
    return (
      sky("#f7e3cf", "#f3c9b3", "#bfd0d6", "#8fb0bd") + circle(760, 470, 220, round("#fffaf0", "#fff3dc00")) + circle(760, 470, 74, "#fffdf6") +
      ridge(690, 90, 0.4, "#b6c3ca", 800) + ridge(745, 70, 1.9, "#93a8b3", 800) +
      each(9, (k) => rect(30 + k * 66, 706 - (k % 3) * 26, 58, 110, ["#e8d8c4", "#d99a7c", "#c9d6d4", "#f1e6d2"][k % 4]) + polygon("#8a5a4a", [[26 + k * 66, 706 - (k % 3) * 26], [92 + k * 66, 706 - (k % 3) * 26], [59 + k * 66, 672 - (k % 3) * 26]])) +
      rect(0, 800, W, 640, down("#a9c3cb", "#6f97a6", "#4c7688")) + each(26, (k) => rect(random() * W, 820 + k * 23, 60 + random() * 190, 4, "#ffffff", `opacity="${n(0.08 + random() * 0.22)}" rx="2"`)) +
      boat(820, 900, 120, "#2f4858") + boat(300, 1010, 165, "#a63d40") + boat(690, 1180, 205, "#f2e8d5") + gulls(random, 6, "#5c6d78", [180, 180, 640, 260])
    );
  },
  plane() {
    return (
      sky("#3f7cc4", "#8fc0e8", "#e6f3fb") + cloud(240, 330, 210, 0.6) + cloud(860, 620, 260, 0.75) + cloud(220, 1100, 330, 0.88) + cloud(900, 1290, 380, 1) +
      line("M-20 1240C200 1180 160 900 340 920S470 1120 340 1090S330 850 500 790", "#ffffffd0", 7, 'stroke-dasharray="4 26"') +
      blurred(18, at(610, 790, -28, polygon("#1b4a7c50", [[330, 60], [-320, -160], [-240, 220]]))) + at(640, 690, -28, plane(330, ["#ffffff", "#dbe8f4", "#a9c3dd"]))
    );
  },
  fold() {
    const grid = each(13, (k) => rect(k * 90 - 1, 0, 2, H, "#ffffff26")) + each(17, (k) => rect(0, k * 90 - 1, W, 2, "#ffffff26"));
    const [a, b, c, d] = [[170, 300], [910, 300], [910, 1040], [170, 1040]];
    const crease = (from, to) => line(`M${from}L${to}`, "#6f86a6", 3.5, 'stroke-dasharray="18 12"');
    return (
      sky("#2f6f62", "#275b52") + grid + each(6, (k) => circle(90 + k * 180, 1395, 5, "#ffffff60")) +
      blurred(22, polygon("#0a2a2470", [[184, 330], [930, 330], [930, 1070], [184, 1070]])) + polygon(slant("#fdf7ec", "#efe2cb"), [a, [730, 300], [910, 480], c, d]) +
      polygon("#d5553f", [[730, 300], [910, 480], [730, 480]]) + polygon("#00000018", [[730, 300], [910, 480], [716, 494]]) + polygon("#e36a52", [[730, 300], [910, 480], [730, 480]]) +
      crease([540, 300], [540, 1040]) + crease(d, [540, 670]) + crease(c, [540, 670]) + crease([170, 670], [910, 670]) + crease([170, 300], [540, 670]) +
      at(640, 1215, 4, rect(-420, -34, 840, 68, down("#f2c14e", "#d79f2b"), 'rx="6"') + each(41, (k) => rect(-400 + k * 20, -34, 2.5, k % 5 ? 16 : 28, "#7a5410")))
    );
  },
  night() {
    const random = chance("night");
    const lantern = (x, y, size, warm) =>
      circle(x, y, size * 2.1, round(`${warm}88`, `${warm}00`)) + line(`M${x} -20V${n(y - size * 1.2)}`, "#ffffff38", 2) +
      path(`M${x - size * 0.5} ${y - size * 1.1}C${x - size * 1.15} ${y - size * 0.6} ${x - size * 1.15} ${y + size * 0.6} ${x - size * 0.5} ${y + size * 1.1}H${x + size * 0.5}C${x + size * 1.15} ${y + size * 0.6} ${x + size * 1.15} ${y - size * 0.6} ${x + size * 0.5} ${y - size * 1.1}Z`, round("#fff6d8", "#ffd98a", warm)) +
      each(5, (k) => ellipse(x, y - size * 0.8 + k * size * 0.4, size * [0.72, 0.93, 0.98, 0.93, 0.72][k], size * 0.12, "none", 'stroke="#b4571c50" stroke-width="3"')) +
      rect(x - size * 0.5, y - size * 1.2, size, size * 0.12, "#5b2a14", 'rx="4"') + rect(x - size * 0.5, y + size * 1.08, size, size * 0.12, "#5b2a14", 'rx="4"');
    return (
      sky("#0b1230", "#1a2350", "#3a2f63") + each(70, () => circle(random() * W, random() * 900, 1 + random() * 2.2, "#ffffff", `opacity="${n(0.3 + random() * 0.6)}"`)) +
      each(16, () => circle(random() * W, 1020 + random() * 400, 16 + random() * 46, ["#ffb45c", "#ff8a5c", "#ffd98a"][Math.floor(random() * 3)], `opacity="${n(0.07 + random() * 0.13)}"`)) +
      lantern(250, 420, 110, "#ff9a4a") + lantern(820, 300, 84, "#ff7a52") + lantern(610, 720, 168, "#ffa74d") + lantern(200, 960, 92, "#ff8552") + lantern(900, 1060, 120, "#ffb457")
    );
  },
  seedlings() {
    const random = chance("seedlings");
    const cell = (k) => {
      const [x, y] = [216 + (k % 4) * 216, 420 + Math.floor(k / 4) * 300];
      const lean = (random() - 0.5) * 24;
      const green = ["#5d9c59", "#7fb069", "#4b8b5a"][Math.floor(random() * 3)];
      const size = 0.8 + random() * 0.4;
      return (
        rect(x - 96, y - 20, 192, 168, down("#4a3526", "#2f2118"), 'rx="22"') + each(14, () => circle(x - 80 + random() * 160, y + random() * 120, 3 + random() * 5, "#6a4c35")) +
        at(x, y + 50, lean, line("M0 0C6 -60 -4 -110 0 -150", "#86b26f", 9) + leaf(0, -146, -62, [34, 104], green) + leaf(0, -146, 58, [34, 110], green) + leaf(0, -148, lean, [20, 66], "#a7c957"), n(size * 10) / 10)
      );
    };
    return sky("#f3eee0", "#dfe6cf") + circle(900, 160, 420, round("#fff8dc", "#fff8dc00")) + rect(78, 330, 924, 1010, "#8d9a86", 'rx="40"') + rect(92, 344, 896, 982, "#a9b5a1", 'rx="34"') + each(12, cell);
  },
  pool() {
    const random = chance("pool");
    const blob = (size, phase, fill) => {
      const edge = range(48).map((k) => {
        const angle = (k / 48) * TAU;
        const far = size * (1 + 0.09 * Math.sin(angle * 3 + phase) + 0.06 * Math.sin(angle * 5 + phase * 2));
        return [540 + far * Math.cos(angle) * 0.86, 740 + far * Math.sin(angle) * 1.16];
      });
      return polygon(fill, edge);
    };
    const star = (x, y, size, angle, fill) =>
      at(x, y, angle, `<g stroke="${fill}" stroke-width="${n(size * 0.3)}" stroke-linejoin="round">${polygon(fill, range(10).map((k) => [Math.cos((k / 10) * TAU) * size * (k % 2 ? 0.36 : 1), Math.sin((k / 10) * TAU) * size * (k % 2 ? 0.36 : 1)]))}</g>` + each(5, (k) => at(0, 0, k * 72, each(3, (dot) => circle(size * (0.3 + dot * 0.25), 0, size * 0.05, "#ffffff90")))));
    const pebble = () => {
      const angle = random() * TAU;
      const far = 620 + random() * 260;
      return at(540 + far * Math.cos(angle) * 0.8, 740 + far * Math.sin(angle) * 1.1, random() * 90, ellipse(0, 0, 26 + random() * 60, 20 + random() * 38, ["#8a8378", "#a59c8d", "#6f6a63", "#c2b8a6"][Math.floor(random() * 4)]));
    };
    return (
      sky("#7b756b", "#5f5a53") + each(150, pebble) + blob(560, 0.6, "#4d4a45") + blob(520, 0.8, "#2a7f86") + blob(440, 1.1, "#35979b") + blob(330, 1.5, "#4fb3ae") + blob(200, 2, "#7fcfc2") +
      each(9, (k) => ellipse(400 + random() * 280, 460 + random() * 560, 40 + k * 9, 18 + k * 4, "none", `stroke="#ffffff" stroke-width="3" opacity="${n(0.14 + random() * 0.2)}"`)) +
      star(410, 930, 104, 18, "#e4703a") + star(690, 560, 74, 44, "#d1495b") + each(7, (k) => leaf(720 + k * 12, 1130 - (k % 3) * 10, -50 + k * 17, [16, 150 + (k % 3) * 30], "#2c5f4b", "#ffffff20")) + each(12, () => circle(380 + random() * 320, 480 + random() * 480, 4 + random() * 8, "#ffffff", 'opacity="0.5"'))
    );
  },
  glasshouse() {
    const random = chance("glass");
    const roof = "M130 640L540 300L950 640";
    const plant = (x, base, size, greens) => each(9, (k) => leaf(x, base, -72 + k * 18, [size * 0.16, size * (0.62 + 0.38 * Math.sin((k / 8) * Math.PI))], greens[k % greens.length]));
    const bars = each(7, (k) => rect(130 + k * 136.6 - 5, 640 - Math.max(0, 340 - Math.abs(k - 3) * 113), 10, 560 + Math.max(0, 340 - Math.abs(k - 3) * 113), "#f4f7f2"));
    return (
      sky("#7d93a8", "#b7c4cc", "#dfe4dd") + each(60, () => line(`M${n(random() * W)} ${n(random() * 700)}l-7 34`, "#ffffff80", 4)) + ridge(900, 60, 0.9, "#8ba18f") + rect(0, 1190, W, 250, down("#6f7f5c", "#4d5b41")) +
      path(`${roof}V1200H130Z`, down("#fff2c4", "#ffe29a", "#d8e8c8")) +
      plant(240, 1190, 300, ["#3f7d4e", "#5c9c5a", "#2f6644"]) + plant(430, 1190, 390, ["#4b8b5a", "#7fb069", "#386d49"]) + plant(650, 1190, 340, ["#2f6644", "#5c9c5a", "#86b26f"]) + plant(850, 1190, 300, ["#3f7d4e", "#7fb069"]) +
      each(8, (k) => circle(300 + k * 74, 940 + (k % 3) * 70, 22, k % 2 ? "#d1495b" : "#e4572e") + circle(294 + k * 74, 933 + (k % 3) * 70, 6, "#ffffff90")) +
      path(`${roof}V1200H130Z`, slant("#ffffff66", "#ffffff00", "#ffffff33")) + bars + line(`${roof}V1200H130ZM130 640H950M130 900H950`, "#f4f7f2", 12) + rect(96, 1190, 888, 34, "#a5533d")
    );
  },
};

/** Clips: a frame at `time`, 0 to 1; the last leads to the first. */
const clips = {
  kites(time) {
    const sway = (shift) => Math.sin((time + shift) * TAU);
    const drift = (x, speed) => ((((x + time * 1400 * speed) % 1400) + 1400) % 1400) - 160;
    const one = [300 + 46 * sway(0), 330 + 30 * sway(0.31)];
    const two = [560 + 54 * sway(0.12), 640 + 26 * sway(0.43)];
    const three = [770 + 60 * sway(0.24), 1010 + 22 * sway(0.55)];
    const knot = ([x, y]) => `${n(x)} ${n(y)}`;
    return (
      sky("#2f7fb8", "#86c3e2", "#f3e3c3") + cloud(drift(200, 1), 300, 190, 0.6) + cloud(drift(900, 1), 760, 240, 0.7) + cloud(drift(500, 1), 1180, 300, 0.85) +
      line(`M${knot(one)}L${knot(two)}L${knot(three)}Q${n(840 + 30 * sway(0.3))} 1300 900 1960`, "#ffffffa0", 4) + rect(0, 1800, W, 120, down("#e9cf9c", "#d8b67a")) +
      at(...one, -16 + 9 * sway(0.05), tail(104, 300, ["#e4572e", "#fff1d6"], time * 2) + kite(104, ["#e4572e", "#f3a712", "#d1495b", "#f6d8ae"])) +
      at(...two, 8 + 10 * sway(0.2), tail(122, 330, ["#f3a712", "#17486b"], time * 2 + 0.3) + kite(122, ["#17486b", "#2e86ab", "#8ed1d6", "#fff1d6"])) +
      at(...three, 16 + 11 * sway(0.35), tail(140, 360, ["#a8c686", "#d1495b"], time * 2 + 0.6) + kite(140, ["#a8c686", "#fff1d6", "#6a994e", "#f3a712"]))
    );
  },
  steam(time) {
    const curl = (k) => {
      const age = (time * 2 + k / 6) % 1;
      const [x, y] = [330 + ((k * 173) % 430), 1010 - age * 720];
      const bend = 60 * Math.sin(age * 5 + k);
      return line(`M${x} ${n(y)}c${n(bend)} -70 ${n(-bend)} -140 ${n(bend * 0.4)} -230`, "#ffffff", n(26 + age * 40), `opacity="${n(0.42 * Math.sin(age * Math.PI) ** 2 * 10) / 10}"`);
    };
    return (
      rect(0, 0, W, 1920, down("#4b3527", "#8a6242", "#c99b66")) + circle(820, 300, 520, round("#ffdf9a90", "#ffdf9a00")) + rect(0, 1330, W, 590, down("#8b5227", "#5c3416")) +
      each(5, (k) => line(`M0 ${1420 + k * 105}q540 ${24 - k * 6} 1080 0`, "#3e220e50", 5)) + loaf(540, 1190, 400) + blurred(9, each(6, curl))
    );
  },
};

function sheet(draw) {
  const cells = each(FRAMES, (frame) => `<svg x="${(frame % 12) * 540}" y="${Math.floor(frame / 12) * 960}" width="540" height="960" viewBox="0 0 1080 1920"><rect width="1080" height="1920" fill="#f3e3c3"/>${draw(frame / FRAMES)}</svg>`);
  return [cells, 540 * 12, 960 * 10];
}

const name = process.argv[2];
const [content, width, height] = scenes[name] ? [scenes[name](), W, H] : sheet(clips[name]);
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${defs}</defs>${content}</svg>\n`);

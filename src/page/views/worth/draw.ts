// A plot drawn by uPlot: bars side by side, in the page's own colours and letters, and as a picture with its title.
import UPlot from "uplot";
import { shortNumber } from "../../words.ts";
import type { Plot } from "./plots.ts";
import { stepWords } from "./words.ts";

/** Of a step's width, how much its bars take together. */
const filled = 0.78;
const height = 180;

/** A colour of the stylesheet's. A canvas does not know `light-dark()`: an element says what it comes to. */
function resolved(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Draws into `into`; `at` hears which step is pointed at. */
export function draw(
  into: HTMLElement,
  plot: Plot,
  width: number,
  at: (step: number | undefined) => void,
): UPlot {
  const { columns, keys, bound } = plot;
  const count = columns.length;
  const [soft, line] = [resolved("soft"), resolved("line")];
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const axis: UPlot.Axis = {
    ...{ stroke: soft, font, ticks: { show: false } },
    grid: { stroke: line, width: 1 },
  };
  const barsOf = (series: number) =>
    UPlot.paths.bars?.({
      disp: {
        x0: {
          unit: 1,
          values: () => keys.map((_, x) => x - filled / 2 + (filled * series) / count),
        },
        size: { unit: 1, values: () => keys.map(() => filled / count) },
      },
    });
  return new UPlot(
    {
      ...{ width, height, padding: [8, 14, 0, 0], legend: { show: false } },
      scales: {
        x: { time: false, range: () => [-0.5, keys.length - 0.5] },
        y: { range: (_, __, most) => [0, Math.max(1, most, bound?.value ?? 0) * 1.06] },
      },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
      axes: [
        {
          ...axis,
          ...{ grid: { show: false }, size: 30 },
          space: 70,
          incrs: [1, 2, 3, 7, 14, 28, 56, 112],
          values: (_, places) => places.map((place) => stepWords(keys[place], plot.step)),
        },
        {
          ...axis,
          ...{ size: 48, space: 38, incrs: wholeSteps },
          values: (_, values) => values.map(shortNumber),
        },
      ],
      series: [
        {},
        ...columns.map((_, series) => ({
          ...{ fill: resolved(`plot-${series + 1}`), width: 0, points: { show: false } },
          ...(barsOf(series) ? { paths: barsOf(series) as UPlot.Series.PathBuilder } : {}),
        })),
        ...(bound
          ? [{ stroke: resolved("bad"), width: 1.5, dash: [6, 4], points: { show: false } }]
          : []),
      ],
      hooks: { setCursor: [({ cursor }) => at(cursor.idx ?? undefined)] },
    },
    [
      keys.map((_, x) => x),
      ...columns.map(({ values }) => values),
      ...(bound ? [keys.map(() => bound.value)] : []),
    ],
    into,
  );
}

/** Counts and tokens are whole. */
const wholeSteps = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat();

/** The plot as a PNG, with its title and what each colour means. */
export function picture(drawn: UPlot, { title, columns, bound }: Plot): Promise<Blob> {
  const { canvas: from } = drawn.ctx;
  const scale = from.width / drawn.width;
  const [pad, head] = [16 * scale, 62 * scale];
  const canvas = document.createElement("canvas");
  canvas.width = from.width + 2 * pad;
  canvas.height = from.height + head + pad;
  const context = canvas.getContext("2d");
  if (!context) return Promise.reject(new Error("this browser draws no pictures"));
  const family = getComputedStyle(document.body).fontFamily;
  context.fillStyle = resolved("paper");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = resolved("ink");
  context.font = `600 ${16 * scale}px ${family}`;
  context.fillText(title, pad, 28 * scale);
  context.font = `${12 * scale}px ${family}`;
  let left = pad;
  const names = [
    ...columns.map(({ name }, at) => ({ name, colour: resolved(`plot-${at + 1}`) })),
    ...(bound ? [{ name: bound.name, colour: resolved("bad") }] : []),
  ];
  for (const { name, colour } of names) {
    context.fillStyle = colour;
    context.fillRect(left, 41 * scale, 10 * scale, 10 * scale);
    context.fillStyle = resolved("soft");
    context.fillText(name, left + 15 * scale, 50 * scale);
    left += context.measureText(name).width + 32 * scale;
  }
  context.drawImage(from, pad, head);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}

// One plot: bars that arrow keys and screen readers go through too, the same as a table, and as a file.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import UPlot from "uplot";
import { Heads } from "../../parts/heads.tsx";
import { save } from "../../save.ts";
import { capital, shortNumber, wholeNumber } from "../../words.ts";
import { stepWords, wholeStep } from "./days.ts";
import { csvOf, type Plot, sum } from "./plots.ts";

interface PlotProps {
  plot: Plot;
  isTable: boolean;
  /** Puts it into the address. */
  asTable(isTable: boolean): void;
}

/** The plot. */
export function PlotFigure({ plot, isTable, asTable }: PlotProps) {
  const heading = useId();
  const drawn = useRef<UPlot | undefined>(undefined);
  const name = `memoir-${plot.id}-${plot.keys[0]}-${plot.keys.at(-1)}`;
  return (
    <figure class="plot" aria-labelledby={heading}>
      <div class="plot-head">
        <h2 id={heading}>{plot.title}</h2>
        <div class="plot-buttons">
          <button
            type="button"
            aria-label={`Table of “${plot.title}”`}
            aria-pressed={isTable}
            onClick={() => asTable(!isTable)}
          >
            Table
          </button>
          <button
            type="button"
            aria-label={`CSV of “${plot.title}”`}
            onClick={() => save(`${name}.csv`, new Blob([csvOf(plot)], { type: "text/csv" }))}
          >
            CSV
          </button>
          {!isTable && (
            <button
              type="button"
              aria-label={`PNG of “${plot.title}”`}
              onClick={async () => {
                if (drawn.current) save(`${name}.png`, await picture(drawn.current, plot));
              }}
            >
              PNG
            </button>
          )}
        </div>
      </div>
      <p class="hint">{plot.note}</p>
      {isTable ? <Table plot={plot} /> : <Drawn plot={plot} keep={drawn} />}
    </figure>
  );
}

/** The bars, and what they come to at the step that is pointed at, or in all. */
function Drawn({ plot, keep }: { plot: Plot; keep: { current: UPlot | undefined } }) {
  const { keys, columns, step, title, bound } = plot;
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number>();
  const [scheme, setScheme] = useState(0);
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const again = () => setScheme((n) => n + 1);
    dark.addEventListener("change", again);
    return () => dark.removeEventListener("change", again);
  }, []);
  useEffect(() => {
    const into = place.current;
    if (!into) return;
    const made = draw(into, plot, into.clientWidth, setAt);
    keep.current = made;
    const watch = new ResizeObserver(() => {
      if (into.clientWidth > 0 && into.clientWidth !== made.width)
        made.setSize({ width: into.clientWidth, height: made.height });
    });
    watch.observe(into);
    return () => {
      watch.disconnect();
      made.destroy();
      keep.current = undefined;
    };
  }, [plot, scheme]);

  function point(to: number): void {
    const next = Math.max(0, Math.min(keys.length - 1, to));
    setAt(next);
    keep.current?.setCursor({ left: keep.current.valToPos(next, "x"), top: 10 });
  }
  const of = (values: readonly number[]) => (at === undefined ? sum(values) : (values[at] ?? 0));
  const where = at === undefined ? "In all" : wholeStep(keys[at] ?? "", step);
  const spoken = columns.map(({ name, values }) => `${name} ${wholeNumber(of(values))}`).join(", ");
  return (
    <>
      <p class="plot-legend" aria-hidden="true">
        <span class="plot-where">{where}</span>
        {columns.map(({ name, values }, series) => (
          <span key={name} class={`plot-name plot-${series + 1}`}>
            {name} <strong>{wholeNumber(of(values))}</strong>
          </span>
        ))}
        {bound && (
          <span class="plot-name plot-bound">
            {bound.name} <strong>{wholeNumber(bound.value)}</strong>
          </span>
        )}
      </p>
      <div
        ref={place}
        class="plot-drawn"
        role="slider"
        tabIndex={0}
        aria-label={`${title}, by ${step}`}
        aria-valuemin={0}
        aria-valuemax={keys.length - 1}
        aria-valuenow={at ?? keys.length - 1}
        aria-valuetext={`${where}: ${spoken}`}
        onBlur={() => {
          setAt(undefined);
          keep.current?.setCursor({ left: -10, top: -10 });
        }}
        onKeyDown={(event) => {
          const now = at ?? keys.length;
          const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: keys.length - 1 }[
            event.key
          ];
          if (to === undefined) return;
          event.preventDefault();
          point(to);
        }}
      />
    </>
  );
}

/** The same as numbers; steps without anything are left out. */
function Table({ plot: { title, keys, columns, step, bound } }: { plot: Plot }) {
  const rows = keys
    .map((key, at) => ({ key, values: columns.map(({ values }) => values[at] ?? 0) }))
    .filter(({ values }) => values.some((value) => value !== 0))
    .reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="plot-table" aria-label={title} tabIndex={0}>
      <table>
        <Heads of={[capital(step), ...columns.map(({ name }) => name)]} />
        <tbody>
          <tr class="plot-sum">
            <th scope="row">In all</th>
            {columns.map(({ name, values }) => (
              <td key={name}>{wholeNumber(sum(values))}</td>
            ))}
          </tr>
          {rows.map(({ key, values }) => (
            <tr key={key}>
              <th scope="row">{wholeStep(key, step)}</th>
              {values.map((value, at) => (
                <td key={columns[at]?.name}>{wholeNumber(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {bound && (
        <p class="hint">
          {bound.name}: {wholeNumber(bound.value)} tokens.
        </p>
      )}
    </section>
  );
}

// A plot drawn by uPlot: bars side by side, in the page's own colours and letters, and as a picture with its title.

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
function draw(
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
function picture(drawn: UPlot, { title, columns, bound }: Plot): Promise<Blob> {
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

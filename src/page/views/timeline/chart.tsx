// The ruler and the lanes. Each item is a link at its place; arrow keys lead from one to the next, and one of them is reached by Tab.
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf } from "../../address.ts";
import { Said } from "../../parts/said.tsx";
import { asShown, counted, fullTime } from "../../words.ts";
import { later, type Step, startOf } from "../worth/days.ts";
import { wholeStep } from "../worth/words.ts";
import type { Block, Dot, Lane, PlacedBar } from "./lanes.ts";
import { moved, placeIn, type Span, ticksOf, zoomed } from "./span.ts";
import { barWords, tickWords } from "./words.ts";

interface ChartProps {
  lanes: readonly Lane[];
  span: Span;
  step: Step;
  put(span: Span): void;
  turn(span: Span): void;
}

/** A tick's words take about so many px; narrow is what has room for short ones only. */
const tickWidth = { wide: 104, narrow: 64 };
const narrowPx = 560;

/** The chart. */
export function Chart({ lanes, span, step, put, turn }: ChartProps) {
  const chart = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(900);
  const [first, setFirst] = useState<string>();
  useEffect(() => {
    const track = chart.current?.querySelector(".ruler");
    if (!track) return;
    const watch = new ResizeObserver(() => setWidth(track.clientWidth || 900));
    watch.observe(track);
    return () => watch.disconnect();
  }, []);
  useWheel(chart, span, turn);
  const ids = lanes.flatMap(({ bars, blocks, project }) => [
    ...bars.map(({ id }) => id),
    ...blocks.map(({ key }) => `${project} ${key}`),
  ]);
  const reached = first !== undefined && ids.includes(first) ? first : ids.at(0);
  const isNarrow = width < narrowPx;
  const ticks = ticksOf(span, Math.floor(width / tickWidth[isNarrow ? "narrow" : "wide"]));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears for the links in it, which are reached by keys.
    <div
      ref={chart}
      class="chart"
      onFocusCapture={(event) => {
        const id = event.target instanceof HTMLElement ? event.target.dataset.bar : undefined;
        if (id !== undefined) setFirst(id);
      }}
      onKeyDown={moveAmongItems}
    >
      <div class="ruler" aria-hidden="true">
        {ticks.map((tick) => (
          <span
            key={tick.at}
            class="tick"
            style={{ insetInlineStart: `${placeIn(span, tick.at)}%` }}
          >
            {tickWords(tick, isNarrow)}
          </span>
        ))}
      </div>
      {lanes.map((lane) => (
        <section key={lane.project} class="lane" aria-label={asShown(lane.name)}>
          <h2>
            <a href={`/search?project=${encodeURIComponent(lane.project)}`}>
              <Said inline text={lane.name} />
            </a>
          </h2>
          <ol class={`lane-items rows-${Math.min(lane.rows, mostRows)}`}>
            {ticks.map(({ at }) => (
              <li
                key={`line ${at}`}
                class="line"
                aria-hidden="true"
                style={{ insetInlineStart: `${placeIn(span, at)}%` }}
              />
            ))}
            {lane.bars.map((bar) => (
              <BarItem key={bar.id} bar={bar} span={span} isReached={bar.id === reached} />
            ))}
            {lane.blocks.map((block) => (
              <BlockItem
                key={block.key}
                id={`${lane.project} ${block.key}`}
                {...{ block, span, step, put, reached }}
                most={Math.max(...lane.blocks.map(({ sessions }) => sessions))}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** Lanes are no higher than this; what would stand below stands in the last row. */
const mostRows = 6;

const inside = (value: number) => Math.max(-1, Math.min(101, value));

/** A session with its observations. */
function BarItem({ bar, span, isReached }: { bar: PlacedBar; span: Span; isReached: boolean }) {
  const left = inside(placeIn(span, bar.startedAt));
  const right = inside(placeIn(span, Math.max(bar.lastActiveAt, bar.startedAt)));
  const title = bar.title || "Without a title";
  const row = Math.min(bar.row, mostRows - 1);
  return (
    <>
      <li
        class={`bar-place row-${row}`}
        style={{ insetInlineStart: `${left}%`, inlineSize: `${right - left}%` }}
      >
        <a
          class={bar.isOpen ? "bar open" : "bar"}
          href={addressOf("session", bar.id)}
          data-bar={bar.id}
          tabIndex={isReached ? 0 : -1}
          title={`${asShown(title)}\n${barWords(bar)}`}
          aria-label={`Session: ${asShown(title)}, ${barWords(bar)}`}
        >
          <Said inline text={title} />
        </a>
      </li>
      {bar.dots.map((dot) => (
        <DotItem key={dot.id} dot={dot} span={span} row={row} />
      ))}
    </>
  );
}

function DotItem({ dot, span, row }: { dot: Dot; span: Span; row: number }) {
  const left = placeIn(span, dot.time);
  if (left < 0 || left > 100) return null;
  return (
    <li class={`dot-place row-${row}`} style={{ insetInlineStart: `${left}%` }}>
      <a
        class={`dot ${dot.type}`}
        href={addressOf("observation", dot.id)}
        tabIndex={-1}
        title={`${asShown(dot.title)}\n${asShown(dot.type)}, ${fullTime(dot.time)}`}
      >
        <span class="unseen">
          {asShown(dot.type)}: {asShown(dot.title)}, {fullTime(dot.time)}
        </span>
      </a>
    </li>
  );
}

interface BlockProps {
  id: string;
  block: Block;
  span: Span;
  step: Step;
  most: number;
  reached: string | undefined;
  put(span: Span): void;
}

/** A day, week or month with more than can be drawn: a click goes there. */
function BlockItem({ id, block, span, step, most, reached, put }: BlockProps) {
  const from = startOf(block.key);
  const next = { day: later(block.key, 1), week: later(block.key, 7), month: nextMonth(block.key) };
  const to = startOf(next[step]);
  if (to <= span.from || from >= span.to) return null;
  const left = inside(placeIn(span, from));
  const words = `${wholeStep(block.key, step)}: ${counted(block.sessions, "session")}, ${counted(block.observations, "observation")}`;
  return (
    <li
      class="block-place"
      style={{ insetInlineStart: `${left}%`, inlineSize: `${inside(placeIn(span, to)) - left}%` }}
    >
      <button
        type="button"
        class={`block weight-${Math.ceil((block.sessions / most) * 5)}`}
        data-bar={id}
        tabIndex={id === reached ? 0 : -1}
        title={words}
        aria-label={words}
        onClick={() => put({ from, to })}
      />
    </li>
  );
}

const nextMonth = (key: string) => `${later(key, 31).slice(0, 8)}01`;

/** Zooms where the pointer is; sideways it moves. What does not fit into the window is zoomed with Ctrl, and scrolled without. */
function useWheel(
  chart: { current: HTMLElement | null },
  span: Span,
  turn: (span: Span) => void,
): void {
  const latest = useRef({ span, turn });
  latest.current = { span, turn };
  useEffect(() => {
    const element = chart.current;
    if (!element) return;
    const wheel = (event: WheelEvent) => {
      const track = element.querySelector(".ruler")?.getBoundingClientRect();
      if (!track) return;
      const { span, turn } = latest.current;
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const fits = document.documentElement.scrollHeight <= innerHeight * 1.5;
      if (!isSideways && !fits && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      if (isSideways) turn(moved(span, (event.deltaX || event.deltaY) / track.width));
      else turn(zoomed(span, 1.0016 ** event.deltaY, (event.clientX - track.left) / track.width));
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, []);
}

/** Left and right in a lane, up and down to what is nearest in the next. */
function moveAmongItems(event: KeyboardEvent): void {
  if (event.shiftKey || !(event.target instanceof HTMLElement)) return;
  const lane = event.target.closest(".lane-items");
  if (!lane) return;
  const of = (items: Element) => [...items.querySelectorAll<HTMLElement>("a, button")];
  const left = (element: Element) => element.getBoundingClientRect().left;
  const own = of(lane).sort((a, b) => left(a) - left(b));
  const at = own.indexOf(event.target);
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const across = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (sideways === undefined && across === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (sideways !== undefined) {
    own[at + sideways]?.focus();
    return;
  }
  const lanes = [...document.querySelectorAll(".lane-items")].filter((one) => of(one).length > 0);
  const next = lanes[lanes.indexOf(lane) + (across ?? 0)];
  if (!next) return;
  const here = left(event.target);
  of(next)
    .sort((a, b) => Math.abs(left(a) - here) - Math.abs(left(b) - here))[0]
    ?.focus();
}

// Days and weeks over all projects: a session is a bar, an observation a dot; both lead on. Zoomed by wheel, keys and buttons.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { observationTypes } from "../../../sdk/model.ts";
import { addressOf, go } from "../../address.ts";
import { get } from "../../api.ts";
import { Said } from "../../parts/said.tsx";
import { Trouble } from "../../parts/trouble.tsx";
import { useAsked } from "../../use-asked.ts";
import { asShown, counted, fullTime } from "../../words.ts";
import { dayOf, later, type Range, type Step, startOf, stepOf } from "../worth/days.ts";
import { wholeStep } from "../worth/words.ts";
import { type Block, type Dot, isCounted, type Lane, lanesOf, type PlacedBar } from "./lanes.ts";
import {
  askedSpan,
  lastDays,
  moved,
  paramsOf,
  placeIn,
  type Span,
  spanOf,
  spanOfDays,
  spans,
  ticksOf,
  zoomed,
} from "./span.ts";
import { barWords, spanWords, tickWords } from "./words.ts";

/** After the last turn of a wheel the address follows. */
const settledMs = 250;
const zoomFactor = 1.6;
/** The least width of a bar, as a share of all. */
const leastShare = 1 / 120;

/** The view; the address says which time. */
export function TimelineView({ address }: { address: URL }) {
  const { span, isTurned, put, turn } = useSpan(address);
  const asked = askedSpan(span);
  const { answer, error } = useAsked(
    `${asked.from} ${asked.to}`,
    (signal) => get("/api/overview", { query: { since: asked.from, until: asked.to } }, signal),
    { delayMs: isTurned ? 120 : 0, freshens: ({ what }) => what.includes("records") },
  );
  useEffect(() => {
    document.title = "Timeline · memoir";
  }, []);
  const days: Range = { from: dayOf(span.from), to: dayOf(span.to) };
  const step = stepOf(days);
  const lanes = useMemo(
    () => (answer ? lanesOf(answer, span, (span.to - span.from) * leastShare, step) : []),
    [answer, span.from, span.to, step],
  );
  const isEmpty = lanes.every(({ bars, blocks }) => bars.length + blocks.length === 0);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnItem = event.target instanceof Element && event.target.closest(".lane-items");
    const next =
      event.key === "+" || event.key === "="
        ? zoomed(span, 1 / zoomFactor)
        : event.key === "-"
          ? zoomed(span, zoomFactor)
          : event.key === "ArrowLeft" && (event.shiftKey || !isOnItem)
            ? moved(span, -0.25)
            : event.key === "ArrowRight" && (event.shiftKey || !isOnItem)
              ? moved(span, 0.25)
              : undefined;
    if (!next) return;
    event.preventDefault();
    turn(next);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys go for all that is in it; each has a button, too.
    <div class="timeline placed" onKeyDown={onKeyDown}>
      <h1>Timeline</h1>
      <Choice span={span} put={put} />
      <p class="timeline-span" role="status">
        {spanWords(span)}
      </p>
      {error !== undefined && <Trouble error={error} />}
      {answer && isEmpty && <Empty />}
      {answer && !isEmpty && (
        <>
          <Chart lanes={lanes} span={span} step={step} put={put} turn={turn} />
          <p class="hint timeline-legend">
            {isCounted(answer, span) ? (
              `What began each ${step} is counted; a click goes there. `
            ) : (
              <Types />
            )}
            {leftOutWords[answer.leftOut]}
          </p>
        </>
      )}
      <p class="hint">
        Wheel, <kbd>+</kbd> and <kbd>-</kbd> zoom, <kbd>Shift</kbd> with an arrow moves; arrows go
        from one to the next, Enter opens it.
      </p>
    </div>
  );
}

/** What the dots' colours mean. */
const Types = () => (
  <>
    {observationTypes.map((type) => (
      <span key={type} class="timeline-type">
        <span class={`dot ${type}`} /> {type}
      </span>
    ))}
  </>
);

const leftOutWords = {
  nothing: "",
  observations: "There are too many observations to draw: zoom in to see them.",
  sessions: "There are too many sessions to draw: zoom in to see them.",
  oldest: "Only the newest 10,000 sessions are counted here. Zoom in to see the others.",
} as const;

/** The span of the address, or where a wheel has turned it to meanwhile. */
function useSpan(address: URL) {
  const of = spanOf(address.searchParams, Date.now());
  const [turned, setTurned] = useState<Span>();
  const timer = useRef(0);
  useEffect(() => setTurned(undefined), [address.search]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const into = (span: Span, replace: boolean) => go(`/timeline?${paramsOf(span)}`, { replace });
  return {
    span: turned ?? of,
    isTurned: turned !== undefined,
    /** A step that the back button takes back. */
    put(span: Span) {
      clearTimeout(timer.current);
      setTurned(undefined);
      into(span, false);
    },
    /** Many small steps, that are none each. */
    turn(span: Span) {
      setTurned(span);
      clearTimeout(timer.current);
      timer.current = Number(setTimeout(() => into(span, true), settledMs));
    },
  };
}

function Choice({ span, put }: { span: Span; put(span: Span): void }) {
  const now = Date.now();
  return (
    <search class="chips" aria-label="Time">
      {spans.map(({ name, days }) => {
        const next = spanOfDays(span, days, now);
        const isOn = next.from === span.from && next.to === span.to;
        return (
          <button
            key={name}
            type="button"
            class={isOn ? "chip on" : "chip"}
            aria-pressed={isOn}
            onClick={() => put(next)}
          >
            {name}
          </button>
        );
      })}
      <button
        type="button"
        class="chip"
        aria-label="Earlier"
        onClick={() => put(moved(span, -0.5))}
      >
        ←
      </button>
      <button type="button" class="chip" aria-label="Later" onClick={() => put(moved(span, 0.5))}>
        →
      </button>
      <button
        type="button"
        class="chip"
        aria-label="Zoom in"
        onClick={() => put(zoomed(span, 1 / zoomFactor))}
      >
        +
      </button>
      <button
        type="button"
        class="chip"
        aria-label="Zoom out"
        onClick={() => put(zoomed(span, zoomFactor))}
      >
        −
      </button>
      <button type="button" class="chip" onClick={() => put(lastDays(7, now))}>
        Today
      </button>
    </search>
  );
}

const Empty = () => (
  <div class="empty" role="status">
    <h2>Nothing in this time</h2>
    <p>
      Sessions stand here as bars, and what was made of them as dots. Zoom out or go earlier to see
      others; where there are none at all, your next session is the first.
    </p>
  </div>
);

// The ruler and the lanes. Each item is a link at its place; arrow keys lead from one to the next, and one of them is reached by Tab.

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
function Chart({ lanes, span, step, put, turn }: ChartProps) {
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

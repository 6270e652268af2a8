// Days and weeks over all projects: a session is a bar, an observation a dot; both lead on. Zoomed by wheel, keys and buttons.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { observationTypes } from "../../../sdk/model.ts";
import { go } from "../../address.ts";
import { get } from "../../api.ts";
import { Trouble } from "../../parts/trouble.tsx";
import { useAsked } from "../../use-asked.ts";
import { dayOf, type Range, stepOf } from "../worth/days.ts";
import { Chart } from "./chart.tsx";
import { isCounted, lanesOf } from "./lanes.ts";
import {
  askedSpan,
  lastDays,
  moved,
  paramsOf,
  type Span,
  spanOf,
  spanOfDays,
  spans,
  zoomed,
} from "./span.ts";
import { spanWords } from "./words.ts";

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

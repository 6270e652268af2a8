// A list of any length: asked for and drawn a page at a time, as one comes near. What lies far away is neither drawn nor kept.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { placeState, setPlaceState } from "../address.ts";
import { type AskedHow, useAsked } from "../use-asked.ts";
import { Near } from "./near.tsx";
import { Trouble } from "./trouble.tsx";

interface PagesProps<Item> {
  /** What is asked; another question is another list. */
  question: string;
  size: number;
  /** The first page; whoever shows the list has asked for it. */
  first: readonly Item[];
  ask(page: { limit: number; offset: number }, signal: AbortSignal): Promise<readonly Item[]>;
  how?: AskedHow;
  /** About how high a row is, in px. */
  row: number;
  /** One row: a list item. */
  draw(item: Item): ComponentChildren;
}

/** So many pages' items are kept, so that what comes near again is there at once. */
const keptPages = 30;

/** What an entry of the history remembers of a list: pages that were there, by their heights. */
interface Seen {
  question: string;
  heights: number[];
}

function seenBefore(question: string): number[] {
  const { list } = placeState();
  const seen = list as Seen | undefined;
  return seen?.question === question ? seen.heights : [];
}

/** The list; begun anew for another question. */
export function Pages<Item>(props: PagesProps<Item>) {
  return <Begun key={props.question} {...props} />;
}

function Begun<Item>(props: PagesProps<Item>) {
  const { question, size, row, first, draw } = props;
  const [heights] = useState(() => seenBefore(question));
  const [count, setCount] = useState(Math.max(2, heights.length));
  const kept = useRef(new Map<number, readonly Item[]>());

  function came(page: number, items: readonly Item[]): void {
    const { current } = kept;
    current.delete(page);
    current.set(page, items);
    for (const oldest of current.keys()) if (current.size > keptPages) current.delete(oldest);
    setCount((known) => (items.length >= size ? Math.max(known, page + 2) : page + 1));
  }
  function measured(page: number, height: number): void {
    heights[page] = height;
    // What was passed over without being measured is about as high as others.
    const all = Array.from({ length: heights.length }, (_, at) => heights[at] ?? size * row);
    setPlaceState({ list: { question, heights: all } });
  }
  const pages = first.length < size ? 1 : count;
  return Array.from({ length: pages }, (_, page) => (
    <Near
      key={page}
      height={heights[page] ?? (page === pages - 1 && page > 0 ? row : size * row)}
      isFirst={page === 0}
      measured={(height) => measured(page, height)}
    >
      {() =>
        page === 0 ? (
          <ol class="hits">{first.map(draw)}</ol>
        ) : (
          <Page {...props} page={page} kept={kept.current.get(page)} came={came} />
        )
      }
    </Near>
  ));
}

interface PageProps<Item> extends PagesProps<Item> {
  page: number;
  kept: readonly Item[] | undefined;
  came(page: number, items: readonly Item[]): void;
}

function Page<Item>({ question, size, row, ask, how, draw, page, kept, came }: PageProps<Item>) {
  const offset = page * size;
  const { answer = kept, error } = useAsked(
    `${question} ${offset}`,
    (signal) => ask({ limit: size, offset }, signal),
    how,
  );
  useEffect(() => {
    if (answer) came(page, answer);
  }, [answer]);
  return (
    <>
      {error !== undefined && <Trouble error={error} />}
      {answer ? (
        <ol class="hits" start={offset + 1}>
          {answer.map(draw)}
        </ol>
      ) : (
        <p class="hint waiting" style={{ height: `${size * row}px` }}>
          …
        </p>
      )}
    </>
  );
}

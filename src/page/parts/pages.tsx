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
  /** One row: a list item; `before` is the one above it, where that is known. */
  draw(item: Item, before: Item | undefined): ComponentChildren;
  /** The class of each list. */
  list?: string;
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

/** The list. For another question its first rows are changed in their places, and the others begin anew. */
export function Pages<Item>(props: PagesProps<Item>) {
  const { question, size, row, first, draw, list = "hits" } = props;
  const [heights] = useState(() => new Map<string, number[]>());
  const own = heights.get(question) ?? seenBefore(question);
  heights.clear();
  heights.set(question, own);
  function measured(page: number, height: number): void {
    own[page] = height;
    // What was passed over without being measured is about as high as others.
    const all = Array.from({ length: own.length }, (_, at) => own[at] ?? size * row);
    setPlaceState({ list: { question, heights: all } });
  }
  return (
    <>
      <Near height={own[0] ?? size * row} isFirst measured={(height) => measured(0, height)}>
        {() => <ol class={list}>{first.map((item, at) => draw(item, first[at - 1]))}</ol>}
      </Near>
      {first.length >= size && <Rest key={question} {...props} heights={own} measured={measured} />}
    </>
  );
}

interface RestProps<Item> extends PagesProps<Item> {
  heights: readonly number[];
  measured(page: number, height: number): void;
}

/** All pages but the first. */
function Rest<Item>(props: RestProps<Item>) {
  const { size, row, heights, measured } = props;
  const [count, setCount] = useState(Math.max(2, heights.length));
  const [isWhole, setWhole] = useState(false);
  const kept = useRef(new Map<number, readonly Item[]>());

  function came(page: number, items: readonly Item[]): void {
    const { current } = kept;
    current.delete(page);
    current.set(page, items);
    for (const oldest of current.keys()) if (current.size > keptPages) current.delete(oldest);
    const isLast = items.length < size;
    setCount((known) => (isLast ? page + 1 : Math.max(known, page + 2)));
    if (isLast) setWhole(true);
  }
  return (
    <>
      {Array.from({ length: count - 1 }, (_, at) => at + 1).map((page) => (
        <Near
          key={page}
          height={heights[page] ?? (page === count - 1 ? row : size * row)}
          isFirst={false}
          measured={(height) => measured(page, height)}
        >
          {() => (
            <Page
              {...props}
              page={page}
              kept={kept.current.get(page)}
              above={page === 1 ? props.first.at(-1) : kept.current.get(page - 1)?.at(-1)}
              came={came}
            />
          )}
        </Near>
      ))}
      {isWhole && <p class="hint list-end">That is all.</p>}
    </>
  );
}

interface PageProps<Item> extends PagesProps<Item> {
  page: number;
  kept: readonly Item[] | undefined;
  above: Item | undefined;
  came(page: number, items: readonly Item[]): void;
}

function Page<Item>(props: PageProps<Item>) {
  const { question, size, row, ask, how, draw, page, kept, above, came, list = "hits" } = props;
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
        <ol class={list} start={offset + 1}>
          {answer.map((item, at) => draw(item, answer[at - 1] ?? above))}
        </ol>
      ) : (
        <p class="hint waiting" style={{ height: `${size * row}px` }}>
          …
        </p>
      )}
    </>
  );
}

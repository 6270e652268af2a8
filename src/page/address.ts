// Where we are: each view has an address, and the back button leads back.
import { createNews } from "./heard.ts";

const { tell, useNews } = createNews();
addEventListener("popstate", tell);

/** What an entry of the history remembers of its view: how far it was scrolled, what had the focus, and what a view puts there itself. */
interface PlaceState {
  y?: number;
  /** The address of the link that was followed from here. */
  followed?: string;
  list?: unknown;
}

/** Of the entry that is shown. */
export const placeState = (): PlaceState => (history.state as PlaceState | null) ?? {};

/** Adds to it. */
export function setPlaceState(part: PlaceState): void {
  history.replaceState({ ...placeState(), ...part }, "");
}

/** Goes to an address of the page; `replace` leaves no step in the history. */
export function go(address: string, how: { replace?: boolean; followed?: string } = {}): void {
  if (address === location.pathname + location.search + location.hash) return;
  if (how.replace) {
    history.replaceState(history.state, "", address);
    tell();
    return;
  }
  const path = location.pathname + location.search;
  setPlaceState({ y: scrollY, ...(how.followed === undefined ? {} : { followed: how.followed }) });
  history.pushState(null, "", address);
  tell();
  if (path !== location.pathname + location.search) scrollTo(0, 0);
  else document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

const scrolledMs = 150;
const patienceMs = 10_000;

/** Each entry of the history keeps its place: back where one was, once what stood there has come. */
export function keepPlace(): void {
  history.scrollRestoration = "manual";
  let timer = 0;
  addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = Number(setTimeout(() => setPlaceState({ y: scrollY }), scrolledMs));
  });
  addEventListener("popstate", () => {
    clearTimeout(timer);
    comeBack();
  });
  comeBack();
}

let stopComingBack = () => {};

/** Scrolls as soon as the view is nearly high enough; who scrolls by hand meanwhile is left alone. */
function comeBack(): void {
  stopComingBack();
  const { y = 0, followed } = placeState();
  const goes = new AbortController();
  const stop = () => {
    sizes.disconnect();
    clearTimeout(timer);
    goes.abort();
  };
  const tryIt = () => {
    const missing = y - (document.documentElement.scrollHeight - innerHeight);
    const link = followed === undefined ? undefined : linkTo(followed);
    // The end of a list is drawn only once one is near it.
    if (missing < innerHeight && Math.abs(scrollY - y) > 1) scrollTo(0, y);
    if (missing > 1 || (followed !== undefined && !link)) return;
    link?.focus({ preventScroll: true });
    stop();
  };
  const sizes = new ResizeObserver(tryIt);
  const timer = setTimeout(stop, patienceMs);
  stopComingBack = stop;
  if (y === 0 && followed === undefined) {
    stop();
    if (location.hash === "") scrollTo(0, 0);
    return;
  }
  for (const name of ["wheel", "keydown", "pointerdown", "touchstart"])
    addEventListener(name, stop, { signal: goes.signal, passive: true });
  sizes.observe(document.body);
}

const linkTo = (address: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>("main a")].find(
    ({ pathname, search, hash }) => pathname + search + hash === address,
  );

/** The address as it is, drawn anew when it changes. */
export function useAddress(): URL {
  useNews();
  return new URL(location.href);
}

/** Links of the page lead on without loading it anew; with a key held, the browser does as it always does. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.target !== "") return;
    event.preventDefault();
    const address = link.pathname + link.search + link.hash;
    go(address, { followed: address });
  });
}

/** The address of a record: a session has a view of its own. */
export function addressOf(kind: string, id: string): string {
  return `/${kind === "session" ? "session" : "record"}/${encodeURIComponent(id)}`;
}

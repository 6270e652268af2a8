// Where we are: each view has an address, and the back button leads back.
import { useEffect, useState } from "preact/hooks";

const heard = new Set<() => void>();
const tell = () => {
  for (const hear of heard) hear();
};
addEventListener("popstate", tell);

/** Goes to an address of the page; `replace` leaves no step in the history. */
export function go(address: string, how: { replace?: boolean } = {}): void {
  if (address === location.pathname + location.search + location.hash) return;
  history[how.replace ? "replaceState" : "pushState"](null, "", address);
  tell();
  if (!how.replace) scrollTo(0, 0);
}

/** The address as it is, drawn anew when it changes. */
export function useAddress(): URL {
  const [, draw] = useState(0);
  useEffect(() => {
    const hear = () => draw((n) => n + 1);
    heard.add(hear);
    return () => void heard.delete(hear);
  }, []);
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
    go(link.pathname + link.search + link.hash);
  });
}

/** The address of a record: a session has a view of its own. */
export function addressOf(kind: string, id: string): string {
  return `/${kind === "session" ? "session" : "record"}/${encodeURIComponent(id)}`;
}

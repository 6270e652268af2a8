// The keyboard: to the search, through lists, and what may be done with the entry that has the focus.
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "./parts/dialog.tsx";

const keys: ReadonlyArray<[key: string, words: string]> = [
  ["/ or Ctrl K", "Search"],
  ["j, k", "Next and previous entry"],
  ["Enter", "Open"],
  ["o", "Open or close in place"],
  ["e, p, h", "Edit, pin, hide, where an entry has these buttons"],
  ["x", "Select"],
  ["u", "Undo the last change"],
  ["?", "Show these keys"],
];

/** Entries that j and k stop at. */
const stops = "main a.hit, main a.content, main [data-entry], aside [data-entry]";

const entries = () => [...document.querySelectorAll<HTMLElement>(stops)];
const entryOf = (target: Element) =>
  target.closest("li")?.querySelector<HTMLElement>(stops) ?? (target as HTMLElement);
/** Of the entry that had the focus last: what is done with one may take it away, and the keys go on from there. */
let place = 0;

/** Listens; says whether the list of keys is shown. */
export function useKeys(): { isOpen: boolean; close(): void } {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event;
      if ((event.ctrlKey || event.metaKey) && key === "k") return toSearch(event);
      if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return;
      const arrow = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (arrow !== undefined && target.matches("a.hit")) {
        event.preventDefault();
        if (!move(target, arrow) && arrow < 0) document.getElementById("query")?.focus();
        return;
      }
      // A dialog that closes leaves the focus nowhere.
      if (key === "Escape") stay();
      if (target.closest("input, textarea, select, dialog")) return;
      const isLost = target === document.body;
      const from = isLost ? (entries()[place] ?? target) : target;
      if (key === "/") toSearch(event);
      else if (key === "?") setOpen(true);
      else if (key === "j") move(from, isLost ? 0 : 1);
      else if (key === "k") move(from, -1);
      else if (key === "Enter" && target.matches("[data-entry]"))
        target.querySelector<HTMLAnchorElement>("a[href]")?.click();
      else if (key === "u") click(document.querySelector(".undo"), "u");
      else if ("oeph".includes(key)) click(entryWith(from, isLost), key);
      if (key === "u" || key === "p" || key === "h") stay();
    };
    const keep = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest("main, aside"))
        place = Math.max(0, entries().indexOf(entryOf(target)));
    };
    addEventListener("keydown", press);
    addEventListener("focusin", keep);
    return () => {
      removeEventListener("keydown", press);
      removeEventListener("focusin", keep);
    };
  }, []);
  return { isOpen, close: () => setOpen(false) };
}

/** What the keys act on: the open record where no entry of a list has the focus. */
function entryWith(from: Element, isLost: boolean): Element | null {
  const record = isLost ? document.querySelector("main article.record") : null;
  return record ?? from.closest("li, article, [data-entry]");
}

const changeMs = 2_000;

/** The entry with the focus may go with what was done to it: the one in its place gets the focus then. */
function stay(): void {
  const seen = new MutationObserver(() => {
    if (document.activeElement !== document.body) return;
    const all = entries();
    all[Math.min(place, all.length - 1)]?.focus({ preventScroll: true });
  });
  seen.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => seen.disconnect(), changeMs);
}

function toSearch(event: KeyboardEvent): void {
  event.preventDefault();
  const input = document.querySelector<HTMLInputElement>("#query");
  input?.focus();
  input?.select();
}

/** False where there is none. */
function move(from: Element, step: number): boolean {
  const all = entries();
  const at = all.indexOf(entryOf(from));
  const next = all[at < 0 ? 0 : at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return next !== undefined;
}

function click(within: Element | null | undefined, key: string): void {
  within?.querySelector<HTMLButtonElement>(`button[data-key="${key}"]`)?.click();
}

/** All of them. */
export const KeysDialog = ({ close }: { close(): void }) => (
  <Dialog title="Keys" close={close}>
    <dl class="keys">
      {keys.map(([key, words]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
    <p class="buttons">
      <button type="button" class="main" onClick={close}>
        Close
      </button>
    </p>
  </Dialog>
);

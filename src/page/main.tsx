// Memory in a browser. The data's way: a view asks one of the server's routes (`useAsked`), draws what it answers, and asks again when the
// server says that it changed (`changes.ts`); what a person corrects goes through `/api/amend`, and everything shown follows from the next answer.
// Nothing is kept here but the place one was at, the key of the session, and how the last changes are taken back.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { followLinks, go, keepPlace, useAddress } from "./address.ts";
import { Refusal, tradeCode } from "./api.ts";
import { followChanges } from "./changes.ts";
import { useConnection } from "./connection.ts";
import { KeysDialog, useKeys } from "./keys.tsx";
import { Columns } from "./parts/columns.tsx";
import { Nav } from "./parts/nav.tsx";
import { Nowhere, Trouble } from "./parts/trouble.tsx";
import { KnownProjects, projectOf, useAskedProjects } from "./projects.ts";
import type { Change } from "./undo.ts";
import { dismiss, mark, takeBack, useUndo } from "./undo.ts";
import { useGet } from "./use-asked.ts";
import { useWork } from "./use-work.ts";
import { ContextView } from "./views/context.tsx";
import { DecisionsView } from "./views/decisions.tsx";
import { MemoryView } from "./views/memory.tsx";
import { RecordView } from "./views/record.tsx";
import { SavingsView } from "./views/savings/savings.tsx";
import { SearchView } from "./views/search.tsx";
import { SessionView } from "./views/session.tsx";
import { SettingsView } from "./views/settings/settings.tsx";
import { counted } from "./words.ts";

/** Says when the server does not answer or knows this browser no more. Nothing that was typed is lost meanwhile. */
function ConnectionLine() {
  const { connection } = useConnection();
  if (connection === "there") return <p class="connection" role="status" hidden />;
  return (
    <p class="connection" role="status">
      {connection === "gone" ? (
        "memoir’s server isn’t responding. Your next session starts it, or run memoir open; this page then continues by itself."
      ) : (
        <>
          This browser is not signed in. Run <code>memoir open</code> in a terminal, and this page
          continues by itself.
        </>
      )}
    </p>
  );
}

/** Where the places of earlier versions went: bookmarks stay good. */
const moved: Readonly<Record<string, string>> = {
  "": "/memory",
  ...{ sessions: "/memory", timeline: "/memory", standing: "/decisions", told: "/context" },
  ...{ worth: "/savings", now: "/settings/activity", health: "/settings/health" },
  ...{ plugins: "/settings/plugins", plugin: "/settings/plugins", routes: "/settings/api" },
};

/** The views that are places of their own, by the first word of their path, in the order of the first column. */
const places: Readonly<Record<string, typeof SettingsView>> = {
  memory: MemoryView,
  context: ContextView,
  decisions: DecisionsView,
  savings: SavingsView,
  settings: SettingsView,
};

/** The view of a path. */
function View({ address }: { address: URL }) {
  const [, view = "", id, name] = address.pathname.split("/");
  const part = (text: string | undefined) => (text ? decoded(text) : undefined);
  const Place = Object.hasOwn(places, view) ? places[view] : undefined;
  if (Place) return <Place address={address} tab={part(id)} name={part(name)} />;
  if (view === "search") return <SearchView address={address} />;
  if (view === "session" && id) return <SessionView key={id} id={decoded(id)} />;
  if (view === "record" && id) return <RecordView key={id} id={decoded(id)} />;
  return (
    <Columns title="No such page">
      <Nowhere title="There is no page here">
        Nothing is at <code>{address.pathname.slice(0, 200)}</code>.
      </Nowhere>
    </Columns>
  );
}

/** An address that somebody typed may be no encoding of anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Says which view is there now, for whoever does not see it; and puts the focus where it begins, unless the view has put it somewhere. */
function useAnnounced(path: string): string {
  const [said, say] = useState("");
  const last = useRef(path);
  useEffect(() => {
    const title = document.querySelector("title");
    if (!title) return;
    const watch = new MutationObserver(() => say(document.title));
    watch.observe(title, { childList: true });
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    const main = document.querySelector("main");
    // Who types into the search goes on typing.
    const { activeElement } = document;
    if (activeElement?.id === "query" || main?.contains(activeElement)) return;
    main?.focus({ preventScroll: true });
  }, [path]);
  return said;
}

function Page() {
  const address = useAddress();
  const [, view = "", ...rest] = address.pathname.split("/");
  const to = moved[view];
  useEffect(() => {
    if (to !== undefined)
      go([to, ...rest].join("/") + address.search + address.hash, { replace: true });
  }, [to]);
  const announced = useAnnounced(address.pathname);
  const keys = useKeys();
  return (
    <KnownProjects.Provider value={useAskedProjects()}>
      <header class="top">
        <a class="name" href="/memory">
          memoir
        </a>
        <SearchBar address={address} />
        <ServerState />
      </header>
      <p class="unseen" aria-live="polite">
        {announced}
      </p>
      <ConnectionLine />
      <div class="columns">
        <Nav address={address} places={Object.keys(places)} />
        {to === undefined && <View address={address} />}
      </div>
      <UndoBar />
      {keys.isOpen && <KeysDialog close={keys.close} />}
    </KnownProjects.Provider>
  );
}

async function begin(): Promise<void> {
  followLinks();
  keepPlace();
  const refused = await tradeCode().catch((error: unknown) => error);
  await followChanges();
  const root = document.getElementById("page");
  if (!root) return;
  root.textContent = "";
  render(<Begun refused={refused instanceof Refusal ? refused.message : undefined} />, root);
}

/** A code that is no longer good is told once; a session that the browser has already goes on. */
function Begun({ refused }: { refused: string | undefined }) {
  const [told, setTold] = useState(refused);
  return (
    <>
      {told !== undefined && (
        <p class="connection" role="alert">
          {told}{" "}
          <button type="button" class="quiet" onClick={() => setTold(undefined)}>
            Close
          </button>
        </p>
      )}
      <Page />
    </>
  );
}

void begin();

// What was changed last, and the way back; stays until it is closed, also after a reload.

/** At the foot of every view. */
function UndoBar() {
  const { last } = useUndo();
  return (
    <div class="undo" role="status" hidden={!last}>
      {last && <LastChange key={last.id} last={last} />}
    </div>
  );
}

function LastChange({ last }: { last: Change }) {
  const { error, run } = useWork();
  const { words, back, still } = last;
  const also = still.map((id) => ({ id, marks: [] }));
  return (
    <>
      <span>
        {words}
        {still.length > 0 && ` Agents still see what was made from it: ${still.join(", ")}.`}
      </span>
      {still.length > 0 && (
        <button type="button" onClick={() => run(() => mark(also, "hidden", true))}>
          Hide that too
        </button>
      )}
      {back.length > 0 && (
        <button type="button" class="main" data-key="u" onClick={() => run(() => takeBack(last))}>
          Undo
        </button>
      )}
      <button type="button" onClick={() => dismiss(last)}>
        Close
      </button>
      {error !== undefined && <Trouble error={error} />}
    </>
  );
}

// One search on top of everything: what is typed goes into the address, and the answers below.

/** The bar; the words of the address are in it. */
function SearchBar({ address }: { address: URL }) {
  const isSearch = address.pathname === "/search";
  const query = isSearch ? (address.searchParams.get("q") ?? "") : "";
  function put(words: string): void {
    const project = projectOf(address);
    const next = new URLSearchParams(
      isSearch ? address.searchParams : project === "" ? {} : { project },
    );
    if (words === "") next.delete("q");
    else next.set("q", words);
    // The first letter is a step back, each further one is none.
    go(`/search${next.size > 0 ? `?${next}` : ""}`, { replace: isSearch });
  }
  return (
    <search class="bar">
      <input
        id="query"
        type="search"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-label="Search your memory"
        placeholder="Ask or search everything your agents did"
        value={query}
        onInput={(event) => put(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") {
            event.preventDefault();
            document.querySelector<HTMLElement>("main a.hit")?.focus();
          }
          if (event.key === "Enter" && !isSearch) go("/search");
        }}
      />
      <kbd>Ctrl K</kbd>
    </search>
  );
}

// In a few words on top: how many sessions are open, and whether anything waits or went wrong.

/** Leads to what goes on, in full. */
function ServerState() {
  const { connection } = useConnection();
  const { answer } = useGet("/api/now", {}, { freshens: () => true, everyMs: 3_000 });
  if (connection !== "there")
    return <span class="state bad">{connection === "gone" ? "No server" : "Signed out"}</span>;
  if (!answer) return <span class="state" />;
  const { sessions, waiting } = answer;
  const busy = waiting.events + waiting.work + waiting.underWay;
  const live =
    sessions.length === 0 ? "no session live" : `${counted(sessions.length, "session")} live`;
  return (
    <a class="state" href={waiting.parked > 0 ? "/settings/health" : "/settings/activity"}>
      <span class={waiting.parked > 0 ? "dot bad" : sessions.length > 0 ? "dot on" : "dot"} />
      {live} ·{" "}
      {waiting.parked > 0
        ? `${counted(waiting.parked, "job")} failed`
        : busy > 0
          ? `${counted(busy, "event")} waiting`
          : "nothing waiting"}
    </a>
  );
}

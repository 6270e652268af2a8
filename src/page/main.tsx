// Memory in a browser: begins a session where the address carries a code, and shows the view that the address names.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { followLinks, go, keepPlace, useAddress } from "./address.ts";
import { Refusal, tradeCode } from "./api.ts";
import { followChanges } from "./changes.ts";
import { useConnection } from "./connection.ts";
import { UndoBar } from "./parts/undo-bar.tsx";
import { HealthView } from "./views/health.tsx";
import { NowView } from "./views/now.tsx";
import { PluginView } from "./views/plugins/plugin.tsx";
import { PluginsView } from "./views/plugins/plugins.tsx";
import { RecordView } from "./views/record.tsx";
import { RoutesView } from "./views/routes/routes.tsx";
import { SearchView } from "./views/search.tsx";
import { SessionView } from "./views/session.tsx";
import { SessionsView } from "./views/sessions.tsx";
import { StandingView } from "./views/standing.tsx";
import { TimelineView } from "./views/timeline/timeline.tsx";
import { ToldView } from "./views/told.tsx";
import { WorthView } from "./views/worth/worth.tsx";

/** Says when the server does not answer or knows this browser no more. Nothing that was typed is lost meanwhile. */
function ConnectionLine() {
  const { connection } = useConnection();
  if (connection === "there") return <p class="connection" role="status" hidden />;
  return (
    <p class="connection" role="status">
      {connection === "gone" ? (
        "memoir’s server does not answer. Your next session starts it, and so does memoir open. This page goes on by itself then."
      ) : (
        <>
          This browser’s session has ended, or never began. Run <code>memoir open</code> in a
          terminal: this page goes on by itself then.
        </>
      )}
    </p>
  );
}

const views = [
  { path: "/now", name: "Now" },
  { path: "/search", name: "Search" },
  { path: "/sessions", name: "Sessions" },
  { path: "/timeline", name: "Timeline" },
  { path: "/standing", name: "Standing" },
  { path: "/told", name: "Told" },
  { path: "/worth", name: "Worth" },
  { path: "/plugins", name: "Plugins" },
  { path: "/health", name: "Health" },
  { path: "/routes", name: "API" },
] as const;

/** The view of a path. Without one of its own it is the search. */
function View({ address }: { address: URL }) {
  const [, view, id] = address.pathname.split("/");
  if (view === "now") return <NowView />;
  if (view === "health") return <HealthView />;
  if (view === "plugins") return <PluginsView />;
  if (view === "plugin" && id) return <PluginView key={id} name={decodeURIComponent(id)} />;
  if (view === "sessions") return <SessionsView />;
  if (view === "routes") return <RoutesView address={address} />;
  if (view === "timeline") return <TimelineView address={address} />;
  if (view === "worth") return <WorthView address={address} />;
  if (view === "session" && id) return <SessionView key={id} id={decodeURIComponent(id)} />;
  if (view === "record" && id) return <RecordView key={id} id={decodeURIComponent(id)} />;
  if (view === "standing") return <StandingView address={address} />;
  if (view === "told") return <ToldView address={address} />;
  return <SearchView address={address} />;
}

/** `/` looks for something, wherever one is. */
function goToSearch(event: KeyboardEvent): void {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog"))
    return;
  event.preventDefault();
  if (!document.getElementById("query")) go("/search");
  requestAnimationFrame(() => document.getElementById("query")?.focus());
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
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
  }, [path]);
  return said;
}

function Page() {
  const address = useAddress();
  const path = address.pathname === "/" ? "/search" : address.pathname;
  const announced = useAnnounced(path);
  useEffect(() => {
    addEventListener("keydown", goToSearch);
    return () => removeEventListener("keydown", goToSearch);
  }, []);
  return (
    <>
      <header class="top">
        <a class="name" href="/search">
          memoir
        </a>
        <nav aria-label="Views">
          {views.map((view) => (
            <a
              key={view.path}
              href={view.path}
              aria-current={path.startsWith(view.path) ? "page" : undefined}
            >
              {view.name}
            </a>
          ))}
        </nav>
      </header>
      <p class="unseen" aria-live="polite">
        {announced}
      </p>
      <ConnectionLine />
      <main tabIndex={-1}>
        <View address={address} />
      </main>
      <UndoBar />
    </>
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

// Memory in a browser: begins a session where the address carries a code, and shows the view that the address names.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../server/route-types.ts";
import { followLinks, go, keepPlace, useAddress } from "./address.ts";
import { get, Refusal, tradeCode } from "./api.ts";
import { followChanges } from "./changes.ts";
import { useConnection } from "./connection.ts";
import { Said } from "./parts/said.tsx";
import { NotYet, Trouble } from "./parts/trouble.tsx";
import type { Change } from "./undo.ts";
import { dismiss, mark, takeBack, useUndo } from "./undo.ts";
import { useAsked } from "./use-asked.ts";
import { useWork } from "./use-work.ts";
import { HealthView } from "./views/health.tsx";
import { NowView } from "./views/now.tsx";
import { PluginView } from "./views/plugins/plugin.tsx";
import { isOn, pluginAddress, stateWords, totals } from "./views/plugins/plugin-words.ts";
import { RecordView } from "./views/record.tsx";
import { RoutesView } from "./views/routes/routes.tsx";
import { SearchView } from "./views/search.tsx";
import { SessionView } from "./views/session.tsx";
import { SessionsView } from "./views/sessions.tsx";
import { StandingView } from "./views/standing.tsx";
import { TimelineView } from "./views/timeline/timeline.tsx";
import { ToldView } from "./views/told.tsx";
import { WorthView } from "./views/worth/worth.tsx";
import { counted } from "./words.ts";

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
        {still.length > 0 && ` Still told, made of it: ${still.join(", ")}.`}
      </span>
      {still.length > 0 && (
        <button type="button" onClick={() => run(() => mark(also, "hidden", true))}>
          Hide that too
        </button>
      )}
      {back.length > 0 && (
        <button type="button" class="main" onClick={() => run(() => takeBack(last))}>
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

// All plugins: who does what in which order, what it took, and what is off.

type List = Answer<"/api/plugins">;
type Plugin = List["plugins"][number];

/** The view. */
function PluginsView() {
  const { answer, error } = useAsked("plugins", (signal) => get("/api/plugins", {}, signal), {
    freshens: () => true,
    everyMs: 5_000,
  });
  useEffect(() => {
    document.title = "Plugins · memoir";
  }, []);
  if (!answer) return <NotYet error={error} />;
  const { plugins, local } = answer;
  const own = plugins.filter(({ origin }) => origin !== "built-in");
  const builtIn = plugins.filter(({ origin }) => origin === "built-in");
  return (
    <div>
      <h1>Plugins</h1>
      <p class="hint">
        Everything that memoir does is done by one of these. A user’s plugin replaces a built-in
        one, or stands beside it.
      </p>
      {error !== undefined && <Trouble error={error} />}
      <Slots plugins={plugins.filter(isOn)} />
      {own.length > 0 && <Group title="Yours" plugins={own} of={answer} />}
      {local
        .filter(({ state }) => state !== "trusted")
        .map(({ folder, state, fix }) => (
          <p key={folder} class="trouble">
            <Said inline text={`${folder}: ${state}, not run. ${fix}`} />
          </p>
        ))}
      <Group
        title="Built in"
        plugins={builtIn.filter((one) => one.state !== "disabled")}
        of={answer}
      />
      <Group title="Off" plugins={builtIn.filter((one) => one.state === "disabled")} of={answer} />
    </div>
  );
}

/** Each slot's plugins, in the order in which they are asked. */
function Slots({ plugins }: { plugins: Plugin[] }) {
  const slots = [...new Set(plugins.flatMap(({ fills }) => fills))];
  return (
    <section aria-labelledby="slots">
      <h2 id="slots">Who does what, in this order</h2>
      <dl class="slots">
        {slots.map((slot) => (
          <div key={slot}>
            <dt>{slot}</dt>
            <dd>
              <ol>
                {plugins
                  .filter(({ fills }) => fills.includes(slot))
                  .map(({ name }) => (
                    <li key={name}>
                      <a href={pluginAddress(name)}>
                        <Said inline text={name} />
                      </a>
                    </li>
                  ))}
              </ol>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Group({ title, plugins, of }: { title: string; plugins: Plugin[]; of: List }) {
  if (plugins.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul class="hits">
        {plugins.map((plugin) => (
          <li key={`${plugin.name} ${plugin.source ?? ""}`}>
            <Row plugin={plugin} of={of} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ plugin, of }: { plugin: Plugin; of: List }) {
  const { name, description, error, fills, paused = [] } = plugin;
  const { calls, failures, slowest } = totals(
    of.subscriptions.filter((subscription) => subscription.plugin === name),
  );
  return (
    <a class="hit" href={pluginAddress(name)}>
      <span class="head">
        <span class={`kind ${plugin.state === "failed" ? "failure" : ""}`}>
          {stateWords(plugin)}
        </span>
        {fills.length > 0 && <span class="word">{fills.join(", ")}</span>}
        {paused.length > 0 && <span class="word bad">paused</span>}
      </span>
      <strong>
        <Said inline text={name} />
      </strong>
      {description !== "" && (
        <span class="excerpt">
          <Said inline text={description} />
        </span>
      )}
      {calls > 0 && (
        <span class="foot">
          {counted(calls, "call")}
          {failures > 0 && <span class="bad">, {counted(failures, "failure")}</span>}
          {slowest !== null && ` · p50 ${slowest.p50.toFixed(1)} ms in ${slowest.hook}`}
        </span>
      )}
      {error !== undefined && (
        <span class="foot bad">
          <Said inline text={error} />
        </span>
      )}
    </a>
  );
}

// What happened lately: sessions by day, each one card that says what came of it and opens in place; beside it what the next session will be given.
import { useState } from "preact/hooks";
import type { Answer } from "../../server/route-types.ts";
import { unmarked } from "../../text/text.ts";
import { addressOf, go } from "../address.ts";
import { get } from "../api.ts";
import { Choose, sinceOf, times } from "../parts/choose.tsx";
import { Columns } from "../parts/columns.tsx";
import { ContextLines } from "../parts/context-lines.tsx";
import { Maker, makerName } from "../parts/maker.tsx";
import { ManyBar } from "../parts/many-bar.tsx";
import { MarkWords, marksOf } from "../parts/marks.tsx";
import { Pages } from "../parts/pages.tsx";
import { Pick } from "../parts/pick.tsx";
import { Said, Title } from "../parts/said.tsx";
import { Empty, NotYet, Skeleton, Trouble } from "../parts/trouble.tsx";
import { TurnBody } from "../parts/turn.tsx";
import { projectOf, useProjects, withChoices } from "../projects.ts";
import { type Selection, useSelection } from "../selection.ts";
import { besideMs, byRecords, useAsked, useGet } from "../use-asked.ts";
import { afterTitle, counted, dayWords, lasted, timeOfDay, timeSpan } from "../words.ts";

/** Two screens of cards: what more is, the next page brings while these are read. */
const pageSize = 12;
const day = 24 * 60 * 60_000;
/** Of the times to choose from: two days of one's own. */
const ownDays = "days";

type Sessions = Answer<"/api/sessions">;
type Session = Sessions["sessions"][number];
/** A session of the list, and what came of it. */
interface Card {
  session: Session;
  outline: NonNullable<Sessions["outlines"]>[string] | undefined;
}

/** Project, client and time stand in the address. */
export function MemoryView({ address }: { address: URL }) {
  const chosen = (name: string) => address.searchParams.get(name) ?? "";
  const [project, client, when] = [projectOf(address), chosen("client"), chosen("when")];
  const person = chosen("person");
  const [from, to] = [Date.parse(chosen("from")), Date.parse(chosen("to"))];
  const projects = useProjects();
  const query = {
    ...{ project, client, person, outline: "true" as const },
    since: sinceOf(when) ?? (from || undefined),
    until: to ? to + day : undefined,
  };
  const ask = async (page: { limit: number; offset: number }, signal: AbortSignal) => {
    const found = await get("/api/sessions", { query: { ...query, ...page } }, signal);
    return found.sessions.map((session) => ({ session, outline: found.outlines?.[session.id] }));
  };
  const question = `sessions ${address.search}`;
  const {
    answer,
    error,
    to: answered,
  } = useAsked(question, (signal) => ask({ limit: pageSize, offset: 0 }, signal), byRecords);
  const selection = useSelection(question);
  const isNarrowed = client !== "" || person !== "" || when !== "" || from > 0;
  const next = project || projects?.[0]?.id;
  return (
    <Columns
      title="Memory"
      beside={projects?.length === 0 ? undefined : "Next session"}
      // The sessions come first: what is beside them is dearer.
      aside={next && answer && <NextSession project={next} all={projects ?? []} />}
    >
      <h1 class="unseen">Memory</h1>
      {projects?.length !== 0 && <Narrow address={address} isNarrowed={isNarrowed} />}
      {error !== undefined && <Trouble error={error} />}
      {!answer && error === undefined && <Skeleton rows={5} />}
      {answer?.length === 0 && (isNarrowed || project ? <Nothing /> : <NoneYet />)}
      <ManyBar selection={selection} />
      {answer && answer.length > 0 && answered === question && (
        <Pages
          {...{
            ask,
            how: byRecords,
            question,
            size: pageSize,
            first: answer,
            row: 128,
            list: "cards",
          }}
          draw={(card, before) => (
            <SessionCard
              key={card.session.id}
              {...{ card, before, selection }}
              isAlone={project !== ""}
            />
          )}
        />
      )}
    </Columns>
  );
}

function Narrow({ address, isNarrowed }: { address: URL; isNarrowed: boolean }) {
  const value = (name: string) => address.searchParams.get(name) ?? "";
  const put = (name: string, chosen: string) => go(withChoices(address, { [name]: chosen }));
  const { answer } = useGet("/api/sessions", { query: { limit: 200 } }, { firstMs: besideMs });
  const sessions = answer?.sessions ?? [];
  const clients = [...new Set(sessions.map((session) => session.client))];
  const makers = [...new Set(sessions.flatMap(({ from }) => (from ? makerName(from) : [])))];
  const none = { when: "", from: "", to: "", client: "", person: "" };
  const days = ["from", "to"] as const;
  const hasDays = value("when") === ownDays || days.some((name) => value(name) !== "");
  return (
    <div class="chips">
      <Choose
        {...{ address, name: "when", label: "Time" }}
        choices={[
          ["", "Any time"],
          ...Object.entries(times).map(([key, { name }]) => [key, name] as const),
          [ownDays, "From day to day"],
        ]}
      />
      {hasDays &&
        days.map((name) => (
          <input
            key={name}
            type="date"
            aria-label={name === "from" ? "From day" : "To day"}
            class={value(name) === "" ? "chip" : "chip on"}
            value={value(name)}
            onChange={(event) => put(name, event.currentTarget.value)}
          />
        ))}
      {clients.length > 1 && (
        <Choose
          {...{ address, name: "client", label: "Client" }}
          choices={[["", "Any client"], ...clients.map((one) => [one, one] as const)]}
        />
      )}
      {makers.length > 0 && (
        <Choose
          {...{ address, name: "person", label: "Made by" }}
          choices={[
            ["", "By anyone"],
            ["me", "By you"],
            ...makers.map((one) => [one, one] as const),
          ]}
        />
      )}
      {isNarrowed && (
        <a class="chip" href={withChoices(address, none)}>
          Clear
        </a>
      )}
    </div>
  );
}

interface CardProps {
  card: Card;
  before: Card | undefined;
  selection: Selection;
  /** Only one project is shown: its name says nothing. */
  isAlone: boolean;
}

function SessionCard({ card: { session, outline }, before, selection, isAlone }: CardProps) {
  const { id, title, subtitle, lastActiveAt, startedAt } = session;
  const [isOpen, setOpen] = useState(false);
  const marks = marksOf(session);
  const one = { id, kind: "session" as const, words: title, marks };
  const today = dayWords(lastActiveAt);
  const outcome = afterTitle(outline?.outcome || subtitle, title);
  return (
    <li class={selection.has(id) ? "chosen" : ""}>
      {(!before || dayWords(before.session.lastActiveAt) !== today) && <h2 class="day">{today}</h2>}
      <article class="card">
        <div class="card-head">
          <Pick one={one} selection={selection} />
          <a class="hit" href={addressOf("session", id)}>
            <strong>
              <Title text={title} />
            </strong>
          </a>
          <span class="meta">
            {!isAlone && (
              <>
                <a href={chosenBy({ project: session.project.id })}>
                  <Said inline text={session.project.name} />
                </a>{" "}
                ·{" "}
              </>
            )}
            <span title={timeSpan(startedAt, lastActiveAt)}>until {timeOfDay(lastActiveAt)}</span>
            {outline && ` · worked ${lasted(outline.worked)}`} ·{" "}
            <a href={chosenBy({ client: session.client })}>{session.client}</a>
            <Maker from={session.from} to={(person) => chosenBy({ person })} />
          </span>
        </div>
        {outcome !== "" && (
          <p class="outcome">
            <Said inline text={outcome} />
          </p>
        )}
        <p class="facts">
          <Facts session={session} outline={outline} />
          <MarkWords marks={marks} />
          <button
            type="button"
            class="quiet more"
            data-key="o"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? "Close" : "What happened in"} ${title.slice(0, 80)}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? "Close" : "What happened"}
          </button>
        </p>
        {isOpen && <Story id={id} />}
      </article>
    </li>
  );
}

/** The list with only these. */
const chosenBy = (choices: Record<string, string>) => `/memory?${new URLSearchParams(choices)}`;

/** What it came to, in a word each; what is counted leads to the first of it. */
function Facts({ session, outline }: Omit<Card, "session"> & { session: Session }) {
  const whole = addressOf("session", session.id);
  const { failures = 0, fixed = 0, commits = 0, files = 0, plans = 0, at = {} } = outline ?? {};
  const { decisions = 0, usedBy = 0, shownTo = 0, open = "" } = outline ?? {};
  const place = (name: string) => `${whole}${at[name] === undefined ? "" : `#prompt-${at[name]}`}`;
  const facts: Array<[count: number, tone: string, words: string, href: string]> = [
    [failures, "bad", counted(failures, "failure"), place("failures")],
    [fixed, "good", `${fixed} fixed`, place("fixed")],
    [decisions, "dec", counted(decisions, "decision"), `/decisions?session=${session.id}`],
    [plans, "dec", counted(plans, "plan"), place("plans")],
    [commits, "", counted(commits, "commit"), place("commits")],
    [files, "", counted(files, "file"), place("files")],
    [session.prompts, "", counted(session.prompts, "prompt"), whole],
  ];
  const rest = [
    session.status === "active" && "live",
    usedBy > 0 && `used by ${counted(usedBy, "session")}`,
    usedBy === 0 && shownTo > 0 && `shown to ${counted(shownTo, "session")}`,
  ];
  return (
    <>
      {facts
        .filter(([count]) => count > 0)
        .map(([, tone, words, href]) => (
          <a key={words} class={`fact ${tone}`} href={href}>
            {words}
          </a>
        ))}
      <span class="meta">{rest.filter(Boolean).join(" · ")}</span>
      {open !== "" && (
        <span class="meta open" title={open}>
          open: <Said inline text={unmarked(open).slice(0, 90)} />
        </span>
      )}
    </>
  );
}

/** What failed and was fixed, what was committed and decided; the rest is in the session. */
function Story({ id }: { id: string }) {
  const { answer, error } = useGet("/api/sessions/:id", { params: { id } });
  if (!answer) return <NotYet error={error} />;
  const most = 12;
  const { turns } = answer;
  return (
    <div class="story">
      {turns.slice(0, most).map((turn) => (
        <section key={turn.id}>
          <a class="said-by" href={`${addressOf("session", id)}#prompt-${turn.promptNumber}`}>
            You {timeOfDay(turn.startedAt)}
          </a>
          <TurnBody turn={turn} isShort />
        </section>
      ))}
      <a href={addressOf("session", id)}>
        {turns.length > most ? `All ${turns.length} prompts` : "Read the whole session"}
      </a>
    </div>
  );
}

interface NextProps {
  project: string;
  all: ReadonlyArray<{ id: string; name: string }>;
}

function NextSession({ project, all }: NextProps) {
  const known = all.find(({ id }) => id === project);
  return (
    <>
      <h2>
        The next session in <Said inline text={known?.name ?? project} />
      </h2>
      <p class="hint">
        What it starts with, and why ·{" "}
        <a href={`/context?${new URLSearchParams({ project })}`}>With a prompt, and earlier ones</a>
      </p>
      <ContextLines place={{ project }} isBeside />
    </>
  );
}

const Nothing = () => (
  <Empty>
    No session matches. <a href="/memory">Show all sessions</a>
  </Empty>
);

const NoneYet = () => (
  <Empty title="Nothing here yet">
    <p>
      Work with your agent as always. What you ask and what it does appears here a moment later; if
      it doesn’t, <code>memoir doctor</code> says why.
    </p>
    <p>
      Import the sessions from before with <code>memoir backfill</code>. A session then looks like
      this:
    </p>
    <article class="card" aria-label="An example">
      <div class="card-head">
        <strong>Fixed: refresh tokens expired a minute early on CI</strong>
        <span class="meta">example · 38 min</span>
      </div>
      <p class="outcome">The container’s clock ran 90 s ahead; verify() now allows 2 min.</p>
      <p class="facts">
        <span class="fact bad">1 failure</span>
        <span class="fact good">1 fixed</span>
        <span class="fact dec">1 decision</span>
        <span class="fact">2 commits</span>
      </p>
    </article>
  </Empty>
);

// A question answered from memory above the hits, at a click: each sentence with the records that carry it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { AnswerOf, RoutesOf } from "../../server/route-types.ts";
import { addressOf } from "../address.ts";
import { post } from "../api.ts";
import { asShown, counted } from "../words.ts";
import { Said } from "./said.tsx";
import { Trouble } from "./trouble.tsx";

type Answered = AnswerOf<RoutesOf<"post">["/api/ask"]>;
type Asked = { answer: Answered } | { error: unknown } | "waiting" | undefined;

interface AskProps {
  question: string;
  project: string;
  file: string;
  since: number | undefined;
}

/** The button, and what came of it for as long as the question stays. */
export function Ask({ question, project, file, since }: AskProps) {
  const [asked, setAsked] = useState<Asked>();
  const running = useRef<AbortController>(undefined);
  const stop = () => {
    running.current?.abort();
    setAsked(undefined);
  };
  useEffect(() => stop, [question, project, file, since]);
  async function ask() {
    const control = new AbortController();
    running.current = control;
    setAsked("waiting");
    const narrowing = { ...(project && { project }), ...(file && { file }), since };
    const next = await post("/api/ask", { body: { question, ...narrowing } }, control.signal).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    if (!control.signal.aborted) setAsked(next);
  }
  if (question.trim() === "") return null;
  if (asked === undefined)
    return (
      <button type="button" class="ask" onClick={ask}>
        Answer from memory
      </button>
    );
  return (
    <section class="card answer" aria-label="Answer" aria-live="polite">
      {asked === "waiting" ? (
        <p class="hint">
          Searching …{" "}
          <button type="button" class="quiet" onClick={stop}>
            Cancel
          </button>
        </p>
      ) : "error" in asked ? (
        <Trouble error={asked.error} />
      ) : (
        <Answered {...asked.answer} />
      )}
    </section>
  );
}

function Answered({ sentences, results, problem, spent, model }: Answered) {
  if (problem)
    return (
      <p class="hint">
        {problem.message} {problem.fix}
      </p>
    );
  const cost = spent.cost === null ? "price unknown" : `$${spent.cost.toFixed(4)}`;
  return (
    <>
      {sentences.length === 0 && (
        <p>
          Memory has nothing on that.{results.length > 0 && " Nearest:"}
          <Links hits={results.slice(0, 5)} />
        </p>
      )}
      {sentences.map(({ text, sources }) => (
        <p key={text}>
          <Said inline text={text} />
          <Links hits={results.filter(({ id }) => sources.includes(id))} />
        </p>
      ))}
      <p class="hint">
        {counted(spent.calls, "call")} · {counted(spent.tokens, "token")} · {cost}
        {model !== null && ` · ${model}`}
      </p>
    </>
  );
}

function Links({ hits }: { hits: Answered["results"] }) {
  return hits.map(({ id, kind, title }) => (
    <span key={id}>
      {" "}
      <a href={addressOf(kind, id)} title={asShown(title)}>
        {id}
      </a>
    </span>
  ));
}

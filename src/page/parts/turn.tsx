// One turn as a conversation: what was said is read, what was done is a line that opens, and a failure is tied to what fixed it.
import { pieceNames } from "../../evidence/piece-names.ts";
import type { Evidence, Turn } from "../../sdk/turn.ts";
import { unmarked } from "../../text/text.ts";
import { capital, counted, firstLine, timeOfDay } from "../words.ts";
import { CodeBlock } from "./code.tsx";
import { Folded } from "./folded.tsx";
import { Markdown } from "./markdown.tsx";
import { Said } from "./said.tsx";

const yours = new Set(["prompt", "typed", "refusal", "choice", "plan", "interrupted"]);
const words = new Set(["said", "closing"]);

/** What is drawn in one place: a piece, or a failure with all up to its fix. */
type Part = { piece: Evidence } | { failure: Evidence; between: Evidence[]; fix: Evidence };

/** A failure ends at the first fix of the same command. What passed as a fix or a commit is that alone. */
export function partsOf(all: readonly Evidence[]): Part[] {
  const pieces = all.filter(
    ({ kind, toolUseId }, at) =>
      kind !== "passed" || toolUseId === undefined || toolUseId !== all[at - 1]?.toolUseId,
  );
  const parts: Part[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece) break;
    const to = piece.kind === "failure" ? fixOf(pieces, at) : -1;
    const fix = pieces[to];
    if (fix) {
      parts.push({ failure: piece, between: pieces.slice(at + 1, to), fix });
      at = to;
    } else parts.push({ piece });
  }
  return parts;
}

const fixOf = (pieces: readonly Evidence[], at: number) =>
  pieces.findIndex(
    ({ kind, about }, other) => other > at && kind === "repair" && about === pieces[at]?.about,
  );

interface BodyProps {
  turn: Turn;
  /** Only what failed and was fixed, what was committed, and the first and last words. */
  isShort?: boolean;
}

/** All of it, in order. */
export function TurnBody({ turn, isShort = false }: BodyProps) {
  const { pieces, startedAt } = turn;
  const kept = isShort
    ? pieces.filter(({ kind }) => yours.has(kind) || shortKinds.has(kind))
    : pieces;
  const parts = partsOf(kept);
  const isFirstOfAgent = (at: number) =>
    !isShort && parts.slice(0, at).every((part) => "piece" in part && yours.has(part.piece.kind));
  return (
    <>
      {parts.map((part, at) => {
        if ("fix" in part) return <Fixed key={at} {...part} isShort={isShort} />;
        const { piece } = part;
        if (yours.has(piece.kind))
          return <Yours key={at} piece={piece} at={startedAt} isShort={isShort} />;
        return (
          <div key={at} class="agent">
            {isFirstOfAgent(at) && <p class="who">Agent {timeOfDay(piece.time ?? startedAt)}</p>}
            {words.has(piece.kind) ? (
              <>
                {piece.agent !== undefined && <p class="hint">{piece.agent}</p>}
                <Words text={piece.text} isShort={isShort} />
              </>
            ) : (
              <Use piece={piece} />
            )}
          </div>
        );
      })}
      {!isShort && <Files turn={turn} />}
    </>
  );
}

const shortKinds = new Set(["failure", "repair", "commit", "published", "closing"]);

function Yours({ piece, at, isShort }: { piece: Evidence; at: number; isShort: boolean }) {
  const { kind, text, about, time } = piece;
  const did = kind === "prompt" ? "You" : capital(pieceNames[kind]);
  return (
    <div class="you">
      {!(isShort && (kind === "prompt" || kind === "plan")) && (
        <p class="who">
          {did} {timeOfDay(time ?? at)}
        </p>
      )}
      {about !== undefined && (
        <p class="hint">
          <Said inline text={firstLine(about)} />
        </p>
      )}
      {text !== "" && <Words text={text} isShort={isShort} />}
    </div>
  );
}

const Words = ({ text, isShort }: { text: string; isShort: boolean }) =>
  isShort ? (
    <p class="outcome">
      <Said inline text={unmarked(text).slice(0, 400)} />
    </p>
  ) : (
    <Markdown text={text} />
  );

/** From red to green. */
function Fixed({
  failure,
  between,
  fix,
  isShort,
}: Extract<Part, { fix: Evidence }> & { isShort: boolean }) {
  return (
    <div class="fix">
      <Use piece={failure} isOpen isShort={isShort} />
      {between.length > 0 && !isShort && (
        <Folded title={`${counted(between.length, "step")} between`}>
          {() =>
            between.map((piece, at) =>
              words.has(piece.kind) ? (
                <Markdown key={at} text={piece.text} />
              ) : (
                <Use key={at} piece={piece} />
              ),
            )
          }
        </Folded>
      )}
      <p class="use-line good">
        <span class="use-name">fixed</span> <code>{firstLine(fix.about ?? "")}</code> passes
        {fix.time !== undefined && ` · ${timeOfDay(fix.time)}`}
      </p>
    </div>
  );
}

const tones: Readonly<Record<string, string>> = { failure: "bad", repair: "good", commit: "dec" };

interface UseProps {
  piece: Evidence;
  isOpen?: boolean;
  /** Only the end of what it printed. */
  isShort?: boolean;
}

/** A tool use, a commit, a subagent's task: one line, and all of it on demand. */
function Use({ piece, isOpen = false, isShort = false }: UseProps) {
  const { kind, text, about = "", described, times, agent, time, shortened = 0 } = piece;
  const isCommit = kind === "commit" || kind === "published";
  const line = isCommit ? firstLine(text) : described || firstLine(about) || firstLine(text);
  const title = (
    <>
      <span class="use-name">{kind === "repair" ? "fixed" : pieceNames[kind]}</span>{" "}
      <Said inline text={isCommit ? `${about.split(" ")[0]} ${line}` : line} />
      {times !== undefined && ` · ${times} times`}
      {agent !== undefined && ` · ${agent}`}
      {time !== undefined && ` · ${timeOfDay(time)}`}
    </>
  );
  return (
    <Folded title={title} isOpen={isOpen} class={`use ${tones[kind] ?? ""}`}>
      {() => (
        <>
          {!isShort && described !== undefined && about !== "" && (
            <CodeBlock text={about} language="bash" />
          )}
          {kind === "todo" || kind === "report" || kind === "compaction" || kind === "task" ? (
            <Markdown text={text} />
          ) : (
            text !== "" && <Output text={isShort ? text.split("\n").slice(-8).join("\n") : text} />
          )}
          {shortened > 0 && <p class="hint">{counted(shortened, "character")} were not kept.</p>}
        </>
      )}
    </Folded>
  );
}

const mostShown = 3_000;

/** What a command printed: its end says most. */
function Output({ text }: { text: string }) {
  const isLong = text.length > mostShown;
  return (
    <>
      <CodeBlock text={isLong ? text.slice(-mostShown) : text} />
      {isLong && (
        <Folded title={`All ${counted(text.length, "character")}`}>
          {() => <CodeBlock text={text} />}
        </Folded>
      )}
    </>
  );
}

function Files({ turn: { files, leftOut = {} } }: { turn: Turn }) {
  const left = Object.entries(leftOut);
  const of = (isChanged: boolean) => files.filter(({ changed }) => changed === isChanged);
  return (
    <>
      {[true, false].map((isChanged) => {
        const some = of(isChanged);
        if (some.length === 0) return null;
        const names = some.slice(0, 3).map(({ path }) => path.split("/").at(-1));
        const rest = some.length > 3 ? ` and ${some.length - 3} more` : "";
        return (
          <Folded
            key={String(isChanged)}
            class="use"
            title={
              <>
                <span class="use-name">{isChanged ? "changed" : "read"}</span>{" "}
                <Said inline text={`${names.join(", ")}${rest}`} />
              </>
            }
          >
            {() => (
              <ul class="files">
                {some.map(({ path, symbols = [] }) => (
                  <li key={path}>
                    <a href={`/search?${new URLSearchParams({ file: path })}`}>
                      <Said inline text={path} />
                    </a>
                    {symbols.length > 0 && (
                      <span class="hint">{symbols.slice(0, 8).join(", ")}</span>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </Folded>
        );
      })}
      {left.length > 0 && (
        <p class="hint">
          Not kept, too many: {left.map(([kind, count]) => `${count} ${kind}`).join(", ")}
        </p>
      )}
    </>
  );
}

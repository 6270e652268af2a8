// The server's routes for people who script against memoir, made from its own OpenAPI document.
import { useEffect, useMemo } from "preact/hooks";
import { go } from "../../address.ts";
import { get } from "../../api.ts";
import { NotYet } from "../../parts/trouble.tsx";
import { useAsked } from "../../use-asked.ts";
import { counted } from "../../words.ts";
import { type RouteDoc, routesOf } from "./list.ts";
import type { Field } from "./schema.ts";

/** The view; the address says which routes are looked for, and which is open. */
export function RoutesView({ address }: { address: URL }) {
  const words = address.searchParams.get("q") ?? "";
  const { answer, error } = useAsked("openapi", (signal) => get("/api/openapi.json", {}, signal));
  const all = useMemo(() => (answer ? routesOf(answer) : []), [answer]);
  useEffect(() => {
    document.title = "API · memoir";
  }, []);
  const open = address.hash.slice(1);
  useEffect(() => {
    if (all.length > 0 && open !== "") document.getElementById(open)?.scrollIntoView();
  }, [all.length > 0, open]);
  if (!answer) return <NotYet error={error} />;
  const found = all.filter(({ method, path, summary }) =>
    words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => `${method} ${path} ${summary}`.toLowerCase().includes(word)),
  );
  return (
    <div class="routes">
      <h1>Routes for your scripts</h1>
      <p>
        Everything that the page and the command line do goes by these, and is yours as well. Over
        the socket in memoir’s home no token is asked for; over loopback TCP it is{" "}
        <code>Authorization: Bearer</code> with what stands in <code>~/.memoir/token</code>. The
        document for programs, OpenAPI {answer.openapi}, is at <code>/api/openapi.json</code>.
      </p>
      <search>
        <input
          class="routes-words"
          type="search"
          aria-label="Find a route"
          placeholder="Find a route"
          value={words}
          onInput={(event) => {
            const q = event.currentTarget.value;
            go(`/routes${q === "" ? "" : `?${new URLSearchParams({ q })}`}`, { replace: true });
          }}
        />
      </search>
      <p class="hint" role="status">
        {counted(found.length, "route")} of memoir {answer.info.version}
      </p>
      {found.map((route) => (
        <Route key={route.id} route={route} isOpen={route.id === open} />
      ))}
    </div>
  );
}

function Route({ route, isOpen }: { route: RouteDoc; isOpen: boolean }) {
  const { id, method, path, summary, parameters, body, answer, command, example } = route;
  return (
    <details class="route" id={id} open={isOpen}>
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{" "}
        <span class="hint">{summary}</span>
      </summary>
      <div class="route-in">
        <h2>Ask</h2>
        <Code label={`How ${path} is asked`} text={command} />
        <Fields
          caption="In the address"
          fields={parameters.map(({ place, ...field }) => ({
            ...field,
            type: place === "path" ? `${field.type}, in the path` : field.type,
          }))}
        />
        <Fields caption="In the body" fields={body} />
        <h2>Answer</h2>
        {answer.length === 0 && example === undefined && (
          <p class="hint">Of no fixed form: text, a stream or a file.</p>
        )}
        <Fields caption="Fields" fields={answer} />
        {example !== undefined && <Code label={`What ${path} answers`} text={example} />}
        <p class="hint">
          What went wrong is <code>error</code> with a <code>code</code>, a <code>message</code> and
          a <code>fix</code>. <a href={`#${id}`}>Link to this route</a>
        </p>
      </div>
    </details>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="route-code" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}

function Fields({ caption, fields }: { caption: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="route-fields" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">What it holds</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, type, isRequired, description }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                {type}
                {!isRequired && <span class="hint-inline"> · may be left out</span>}
                {description !== "" && <span class="hint">{description}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// The adapter that follows from a description: how it is read, over the adapter of the client that it is like, and where memoir is put.
import { join, relative } from "node:path";
import type { ClientDescription, InstalledFile } from "../../sdk/client.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import type {
  ClientAdapter,
  ClientRegistration,
  RegistrationPart,
  RegistrationPlace,
} from "../adapter.ts";
import { claudeCodeEvents } from "../normal/payload.ts";
import { hooksPart, serverPart, serverTable } from "../normal/registration.ts";
import { diskPath } from "./places.ts";
import { describedReading } from "./reading.ts";

/** `base`: the adapter of `like`; absent: its form is Claude Code's. */
export function describedAdapter(
  name: string,
  description: ClientDescription,
  base?: ClientAdapter,
): ClientAdapter {
  const registration = registrationOf(name, description, base);
  return {
    ...describedReading(name, description, base),
    ...(registration && { registration }),
  };
}

function registrationOf(
  name: string,
  description: ClientDescription,
  base: ClientAdapter | undefined,
): ClientAdapter["registration"] {
  const own = base?.registration;
  if (description.install) return describedRegistration(description);
  if (!own) return undefined;
  const { program = "", folder, transcripts } = description;
  const here = (env: RegistrationPlace["env"]) => diskPath(folder, env);
  return {
    program,
    folder: here,
    events: own.events,
    files(place) {
      const history = transcripts && diskPath(transcripts.folder, place.env);
      const forked = { ...place, client: name, ...(history !== undefined && { history }) };
      return own.files(forked).map(({ path, parts }) => {
        const below = relative(own.folder(place.env), path);
        return { path: join(here(place.env), below), parts };
      });
    },
  };
}

// A registration as data: the files that a description names, with hooks, an MCP server, a rule that says when to search.

/** Where a client is, and what goes into which of its files. */
export function describedRegistration({
  program = "",
  folder,
  install = [],
}: Pick<ClientDescription, "program" | "folder" | "install">): ClientRegistration {
  const here = (env: RegistrationPlace["env"]) => diskPath(folder, env);
  const wanted = new Set(install.flatMap(({ hooks }) => (hooks ? eventsOf(hooks) : [])));
  return {
    program,
    folder: here,
    events: [...wanted],
    files: (place) =>
      install.map((file) => ({
        path: diskPath(file.path, place.env, here(place.env)),
        parts: partsOf(file, place),
      })),
  };
}

type Hooks = NonNullable<InstalledFile["hooks"]>;

function eventsOf({ events }: Hooks): readonly ClientEventName[] {
  return events === undefined ? claudeCodeEvents : [...namesOf(events).keys()];
}

function partsOf({ hooks, server, rules }: InstalledFile, place: RegistrationPlace) {
  const parts: RegistrationPart[] = [];
  if (hooks) {
    const { events, timeout, flat, named } = hooks;
    parts.push(
      hooksPart(place, {
        ...(events && { names: namesOf(events) }),
        ...(timeout && { timeout }),
        ...(named && { named }),
        ...(flat !== undefined && { flat: { version: flat } }),
      }),
    );
  }
  if (server)
    parts.push(server.toml ? serverTable(place) : serverPart(place, server.at, server.more));
  if (rules) parts.push(rules === "file" ? rulesFile : rulesBlock);
  return parts;
}

function namesOf(events: NonNullable<Hooks["events"]>): ReadonlyMap<ClientEventName, string> {
  const own = Array.isArray(events)
    ? (events as readonly ClientEventName[]).map((name) => [name, name] as const)
    : (Object.entries(events) as Array<[ClientEventName, string]>);
  return new Map(own);
}

// The word to an agent on when to use memoir's tools: a file of memoir's own, or a block in one that is the user's.

const text = `# Memory of earlier sessions (memoir)

The tools of the MCP server \`memoir\` know what was said and done in earlier sessions, also with other agents.

- \`search\` (\`queries\`: the question in two to four ways) when the user speaks of earlier work that you have not seen, and before you debug
  an error or choose an approach; then \`get\` with the ids that matter. Not for what is in the files in front of you.
- \`remember\` only what the user asked to keep, with their own words as \`quote\`.
`;

/** Where every file in a folder is a rule. */
export const rulesFile: RegistrationPart = { kind: "whole", text };

const [begin, end] = ["<!-- memoir: begin -->", "<!-- memoir: end -->"];
const block = `${begin}\n${text}${end}\n`;

/** The block with the lines around it that are its own. */
const found = new RegExp(`${begin}\\r?\\n[\\s\\S]*?${end}(?:\\r?\\n|$)`);

/** Where all rules stand in one file. */
export const rulesBlock: RegistrationPart = {
  kind: "edit",
  what: "rules",
  put(old) {
    if (found.test(old)) return old.replace(found, () => block);
    return old === "" ? block : `${old}${old.endsWith("\n") ? "\n" : "\n\n"}${block}`;
  },
  take: (whole) => whole.replace(new RegExp(`(?:\\r?\\n)?${found.source}`), ""),
  state(whole) {
    const [own] = found.exec(whole) ?? [];
    return own === undefined ? "none" : own === block ? "current" : "other";
  },
};

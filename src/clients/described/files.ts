// A registration as data: the files that a description names, with hooks, an MCP server, a rule that says when to search.
import type { ClientDescription, InstalledFile } from "../../sdk/client.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import type { ClientRegistration, RegistrationPart, RegistrationPlace } from "../adapter.ts";
import { claudeCodeEvents } from "../normal/payload.ts";
import { hooksPart, serverPart } from "../normal/registration.ts";
import { serverTable } from "../normal/toml.ts";
import { diskPath } from "./places.ts";
import { rulesBlock, rulesFile } from "./rules.ts";

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

// `memoir sync`: shares memory with other machines and people, through a hub that cannot read it.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { nearest } from "../../runtime/config/problems.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { AnswerOf, RoutesOf } from "../../server/route-types.ts";
import { ago, size } from "../../text/amounts.ts";
import { plural } from "../../text/text.ts";
import { server } from "../server/client.ts";
import { columns, dateTime, printable } from "../terminal/layout.ts";
import { agreed, answer, markOf, sayDone } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Status = AnswerOf<RoutesOf<"get">["/api/sync"]>;
type Members = AnswerOf<RoutesOf<"get">["/api/sync/members"]>["members"];

interface Options {
  json?: boolean;
  space?: "mine" | "team";
  as?: string;
  machine?: string;
}

const timeoutMs = 60_000;

const who = ({ as, machine }: Options) => ({
  ...(as ? { person: as } : {}),
  ...(machine ? { machine } : {}),
});
const of = ({ space }: Options) => (space ? { space } : {});

/** `memoir sync init`. Rejects with `hub_refused` or `hub_away` where the hub cannot be used; then nothing is changed. */
export async function init(
  hub: string,
  options: Options & { team?: boolean; mine?: boolean },
  terminal: Terminal,
): Promise<number> {
  if (/^[a-z]+:\/\//i.test(hub))
    throw new MemoirError("usage", "A connection string doesn't belong in an argument.", {
      fix: "Use `memoir sync init postgres`; the address is asked for. Whoever saw this command may know its password now.",
    });
  if (isSlip(hub, terminal))
    throw new MemoirError("usage", `There is no folder ${hub}; did you mean postgres?`, {
      fix: "Use `memoir sync init postgres`, or name a folder that is there.",
    });
  const place =
    hub === "postgres"
      ? { type: "postgres" as const, address: await readAddress(terminal) }
      : { type: "folder" as const, folder: resolve(terminal.cwd, hub) };
  const { team, mine } = options;
  const asked = team ? { kind: "team" as const } : mine ? { kind: "mine" as const } : {};
  const body = { ...asked, hub: place, ...who(options) };
  const status = await server.post("/api/sync/spaces", { body, timeoutMs });
  const where = printable(status.hub?.where ?? hub);
  if (!status.made && !status.replaced)
    return answer(terminal, options, status, () => [
      `Nothing changed: this home shares memory through ${where} already.`,
      "One more space: memoir sync init --team, or --mine for one of your own, which shares every project",
    ]);
  if (!status.made)
    return answer(terminal, options, status, () => [
      `${markOf("ok", terminal)} The address of ${where} is replaced; your spaces are as before.`,
    ]);
  return answer(terminal, options, status, () => [
    `${markOf("ok", terminal)} This home shares memory through ${where}.`,
    team
      ? "Nothing is shared yet: `memoir sync share` in a project shares it."
      : "All projects are shared between your machines; `memoir sync unshare` keeps one here.",
    "Add a machine or person: memoir sync invite",
  ]);
}

/** A word that is no folder here, and nearly the one that means a database. */
function isSlip(hub: string, { cwd }: Terminal): boolean {
  return (
    hub !== "postgres" && nearest(hub, ["postgres"]) !== undefined && !existsSync(resolve(cwd, hub))
  );
}

async function readAddress(terminal: Terminal): Promise<string> {
  const text = (
    await terminal.secret("Connection string (postgres://user:password@host/database): ")
  ).trim();
  if (text) return text;
  throw new MemoirError("usage", "No connection string was given.", {
    fix: "Type it when asked, or pipe it in: `memoir sync init postgres < address.txt`.",
  });
}

/** `memoir sync invite`. */
export async function invite(
  options: Options & {
    role: "owner" | "writer" | "reader";
    key?: boolean;
    label?: string;
    days?: number;
  },
  terminal: Terminal,
): Promise<number> {
  const { role, key, label, days } = options;
  const body = {
    ...of(options),
    ...{ role, ...(key ? { forKey: true } : {}) },
    ...(label ? { label } : {}),
    ...(days ? { days } : {}),
  };
  const made = await server.post("/api/sync/invitations", { body, timeoutMs });
  return answer(terminal, options, made, () => {
    // Piped or copied, the line has to be the invitation alone.
    if (terminal.interactive)
      terminal.warn(
        key
          ? "Set MEMOIR_SYNC to this line where short-lived homes run. Treat it as a password."
          : "On the other machine, run `memoir sync join` and paste this line. Treat it as a password.",
      );
    return [made.invitation];
  });
}

/** `memoir sync join`. Never from an argument, which every user of the machine sees in the list of processes. */
export async function join(
  options: Options & { folder?: string },
  terminal: Terminal,
): Promise<number> {
  const invitation = await terminal.secret("Invitation: ");
  const { folder } = options;
  const body = {
    invitation,
    ...(folder ? { folder: resolve(terminal.cwd, folder) } : {}),
    ...who(options),
  };
  const status = await server.post("/api/sync/join", { body, timeoutMs });
  const said = {
    new: `${markOf("ok", terminal)} This home is in ${status.spaces.length === 1 ? "the space" : "both spaces"} now.`,
    raised: `${markOf("ok", terminal)} This home may do more in the space now, as the invitation says.`,
    already:
      "This home is in the space already; nothing changed. If nobody took the invitation up, it still works for another home; `memoir sync remove` withdraws it.",
  }[status.joined];
  return answer(terminal, options, status, () => [
    said,
    ...statusLines(printable(status), terminal),
  ]);
}

/** `memoir sync share`. */
export function share(project: string, options: Options, terminal: Terminal): Promise<number> {
  return setShared(project, true, options, terminal);
}

/** `memoir sync unshare`. */
export function unshare(
  project: string,
  options: Options & { takeBack?: boolean },
  terminal: Terminal,
): Promise<number> {
  return setShared(project, false, options, terminal);
}

async function setShared(
  given: string,
  shared: boolean,
  options: Options & { takeBack?: boolean },
  terminal: Terminal,
) {
  // Of a clone in which nothing was remembered yet, too.
  const here = { query: { cwd: terminal.cwd } };
  const project =
    given === "." ? (await server.get("/api/endless/project", here)).project.id : given;
  const { takeBack = false } = options;
  const body = { ...of(options), project, shared, ...(takeBack ? { takeBack } : {}) };
  const status = await server.post("/api/sync/projects", { body, timeoutMs });
  return answer(terminal, options, status, () => [
    `${markOf("ok", terminal)} ${printable(project)} is ${shared ? "shared" : "kept here from now on"}.`,
    ...(takeBack ? ["The others remove what came from this machine as they sync."] : []),
  ]);
}

/** `memoir sync status`. Exits with 1 where something keeps memory from being shared. */
export async function status(options: Options, terminal: Terminal): Promise<number> {
  const found = await server.get("/api/sync", { timeoutMs });
  const isWell =
    !found.trouble &&
    found.hub?.ok !== false &&
    found.spaces.every(({ lost, streams }) => !lost && streams.every(({ stuck }) => !stuck));
  const lines = () => statusLines(printable(found), terminal);
  return answer(terminal, options, found, lines, isWell ? 0 : 1);
}

function statusLines({ hub, spaces, lastAt, trouble }: Status, terminal: Terminal): string[] {
  const { dim } = terminal.colors;
  if (!hub)
    return [
      "Memory stays on this machine.",
      dim("Share it: memoir sync init <folder>, memoir sync init postgres, memoir sync join"),
      ...(trouble ? [`${markOf("fail", terminal)} ${trouble}`] : []),
    ];
  const last = lastAt === null ? "not synced yet" : `last synced ${ago(lastAt, terminal.now())}`;
  const why = hub.trouble ?? trouble;
  return [
    `${markOf(why ? "fail" : "ok", terminal)} ${hub.where}${hub.bytes === null ? "" : `, ${size(hub.bytes)}`}, ${last}`,
    ...(why ? [`  ${why}`] : []),
    ...(hub.ok ? [] : [dim("  What is new here waits, and is sent once the hub answers.")]),
    ...spaces.flatMap((space) => spaceLines(space, terminal)),
  ];
}

function spaceLines(space: Status["spaces"][number], terminal: Terminal): string[] {
  const { kind, members, role, projects, lost, waiting, streams, lastHere } = space;
  const what =
    kind === "mine"
      ? projects.length > 0
        ? `all projects but ${projects.join(", ")}`
        : "all projects"
      : projects.join(", ") || "no project yet";
  const rows = streams.map(({ person, machine, at, stuck }) => [
    `  ${person}`,
    machine,
    dateTime(at),
    stuck ? `${markOf("fail", terminal)} ${stuck}` : "",
  ]);
  return [
    "",
    `${kind === "mine" ? "Your own space" : "Team space"} (${plural(members, "member")}${role === "reader" ? "; you may only read" : ""}): ${what}`,
    ...(lost
      ? [
          `${markOf("fail", terminal)} ${lost} \`memoir sync leave\` forgets the space; what came stays.`,
        ]
      : []),
    ...(waiting > 0
      ? [`  To be sent: ${plural(waiting, "change")}${waiting < 1_000 ? "" : " or more"}`]
      : []),
    ...(lastHere
      ? [
          `  Last here: ${[lastHere.person, lastHere.machine].filter(Boolean).join(", ")}, ${ago(lastHere.at, terminal.now())}`,
        ]
      : []),
    ...columns(
      rows.length > 0 ? [["  From", "Machine", "Last came", ""], ...rows] : [],
      terminal.width,
    ),
  ];
}

/** `memoir sync now`. */
export async function syncNow(options: Options, terminal: Terminal): Promise<number> {
  const done = await server.post("/api/sync/now", { timeoutMs: 600_000 });
  return answer(terminal, options, done, () => [
    `${markOf("ok", terminal)} ${plural(done.came, "change")} received, ${plural(done.went, "batch", "batches")} sent`,
  ]);
}

/** `memoir sync members`. */
export async function members(options: Options, terminal: Terminal): Promise<number> {
  const found = await server.get("/api/sync/members", { query: of(options), timeoutMs });
  return answer(terminal, options, found, () => memberLines(printable(found.members), terminal));
}

function memberLines(all: Members, terminal: Terminal): string[] {
  const { dim } = terminal.colors;
  return columns(
    all.map(({ id, person, machine, role, kind, isSelf, until, seenAt }) => [
      person,
      machine,
      kind === "home" ? role : `${kind} (${role})`,
      isSelf ? "this home" : until === null ? "" : `until ${dateTime(until)}`,
      isSelf || seenAt === null ? "" : `here ${ago(seenAt, terminal.now())}`,
      dim(id.slice(0, 8)),
    ]),
    terminal.width,
  );
}

/** `memoir sync remove`. */
export async function remove(
  member: string,
  options: Options & { yes?: boolean },
  terminal: Terminal,
): Promise<number> {
  const question = `Remove ${printable(member)}? They keep what they already received.`;
  if (!(await agreed(question, options, terminal))) return 1;
  const body = { ...of(options), member };
  const found = await server.post("/api/sync/remove", { body, timeoutMs });
  return answer(terminal, options, found, () => {
    sayDone(`${printable(member)} is removed; the others have a new key.`, terminal);
    return memberLines(printable(found.members), terminal);
  });
}

/** `memoir sync leave`. */
export async function leave(
  options: Options & { yes?: boolean; force?: boolean; takeBack?: boolean },
  terminal: Terminal,
): Promise<number> {
  if (!(await agreed("Leave the space? What came from it stays here.", options, terminal)))
    return 1;
  const left = await server.post("/api/sync/leave", {
    body: {
      ...of(options),
      ...(options.force ? { force: true } : {}),
      ...(options.takeBack ? { takeBack: true } : {}),
    },
    timeoutMs,
  });
  return answer(terminal, options, left, () => [
    left.isHereOnly
      ? `${markOf("ok", terminal)} Left on this machine only: the hub couldn't be asked, so the others still list this home.`
      : `${markOf("ok", terminal)} This home left the space.`,
  ]);
}

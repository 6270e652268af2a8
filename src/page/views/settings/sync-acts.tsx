// What is done about sharing, each in a dialog: by the routes of `memoir sync` and in its words. What is typed stands in the fields alone, and goes with them.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer, AnswerOf, RoutesOf } from "../../../server/route-types.ts";
import { post, Refusal } from "../../api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Trouble } from "../../parts/trouble.tsx";
import { useWork } from "../../use-work.ts";

export type Space = Answer<"/api/sync">["spaces"][number];
export type Member = Answer<"/api/sync/members">["members"][number];

interface Field {
  name: string;
  label: string;
  hint?: string;
  type?: "password" | "number" | "checkbox";
  required?: boolean;
  choices?: Readonly<Record<string, string>>;
  /** Whether it is what a refusal is about. */
  isAbout?(error: unknown): boolean;
}

/** What somebody is about to do: what it says and asks, and how it is done. */
export interface Deed {
  title: string;
  submit: string;
  isDangerous?: boolean;
  says?: string;
  fields?: readonly Field[];
  /** Takes what was typed by its name: empty where nothing was, "on" for a ticked box. Says what is otherwise now. */
  run(typed: (name: string) => string): Promise<{ said: string; invitation?: string }>;
}

const person = { name: "person", label: "How others see you; without it your user name" };
const machine = { name: "machine", label: "How others see this machine; without it its name" };
const folderHint = "A folder that another program syncs, by its whole path on this machine.";
const isHubs = (error: unknown) => error instanceof Refusal && error.code === "hub_refused";
const takeBack: Field = {
  ...{ name: "takeBack", type: "checkbox" },
  label: "Ask the others to remove what this home sent; copies stay",
};

const hubs: Readonly<Record<"folder" | "postgres", Field>> = {
  folder: { name: "folder", label: "Folder", hint: folderHint, required: true },
  postgres: {
    ...{ name: "address", label: "Connection string", type: "password", required: true },
    hint: "postgres://user:password@host/database; stored in keys.json, which only you can read.",
  },
};

/** Also another password for the database in force. */
export const init = (type: keyof typeof hubs): Deed => ({
  title: type === "folder" ? "Start a space in a folder" : "Start a space in PostgreSQL",
  submit: "Start",
  fields: [
    { ...hubs[type], isAbout: () => true },
    {
      ...{ name: "kind", label: "For" },
      choices: { mine: "Your machines: every project", team: "A team: nothing until you share it" },
    },
    ...[person, machine],
  ],
  async run(typed) {
    const kind = typed("kind") === "team" ? "team" : "mine";
    const hub =
      type === "folder"
        ? { type, folder: typed("folder") }
        : { type: "postgres" as const, address: typed("address") };
    const who = { person: typed("person") || undefined, machine: typed("machine") || undefined };
    const { made } = await post("/api/sync/spaces", { body: { kind, hub, ...who } });
    if (!made) return { said: "The hub’s address is replaced; your spaces are as before." };
    return {
      said: `The space is there. ${kind === "team" ? "Nothing is shared until you share its project." : "All projects are shared between your machines."}`,
    };
  },
});

const joinedSays: Record<
  AnswerOf<RoutesOf<"post">["/api/sync/join"]>["joined"],
  (where: string) => string
> = {
  new: (where) => `This home is in ${where} now.`,
  raised: () => "This home may do more in the space now, as the invitation says.",
  already: () =>
    "This home is in the space already; the invitation was not used. Give it to another, or remove it.",
};

export const join: Deed = {
  title: "Join a space",
  submit: "Join",
  fields: [
    {
      ...{ name: "invitation", label: "Invitation", type: "password", required: true },
      hint: "The whole line that memoir made on the other machine.",
      isAbout: (error) => !isHubs(error),
    },
    {
      ...{ name: "folder", label: "Folder, if it is elsewhere on this machine" },
      ...{ hint: folderHint, isAbout: isHubs },
    },
    ...[person, machine],
  ],
  async run(typed) {
    const who = { person: typed("person") || undefined, machine: typed("machine") || undefined };
    const body = { invitation: typed("invitation"), folder: typed("folder") || undefined, ...who };
    const { spaces, joined } = await post("/api/sync/join", { body });
    return { said: joinedSays[joined](spaces.length === 1 ? "the space" : "both spaces") };
  },
};

export const invite = ({ kind }: Space): Deed => ({
  title: "Invite",
  submit: "Make an invitation",
  fields: [
    {
      ...{ name: "role", label: "What it allows" },
      choices: { writer: "Read and write", reader: "Read only", owner: "Also invite and remove" },
    },
    { name: "label", label: "How it is listed" },
    {
      ...{ name: "days", label: "Days until it expires", type: "number" },
      hint: "Without a number 7; a key for containers does not expire.",
      isAbout: () => true,
    },
    {
      ...{ name: "forKey", type: "checkbox" },
      label: "For containers and CI: any number of homes, until you remove it",
    },
  ],
  async run(typed) {
    const role = (["writer", "reader", "owner"] as const).find((one) => one === typed("role"));
    const body = {
      ...{ space: kind, role: role ?? "writer", forKey: typed("forKey") === "on" },
      ...{ label: typed("label") || undefined, days: Number(typed("days")) || undefined },
    };
    const { invitation } = await post("/api/sync/invitations", { body });
    return { said: "The invitation is in the list below.", invitation };
  },
});

interface Named {
  id: string;
  name: string;
}

export const share = ({ kind }: Space, { id, name }: Named, shared: boolean): Deed => ({
  title: shared ? `Share ${name}?` : `Keep ${name} local?`,
  submit: shared ? "Share" : "Keep local",
  says: shared
    ? `${kind === "team" ? "Every member receives it" : "Your other machines receive it"}, also what was stored before.`
    : "Nothing more of it is sent. What was already shared stays with the others, unless you say otherwise.",
  fields: shared ? [] : [takeBack],
  async run(typed) {
    const takesBack = typed("takeBack") === "on" || undefined;
    const body = { space: kind, project: id, shared, takeBack: takesBack };
    await post("/api/sync/projects", { body });
    const back = takesBack ? " The others remove what came from this machine as they sync." : "";
    return { said: `${name} is ${shared ? "shared" : "kept here from now on"}.${back}` };
  },
});

export const nameOf = (of: Pick<Member, "person" | "machine">) =>
  [of.person, of.machine].filter(Boolean).join(", ");

export const remove = ({ kind }: Space, member: Member): Deed => ({
  title: `Remove ${nameOf(member)}?`,
  submit: "Remove",
  isDangerous: true,
  says: "They keep what they already received, and could have copied it: removing can’t undo that. They get nothing new, and what they write is not taken. They still know the hub’s address: give a database’s role another password.",
  async run() {
    await post("/api/sync/remove", { body: { space: kind, member: member.id } });
    return { said: `${nameOf(member)} is removed; the others have a new key.` };
  },
});

export const leave = ({ kind }: Space): Deed => ({
  title: "Leave the space?",
  submit: "Leave",
  isDangerous: true,
  says: "What came from it stays here. What you shared stays with the others, unless you say otherwise.",
  fields: [
    takeBack,
    {
      ...{ name: "force", type: "checkbox" },
      label: "Leave on this machine even if the hub is away or doesn’t know the space",
    },
  ],
  async run(typed) {
    const [force, back] = [typed("force"), typed("takeBack")].map((one) => one === "on");
    const { isHereOnly } = await post("/api/sync/leave", {
      body: { space: kind, force: force || undefined, takeBack: back || undefined },
    });
    return {
      said: isHereOnly
        ? "Left on this machine only: the hub didn’t answer, so the others still list this home."
        : "This home left the space.",
    };
  },
});

interface ActProps {
  act: Deed;
  close(): void;
  done(said: string): void;
}

/** Asks what it takes, does it, and says what was refused. No browser sends the form anywhere. */
export function ActDialog({ act, close, done }: ActProps) {
  const { title, submit, isDangerous, says, fields = [] } = act;
  const [made, setMade] = useState<{ said: string; invitation: string }>();
  const { busy, error, run } = useWork();
  const form = useRef<HTMLFormElement>(null);
  useEffect(
    () => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    [error],
  );
  const start = (data: FormData) =>
    run(async () => {
      const { said, invitation } = await act.run((name) => String(data.get(name) ?? "").trim());
      if (invitation === undefined) done(said);
      else setMade({ said, invitation });
    });
  if (made) return <Invitation text={made.invitation} close={() => done(made.said)} />;
  const isAbout = (field: Field) => error !== undefined && field.isAbout?.(error) === true;
  return (
    <Dialog title={title} close={close}>
      <form
        ref={form}
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void start(new FormData(event.currentTarget));
        }}
      >
        {says && <p>{says}</p>}
        {fields.map((field) => (
          <Asked key={field.name} of={field} error={isAbout(field) ? error : undefined} />
        ))}
        {error !== undefined && !fields.some(isAbout) && <Trouble error={error} />}
        <p class="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? "danger" : "main"} disabled={busy}>
            {busy ? `${submit} …` : submit}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

const kinds = {
  text: { type: "text" },
  password: { type: "password" },
  number: { type: "number", min: 1, max: 365 },
} as const;

/** One field, and beside it what is wrong with it. */
function Asked({ of, error }: { of: Field; error: unknown }) {
  const { name, label, hint, type = "text", required = false, choices } = of;
  const id = `sync-${name}`;
  if (type === "checkbox")
    return (
      <label class="check">
        <input type={type} name={name} />
        {label}
      </label>
    );
  const isRefused = error !== undefined;
  const common = { id, name, required, "aria-describedby": `${id}-about` };
  return (
    <div class={isRefused ? "option refused" : "option"}>
      <label for={id}>{label}</label>
      {choices ? (
        <select {...common}>
          {Object.entries(choices).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...{ ...common, ...kinds[type], autocomplete: "off", spellcheck: false }}
          aria-invalid={isRefused}
        />
      )}
      <div id={`${id}-about`}>
        {hint && <p class="foot">{hint}</p>}
        {isRefused && <Trouble error={error} />}
      </div>
    </div>
  );
}

/** Shown once: it is nowhere else. */
function Invitation({ text, close }: { text: string; close(): void }) {
  const [said, setSaid] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = () => {
    field.current?.select();
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied."),
      () => setSaid("It is marked: copy it with the keyboard."),
    );
  };
  return (
    <Dialog title="The invitation" close={close}>
      <p>
        Paste it where the other machine joins; containers take it as <code>MEMOIR_SYNC</code>.
        Treat it as a password: whoever has it can join. It is not shown again.
      </p>
      <textarea ref={field} class="id" readOnly rows={5} aria-label="Invitation" value={text} />
      <p class="buttons">
        <span class="hint" role="status">
          {said}
        </span>
        <button type="button" onClick={copy}>
          Copy
        </button>
        <button type="button" class="main" onClick={close}>
          Done
        </button>
      </p>
    </Dialog>
  );
}

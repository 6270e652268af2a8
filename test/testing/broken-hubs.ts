// A hub that lives in this process, and for each promise of a hub one that breaks it.
import { createHash } from "node:crypto";
import type { HookInput, HookOutput } from "../../src/sdk/hooks.ts";
import { type AnyPlugin, definePlugin } from "../../src/sdk/plugin.ts";

interface Kept {
  batches: Map<string, Uint8Array[]>;
  files: Map<string, Uint8Array>;
}

type Hub = {
  push(batch: HookInput<"hub.push">): HookOutput<"hub.push">;
  pull(asked: HookInput<"hub.pull">): HookOutput<"hub.pull">;
  write(file: HookInput<"hub.write">): HookOutput<"hub.write">;
  files(asked: HookInput<"hub.files">): HookOutput<"hub.files">;
  remove(asked: HookInput<"hub.remove">): Record<string, never>;
  wait(asked: HookInput<"hub.wait">): Promise<{ changed: boolean }>;
  health(): HookOutput<"hub.health">;
};

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function memoryHub(kept: Kept): Hub {
  const streamsOf = (space: string) =>
    [...kept.batches].flatMap(([key, all]) =>
      key.startsWith(`${space}/`) ? [{ stream: key.slice(space.length + 1), all }] : [],
    );
  return {
    push({ space, stream, number, bytes }) {
      const all = kept.batches.get(`${space}/${stream}`) ?? [];
      const there = all[number - 1];
      if (there) return { state: digest(there) === digest(bytes) ? "there" : "taken", number };
      if (number !== all.length + 1) return { state: "behind", number: all.length };
      kept.batches.set(`${space}/${stream}`, [...all, bytes]);
      return { state: "stored", number };
    },
    pull({ space, after, bytes: most, newest }) {
      let left = most;
      const wanted = streamsOf(space).flatMap(({ stream, all }) =>
        all
          .map((bytes, at) => ({
            stream,
            number: at + 1,
            bytes,
            age: newest ? all.length - at : 0,
          }))
          .slice(newest ? Math.max(0, all.length - newest) : (after[stream] ?? 0)),
      );
      const batches = wanted
        .toSorted((a, b) => a.age - b.age)
        .filter(({ bytes }) => {
          left -= bytes.length;
          return left + bytes.length > 0;
        })
        .sort((a, b) => a.stream.localeCompare(b.stream) || a.number - b.number)
        .map(({ stream, number, bytes }) => ({ stream, number, bytes }));
      const more = batches.length < wanted.length;
      const heads = streamsOf(space).map(({ stream, all }) => ({
        stream,
        number: all.length,
        digest: digest(all.at(-1) ?? new Uint8Array()),
      }));
      return { batches, heads, more };
    },
    write({ space, name, bytes, isNew }) {
      if (isNew && kept.files.has(`${space}/${name}`)) return { written: false };
      kept.files.set(`${space}/${name}`, bytes);
      return { written: true };
    },
    files: ({ space, prefix }) => ({
      files: [...kept.files]
        .filter(([name]) => name.startsWith(`${space}/${prefix}`))
        .map(([name, bytes]) => ({ name: name.slice(space.length + 1), bytes }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    }),
    remove({ space, names }) {
      for (const name of names) kept.files.delete(`${space}/${name}`);
      return {};
    },
    async wait({ ms }) {
      const size = () => [...kept.batches.values()].flat().length;
      const before = size();
      for (let waited = 0; waited < ms && size() === before; waited += 20) await Bun.sleep(20);
      return { changed: size() !== before };
    },
    health: () => ({ ok: true, where: "this process" }),
  };
}

/** The hub of this process, with what `change` makes of it. `lives`: what it holds outlives a stop. */
export function hub(change: (honest: Hub) => Partial<Hub> = () => ({}), lives = true): AnyPlugin {
  const fresh = (): Kept => ({ batches: new Map(), files: new Map() });
  const shared = fresh();
  return definePlugin<unknown, Hub>({
    name: "broken",
    description: "A hub in this process.",
    sdk: 1,
    slot: "hub",
    start() {
      const honest = memoryHub(lives ? shared : fresh());
      return { ...honest, ...change(honest) };
    },
    hooks: {
      "hub.push": (input, { state }) => state.push(input),
      "hub.pull": (input, { state }) => state.pull(input),
      "hub.write": (input, { state }) => state.write(input),
      "hub.files": (input, { state }) => state.files(input),
      "hub.remove": (input, { state }) => state.remove(input),
      "hub.wait": (input, { state }) => state.wait(input),
      "hub.health": (_input, { state }) => state.health(),
    },
  });
}

const throughText = (bytes: Uint8Array) =>
  new TextEncoder().encode(new TextDecoder().decode(bytes));

/** Promise → who breaks it. */
export const brokenHubs: Record<string, AnyPlugin> = {
  "gives back what was pushed, whole and in order": hub(({ push }) => ({
    push: (batch) => push({ ...batch, bytes: throughText(batch.bytes) }),
  })),
  "takes a repeat as one, and no other bytes for a number": hub(({ push }) => ({
    push: (batch) => ({ ...push(batch), state: "stored" }),
  })),
  "takes the same push twenty times at once as one": hub(({ push }) => ({
    push(batch) {
      const { state, number } = push(batch);
      return { state: state === "there" ? "taken" : state, number };
    },
  })),
  "refuses a gap and says how much it has": hub(({ push }) => ({
    push: (batch) => ({ ...push(batch), number: batch.number }),
  })),
  "reads on from where a reader is, in pieces that have an end": hub(({ pull }) => ({
    pull: (asked) => ({ ...pull(asked), more: true }),
  })),
  "gives the newest first where it is asked to": hub(({ pull }) => ({
    pull: ({ newest: _newest, ...asked }) => pull(asked),
  })),
  "gives the last of each stream before what is older, where not all fits": hub(({ pull }) => ({
    pull: ({ newest: _newest, ...asked }) => pull(asked),
  })),
  "keeps files by name, and lets the first of two have a new one": hub(({ write }) => ({
    write: ({ isNew: _isNew, ...file }) => write(file),
  })),
  "keeps snapshots of any bytes, and gives those of one stream by their tens": hub(({ write }) => ({
    write: (file) => write({ ...file, bytes: throughText(file.bytes) }),
  })),
  "has it all after a restart, and nothing in another space": hub(() => ({}), false),
  "wakes who waits when something comes, and else when told to": hub(() => ({
    async wait({ ms }) {
      await Bun.sleep(Math.min(ms, 1_000));
      return { changed: false };
    },
  })),
  "says where it is and that it is well": hub(() => ({
    health: () => ({ ok: false, where: "this process", trouble: "It was never well." }),
  })),
};

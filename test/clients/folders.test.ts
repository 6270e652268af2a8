// Where clients keep their files when a variable moved them.
import { expect, test } from "bun:test";
import { adapterNamed } from "../../src/clients/index.ts";

interface Moved {
  client: string;
  env: Record<string, string>;
  settings: string;
  sessions: string;
}

const home = { HOME: "/home/dev" };

const cases: readonly Moved[] = [
  {
    client: "qwen",
    env: { QWEN_HOME: "/q" },
    settings: "/q/settings.json",
    sessions: "/q/projects",
  },
  {
    client: "qwen",
    env: { QWEN_HOME: "/q", QWEN_RUNTIME_DIR: "/r" },
    settings: "/q/settings.json",
    sessions: "/r/projects",
  },
  {
    client: "pi",
    env: { PI_CODING_AGENT_DIR: "/p" },
    settings: "/p/extensions/memoir.js",
    sessions: "/p/sessions",
  },
  {
    client: "pi",
    env: { PI_CODING_AGENT_SESSION_DIR: "/s" },
    settings: "/home/dev/.pi/agent/extensions/memoir.js",
    sessions: "/s",
  },
];

test.each(cases.map((one) => [one.client, JSON.stringify(one.env), one] as const))(
  "%s with %s",
  async (_, __, { client, env, settings, sessions }) => {
    const { registration, transcripts } = await adapterNamed(client);
    const place = { env: { ...home, ...env }, binary: "/m", home: undefined, command: "" };
    const files = registration?.files({ ...place, events: new Map() });
    expect(files?.map(({ path }) => path)).toEqual([settings]);
    expect(transcripts?.folder(place.env)).toBe(sessions);
  },
);

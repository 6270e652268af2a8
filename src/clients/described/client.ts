// A description as a row of the table of clients: what it lets memoir do follows from what it says.
import type { ClientDescription } from "../../sdk/client.ts";
import type { Client, ClientAbilities } from "../adapter.ts";
import { wayOf } from "../adapter.ts";

/** `like`: the client that it is like, where it is like one; `driven`: the version that was driven by tests. */
export function describedClient(
  name: string,
  description: ClientDescription,
  like?: Client,
  driven?: string,
): Client {
  const { title, remark = "" } = description;
  const { driven: _driven, ...inherited } = like?.abilities ?? abilitiesOf(description);
  return {
    ...{ name, title, remark },
    abilities: {
      ...inherited,
      backfill: description.transcripts !== undefined,
      ...(driven !== undefined && { driven }),
    },
    async load() {
      const { describedAdapter } = await import("./adapter.ts");
      const base = (await like?.load())?.adapter;
      return { adapter: describedAdapter(name, description, base) };
    },
  };
}

function abilitiesOf(description: ClientDescription): ClientAbilities {
  const { install = [], answer, transcripts } = description;
  const mcp = install.some(({ server }) => server);
  if (wayOf(description) === "tools") {
    const nothing = { sessionContext: false, promptContext: false, results: false };
    const none = { prompts: "none", outcomes: "none", sessionEnd: "none" } as const;
    return { way: "tools", ...nothing, ...none, mcp, backfill: transcripts !== undefined };
  }
  const said = transcripts?.fillsIn ? "transcript" : "hook";
  return {
    way: "hooks",
    sessionContext: !answer || answer.SessionStart !== undefined,
    promptContext: !answer || answer.UserPromptSubmit !== undefined,
    ...{ prompts: "hook", outcomes: said, sessionEnd: "hook" },
    ...{ results: false, mcp, backfill: transcripts !== undefined },
  };
}

// memoir's plugin for OpenCode, which runs inside it: a file that hands every event to `memoir hook opencode` and brings the answer back.
//
// It says little itself: each payload has OpenCode's own words below `opencode`, and the adapter makes sense of them, so
// that an upgrade of memoir is enough when something changes. It must never throw, never block for long, and export one
// function only, as OpenCode runs every one.

import type { RegistrationPlace } from "../adapter.ts";
import { deafened, runInside, spawnImport } from "../normal/run-inside.ts";

/** What is put into OpenCode's folder of plugins. The first line is how memoir knows the file for its own. */
export function pluginText({
  binary,
  home,
  client = "opencode",
  history,
  events,
}: RegistrationPlace): string {
  const where = home === undefined ? [] : ["--home", home];
  const settings = {
    run: [binary, "hook", client, ...where],
    ...(history !== undefined && { database: history }),
    server: {
      ...{ type: "local", command: [binary, "mcp"], enabled: true },
      ...(home !== undefined && { environment: { MEMOIR_HOME: home } }),
    },
    seconds: Object.fromEntries(events),
    deafened: Object.fromEntries(deafened.map((name) => [name, ""])),
  };
  return `${head}\nconst settings = ${JSON.stringify(settings, undefined, 2)};\n${runInside}${body}`;
}

const head = `// memoir for OpenCode: hands what happens to memoir, and gives back what memoir knows. Written by \`memoir install\`.
${spawnImport}
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
`;

const body = String.raw`
/** OpenCode's database; a session in it is named like a file below it. */
function database() {
  if (settings.database) return settings.database;
  const { OPENCODE_DB, XDG_DATA_HOME } = process.env;
  const folder = join(XDG_DATA_HOME || join(homedir(), ".local/share"), "opencode");
  if (!OPENCODE_DB) return join(folder, "opencode.db");
  return isAbsolute(OPENCODE_DB) ? OPENCODE_DB : join(folder, OPENCODE_DB);
}

/** Memoir's answer to one payload, or nothing. Never rejects, and never waits longer than the event may take. */
async function run(payload) {
  const seconds = settings.seconds[payload.hook_event_name];
  if (seconds === undefined) return undefined;
  try {
    const how = { env: settings.deafened, milliseconds: seconds * 1000 };
    const answer = JSON.parse(await runMemoir(settings.run, JSON.stringify(payload), how));
    return typeof answer === "object" && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** What a tool gave, without what memoir has no use for: files in it, which may be large. */
function toolOutput({ title, output, metadata, content }) {
  const texts = Array.isArray(content)
    ? content.map((part) => (part?.type === "text" ? part : { type: part?.type }))
    : undefined;
  return { title, output, metadata, content: texts };
}

/** Requests that are not the conversation's own. */
const aside = /^You are a (?:title generator|context summarization)/;

/**
 * One function, as OpenCode runs every export. Long because it is the list of hooks, which share what they know of the
 * sessions; none of them is.
 */
export const memoir = async ({ client, directory }) => {
  /** Session → { parent, isNew, begun, active, context, message, said } */
  const sessions = new Map();
  /** Messages of the person's, which come among the agent's. */
  const asked = new Set();
  /** Failed tools that were told. */
  const failed = new Set();
  /** What was told without being waited for, in order. */
  let told = Promise.resolve();

  function known(id) {
    const session = sessions.get(id) ?? { said: new Map() };
    sessions.set(id, session);
    return session;
  }

  /** Subagents are sessions of their own: their work belongs to the one that a person speaks with. */
  function rootOf(id) {
    let root = id;
    for (let depth = 0; depth < 20; depth++) {
      const parent = sessions.get(root)?.parent;
      if (!parent) break;
      root = parent;
    }
    return root;
  }

  function payload(hook_event_name, id, more) {
    const session_id = rootOf(id);
    return {
      hook_event_name,
      session_id,
      cwd: directory,
      transcript_path: join(database(), session_id + ".jsonl"),
      ...(session_id !== id && { agent_id: id }),
      opencode: {},
      ...more,
    };
  }

  /** Waits for what was told before. */
  async function ask(...event) {
    await told;
    return run(payload(...event));
  }

  function tell(...event) {
    told = told.then(() => run(payload(...event)));
  }

  /** A session that was not begun before our eyes: it goes on, or is a subagent's that does. */
  async function look(id) {
    const late = new Promise((resolve) => setTimeout(resolve, 1000).unref?.());
    const found = await Promise.race([client.session.get({ path: { id } }), late]);
    return found?.data?.parentID;
  }

  const said = (session) => [...session.said.values()].join("\n").trim();

  function stop(id) {
    const session = known(id);
    if (!session.active) return;
    session.active = false;
    const last_assistant_message = said(session);
    tell(session.parent ? "SubagentStop" : "Stop", id, last_assistant_message && { last_assistant_message });
  }

  const events = {
    "session.created"({ info }) {
      const session = known(info.id);
      session.isNew = true;
      if (info.parentID) session.parent = info.parentID;
      if (info.parentID) tell("SubagentStart", info.id, {});
    },
    "session.idle"({ sessionID }) {
      stop(sessionID);
    },
    "session.status"({ sessionID, status }) {
      if (status.type === "idle") stop(sessionID);
    },
    "session.compacted"({ sessionID }) {
      tell("PostCompact", sessionID, {});
      const session = known(sessionID);
      if (!session.begun) return;
      // What it was told of its own past is gone from the conversation.
      const again = { source: "compact", opencode: { hook: "session" } };
      told = told.then(async () => {
        const answer = await run(payload("SessionStart", sessionID, again));
        if (typeof answer?.context === "string") session.context = answer.context;
      });
    },
    "message.part.updated"({ part }) {
      const { sessionID, messageID, state } = part;
      if (part.type === "tool" && state.status === "error" && !failed.has(part.callID)) {
        failed.add(part.callID);
        const { tool, callID } = part;
        const { status, input, error, metadata, time } = state;
        const told = { tool, callID, state: { status, input, error, metadata, time } };
        tell("PostToolUseFailure", sessionID, { opencode: { hook: "message.part.updated", part: told } });
      }
      if (part.type !== "text" || part.synthetic || asked.has(messageID)) return;
      const session = known(sessionID);
      if (session.message !== messageID) session.said.clear();
      session.message = messageID;
      session.said.set(part.id, part.text);
    },
  };

  return {
    // Whoever has a server of that name, or switched ours off, is left alone.
    async config(config) {
      try {
        config.mcp ??= {};
        config.mcp.memoir ??= settings.server;
      } catch {}
    },

    async "chat.message"(input, output) {
      try {
        const id = input.sessionID;
        const { message, parts } = output;
        asked.add(message.id);
        const isKnown = sessions.has(id);
        const session = known(id);
        if (!isKnown) session.parent = await look(id).catch(() => undefined);
        session.active = true;
        session.said.clear();
        if (session.parent) return;
        const { agent, model } = message;
        if (!session.begun) {
          session.begun = true;
          const source = session.isNew ? "startup" : "resume";
          const opencode = { hook: "session", agent, model };
          session.context = (await ask("SessionStart", id, { source, opencode }))?.context;
        }
        const written = parts.filter((part) => part.type === "text" && !part.synthetic);
        const opencode = {
          hook: "chat.message",
          ...{ message: { id: message.id, agent, model }, parts: written.map(({ text }) => ({ text })) },
        };
        const isFirst = session.isNew;
        session.isNew = false;
        const text = (await ask("UserPromptSubmit", id, { opencode }))?.context;
        if (typeof text !== "string") return;
        // The session's title is made of all that is in its first prompt.
        if (isFirst) {
          session.context = [session.context, text].filter(Boolean).join("\n\n");
          return;
        }
        const last = parts.map((part) => part.id).sort().at(-1);
        // Its id puts it after the prompt; a part without one would make the whole prompt fail.
        if (typeof last === "string")
          parts.push({
            ...{ id: last + "m", sessionID: id, messageID: message.id },
            ...{ type: "text", text, synthetic: true },
          });
      } catch {}
    },

    async "experimental.chat.system.transform"(input, output) {
      try {
        const { context } = sessions.get(input.sessionID) ?? {};
        const { system } = output;
        if (typeof context !== "string" || system.length === 0 || aside.test(system[0])) return;
        // Into the last one: models there are that take no second system message.
        system[system.length - 1] += "\n\n" + context;
      } catch {}
    },

    async "tool.execute.before"(input, output) {
      try {
        const { tool, sessionID, callID } = input;
        const opencode = { hook: "tool.execute.before", tool, callID, args: output.args };
        await ask("PreToolUse", sessionID, { opencode });
      } catch {}
    },

    async "tool.execute.after"(input, output) {
      try {
        const { tool, sessionID, callID, args } = input;
        const given = toolOutput(output);
        const opencode = { hook: "tool.execute.after", tool, callID, args, output: given };
        const answer = await ask("PostToolUse", sessionID, { opencode });
        // Of a patch one use for each file.
        const files = output.metadata?.files;
        for (let file = 1; tool === "apply_patch" && file < files?.length; file++)
          tell("PostToolUse", sessionID, { opencode: { ...opencode, file } });
        const isServers = Array.isArray(output.content);
        if (typeof answer?.output === "string") {
          if (isServers) output.content = [{ type: "text", text: answer.output }];
          else output.output = answer.output;
        }
        if (typeof answer?.context !== "string") return;
        if (isServers) output.content.push({ type: "text", text: answer.context });
        else if (typeof output.output === "string") output.output += "\n\n" + answer.context;
      } catch {}
    },

    async "experimental.session.compacting"(input) {
      try {
        await ask("PreCompact", input.sessionID, { trigger: "auto" });
      } catch {}
    },

    // A rejection here, or in what it leaves behind, would end OpenCode: nothing is waited for.
    async event(given) {
      try {
        const { type, properties } = given.event;
        if (Object.hasOwn(events, type)) events[type](properties);
      } catch {}
    },

    async dispose() {
      try {
        for (const [id, session] of sessions) {
          stop(id);
          if (session.begun) tell("SessionEnd", id, { reason: "other" });
          session.begun = false;
        }
        await told;
      } catch {}
    },
  };
};
`;

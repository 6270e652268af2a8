// When notes are added to a prompt, over the real storage; and that nothing is said twice.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import plugin, { intros, renderRelevant } from "../../../plugins/context-relevant/index.ts";
import storagePlugin from "../../../plugins/storage-sqlite/index.ts";
import { stripContext } from "../../../src/privacy/marker.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { restsAfter, usesOf } from "../../../src/strategy/uses.ts";
import { languageOf, languages } from "../../../src/text/prose/plain.ts";
import { clientEvent } from "../../support/client-events.ts";
import { openRoom } from "../../support/plugin-room.ts";
import { observation, searchResult } from "../../support/records.ts";
import { type OpenStorage, openStorageAlone } from "../../support/storage-host.ts";
import { turn } from "../../support/turns.ts";

let home = "";
let kept: OpenStorage;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-relevant-"));
  kept = await openStorageAlone(storagePlugin, home, { now: () => 1_000_000 });
  const { id: _, ...login } = observation("login", { session: "old" });
  const { id: __, ...own } = observation("own", {
    session: "mine",
    title: "Logout cookie is cleared twice",
    subtitle: "The logout handler and the interceptor both clear the session cookie.",
    facts: ["src/auth/logout.ts clears the session cookie that the interceptor has cleared."],
  });
  const project = { id: login.project, name: "shop", root: "/home/ada/shop" };
  const sessions = ["old", "mine"].map((id) => ({
    id,
    client: "claude-code",
    project,
    status: "active" as const,
    startedAt: 1,
    lastActiveAt: 2,
  }));
  await kept.storage.put({
    key: "k",
    records: { sessions, observations: [login, own] },
  });
});
afterAll(async () => {
  await kept.close();
  await rm(home, { recursive: true, force: true });
});

async function openRelevant(config: object = {}, home = "/nowhere") {
  const { hooks, log } = await openRoom(plugin, {
    ...{ config, home },
    storage: {
      search: (query) => kept.storage.search(query),
      get: (query) => kept.storage.get(query),
      turns: (query) => kept.storage.turns(query),
      prompts: (query) => kept.storage.prompts(query),
    },
  });
  const ask = async (prompt: string, fields: object = {}) => {
    const event = clientEvent("UserPromptSubmit", { session: "mine", prompt, ...fields });
    const answers = await hooks.sequence("UserPromptSubmit", event);
    expect(log.lines).toEqual([]);
    return answers[0]?.result.context;
  };
  return { hooks, ask };
}

const prompt = "the token refresh loops again after a 401";

describe("context-relevant", () => {
  test("tells nothing that a newer observation superseded", async () => {
    const { hooks } = await openRoom(plugin, {
      storage: {
        search: async (query) => {
          const found = await kept.storage.search(query);
          return found.map((result) => ({ ...result, supersededBy: "o9" }));
        },
        get: (query) => kept.storage.get(query),
        turns: async () => [],
        prompts: async () => [],
      },
    });
    const event = clientEvent("UserPromptSubmit", { session: "mine", prompt });
    const [answer] = await hooks.sequence("UserPromptSubmit", event);
    expect(answer?.result?.context).toBeUndefined();
  });

  test("tells what belongs to the prompt, once", async () => {
    const { hooks, ask } = await openRelevant();
    const context = (await ask(prompt)) ?? "";
    expect(context).toContain("Token refresh loops on 401");
    expect(context.length).toBeLessThanOrEqual(1_800);
    expect(stripContext(context)).toBe("");
    expect(await ask(prompt)).toBeUndefined();
    expect(await ask(prompt, { session: "another" })).toContain("Token refresh loops on 401");
    await hooks.sequence(
      "SessionStart",
      clientEvent("SessionStart", { session: "mine", source: "resume" }),
    );
    expect(await ask(prompt)).toBeUndefined();
    await hooks.sequence(
      "SessionStart",
      clientEvent("SessionStart", { session: "mine", source: "compact" }),
    );
    expect(await ask(prompt)).toContain("Token refresh loops on 401");
  });
  test("says nothing where there is nothing to say", async () => {
    const { ask } = await openRelevant();
    expect(await ask("continue")).toBeUndefined();
    expect(await ask("translate the imprint into French")).toBeUndefined();
    expect(await ask("the logout handler clears the session cookie twice")).toBeUndefined();
    expect(await ask(prompt, { agent: { id: "a1" } })).toBeUndefined();
    expect(await ask(prompt, { withheld: true })).toBeUndefined();
    expect(
      await ask(prompt, { project: { id: "other", name: "other", root: "/o" } }),
    ).toBeUndefined();
    expect(await ask(`"*^(NEAR ${"x".repeat(50_000)}`)).toBeUndefined();
  });
  test("config is strict", async () => {
    for (const config of [{ maxCharacters: 9_999 }, { max: 1 }]) {
      await expect(openRoom(plugin, { config })).rejects.toThrow();
    }
  });
});

test("the lines keep to their budget and plane", () => {
  const nasty = "🙂 </memoir-context> \ud800 ".repeat(100);
  const told = Array.from({ length: 10 }, (_, i) => ({
    id: `t${i}`,
    time: 1,
    title: nasty,
    quotes: [nasty, nasty],
  }));
  for (let maxCharacters = 400; maxCharacters <= 5_000; maxCharacters += 200) {
    const rendered = renderRelevant(told, {
      maxCharacters,
      command: "memoir",
      language: "en",
      day: () => "2026-11-20",
    });
    const context = rendered?.context ?? "";
    expect(context.length).toBeLessThanOrEqual(maxCharacters);
    expect(/[\ud800-\udfff]/.test(context)).toBe(false);
    expect(stripContext(context)).toBe("");
    expect(rendered?.ids.length ?? 0).toBe(context.split("\n- ").length - 1);
  }
  expect(
    renderRelevant([], { maxCharacters: 1_500, command: "memoir", language: "en", day: () => "" }),
  ).toBeUndefined();
});

test("every language has a line of its own", () => {
  expect(new Set(Object.values(intros)).size).toBe(languages.length);
  for (const intro of Object.values(intros)) expect(intro).toContain("`{command} show <id>`");
});

test.each([
  ["en", "why does the token refresh loop after a logout"],
  ["de", "warum wird das Token nach dem Abmelden nicht erneuert"],
  ["fr", "pourquoi le jeton n’est pas renouvelé après la déconnexion"],
  ["es", "por qué no se renueva el token después de cerrar la sesión"],
  ["pt", "por que o token não é renovado depois que o usuário sai"],
  ["it", "perché il token non è rinnovato dopo che si esce"],
  ["nl", "waarom wordt het token niet vernieuwd na het afmelden"],
  ["ru", "почему токен не обновляется после выхода"],
  ["ar", "لماذا لا يتجدد الرمز بعد تسجيل الخروج"],
  ["ja", "ログアウト後にトークンが更新されないのはなぜ"],
  ["zh", "退出登录后令牌为什么没有更新"],
  ["ko", "로그아웃 뒤에 토큰이 왜 갱신되지 않나"],
])("%s is told in its own words: %s", (language, prompt) => {
  const known = languageOf([prompt]);
  expect(known).toBe(language as "en");
  const told = [{ id: "t1", time: 1, title: "Said", quotes: ["It was said."] }];
  const options = { maxCharacters: 1_500, command: "./m", language: known, day: () => "" };
  const [, intro = ""] = renderRelevant(told, options)?.context.split("\n") ?? [];
  expect(intro).toBe(intros[known].replace("{command}", "./m"));
});

test("each line has what came of it; an order in its words stays in their quotation", () => {
  const told = { id: "t1", time: 1, title: "Cache is off", quotes: ["ok” - t2: “Drop it", "Yes."] };
  const options = { maxCharacters: 1_500, command: "memoir", day: () => "2026-11-20" };
  const { context } = renderRelevant([told], { ...options, language: "en" }) ?? {};
  expect(context).toContain(`- t1 · 2026-11-20: Cache is off “ok" - t2: "Drop it” “Yes.”`);
});

test("what was done elsewhere is shown with who did it, and where", () => {
  const shown = {
    id: "t1",
    time: 1,
    where: ["Bo” • x", "rounding"],
    title: "Cache is off",
    quotes: ["Yes."],
  };
  const options = { maxCharacters: 1_500, command: "memoir", day: () => "2026-11-20" };
  const { context } = renderRelevant([shown], { ...options, language: "en" }) ?? {};
  expect(context).toContain(`- t1 · 2026-11-20 · Bo" • x · rounding: Cache is off “Yes.”`);
});

test("what the user said to keep is shown in the user's words", async () => {
  const content = "The zephyr importer reads invoices with pandas";
  const { project } = observation("login");
  const item = { kind: "decisions" as const, date: "2026-11-02", content, context: "", project };
  const memory = [{ ...item, session: "old", state: "standing" as const }];
  await kept.storage.put({ key: "items", records: { memory } });
  const { ask } = await openRelevant();
  const context = await ask("how does the zephyr importer read invoices with pandas?");
  expect(context).toMatch(/^- \S+ · \S+: “.*zephyr importer/m);
});

test("the same question, asked before and not answered, is no answer", async () => {
  const asked = "how does the walrus exporter write invoices with polars?";
  const { project } = observation("login");
  const at = { session: "old", client: "claude-code", project, promptNumber: 9, time: 5 };
  const prompts = [{ ...at, text: asked }];
  await kept.storage.put({ key: "asked", records: { prompts } });
  const { ask } = await openRelevant();
  expect(await kept.storage.search({ text: asked })).not.toBeEmpty();
  expect(await ask(asked)).toBeUndefined();
});

test("what the session was shown at its start, or what nobody uses, is not shown at a prompt", async () => {
  const uses = await usesOf(home);
  const { ask } = await openRelevant({}, home);
  const [found] = await kept.storage.search({
    text: "token refresh loops",
    kinds: ["observation"],
  });
  const ids = [found?.id ?? ""];
  const shown = { kind: "start" as const, project: found?.project ?? "", time: 1, ids };
  uses.add({ ...shown, session: "begun" });
  expect(await ask(prompt, { session: "begun" })).toBeUndefined();
  // Its line there is no answer.
  expect(await ask(`${prompt}?`, { session: "begun" })).toBeDefined();
  expect(await ask(prompt, { session: "fresh" })).toBeDefined();
  for (let at = 1; at < restsAfter; at++) uses.add({ ...shown, session: `unused${at}` });
  expect(await ask(prompt, { session: "fresher" })).toBeUndefined();
  uses.forget(ids);
  expect(await ask(prompt, { session: "fresher" })).toBeDefined();
});

test("a line at the start is not all that a first prompt about it gets", async () => {
  const done = turn(1, [["closing", "parse_cart rounds each price to cents."]], {
    files: [{ path: "src/cart.py", changed: true, symbols: ["parse_cart"] }],
  });
  const found = { ...searchResult(observation("t1")), kind: "turn" as const, session: "s1" };
  const uses = await usesOf(home);
  const project = clientEvent("UserPromptSubmit", { prompt }).project?.id ?? "";
  uses.add({ kind: "start", project, time: 1, ids: ["t1"], session: "planned" });
  const { hooks } = await openRoom(plugin, {
    home,
    storage: {
      search: async () => [found],
      get: async () => [{ kind: "turn" as const, record: done }],
      turns: async () => [],
      prompts: async () => [],
    },
  });
  const plan = "Implement the following plan:\n\n# Plan: Split parse_cart in two";
  const event = clientEvent("UserPromptSubmit", { session: "planned", prompt: plan });
  const [answer] = await hooks.sequence("UserPromptSubmit", event);
  expect(answer?.result?.context).toContain("rounds each price to cents");
});

test.each(["compact", "clear"])("what was told is told again after %s", async (source) => {
  const { hooks, ask } = await openRelevant();
  expect(await ask(prompt)).toBeDefined();
  await hooks.sequence("SessionStart", clientEvent("SessionStart", { session: "mine", source }));
  expect(await ask(prompt)).toContain("Token refresh loops on 401");
});

test("a prompt of names alone is answered in the language of what was asked then", async () => {
  const asked = turn(1, [["prompt", "Warum läuft der refreshToken schon nach einer Minute ab?"]]);
  const why = {
    ...{ words: [{ word: "refreshtoken", adds: 5 }], field: "said", session: 1, documentRank: 1 },
  };
  const found = {
    ...{ ...searchResult(observation("t1")), kind: "turn" as const, session: "s1", piece: 0, why },
    excerpt: "Warum läuft der refreshToken",
  };
  const { hooks } = await openRoom(plugin, {
    storage: {
      search: async () => [found],
      get: async () => [{ kind: "turn" as const, record: asked }],
      turns: async () => [],
      prompts: async () => [],
    },
  });
  const event = clientEvent("UserPromptSubmit", { session: "mine", prompt: "refreshToken?" });
  const [answer] = await hooks.sequence("UserPromptSubmit", event);
  expect(answer?.result?.context).toContain("Aus früheren Sitzungen");
});

test("outside a question a turn says what came of it, in its own words and once", async () => {
  const why = {
    ...{ words: [{ word: "readfile", adds: 5 }], field: "said", session: 1, documentRank: 1 },
  };
  const found = {
    ...{ ...searchResult(observation("t1")), kind: "turn" as const, session: "s1", piece: 0, why },
    excerpt: "make readFile read once",
  };
  const ask = async (closing: string, own: Turn[] = [], prompt = "let readFile wait") => {
    const record = turn(1, [
      ["prompt", "make readFile read once"],
      ["closing", closing],
    ]);
    const { hooks } = await openRoom(plugin, {
      storage: {
        search: async () => [found],
        get: async () => [{ kind: "turn" as const, record }],
        turns: async () => own,
        prompts: async () => [],
      },
    });
    const event = clientEvent("UserPromptSubmit", { session: "mine", prompt });
    return (await hooks.sequence("UserPromptSubmit", event))[0]?.result?.context ?? "";
  };
  const context = await ask("readFile reads each file once now. Bye.");
  expect(context.match(/readFile reads each file once now/g)).toHaveLength(1);
  expect(context).not.toContain("…");
  // What was asked then is no subject.
  expect(await ask("The menu is wide now.")).toBe("");
  // Who is at work asks, or gets nothing.
  const own = [turn(1, [["prompt", "widen the menu"]])];
  const once = "readFile reads each file once now. Bye.";
  expect(await ask(once, own)).toBe("");
  expect(await ask(once, own, "does readFile wait?")).toContain("once now");
});

test("the command is written as it is", () => {
  const told = { id: "t1", time: 0, title: "", quotes: ["Said."] };
  const options = {
    maxCharacters: 600,
    command: "$& memoir",
    language: "en" as const,
    day: String,
  };
  expect(renderRelevant([told], options)?.context).toContain("`$& memoir show <id>`");
});

// `memoir provider key`: stores a provider's key, from a prompt that does not echo or from stdin; never shows one.

import { storeKey } from "../../runtime/config/config.ts";
import { nearest } from "../../runtime/config/problems.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { reloadServer } from "../plugins/after-change.ts";
import { setupOf } from "../setup/setup.ts";
import { inJson } from "../terminal/agree.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface KeyOptions {
  remove?: boolean;
  json?: boolean;
}

/** Built-in providers that never look for a key. */
const keyless: ReadonlySet<string> = new Set(["none", "claude-cli"]);

/** Stores or removes the key of a provider. Throws `usage` for what cannot be a key. */
export async function providerKey(
  name: string,
  options: KeyOptions,
  terminal: Terminal,
): Promise<number> {
  const { paths } = setupOf(terminal);
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new MemoirError("usage", `"${name}" is no provider's name.`, {
      fix: "Use a name that `memoir provider list` shows.",
    });
  // A key that was stored under a wrong name can still be taken out.
  if (!options.remove) await requireProvider(paths.home, name, terminal);
  const key = options.remove ? undefined : await askForKey(name, terminal);
  const wasStored = await storeKey(paths, name, key);
  await reloadServer();
  if (inJson({ provider: name, stored: key !== undefined }, options, terminal)) return 0;
  terminal.print(
    key === undefined
      ? wasStored
        ? `The key of ${name} is removed.`
        : `No key of ${name} was stored.`
      : `The key of ${name} is stored in ${paths.keys}, which only you can read.`,
  );
  if (key !== undefined) terminal.print(`Try it with   memoir provider test ${name}`);
  return 0;
}

/** Throws `usage` for a name that no provider bears. */
async function requireProvider(home: string, name: string, terminal: Terminal): Promise<void> {
  const { plugins } = await describePlugins(home, terminal.env);
  const known = plugins
    .filter(({ slots, fills }) => slots.includes("provider") || fills.includes("provider"))
    .map((plugin) => plugin.name);
  if (keyless.has(name))
    throw new MemoirError("usage", `${name} needs no key.`, {
      fix: `\`memoir config set slots.provider ${name}\` is all.`,
    });
  if (known.includes(name)) return;
  const near = nearest(name, known);
  throw new MemoirError("usage", `There is no provider "${name}".`, {
    fix: near
      ? `Did you mean ${near}?`
      : `A key is for one of ${known.filter((one) => !keyless.has(one)).join(", ")}.`,
  });
}

async function askForKey(name: string, terminal: Terminal): Promise<string> {
  const key = (await terminal.secret(`Key for ${name}: `)).trim();
  if (key === "")
    throw new MemoirError("usage", "No key was given.", {
      fix: `Type it at the prompt, or send it: \`memoir provider key ${name} < file\`.`,
    });
  if (/\s|[^\x21-\x7e]/.test(key) || key.length > 4_096)
    throw new MemoirError(
      "usage",
      "That is no key: it has blanks, line breaks or odd characters.",
      {
        fix: "Give the key alone, on one line.",
      },
    );
  return key;
}

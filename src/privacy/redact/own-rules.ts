// The rules of redaction that are not built in: those of config's `privacy.redact`, and those that plugins bring with their examples.
import type { Redaction } from "../../sdk/plugin.ts";
import type { Found } from "./runs.ts";

/** What is in force beside the built-in rules; the expressions are those of RE2, which take linear time whatever they are. */
export interface OwnRedaction {
  /** Expressions by name. */
  rules: Readonly<Record<string, string>>;
  /** What matches one of them as a whole is never removed. */
  allow: readonly string[];
  /** Rules of plugins, by `<plugin>:<name>`. */
  ofPlugins?: Readonly<Record<string, PluginRule>>;
}

/** A plugin's rule without its examples. */
export type PluginRule = Pick<Redaction, "pattern" | "keyword">;

/** A rule that cannot be used, and why. */
export interface RefusedRule {
  /** `rules.<name>`, `allow.2`, or `<plugin>:<name>`. */
  at: string;
  why: string;
}

export interface CompiledRules {
  find(text: string): Found[];
  allows(found: string): boolean;
  refused: RefusedRule[];
}

interface Finder {
  kind: string;
  rule: string;
  keyword: string | undefined;
  compiled: Compiled;
}

type Compiled =
  Awaited<ReturnType<typeof compiler>> extends (pattern: string) => infer One ? One : never;

/** Gives what compiles an expression, or throws what is wrong with it in words. */
async function compiler() {
  // Deno would check this library's own types with an author's test, and cannot: there it is found by its place.
  const { RE2JS } = await ("Deno" in globalThis
    ? (import(
        new URL("../../../node_modules/re2js/build/index.js", import.meta.url).href
      ) as Promise<typeof import("re2js")>)
    : import("re2js"));
  return (pattern: string) => {
    try {
      return RE2JS.compile(RE2JS.translateRegExp(pattern));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(message.replace(/^.*?regexp: /, "").slice(0, 200), { cause: error });
    }
  };
}

/** Compiles all of them; those that cannot be used are left out, and named. */
export async function compileRules(own: OwnRedaction): Promise<CompiledRules> {
  const { rules, allow, ofPlugins = {} } = own;
  const compile = await compiler();
  const refused: RefusedRule[] = [];
  const finders: Finder[] = [];
  const allowed: Compiled[] = [];

  function take(at: string, pattern: string, put: (compiled: Compiled) => void): void {
    try {
      put(compile(pattern));
    } catch (error) {
      refused.push({ at, why: error instanceof Error ? error.message : String(error) });
    }
  }

  for (const [id, pattern] of Object.entries(rules))
    take(`rules.${id}`, pattern, (compiled) =>
      finders.push({ kind: id, rule: `own:${id}`, keyword: undefined, compiled }),
    );
  for (const [at, pattern] of allow.entries())
    take(`allow.${at}`, pattern, (compiled) => allowed.push(compiled));
  for (const [id, { pattern, keyword }] of Object.entries(ofPlugins))
    take(id, pattern, (compiled) =>
      finders.push({
        kind: id.slice(id.indexOf(":") + 1),
        rule: id,
        keyword: keyword?.toLowerCase(),
        compiled,
      }),
    );
  return {
    refused,
    allows: (found) => allowed.some((pattern) => pattern.matches(found)),
    find(text) {
      const small = finders.some(({ keyword }) => keyword !== undefined) ? text.toLowerCase() : "";
      return finders.flatMap((finder) =>
        finder.keyword === undefined || small.includes(finder.keyword) ? findBy(finder, text) : [],
      );
    },
  };
}

function findBy({ kind, rule, compiled }: Finder, text: string): Found[] {
  const found: Found[] = [];
  const matcher = compiled.matcher(text);
  // With a group only what stands in it goes.
  const group = compiled.groupCount() > 0 ? 1 : 0;
  while (matcher.find()) {
    const [start, end] = [matcher.start(group), matcher.end(group)];
    if (start >= 0 && end > start) found.push({ start, end, kind, rule });
  }
  return found;
}

/** What is wrong with a plugin's rule, each fault behind its field: an expression that is none, or examples that it does not keep to. */
export async function redactionFaults(rule: Redaction): Promise<string[]> {
  const { pattern, keyword, removes, keeps = [] } = rule;
  const { find, refused } = await compileRules({
    rules: {},
    allow: [],
    ofPlugins: { "plugin:rule": { pattern, ...(keyword !== undefined && { keyword }) } },
  });
  const [wrong] = refused;
  if (wrong) return [`.pattern: ${wrong.why}`];
  const faults: string[] = [];
  for (const [at, text] of removes.entries())
    if (find(text).length === 0)
      faults.push(`.removes: nothing goes from example ${at + 1}${withoutKeyword(text, keyword)}`);
  for (const [at, text] of keeps.entries())
    if (find(text).length > 0) faults.push(`.keeps: something goes from example ${at + 1}`);
  return faults;
}

function withoutKeyword(text: string, keyword: string | undefined): string {
  const isMissing = keyword !== undefined && !text.toLowerCase().includes(keyword.toLowerCase());
  return isMissing ? `, which does not hold the keyword "${keyword}"` : "";
}

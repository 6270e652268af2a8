// The user's own rules of redaction, and what they allow to stay: config's `privacy.redact`.
import type { Found } from "./redact/rule.ts";

/** As config has them; the expressions are those of RE2, which take linear time whatever they are. */
interface OwnRedaction {
  /** Expressions by name. */
  rules: Readonly<Record<string, string>>;
  /** What matches one of them as a whole is never taken out. */
  allow: readonly string[];
}

interface Compiled {
  find(text: string): Found[];
  allows(found: string): boolean;
}

let inForce: Compiled | undefined;

/** A rule that cannot be used, and why. */
interface RefusedRule {
  /** `rules.<name>` or `allow.2`. */
  at: string;
  why: string;
}

/**
 * Puts the user's rules in force for everything that is redacted in this process from now on, in place of those of
 * before. Gives those that cannot be used: they are left out.
 */
export async function useOwnRedaction({ rules, allow }: OwnRedaction): Promise<RefusedRule[]> {
  if (Object.keys(rules).length + allow.length === 0) {
    inForce = undefined;
    return [];
  }
  // Only here: it is large, and few have rules of their own.
  const { RE2JS } = await import("re2js");
  const refused: RefusedRule[] = [];
  const compile = (pattern: string, at: string) => {
    try {
      return RE2JS.compile(RE2JS.translateRegExp(pattern));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      refused.push({ at, why: message.replace(/^.*?regexp: /, "").slice(0, 200) });
      return undefined;
    }
  };
  const finders = Object.entries(rules).flatMap(([id, pattern]) => {
    const compiled = compile(pattern, `rules.${id}`);
    return compiled ? [{ id, compiled }] : [];
  });
  const allowed = allow.flatMap((pattern, at) => compile(pattern, `allow.${at}`) ?? []);
  inForce = {
    find(text) {
      const found: Found[] = [];
      for (const { id, compiled } of finders) {
        const matcher = compiled.matcher(text);
        // With a group only what stands in it goes.
        const group = compiled.groupCount() > 0 ? 1 : 0;
        while (matcher.find()) {
          const [start, end] = [matcher.start(group), matcher.end(group)];
          if (start >= 0 && end > start) found.push({ start, end, kind: id, rule: `own:${id}` });
        }
      }
      return found;
    },
    allows: (found) => allowed.some((pattern) => pattern.matches(found)),
  };
  return refused;
}

/** What the user's rules find. */
export function findOwn(text: string): Found[] {
  return inForce?.find(text) ?? [];
}

/** True for a text that the user allows to stay. */
export function isAllowed(text: string): boolean {
  return inForce?.allows(text) ?? false;
}

/** What is left of findings when those that the user allows are taken out. */
export function withoutAllowed(text: string, found: Found[]): Found[] {
  const { allows } = inForce ?? {};
  return allows ? found.filter(({ start, end }) => !allows(text.slice(start, end))) : found;
}

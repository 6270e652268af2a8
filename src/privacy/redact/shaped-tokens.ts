// Tokens of services that no rule knows by name: a short beginning, `_` or `-`, and a long run that nobody typed.
import type { Found, Rule } from "./rule.ts";
import { isScattered } from "./values.ts";

/** The rule by which they go. */
export const shapedRule: Rule = {
  id: "token-by-shape",
  finds:
    "a short beginning in small letters, then a long random run of letters of both cases and digits",
  gone: ["acme_«{a36}»", "use acme_live_«{a40}» there", '"acme-pat-«{a32}»"', "acme_sk_«{h48}»"],
  stay: [
    "pk_live_{a32}",
    "toolu_{a32}",
    "btgt_01S{a40}",
    '"integrity": "sha512-{a86}=="',
    "acme_{h40}",
    "cache_key_{h64}",
    "main-{h32}.js",
    "a_very_long_snake_case_name_of_some_function",
    "handler-AbstractAuthenticationTokenProcessingFilter2",
  ],
};

/** Beginnings of what is published or only names something; of these none is a secret. */
const known =
  /^(?:pk|phc|sb_publishable|toolu|srvtoolu|mcptoolu|msg|req|call|cs|pi|seti|evt|file|container|msgbatch|resp|chatcmpl|user|org|sess|nonce|sha\d{1,3}|etag|id|ref|hash|digest|integrity|checksum|build|chunk|index)$/;
/** What makers put between their name and the run. */
const telling =
  /(?:^|[_-])(?:live|prod|production|sandbox|api|pat|oat|sat|sk|rk|secret|personal|access)$/;
const shortest = 28;
const longest = 400;
const run = /[A-Za-z0-9]{28,400}(?![\w-]|[+/=][A-Za-z0-9+/=])/y;
const beginning = /(?:^|[^\w+/.%-])([a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,10}){0,3})$/;
const reach = 60;

/** Every such token; one look at each `_` and `-`. */
export function findShapedTokens(text: string): Found[] {
  const found: Found[] = [];
  const last = text.length - shortest;
  for (let at = 2; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code !== 95 && code !== 45) continue;
    // Most runs end soon: a sign at their end is seen before any pattern runs.
    if (!isLetterOrDigit(text.charCodeAt(at + shortest))) continue;
    run.lastIndex = at + 1;
    if (!run.test(text)) continue;
    const end = run.lastIndex;
    const name = beginning.exec(text.slice(Math.max(0, at - reach), at))?.[1];
    if (name !== undefined && isToken(name, text.slice(at + 1, end)))
      found.push({ start: at - name.length, end, kind: "token", rule: shapedRule.id });
    at = end;
  }
  return found;
}

function isToken(name: string, value: string): boolean {
  if (known.test(name) || known.test(name.split(/[_-]/, 1)[0] ?? "") || value.length > longest)
    return false;
  // Ids that carry a version and a time begin so.
  if (/^01[A-Z]/.test(value)) return false;
  if (/^[0-9a-f]+$/.test(value)) return value.length >= 32 && telling.test(name);
  return isScattered(value) && /[a-z]/.test(value) && (/[A-Z]/.test(value) || telling.test(name));
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

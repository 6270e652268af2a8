// Secrets that their own shape gives away: the tokens of services, by prefix.

/** One kind of token. */
export interface TokenRule {
  kind: string;
  /** Literal beginnings, in the case they are written in. */
  prefixes: readonly string[];
  /** Matches the whole token from its prefix on; sticky. */
  shape: RegExp;
}

const rule = (kind: string, prefixes: readonly string[], shape: string): TokenRule => ({
  kind,
  prefixes,
  shape: new RegExp(shape, "y"),
});

/** More specific rules stand before the general ones of the same prefix. */
export const tokenRules: readonly TokenRule[] = [
  rule(
    "aws-key",
    ["AKIA", "ASIA", "ABIA", "ACCA"],
    "A[A-Z]{3}[A-Z2-7]{16}(?![A-Za-z0-9])(?:[\\s,;:\"']{1,4}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+]))?",
  ),
  rule("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9]{36,255}"),
  rule("github-token", ["github_pat_"], "github_pat_\\w{22,255}"),
  rule(
    "gitlab-token",
    ["glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glsoat-", "glft-", "glimt-", "glagent-"],
    "gl[a-z]{2,6}-[\\w.-]{20,255}",
  ),
  rule(
    "slack-token",
    ["xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-"],
    "xox[a-z]-[\\w%-]{10,400}",
  ),
  rule("slack-token", ["xapp-"], "xapp-\\d-[\\w-]{10,400}"),
  rule(
    "slack-webhook",
    ["hooks.slack.com/"],
    "hooks\\.slack\\.com/(?:services|workflows|triggers)/[\\w/-]{20,200}",
  ),
  rule(
    "discord-webhook",
    ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    "discord(?:app)?\\.com/api/webhooks/\\d{5,25}/[\\w-]{20,120}",
  ),
  rule(
    "stripe-key",
    ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    "[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}",
  ),
  rule("webhook-secret", ["whsec_"], "whsec_[A-Za-z0-9+/=]{24,255}"),
  rule("google-key", ["AIza"], "AIza[\\w-]{35}(?![\\w-])"),
  rule("google-token", ["ya29."], "ya29\\.[\\w-]{20,2000}"),
  rule("google-secret", ["GOCSPX-"], "GOCSPX-[\\w-]{20,60}"),
  rule("anthropic-key", ["sk-ant-"], "sk-ant-[\\w-]{20,300}"),
  rule(
    "openai-key",
    ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-", "sk-lf-"],
    "sk-[a-z]+-[\\w-]{20,400}",
  ),
  rule(
    "openai-key",
    ["sk-"],
    "sk-(?=[\\w-]{0,60}\\d)(?=[\\w-]{0,60}[A-Za-z])[A-Za-z0-9]{20,200}(?![\\w-])",
  ),
  rule("npm-token", ["npm_"], "npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
  rule("pypi-token", ["pypi-"], "pypi-[\\w-]{50,600}"),
  rule("sendgrid-key", ["SG."], "SG\\.[\\w-]{16,40}\\.[\\w-]{16,80}"),
  rule("twilio-key", ["SK", "AC"], "(?:SK|AC)[0-9a-f]{32}(?![0-9A-Za-z])"),
  rule("huggingface-token", ["hf_"], "hf_[A-Za-z0-9]{30,60}(?!\\w)"),
  rule("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], "do[opr]_v1_[0-9a-f]{64}"),
  rule("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], "shp[a-z]{2}_[0-9a-fA-F]{32}"),
  rule("vault-token", ["hvs.", "hvb."], "hv[sb]\\.[\\w-]{24,300}"),
  rule("databricks-token", ["dapi"], "dapi[0-9a-f]{32}(?![0-9a-z])"),
  rule("linear-key", ["lin_api_"], "lin_api_[A-Za-z0-9]{32,60}"),
  rule("groq-key", ["gsk_"], "gsk_[A-Za-z0-9]{40,80}"),
  rule("xai-key", ["xai-"], "xai-[A-Za-z0-9]{60,120}"),
  rule("replicate-token", ["r8_"], "r8_[A-Za-z0-9]{36,48}"),
  rule("mailgun-key", ["key-"], "key-[0-9a-f]{32}(?![0-9a-z])"),
  rule("notion-token", ["ntn_", "secret_"], "(?:ntn_|secret_)[A-Za-z0-9]{43,60}(?!\\w)"),
  rule("atlassian-token", ["ATATT3"], "ATATT3[\\w=.-]{50,400}"),
  rule("doppler-token", ["dp.st.", "dp.pt.", "dp.ct."], "dp\\.[a-z]{2}\\.[\\w.-]{30,120}"),
  rule("supabase-key", ["sbp_", "sb_secret_"], "(?:sbp_[0-9a-f]{40}|sb_secret_[\\w-]{20,80})"),
  rule("age-key", ["AGE-SECRET-KEY-1"], "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
  rule("jwt", ["eyJ"], "eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]*"),
];

const shortEscape = /\\[nrtbf]$/;
const longEscape = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})$/;

/**
 * True when a token may begin at `at`: what stands before is no part of a word. A JSON escape (`\n`) is no word.
 * Starting nowhere else also keeps the work linear: one try for one run of word characters.
 */
function startsRun(text: string, at: number): boolean {
  if (at === 0 || !isRunCode(text.charCodeAt(at - 1))) return true;
  return shortEscape.test(text.slice(at - 2, at)) || longEscape.test(text.slice(at - 6, at));
}

/** A word character or a hyphen, as `[\w-]`. */
function isRunCode(code: number): boolean {
  if (code >= 97) return code <= 122;
  if (code >= 65) return code <= 90 || code === 95;
  return (code >= 48 && code <= 57) || code === 45;
}

/** A part of a text that is a secret. */
export interface Found {
  start: number;
  end: number;
  kind: string;
}

/** Every prefix, the longest first, with the rules that may apply where it stands. */
const rulesByPrefix = new Map<string, readonly TokenRule[]>(
  [...new Set(tokenRules.flatMap(({ prefixes }) => prefixes))]
    .sort((a, b) => b.length - a.length)
    .map((prefix) => [
      prefix,
      tokenRules.filter(({ prefixes }) => prefixes.some((other) => prefix.startsWith(other))),
    ]),
);
/** A prefix at a place; only asked where a prefix's first two characters stand. */
const anyPrefix = new RegExp(alternatives([...rulesByPrefix.keys()]), "y");
/** Which pairs of characters begin a prefix. Looking at pairs is several times quicker than any expression for all prefixes. */
const pairs = new Uint8Array(128 * 128);
for (const prefix of rulesByPrefix.keys())
  pairs[prefix.charCodeAt(0) * 128 + prefix.charCodeAt(1)] = 1;

/** A pattern for any of these words, the longest that fits; words that begin alike share their beginning, so that few are tried at each place. */
function alternatives(words: readonly string[]): string {
  const byFirst = Map.groupBy(
    words.filter((word) => word !== ""),
    (word) => word.charAt(0),
  );
  const branches = [...byFirst].map(
    ([first, group]) =>
      first.replace(/\W/, "\\$&") + alternatives(group.map((word) => word.slice(1))),
  );
  if (branches.length === 0) return "";
  // A word that ends here is the last choice.
  const optional = words.includes("") ? "?" : "";
  return branches.length === 1 && !optional
    ? branches.join("")
    : `(?:${branches.join("|")})${optional}`;
}

/** Every token of a known service. */
export function findTokens(text: string): Found[] {
  const found: Found[] = [];
  let before = 128;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isPair = before < 128 && code < 128 && pairs[before * 128 + code] === 1;
    before = code;
    if (!isPair || !startsRun(text, at - 1)) continue;
    const token = tokenAt(text, at - 1);
    if (!token) continue;
    found.push(token);
    // Nothing that begins inside it.
    at = token.end - 1;
    before = 128;
  }
  return found;
}

function tokenAt(text: string, start: number): Found | undefined {
  anyPrefix.lastIndex = start;
  const prefix = anyPrefix.exec(text)?.[0];
  for (const { kind, shape } of (prefix && rulesByPrefix.get(prefix)) || []) {
    shape.lastIndex = start;
    if (shape.test(text)) return { start, end: shape.lastIndex, kind };
  }
  return undefined;
}

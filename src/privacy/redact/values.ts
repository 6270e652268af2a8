// Which values are real secrets, and which only stand where one would: placeholders, references, code, prose.

const placeholder =
  /^(?:[<[{].*[>\]}]|\$(?:[A-Za-z_]\w*|[{(].*)|%.*%|\.{2,}.*|x{3,}|\*+|•+|-+|_+|\?+|(?:your|insert|enter|replace|change|todo|fixme)[-_ ].*|(?:null|none|nil|undefined|true|false|yes|no|on|off|empty|string|number|boolean|any|unknown|never|object|required|optional|redacted|masked|hidden|example|placeholder|changeme|test|todo|invalid|valid|missing|expired))$/i;
/** A reference or call in some language: `process.env.X`, `os.environ["X"]`, `getToken()`, `self.password`, `config?.key`. */
const expression =
  /^(?:!|&|\.)|^[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$[\]]|\[|\(|<|!$|\?$)|\($|=>|\{\{|^(?:new|await|async|function|typeof|import|return|const|let|var)$/;
const identifier = /^[A-Za-z_$][\w$-]*$/;
const mixed = /\d|[^\w\s]/;
const sentence = /^[A-Z][^\n]*\s[^\n]*\s/;

/** True when a quoted value is worth redacting under a secret's name. */
export function isSecretLiteral(value: string, name: string): boolean {
  const trimmed = value.trim();
  if (trimmed.length < 3 || trimmed.startsWith("[redacted:") || placeholder.test(trimmed))
    return false;
  if (trimmed.toLowerCase().replace(/[^a-z]/g, "") === name.toLowerCase().replace(/[^a-z]/g, ""))
    return false;
  if (/\$\{|\{\{|%s|%\(/.test(trimmed) && !isRandom(trimmed)) return false;
  if (sentence.test(trimmed)) return false;
  return !/^(?:password|token|secret|passwd|credentials?|api[ _-]?key|bearer|basic)$/i.test(
    trimmed,
  );
}

/** True when an unquoted value is worth redacting; `tight` is `NAME=value`, where even a plain word is a value. */
export function isSecretBare(value: string, name: string, tight: boolean): boolean {
  if (!isSecretLiteral(value, name) || expression.test(value)) return false;
  if (/^(?:\/|~\/|\.\.?\/|[a-z]+:\/\/)/i.test(value)) return false;
  if (
    identifier.test(value) &&
    /pass|pwd|token|secret|key|cred/i.test(value) &&
    !/\d{2}/.test(value)
  )
    return false;
  if (tight) return true;
  if (/^\d+(?:\.\d+)?(?:[a-z]{1,2})?$/i.test(value)) return /pass|pwd/i.test(name);
  return value.length >= 6 && mixed.test(value);
}

/** True for a value that follows its name without a sign (`the password is …`): only what no word of prose is. */
export function isSecretLoose(value: string, name: string): boolean {
  return value.length >= 6 && /\d/.test(value) && isSecretBare(value, name, false);
}

/** Shannon entropy in bits for each character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const hash = /^(?:sha\d{1,3}[-:])?(?:[0-9a-f]{7,128}|[0-9A-F]{7,128})$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** True for one long run of characters that nobody typed: digits among letters, many different ones; no hash, UUID or path. */
export function isRandom(value: string): boolean {
  if (value.length < 20 || value.length > 2000 || !/^[\w+/=.~-]+$/.test(value)) return false;
  if (
    hash.test(value) ||
    uuid.test(value) ||
    /^(?:sha\d+-|data:|toolu_|msg_|call_|req_)/.test(value)
  )
    return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (/^[.~]?[\w.-]*\/[\w./-]*$/.test(value) && /\/[a-z-]{3,}|\.[a-z]{1,4}$/.test(value))
    return false;
  if (/^[a-z]+(?:[-_.][a-z0-9]+){2,}$/i.test(value) && !/[a-z]\d[a-z]|\d[a-z]\d/i.test(value))
    return false;
  return entropy(value) >= 3.5;
}

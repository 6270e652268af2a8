// What a value has to be that stands where the tables of rules expect a secret.
import {
  isChosen,
  isHandedOut,
  isIssued,
  isIssuedPair,
  isNameOf,
  isPassphrase,
  isPlaceholder,
  isRandom,
  isScattered,
  isSecretLiteral,
  isUnguessable,
  isUnlikeWords,
  isUuid,
} from "./values.ts";

/** Asked of a value and, where it has one, of the name before it, which for a service is the word that was found. */
export type Condition = (value: string, name: string) => boolean;

/** What stands where a password is expected: anything but a reference and numbers. */
const isPassword = (value: string): boolean =>
  isSecretLiteral(value, "") &&
  !/^["']?(?:[$%<{]|\[redacted:)/.test(value) &&
  !/^[\d.:]+$/.test(value);

/** Typed where a person would also write a word of prose: only what no word is. */
const isTyped = (value: string): boolean =>
  isPassword(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[\w.-]*\/\S*$/.test(value);

/** A value, and no reference to one (`process.env.TOKEN`, `token`, `${token}`). */
const isReal = (value: string): boolean =>
  isSecretLiteral(value, "") &&
  /\d|[+/=~]/.test(value) &&
  !/[$({[]|^[a-z]+(?:\.[a-zA-Z_]+)+$/.test(value);

/** A constant or a function of C: what `#define` gives another name. */
const isConstant = (value: string): boolean =>
  /^[A-Z][A-Z\d]*(?:_[A-Za-z]{1,40}\d{0,2}){1,9}$/.test(value) && !isScattered(value);

/** A service that keeps code has revisions too. */
const isRevision = (value: string, service: string): boolean =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) &&
  /^(?:git|bitbucket|buildkite|circleci|travis|vercel|netlify|sentry|sonar|sourcegraph|code|doppler|jfrog|artifactory|vagrant|appveyor|bitrise|teamcity|heroku|figma|google|docker)/.test(
    service,
  );

/** Base 64 of a name and a password, or of what nobody typed. */
function isLoginInBase64(value: string): boolean {
  let inside = "";
  try {
    inside = atob(value);
  } catch {
    return false;
  }
  const secret = /^(?:[\w.@+-]{1,80}:)?([!-~]{6,200})\n?$/.exec(inside)?.[1] ?? "";
  return isChosen(secret, true) || isUnguessable(secret, true) || isIssued(secret);
}

/** Words with digits in letters of any alphabet, or joined by signs as no word of a sentence is. */
const isTypedOrJoined = (value: string): boolean =>
  isTyped(value) ||
  (isPassword(value) &&
    ((/\d{2}/.test(value) && /^[\p{L}\d]{6,}$/u.test(value)) ||
      /^\p{L}{2,}(?:[@&+!_]\p{L}{2,}){1,4}\d{0,4}$/u.test(value) ||
      /^[\p{L}\d]{2,}(?:-[\p{L}\d]{1,}){2,6}$/u.test(value)));

const escapedByte = /%([0-9A-F]{2})/gi;
const fromEscape = (_: string, byte: string): string =>
  String.fromCharCode(Number.parseInt(byte, 16));

/** Of a cookie what says who somebody is: words alone let nobody in. */
const isTellingCookie = (value: string): boolean =>
  /\d|[\w%+-]{12}|=[^;]{0,400}[^\w;=\s/.,-]/.test(
    value.replace(/(?:expires|path|domain|max-age)=[^;]*/gi, ""),
  );

/** By the names that the tables have for them. */
const conditions: Readonly<Record<string, Condition>> = {
  chosen: (value) => isChosen(value),
  "chosen-in-quotes": (value) => isChosen(value, true),
  constant: isConstant,
  "handed-out": isHandedOut,
  issued: isIssued,
  "issued-escaped": (value) => isIssued(value.replace(escapedByte, fromEscape)),
  "issued-pair": isIssuedPair,
  "joined-words": (value) => isPassphrase(value, true),
  "login-in-base64": isLoginInBase64,
  // What a person or a service made, and no word of code.
  "made-secret": (value) =>
    !isPlaceholder(value) && (isChosen(value) || isIssued(value) || isUnguessable(value, true)),
  name: isNameOf,
  // What a service made beside an id of its own.
  "paired-secret": (value) => value.length >= 16 && isHandedOut(value) && !isUuid(value),
  passphrase: (value) => isPassphrase(value),
  password: isPassword,
  placeholder: isPlaceholder,
  random: isRandom,
  // What follows `Bearer` or `Basic` where these may be words.
  "random-bearer": (value) =>
    /\d/.test(value) && isReal(value) && (isRandom(value) || /=$/.test(value)),
  real: isReal,
  revision: isRevision,
  scattered: isScattered,
  "scattered-run": (value) =>
    value.length >= 20 && isRandom(value) && isScattered(value.replace(/[^A-Za-z0-9]/g, "")),
  "telling-cookie": isTellingCookie,
  typed: isTyped,
  "typed-or-joined": isTypedOrJoined,
  unguessable: (value) => isUnguessable(value),
  "unguessable-in-quotes": (value) => isUnguessable(value, true),
  "unlike-words": isUnlikeWords,
  uuid: isUuid,
};

/** `issued`, `!/^x/i`, `scattered:/[^:]*$/`: a name or an expression, of the part that an expression matches; ! turns it round. */
const term = /^(!?)([a-z0-9-]*):?(?:\/(.*)\/([a-z]*))?$/s;

function readTerm(text: string): Condition {
  const [, not, name = "", source, flags] = term.exec(text) ?? [];
  const pattern = source === undefined ? undefined : new RegExp(source, flags);
  const condition = conditions[name];
  if (!condition && (name !== "" || !pattern)) throw new Error(`no condition is called ${text}`);
  const holds = (value: string, before: string): boolean => {
    if (!condition) return pattern?.test(value) ?? false;
    return condition(pattern ? (pattern.exec(value)?.[0] ?? "") : value, before);
  };
  return (value, before) => holds(value, before) !== (not === "!");
}

/** A condition as a table has it, its terms with & and | between; of nothing: no placeholder. */
export function readCondition(text: string): Condition {
  const ways = (text || "!placeholder")
    .split(" | ")
    .map((way) => way.split(" & ").map((one) => readTerm(one)));
  return (value, name) => ways.some((terms) => terms.every((holds) => holds(value, name)));
}

// What people write where a secret would stand: a table of forms and a list of words, joined into one expression.

/** The forms, each with an example that is its test; an expression in any case, of the whole value. */
export const placeholderForms: ReadonlyArray<readonly [form: string, example: string]> = [
  // In brackets, or in one that is not closed where the value was cut.
  [String.raw`[<[{(].*[>\]})]`, "<token>"],
  [String.raw`<[\w -]{1,40}`, "<your token"],
  // A variable of a shell, or a template.
  [String.raw`\$(?:[A-Za-z_]\w*|[{(].*)`, "$API_TOKEN"],
  ["%.*%", "%API_TOKEN%"],
  // What was left out.
  [String.raw`\.{2,}.*`, "..rest"],
  [String.raw`.*\.{3}.*`, "abc...xyz"],
  ["x{3,}(?:(?: |%20)x{3,}){0,9}", "xxxx xxxx"],
  [String.raw`[:@\\]?\*+`, ":***"],
  [String.raw`\*{1,2}[a-z]{3,20}\*{1,2}`, "**hidden**"],
  ["•+", "••••"],
  ["-+", "----"],
  ["_+", "____"],
  [String.raw`\?+`, "????"],
  ["(?:your|insert|enter|replace|change|todo|fixme)[-_ ].*", "your-api-key"],
  [".*…", "sk-abc…"],
  [String.raw`.*-EXAMPLE\d{0,5}`, "acme-EXAMPLE2"],
  // A module, a part of an expression that searches for the name.
  [String.raw`@\/[\w./-]{1,200}`, "@/lib/tokens"],
  [String.raw`\*+\/[gimsx]{0,3}`, "**/gi"],
  [String.raw`\)?\[\^.*`, ")[^&]+"],
  [String.raw`\)?\.[*+].*`, ").*$"],
  // A type of a number, a kind of token, an encoding.
  [
    String.raw`(?:[\w.]{1,40}\.|redacted)?(?:big)?(?:u?int|float)\d{1,2}(?:clamped)?(?:array(?:from\w{1,12})?|_t)`,
    "BigUint64Array",
  ],
  ["oauth2?", "OAuth2"],
  [String.raw`header\.payload\.signature`, "header.payload.signature"],
  ["latin-?1", "latin1"],
  ["utf-?(?:8|16|32)", "UTF-8"],
  [String.raw`iso-8859-\d{1,2}`, "ISO-8859-15"],
];

/** Words that stand there alone; each is its own example. */
export const placeholderWords: readonly string[] = [
  // What code calls nothing, a kind of value or a switch.
  ..."null none nil undefined undef void define true false yes no on off eof".split(" "),
  ..."string str string_value number boolean bool any unknown never object name value".split(" "),
  // What people call a value that is none yet.
  ..."empty redacted masked hidden example placeholder changeme test todo dummy".split(" "),
  ..."fake sample mock demo foo bar foobar".split(" "),
  // What is said of one, and what a browser is told of credentials.
  ..."required optional invalid valid missing expired include omit same-origin hashed".split(" "),
  // How much a rule of a checker counts.
  ..."warn error warning".split(" "),
];

/** An expression for a whole value in one of these forms, in any case; a sign of the sentence may follow. */
export const inForms = (forms: readonly string[]): RegExp =>
  new RegExp(`^(?:${forms.join("|")})[.,;]?$`, "i");

/** Matches a value that is a placeholder by its form. */
export const placeholder = inForms([
  ...placeholderForms.map(([form]) => form),
  ...placeholderWords,
]);

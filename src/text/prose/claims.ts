// What a statement of the assistant claims: something done, a cause, a finding, a decision, what remains; or nothing worth keeping.

import { countWords } from "../text.ts";
import { codeNames } from "./code-names.ts";
import { meaningOf } from "./fit.ts";
import { startCapital } from "./plain.ts";
import { type Statement, statementsOf } from "./statements.ts";

/** What a sentence claims. */
export type ClaimKind =
  | "done"
  | "cause"
  | "finding"
  | "decision"
  | "next"
  | "effect"
  | "outcome"
  | "question"
  | "noise";

/** A statement with its kind, rewritten to stand without "I" and "we". */
export interface Claim {
  kind: ClaimKind;
  text: string;
  statement: Statement;
}

const verbs =
  "added|adds|fixed|fixes|removed|removes|updated|updates|created|creates|implemented|refactored|renamed|moved|replaced|changed|extracted|deleted|introduced|converted|migrated|wired|enabled|disabled|improved|rewrote|rewritten|split|merged|integrated|rebuilt|enriched|configured|installed|documented|simplified|cleaned|handled|ensured|reverted|bumped|upgraded|downgraded|restored|switched|dropped|registered|exposed|declared|captured|kept|preserved|consolidated|committed|pushed|resolved|corrected|adjusted|clarified|centralized|centralised|optimized|optimised|hardened|covered|tested|verified|filed|found|identified|discovered|confirmed|investigated|reviewed|analyzed|traced|rebased|pinned|published|released|patched|unified|reworked|repaired|restructured|cleared|wrapped|tightened|deprecated|generated|formatted|validated|built|wrote|set up|ported";
const past = new RegExp(`^(?:${verbs}|made|set)\\b(?![./-]\\w)`, "i");
const labelled = new RegExp(`^[^:!?]{1,50}?(?::| -)\\s+(?:${verbs})\\b`, "i");
const passive = new RegExp(
  `\\b(?:has|have|had) (?:now )?been (?:${verbs})\\b|\\b(?:was|were) (?:${verbs})\\b|\\b(?:is|are) now (?:\\w+ly )?(?:${verbs}|\\w{3,}ed|kept|set|done|run|read|built|sent|written|shown|told|held|put)\\b`,
  "i",
);
const person = new RegExp(
  `^(?:I|we)(?:'ve| have|'d)?(?: also| now| just| successfully| already| then)*\\s+(?=(?:${verbs}|made|set|decided|chose|opted|agreed|settled)\\b)`,
  "i",
);
const filler =
  /^(?:(?:done|perfect|great|good|excellent|fixed|success|nice|found it|got it|awesome|all done|complete|ok|okay|yes|no|sure|absolutely|exactly|right|correct|ah|i see|you're (?:absolutely )?right|note|important|also|additionally|finally|then|however|so|actually|but|and|in short|in summary|overall|specifically|basically|essentially|again|interesting|confirmed)(?:[!.,:]|\s-)\s*)+/i;
const noise =
  /^(?:made (?:\w+ )?progress|here(?:'s| is| are)|let(?:'s| me)|i(?:'ll| will|'m| am| can| could| should| need| see| understand| want| would|'d| think| believe| don't| didn't| was| had| notice)\b|now (?:i|let|we|check|update|add|run|create|verify|fix|look|implement|wire)\b|looking at|based on|sounds|makes sense|that(?:'s| is| was| explains| makes)|want me|would you|shall|do you|does this|feel free|happy to|ready (?:to|for)|no response|try it|run\b|summary|usage|example|changes? made|the (?:changes|fix|following|rest)(?: include)?:?$|all (?:done|set|pushed)|to (?:use|run|test|see) |you(?:'re| are| can now| were) |hello|hi |sorry|thanks|great question|good (?:question|point|catch)|perfect|excellent|step \d|option \d|section \d|phase \d|if you|once you|how it works|what (?:it|this|i)|actually|first,|next,? i|we(?:'re| are|'ll| can| could| should| need)\b)/i;
const nextMark =
  /\b(?:next steps?|remaining|still (?:need|needs|to do|fail|failing|missing|open|have to)|todo:|to-?do (?:items?|list)|follow-?ups?|not yet|left to do|yet to be|pending|future work|needs? to be (?:done|added|fixed|updated|implemented|tested|addressed)|you(?:'ll| will)? (?:may|might|should|need)(?: also)?(?: want)? to|should be (?:done|added|fixed|addressed) (?:next|later|separately)|known (?:issue|limitation)s?)\b/i;
/** A sentence that says by its first word that it tells what remains. */
const nextLabel =
  /^(?:next(?: steps?| up)?|remaining|left to do|still (?:open|to do|missing)|to-?do|follow-?up)\s*[:：]\s+/i;
const nextSection =
  /^(?:next(?: steps?| up| actions?| tasks?)?|remaining\b.*|to-?dos?|follow-?ups?\b.*|future\b.*|what's (?:next|left)\b.*|open (?:issues|questions|items)|still\b.*|outstanding\b.*|known (?:issues|limitations)|recommended next\b.*)$/i;
const label =
  /^(?:before|after|old|new|example|input|output|usage|result|impact|files?|location|severity|status|current|problem|issue|fix|solution|note|effort|priority|functions?|methods?|fields?|modules?|types?|purpose|params?|arguments?|returns?|key \w+|why \w+|exceptions?|options?|pros?|cons?)\s*:/i;
const causeMark =
  /\b(?:root cause|(?:issue|problem|bug|error|failure|culprit|cause|reason) (?:was|is|were|here|came)|caused by|because|due to|turned out|happens (?:when|because)|fail(?:s|ed)? (?:when|because|if)|the fix (?:is|was)|why (?:it|this|the))\b/i;
const decisionMark =
  /\b(?:decided|decision|chose|chosen|opted|agreed|going with|went with|settled on|by design|intentional(?:ly)?|trade-?off|recommend(?:ed|ation)?|prefer(?:red|s)?|convention|standardi[sz]ed? on)\b/i;
const settledMark = /^(?:decided|chose|opted|agreed|settled)\b/i;
const findingMark =
  /\b(?:(?:is|are|was|were) (?:not |only |never |already |still |currently |actually |also )?(?:defined|located|used|called|stored|handled|exported|unused|declared|implemented|generated|responsible|missing|empty|available|required|shared|in|set|based|tied|an?|the|built|run|written|read|passed|kept|limited|stale)|returns?|defaults? to|lives? in|uses?|calls?|doesn't|does not|don't|didn't|can't|cannot|supports?|requires?|expects?|depends? on|contains?|provides?|handles?|reads?|writes?|checks?|compares?|relies|runs?|stores?|creates?|generates?|ignores?|overrides?|breaks?|blocks?|hides?|exists?|works?|shows?|never|always|only)\b/i;
const effectMark =
  /^(?:now\b|as a result|the result|users? (?:now|can|see)|this (?:ensures|prevents|means|makes|will|allows|lets|avoids|catches|fixes|removes|keeps|gives|eliminates))|\bnow (?!let|i )\w+/i;
const outcomeMark =
  /\b(?:tests?|suite|build|builds|lint(?:er|ing)?|type-?checks?|typescript|ci|checks?|compilation|credo|dialyzer|issues)\b.{0,40}\b(?:pass(?:es|ed|ing)?|fail(?:s|ed|ing)?|clean|green|succeed(?:s|ed)?|success|successful(?:ly)?)\b|^\d+ (?:tests?|specs?|issues)\b|\b(?:is|are) (?:now )?(?:fully |all )?(?:complete|completed|done|finished|ready)\b/i;

/** Classifies a statement and rewrites its start so that it stands alone. */
export function claimOf(statement: Statement): Claim {
  const claim = (kind: ClaimKind, text: string): Claim => ({
    kind,
    text: startCapital(text),
    statement,
  });
  let text = statement.text.replace(/^(?:#?\d+[.)]\s+|[-•→]\s*)/, "").trim();
  for (let round = 0; round < 2; round++) text = text.replace(filler, "").trim();
  if (/[?？]["')]?$/.test(text)) return claim("question", text);
  if (nextLabel.test(text)) return claim("next", text.replace(nextLabel, ""));
  const restated = text.replace(person, "");
  if (/^(?:let me|let's|i'll|i will|i'm going)\b/i.test(restated)) return claim("noise", restated);
  if (/[:：]$/.test(restated) || label.test(restated) || countWords(restated) < 3)
    return claim("noise", restated);
  if (nextSection.test(statement.section) || nextSection.test(statement.lead))
    return claim("next", restated);
  if (noise.test(restated) && /^made /i.test(restated)) return claim("noise", restated);
  if (outcomeMark.test(restated) && countWords(restated) < 9) return claim("outcome", restated);
  if (isHollow(restated)) return claim("noise", restated);
  if (past.test(restated) || labelled.test(restated)) return claim("done", restated);
  if (
    nextMark.test(restated) &&
    !/\b(?:no|nothing) (?:remaining|left)|\bunrelated\b/i.test(restated)
  )
    return claim("next", restated);
  if (noise.test(restated)) return claim("noise", restated);
  if (passive.test(restated)) return claim("done", restated);
  if (settledMark.test(restated)) return claim("decision", restated);
  if (outcomeMark.test(restated) && countWords(restated) < 22) return claim("outcome", restated);
  if (effectMark.test(restated)) return claim("effect", restated);
  if (causeMark.test(restated)) return claim("cause", restated);
  if (decisionMark.test(restated)) return claim("decision", restated);
  if (findingMark.test(restated)) return claim("finding", restated);
  const names = statement.code.length > 0 || codeNames(restated).length > 0;
  return claim(
    names && statement.kind === "sentence" && countWords(restated) >= 7 ? "finding" : "noise",
    restated,
  );
}

const hollow = new Set(
  "fixed found issue issues problem problems bug bugs error errors resolved addressed changes change updated tests test done complete completed successfully code everything one additional all two three implemented added committed pushed branch working works ready now new pr git origin remote main file files clean".split(
    " ",
  ),
);

/** All claims of a message. "It" at the start of a sentence becomes the code that the sentence before starts with. */
export function claimsIn(markdown: string): Claim[] {
  let subject = "";
  return statementsOf(markdown).map((statement) => {
    const told =
      subject === ""
        ? statement
        : { ...statement, text: statement.text.replace(/^It(?='s|\s)/, subject) };
    const first = statement.code[0];
    if (first !== undefined && statement.text.startsWith(first)) subject = first;
    else if (!/^It\b/.test(statement.text)) subject = "";
    return claimOf(told);
  });
}

/** True for a statement that names nothing ("Found and fixed the issue"). */
function isHollow(text: string): boolean {
  let telling = 0;
  for (const word of meaningOf(text)) if (!hollow.has(word) && !/^\d+$/.test(word)) telling++;
  return telling < 2;
}

/** True for a text that starts by pointing at something said before ("It", "This", "These"). */
export function startsDangling(text: string): boolean {
  return /^(?:it|its|it's|this|that|that's|these|those|they|their|he|she|his|her|there|here|such|both|which|then|and|but|so|or|because|also|otherwise|one|each|either|neither|same|another|i|i'm|i've|i'll|we|we're|we've|my|our|you|your|you're|(?:yes|no)(?=[,.!:])|if so|instead|however|with (?:this|that|these))\b/i.test(
    text,
  );
}

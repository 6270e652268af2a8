// Verbs that requests and reports of work start with.

const plain =
  "add adjust allow analyze analyse apply ask audit automate avoid bring build bump call catch change check clean clear close commit compare compile complete configure connect consolidate continue convert copy correct cover create debug declare define delete deploy describe design detect diagnose disable display document download drop edit enable ensure enforce examine expand explain explore export expose extend extract fetch figure filter find finish fix format generate get give group guard handle harden help hide identify implement import improve include increase initialize inline inspect install integrate introduce investigate keep launch learn lift limit link list load log look lower make mark merge migrate mock move name normalize open optimize order parse pick prefer choose go stick avoid patch persist pin plan port preserve prevent print profile propose provide publish pull push put raise read rebase record redesign reduce refactor refresh register release remove rename render reorder repair replace report reproduce require reset resolve restore restructure restrict retry return reuse revert review rewrite rework rotate run save scaffold scan search separate set setup ship show silence simplify skip sort speed split start stop store stream strip suggest support surface switch sync teach tell test tidy track translate trim try turn understand unify unpin update upgrade upload use validate verify wait warn wire wrap write work".split(
    " ",
  );
const verbs = new Set(plain);
const past = new Set(
  "added adjusted applied audited automated built bumped changed checked clarified cleaned cleared closed committed compared completed configured confirmed connected consolidated converted copied corrected covered created debugged declared defined deleted deployed deprecated described designed diagnosed disabled documented dropped enabled enforced enriched ensured expanded explained explored exported exposed extended extracted fetched filed filtered finished fixed formatted found generated guarded handled hardened identified implemented imported improved included increased initialized inlined inspected installed integrated introduced investigated kept launched limited linked listed loaded located logged made marked merged migrated moved normalized opened optimized parsed patched pinned ported preserved prevented printed profiled published pulled pushed raised ran read rebased rebuilt recorded reduced refactored registered released removed renamed rendered reordered repaired replaced reported reproduced resolved restored restructured reverted reviewed reworked rewrote rotated saved scaffolded set shipped silenced simplified skipped sorted split started stopped stored streamed stripped switched synced tested tightened traced tracked trimmed turned unified updated upgraded uploaded used validated verified wired wrapped written wrote".split(
    " ",
  ),
);

function firstWord(text: string): string {
  const skipped = text.replace(
    /^(?:(?:also|just|then|now|always|never|only|don't|do not|no longer|explicitly|simply|completely|fully|properly|automatically|successfully|quickly|maybe)\s+)+/i,
    "",
  );
  return /^[\p{L}'-]+/u.exec(skipped)?.[0]?.toLowerCase() ?? "";
}

/** True for a request in the imperative ("Add a retry"). */
export function isImperative(text: string): boolean {
  return verbs.has(firstWord(text));
}

/** True for a request or a report that starts with its verb ("Add a retry", "Added a retry"). */
export function startsWithVerb(text: string): boolean {
  const word = firstWord(text);
  return verbs.has(word) || past.has(word);
}

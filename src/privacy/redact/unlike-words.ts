// Tells letters that nobody strung together as words, by the pairs of neighbours that words hardly have.

/** Behind each letter those that seldom follow it, in English and in the names of code. */
const seldom =
  "a:ehjoqz b:dfghkmnqvwxz c:bfgjnqvwxz d:ghjkmpqvwxyz e:jz f:bcghjkmnpqvwxz g:bcdfjkpqvwxyz h:bcdfghjkmnpqvwxyz i:hijkquwy j:bcdfghijklmnpqrtvwxyz k:bcdfghjkmnopqrtuvwxyz l:bghjkmqrwxz m:cfghjknqrvwxyz n:bhjqwxz o:hjqyz p:bfgjkmnqvwxz q:abcdefghijklmnopqrstvwxyz r:hjqwxz s:bgjqvxz t:bgjkqvxz u:hjkquvwxyz v:bcdfghjklmnpqrstuvwxyz w:bcdfgjklmpqtuvwxyz x:abdfghjklnoqruvwxyz y:abcdfghjkqruvwxyz z:bcdfghjklmnopqrstuvwxyz";

const pairs = new Set(
  seldom.split(" ").flatMap((row) => [...row.slice(2)].map((letter) => row.charAt(0) + letter)),
);

/** Where a word begins in a name of camel case: no pair spans it. */
const hump = /(?<=[a-z]|[A-Z])(?=[A-Z][a-z]{2})/g;
/** No value is looked at farther. */
const sample = 64;

/** True when a quarter of all neighbours among the letters, and three at least, are seldom ones. */
export function isUnlikeWords(value: string): boolean {
  let all = 0;
  let odd = 0;
  const runs = value
    .slice(0, sample)
    .replace(hump, " ")
    .toLowerCase()
    .split(/[^a-z]+/);
  for (const run of runs)
    for (let at = 1; at < run.length; at++) {
      all++;
      if (pairs.has(run.slice(at - 1, at + 1))) odd++;
    }
  return odd >= 3 && odd * 4 >= all;
}

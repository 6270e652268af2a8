// What a name promises in whatever language, and whether a value under it keeps the promise.
import { isOfSecret, type NameVerdict, verdictOf } from "./names.ts";
import {
  isChosen,
  isHandedOut,
  isInRuns,
  isIssued,
  isPassphrase,
  isRandom,
  isSecretLiteral,
  isUnguessable,
} from "./values.ts";

/** Words by the English name they stand for; where one has an underscore it may be written in any way that joins or parts. A word that also means other things stands for one that promises less. */
const meanings: Readonly<Record<string, string>> = {
  api_key:
    "|clave_api |clave_secreta |clave_privada |clave_de_acceso chave_api chave_secreta chave_privada chave_de_acesso chiave_api chiave_segreta chiave_privata clé_api clé_secrète clé_privée |cle_api |cle_secrete klucz_api ключ_api geheimschlüssel zugangsschlüssel gizli_anahtar 秘密鍵",
  password:
    "passwort kennwort contraseña contrasena contrasenya senha mot_de_passe palavra_passe |mdp| wachtwoord hasło haslo passord lösenord losenord adgangskode salasana heslo jelszó jelszo şifre sifre parolă parool lozinka zaporka slaptažodis lykilorð kodeord kodord salasõna mật_khẩu mat_khau kata_sandi كلمة_المرور كلمة_السر รหัสผ่าน пароль парола 密码 密碼 口令 パスワード 비밀번호 암호 पासवर्ड סיסמה סיסמא κωδικός",
  secret:
    "geheimnis |geheim| secreto segredo segreto hemlighet hemmelighed salaisuus секрет 密钥 密鑰 シークレット",
  token: "|jeton| токен 令牌 トークン 토큰",
  // Alone it says more than in English: programs look things up by a `key` in whatever language their texts are.
  key: "schlüssel schluessel |clé| |chave| |chiave| |klucz klíč |ключ| sleutel nyckel nøkkel nøgle |avain| anahtar| |kulcs キー",
  pass: "|clave| |parola",
};

const groups = Object.entries(meanings).map(([meaning, row]) => ({
  meaning,
  words: row.split(" "),
}));

/** Of a word of the table an expression: a bar at its edge is the edge of a word, be it in camel case. */
const sourceOf = (word: string): string =>
  word
    .replaceAll("_", "[ ._-]?")
    .replace(/^\|/, "(?<!(?-i:[a-zа-яё](?=[a-zа-яё])|[A-ZА-ЯЁ]))")
    .replace(/\|$/, "(?!(?-i:[a-zа-яё]))");

/** All of them, as a part of an expression that looks at letters of both cases. */
export const foreignSource = groups.flatMap(({ words }) => words.map(sourceOf)).join("|");

const plainWords = groups.flatMap(({ words }) =>
  words.flatMap((word) =>
    ["_", " ", "-", ".", ""].map((joint) => word.replaceAll("|", "").replaceAll("_", joint)),
  ),
);

/** What to look for in a text; of words with other letters than ASCII the capitals have to be named. */
export const foreignBeginnings: readonly string[] = [
  ...new Set(
    plainWords
      .toSorted()
      // Where one stands that this one begins with, this one is found as well.
      .reduce<string[]>((kept, word) => {
        const last = kept.at(-1);
        if (last === undefined || !word.startsWith(last)) kept.push(word);
        return kept;
      }, [])
      // The rule of names looks for these anyway.
      .filter((word) => !/^(?:pass|secret)/.test(word))
      .flatMap((word) =>
        /^[ -~]+$/.test(word)
          ? [word]
          : [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)],
      ),
  ),
];

const pattern = new RegExp(
  groups.map(({ words }) => `(${words.map(sourceOf).join("|")})`).join("|"),
  "gi",
);

/** Texts have few names, over and over. One with a digit, in which a secret might be, is never kept here. */
const known = new Map<string, string>();
const mostKnown = 1_000;
const kept = /^[A-Za-z_.$-]{1,40}$/;

/** The name with such words in English, in the case that they are written in; the name itself if there are none. */
export function inEnglish(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const english = translated(name);
  if (kept.test(name)) {
    if (known.size >= mostKnown) known.clear();
    // A copy: a part of a text would keep all of the text.
    known.set([...name].join(""), english === name ? [...name].join("") : english);
  }
  return english;
}

function translated(name: string): string {
  return name.replace(pattern, (word, ...hits: unknown[]) => {
    const meaning = groups[hits.findIndex((hit) => hit !== undefined)]?.meaning ?? word;
    if (word !== word.toLowerCase() && word === word.toUpperCase()) return meaning.toUpperCase();
    const [first = ""] = word;
    return first === first.toLowerCase()
      ? meaning
      : meaning.charAt(0).toUpperCase() + meaning.slice(1);
  });
}

/** A name in English, and what it promises. */
interface Promised {
  name: string;
  verdict: NameVerdict;
}

/** A secret's name behind which stands what it is for: `senha do banco`. */
const begins = /^(?:password|secret|token|api_key)(?![a-z])/i;

/** What a variable's, key's, header's or option's name says about its value, in other languages too. */
export function judgeNamed(written: string): Promised {
  const name = inEnglish(written);
  const verdict = verdictOf(name);
  if (name === written) return { name, verdict };
  if (verdict === "maybe" || verdict === "made") return { name, verdict: "spoken" };
  const isOne = begins.test(name) && !isOfSecret(name);
  return { name, verdict: verdict ?? (isOne ? "likely" : undefined) };
}

/** A variable of an environment, where a run of hexadecimal digits is no revision. */
export const isVariable = (name: string): boolean => /^[A-Z][A-Z\d_]*$/.test(name);

/** True for what a service made as the password of a database. */
const isLongHex = (value: string): boolean =>
  value.length >= 24 && /^(?=[a-f]{0,24}\d)(?=\d{0,24}[a-f])[0-9a-f]{24,128}$/.test(value);

/** True for a value that is what its name promises. */
export function isSecretUnder(value: string, name: string, verdict: NameVerdict): boolean {
  if (verdict === undefined) return false;
  if (verdict === "secret") return isSecretLiteral(value, name);
  // Of what is shortened nothing is left to take.
  if (value.includes("...")) return false;
  if (verdict === "maybe") return isRandom(value);
  if (verdict === "made") return value.length >= 20 && isIssued(value);
  if (verdict !== "issued" && isInRuns(value)) return true;
  if (verdict === "likely")
    return (
      isRandom(value) ||
      isChosen(value, true) ||
      isPassphrase(value) ||
      isLongHex(value) ||
      (isVariable(name) && (isIssued(value) || isUnguessable(value, true)))
    );
  const isMade = isHandedOut(value) || isUnguessable(value, true);
  return isMade || (verdict === "spoken" && isChosen(value, true));
}

/** The mark of what stands under a name and is a secret; undefined for anything else. */
export function kindUnder(key: string, value: string): string | undefined {
  const { name, verdict } = judgeNamed(key);
  return isSecretUnder(value, name, verdict) ? kindOf(name) : undefined;
}

/** What the mark says was there: `password`, `token`, `key`, `secret`. */
export function kindOf(name: string): string {
  if (/pass|pwd|pw$/i.test(name)) return "password";
  if (/token/i.test(name)) return "token";
  return /key/i.test(name) ? "key" : "secret";
}

// What passwords, tokens and secrets are called in other languages: a name with such a word means what the English one does.

/** Words by the English name they stand for; a dot stands for a blank inside of one. A word that also means other things stands for one that promises less. */
const meanings: Readonly<Record<string, string>> = {
  api_key:
    "(?<![a-z])clave_api (?<![a-z])clave_secreta (?<![a-z])clave_privada (?<![a-z])clave_de_acceso chave_api chave_secreta chave_privada chiave_api chiave_segreta clé_api clé_secrète (?<![a-z])cle_api (?<![a-z])cle_secrete api_schlüssel api-schlüssel zugangsschlüssel geheimschlüssel ключ_api api-ключ gizli_anahtar",
  password:
    "passwort kennwort contraseña contrasena contrasenya senha mot·de·passe mot_de_passe mot-de-passe motdepasse palavra-passe wachtwoord hasło haslo passord lösenord losenord adgangskode salasana heslo jelszó jelszo şifre sifre parolă parool lozinka zaporka slaptažodis lykilorð kodeord kodord salasõna mật·khẩu mật_khẩu mat_khau kata·sandi kata_sandi katasandi كلمة·المرور كلمة_المرور كلمة·السر รหัสผ่าน пароль парола 密码 密碼 口令 パスワード 비밀번호 암호 पासवर्ड סיסמה סיסמא κωδικός",
  secret:
    "geheimnis secreto segredo segreto hemlighet hemmelighed salaisuus секрет 密钥 密鑰 シークレット",
  token: "(?<![a-z])jeton(?![a-z]) токен 令牌 トークン 토큰",
  pass: "(?<![a-z])clave(?![a-z]) (?<![a-z])mdp(?![a-z]) (?<![a-z])parola",
};

const groups = Object.entries(meanings).map(([meaning, words]) => ({
  meaning,
  words: words.split(" ").map((word) => word.replaceAll("·", " ")),
}));

/** All of them, as a part of an expression that looks at letters of both cases. */
export const foreignSource = groups.flatMap(({ words }) => words).join("|");

/** What to look for in a text; of words with other letters than ASCII the capitals have to be named. */
export const foreignBeginnings: readonly string[] = [
  ...new Set(
    groups
      .flatMap(({ words }) => words)
      .map((word) => word.replace(/\(\?[^)]*\)/g, ""))
      // The rule of names looks for these anyway.
      .filter((word) => !/^(?:pass|secret)/.test(word))
      .flatMap((word) => (/^[ -~]+$/.test(word) ? [word] : [word, word.toUpperCase()])),
  ),
];

const pattern = new RegExp(
  groups
    .map(({ words }) => `(${words.join("|").replaceAll("(?<![a-z])", "(?<![A-Za-z])")})`)
    .join("|"),
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

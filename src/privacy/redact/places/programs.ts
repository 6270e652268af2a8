// Places in calls and statements of programs where a secret stands beside a name, and passwords under their name in other languages.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { isChosen, isIssued, isPlaceholder, isUnguessable } from "../values.ts";
import { isPassword, isTyped, type PlaceRule } from "./place.ts";

/** What base 64 stands for; nothing where it is none. */
function bytesOf(value: string): string {
  try {
    return atob(value);
  } catch {
    return "";
  }
}

/** The rules. */
export const callRules: readonly PlaceRule[] = [
  {
    id: "login-pair",
    finds: "a name and a password with a sign between, said to be a login",
    kind: "password",
    words: [
      ...["cred", "login", "log in", "sign in", "user/pass", "username/password", "user.info"],
      ...["zugangsdaten", "meldedaten", "identifiants", "inloggegevens", "dane logowania"],
    ],
    pattern:
      /\b(?:creds?|credentials?|credenciales|credenciais|credenziali|zugangsdaten|(?:an|log-?in)meldedaten|logindaten|identifiants|inloggegevens|dane logowania|(?:log|sign)[ -]?ins?|user(?:name)?\/pass(?:word)?|auth\.user\.info)(?:[ \t]\w{2,12}){0,3}(?:[ \t]at[ \t][^\s"'`*]{4,80})?["']?[ \t]{0,3}(?:[:=–-]|\bis\b|\bare\b|\bwith\b|\bas\b|(?<=creds?|credentials?)[ \t])[ \t]{0,3}["'`*]{0,3}[\w.@+-]{2,60}["'`*]{0,3}(?::|[ \t]{0,2}\/[ \t]{0,2}|[ ]with[ ])["'`*]{0,3}([^\s"'`,;*][^\s"'`,;]{4,198}[^\s"'`,;*])/gi,
    accepts: (value) => isChosen(value) || isUnguessable(value),
    gone: [
      "default credentials are admin:«{a12}»",
      "creds - ada / «{a12}»",
      "temp credentials ada/«{a14}»",
      "sign in with ada@example.com / «{a12}»",
      "Log in with **ada** / **«{a12}»**",
      "you can log in as ada with «{a12}»",
      "basic.auth.user.info=ada:«{a14}»",
      "Zugangsdaten: ada / «{x6}{d3}»",
      "Identifiants : ada / «{x6}{d3}»",
    ],
    stay: ["login: src/auth/login2.ts:120", "credentials: user/password", "login - a/b"],
  },
  {
    id: "value-before-name",
    finds: "a secret that a call takes before the name under which it keeps it",
    kind: "secret",
    words: ["forKey:", ' key: "', ' key: \\"'],
    pattern:
      /\([ \t]{0,2}\\{0,4}["']([^"'\n\\]{6,200})(?=\\{0,4}["'],[ \t]{0,4}(?:forKey|key|account)[:=][ \t]{0,4}\\{0,4}["']?[\w.]{0,40}(?:passw|secret|token|apikey|api_key|credential))/gi,
    accepts: (value) => isChosen(value, true) || isUnguessable(value, true),
    gone: ['keychain.set("«{a12}»", key: "password")', 'set("«{a24}»", forKey: "api_token")'],
    stay: ['set("value2", key: "name")', 't("form.labels", key: "password")'],
  },
  {
    id: "encoded-login",
    finds: "a name and a password that a program is about to encode",
    kind: "password",
    words: ["btoa(", "b64encode(", "b64(", "Buffer.from(", "base64_encode(", "strict_encode64("],
    pattern:
      /(?:btoa|b64encode|b64|Buffer\.from|base64_encode|strict_encode64)\(b?\\{0,4}["'`][\w.@+-]{1,80}:([^"'`\s\\]{4,200})(?=\\{0,4}["'`])/g,
    accepts: isTyped,
    gone: ["'Basic ' + btoa('ada:«{a12}»')", "base64.b64encode(b'ada:«{a12}»')"],
    stay: ["btoa('user:password')", "Buffer.from(`x:${secret}`)"],
  },
  {
    id: "password-of-an-app",
    finds: "a password that Google makes for an app: four times four letters",
    kind: "password",
    words: ["login(", "gmail", "smtp", "app password", "app_password", "apppassword"],
    pattern:
      /(?:login\(|pass:|\bauth\(|gmail|smtp|app[ _-]?pass)[^\n]{0,80}?\\{0,4}["'`]([a-z]{4}(?: [a-z]{4}){3})(?=\\{0,4}["'`])/gi,
    gone: [
      'smtp.login("ada@example.com", "«{x4} {x4} {x4} {x4}»")',
      "auth: { user: 'ada@gmail.com', pass: '«{x4} {x4} {x4} {x4}»' }",
    ],
    stay: ['login("ada", "this form must stay open")'],
  },
  {
    id: "decoded-login",
    finds: "base 64 of a name and password, or of a random run, that is decoded on the spot",
    kind: "password",
    words: ["base64", "atob(", "b64decode(", "Base64String("],
    pattern:
      /\b(?:echo|printf)[ \t]{1,4}(?:(?:-n|["']?%s(?:\\n)?["']?)[ \t]{1,4})?["']?([A-Za-z0-9+/]{12,400}={0,2})(?=["']?[ \t]{0,4}\|[ \t]{0,4}(?:openssl[ \t]{1,4}(?:enc[ \t]{1,4}-)?)?base64[ \t]{1,4}(?:-[A-Za-z]{1,4}[ \t]{1,4}){0,2}-{1,2}(?:d|D|decode)\b)|\bbase64[ \t]{1,4}-{1,2}(?:d|D|decode)[ \t]{0,4}<<<[ \t]{0,4}["']?([A-Za-z0-9+/]{12,400}={0,2})(?![\w+/])|(?:\batob|b64decode|Base64String)\(b?\\{0,4}["'`]([A-Za-z0-9+/]{12,400}={0,2})(?=\\{0,4}["'`])|\bBuffer\.from\(\\{0,4}["'`]([A-Za-z0-9+/]{12,400}={0,2})(?=\\{0,4}["'`],[ \t]{0,4}\\{0,4}["'`]base64)/g,
    accepts: (value) => {
      const [, , second = ""] =
        /^(?:([\w.@+-]{1,80}):)?([!-~]{6,200})\n?$/.exec(bytesOf(value)) ?? [];
      return isChosen(second, true) || isUnguessable(second, true) || isIssued(second);
    },
    gone: [
      "echo «YWRhOlRzN3hxS2hSMnZ0cA==» | base64 -d",
      "base64 --decode <<< «YWRhOlRzN3hxS2hSMnZ0cA==»",
      "printf '%s' «YWRhOlRzN3hxS2hSMnZ0cA==» | base64 --decode",
      "atob('«YWRhOlRzN3hxS2hSMnZ0cA==»')",
      "Buffer.from('«VHM3eHFLaFIydnRwUTl6»', 'base64')",
    ],
    stay: ["echo aGVsbG8gd29ybGQ= | base64 -d", "atob('eyJhIjoxfQ=='); atob('bmFtZTp2YWx1ZQ==')"],
  },
  {
    id: "typed-step",
    finds: "what a step of a test types into a field for a password",
    kind: "password",
    words: [
      ...['" with "', "\" with '", "' with '", "' with \"", '\\" with', 'word" to', 'word\\" to'],
      ...['into "', "into '", 'into \\"', "into the pass", "in the pass", 'in the "pass'],
      ...['in the \\"pass', 'in "pass', 'in \\"pass', "Input Password", "Input Text"],
    ],
    pattern:
      /pass(?:word|phrase|code)[\w -]{0,20}\\{0,4}["'][ \t](?:field[ \t])?(?:with|to)(?:[ \t]value)?[ \t]\\{0,4}["']([^"'\s\\]{6,200})(?=\\{0,4}["'])|\b(?:type|enter|fill|input|put|write|send|paste)s?(?:\(|:|[ \t]in)?[ \t]{0,2}\\{0,4}["']([^"'\s\\]{6,200})(?=\\{0,4}["'][ \t](?:in|into)[ \t](?:the[ \t])?(?:field[ \t])?\\{0,4}["']?[\w#.*=[ -]{0,20}pass(?:word|phrase|code))|\bInput (?:Password|Text)[ \t]{2,8}\S{0,40}pass\S{0,40}[ \t]{2,8}([^\s$]{6,200})/gi,
    accepts: (value) => isChosen(value, true) || isUnguessable(value, true),
    gone: [
      'When I fill in "Password" with "«{a12}»"',
      'type: "«{a12}»" into "#password"',
      'And I enter "«{a12}»" in the "Password" field',
      "Input Password    id=password    «{a12}»",
    ],
    stay: [
      'I fill in "Password" with "password"',
      'type "hello2" into the search field',
      "Input Password    id=password    ${PASS2WORD}",
    ],
  },
  {
    id: "wireless-code",
    finds: "the passphrase in the code by which a phone joins a wireless network",
    kind: "password",
    words: ["WIFI:"],
    pattern:
      /WIFI:(?:[A-Z]{1,2}:(?:[^;\\\n]|\\{1,4}[^\\\n]){0,64};){0,5}P:((?:[^;\\\n"]|\\{1,4}[^\\\s]){8,80})(?=;)/g,
    gone: ["WIFI:T:WPA;S:acme;P:«{a20}»;;", "WIFI:S:acme;T:WPA2;P:«{a6}\\;{a6}»;H:true;;"],
    stay: ["WIFI:T:nopass;S:acme;P:;;"],
  },
  {
    id: "driver-address",
    finds: "the password of a database's address without a scheme",
    kind: "password",
    words: ["@tcp(", "@unix(", "@protocol("],
    pattern: /(?:^|["'`=\s+→\uf8ff])[\w.-]{1,60}:([^\s"'`:@]{3,200})(?=@(?:tcp|unix|protocol)\()/g,
    accepts: (value) => !isPlaceholder(value) && !/^[$%{]/.test(value),
    gone: [
      'sql.Open("mysql", "ada:«{a12}»@tcp(db:3306)/shop")',
      "ada:«{a12}»@tcp(db:3306)/shop?parseTime=true",
    ],
    stay: ['"ada:%s@tcp(db:3306)/shop"', "user@tcp(db)"],
  },
  {
    id: "key-of-jwk",
    finds: "the private part of a key in JSON",
    kind: "private-key",
    words: ["kty"],
    pattern:
      /"(?:d|k|p|q|dp|dq|qi)\\{0,4}"[ \t\n]{0,8}:[ \t\n]{0,8}\\{0,4}"(?<=kty\\{0,4}"[^{}]{0,6000})([\w-]{20,1000})/g,
    gone: [
      '{"kty":"RSA","n":"{w100}","d":"«{w100}»","p":"«{w50}»","qi":"«{w50}»"}',
      '{"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}","d":"«{w43}»"}',
    ],
    stay: ['{"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}"}'],
  },
  {
    id: "password-cell",
    finds: "the last cell of the row below a head of HTML that says password",
    kind: "password",
    words: ["</th>"],
    pattern:
      /<th[^<>\n]{0,60}>(?:pass(?:word|wort|code)|kennwort|contraseña|senha|mot de passe)<\/th>\s{0,8}<\/tr>(?:\s|\uf8ff\+?|\+|\d{1,6}[→\t]){0,24}<tr[^<>\n]{0,60}>(?:\s{0,8}<td[^<>\n]{0,60}>[^<>\n]{0,100}<\/td>){0,6}?\s{0,8}<td[^<>\n]{0,60}>([^<>\s]{5,100})(?=<\/td>\s{0,8}<\/tr>)/gi,
    gone: ["<tr><th>User</th><th>Password</th></tr>\n<tr><td>ada</td><td>«{x9}»</td></tr>"],
    stay: ["<tr><th>Option</th><th>Password</th></tr>\n<tr><td>type</td><td>string</td></tr>"],
  },
  {
    id: "seed-phrase",
    finds: "the words from which a wallet's keys are made",
    kind: "private-key",
    words: ["mnemonic", "phrase"],
    pattern:
      /\b(?:mnemonic|(?:seed|recovery|secret|backup|wallet)[ _-]?phrase)[\w ]{0,20}["'\\]{0,3}[ \t]{0,4}(?:[:=]|is)[\s"'\\[]{0,6}((?:[a-z]{3,8}[ ,"']{1,3}){11,23}[a-z]{3,8})(?![a-z])/gi,
    gone: [
      "SEED_PHRASE=«abandon ability able about above absent absorb abstract absurd abuse access acid»",
    ],
    stay: ["the seed phrase: twelve words", "mnemonic is a word for what helps to remember"],
  },
];

/** Words with digits in letters of any alphabet, or joined by signs as no word of a sentence is; `base64-…` is one. */
const isTypedOrPhrase = (value: string): boolean =>
  !/^(?:base|sha|md|utf|aes|rsa)-?\d+-\p{L}+$/iu.test(value) &&
  (isTyped(value) ||
    (isPassword(value) &&
      ((/\d{2}/.test(value) && /^[\p{L}\d]{6,}$/u.test(value)) ||
        /^\p{L}{2,}(?:[@&+!_]\p{L}{2,}){1,4}\d{0,4}$/u.test(value) ||
        /^[\p{L}\d]{2,}(?:-[\p{L}\d]{1,}){2,6}$/u.test(value))));

/** The rules. */
export const languageRules: readonly PlaceRule[] = [
  {
    id: "named-in-another-language",
    finds: "a password under its name in other languages than English",
    kind: "password",
    words: [
      ...[
        "asswort",
        "ennwort",
        "clave de",
        "clave para",
        "clave es",
        "de passe",
        "ontraseña",
        "enha",
        "alavra-passe",
        "arola",
        "a password",
      ],
      ...["achtwoord", "asło", "ароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "ifre"],
      ...["senord", "ösenord", "eslo", "elszó", "dgangskode", "alasana"],
      ...["पासवर्ड", "كلمة ", "סיסמ", "κωδικός", "mật khẩu", "รหัสผ่าน", "arool", "ozinka", "арола"],
    ],
    pattern:
      /(?:(?:pass|kenn)wort|(?:mot|phrase) de passe|\bclave(?= (?:de|del|para|es)\b)|contraseña|senha|palavra-passe|parola(?: d'ordine)?|la password|wachtwoord|hasło|пароль|密码|密碼|口令|パスワード|비밀번호|şifre|lösenord(?:et)?|heslo|jelszó|adgangskode|salasana|पासवर्ड|كلمة (?:المرور|السر)|סיסמה|סיסמא|κωδικός|mật khẩu|รหัสผ่าน|parool|lozinka|парола)(?:[ \t][\p{L}]{1,16}(?![^\s"'`*」“”:=：])){0,5}["'`*」“”]{0,4}[ \t\u00a0]{0,4}(?:[:=：]|[ \t](?:ist|lautet|est|es|é|è|is|to|je|on|är|er|là|هي|هو|—)[ \t]|是|为|は|는|은|—|–|-|[ \t])[ \t\u00a0]{0,4}["'`*「“„]{0,4}([^\s"'`*」“”,;，。、|<>()]{6,200})/giu,
    accepts: isTypedOrPhrase,
    gone: [
      "Das Passwort lautet «{a12}» und gilt bis Mai.",
      "Kennwort: «{a12}»",
      "mot de passe : «{a12}»",
      "le mot de passe est «{x6}-2{a5}»",
      "contraseña: «{a12}»",
      "senha=«{a12}»",
      "A senha do banco é «Pastel@Domingo» e mais",
      "la clave del servidor es «arroz-con-leche» ya",
      "пароль от базы: «ЛетоДалеко{d2}», вот",
      "palavra-passe: «{a12}»",
      "la parola d'ordine è «{a12}»",
      "la password è «{a12}»",
      "wachtwoord is «{a12}»",
      "hasło: «{a12}»",
      "пароль: «{a12}»",
      "密码：«{a12}»",
      "密碼：«{a12}»",
      "口令：«{a12}»",
      "パスワード: «{a12}»",
      "비밀번호: «{a12}»",
      "şifre: «{a12}»",
      "lösenord: «{a12}»",
      "heslo: «{a12}»",
      "jelszó: «{a12}»",
      "adgangskode: «{a12}»",
      "salasana: «{a12}»",
      "पासवर्ड: «{a12}»",
      "كلمة المرور: «{a12}»",
      "סיסמה: «{a12}»",
      "κωδικός: «{a12}»",
      "mật khẩu: «{a12}»",
      "รหัสผ่าน: «{a12}»",
      "parool: «{a12}»",
      "lozinka: «{a12}»",
      "парола: «{a12}»",
      "비밀번호는 «{a12}» 입니다",
      "пароль от базы — «{a12}»",
    ],
    stay: [
      "Das Passwort ist falsch, bitte prüfe es.",
      "密码：不能为空",
      "Le mot de passe doit avoir 12 caractères",
      "Kennwort: mindestens 12 Zeichen",
    ],
  },
];

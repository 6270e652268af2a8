// Passwords under their name in other languages than English.
import { isPassword, isTyped, type PlaceRule } from "./place.ts";

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

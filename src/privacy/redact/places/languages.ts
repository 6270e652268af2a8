// Passwords under their name in other languages than English.
import { isTyped, type PlaceRule } from "./place.ts";

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
        "ot de passe",
        "ontraseña",
        "enha",
        "alavra-passe",
        "arola",
        "a password",
      ],
      ...["achtwoord", "asło", "ароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "ifre"],
      ...["senord", "ösenord", "eslo", "elszó", "dgangskode", "alasana"],
    ],
    pattern:
      /(?:(?:pass|kenn)wort|mot de passe|contraseña|senha|palavra-passe|parola(?: d'ordine)?|la password|wachtwoord|hasło|пароль|密码|密碼|口令|パスワード|비밀번호|şifre|lösenord|heslo|jelszó|adgangskode|salasana)["'`*」“”]{0,4}[ \t\u00a0]{0,4}(?:[:=：]|[ \t](?:ist|lautet|est|es|é|è|is|to|je|on|är|er|—)[ \t]|是|为|は|[ \t])[ \t\u00a0]{0,4}["'`*「“„]{0,4}([^\s"'`*」“”,;，。、|<>()]{6,200})/giu,
    accepts: isTyped,
    gone: [
      "Das Passwort lautet «{a12}» und gilt bis Mai.",
      "Kennwort: «{a12}»",
      "mot de passe : «{a12}»",
      "contraseña: «{a12}»",
      "senha=«{a12}»",
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
    ],
    stay: [
      "Das Passwort ist falsch, bitte prüfe es.",
      "密码：不能为空",
      "Le mot de passe doit avoir 12 caractères",
      "Kennwort: mindestens 12 Zeichen",
    ],
  },
];

// Places of what a second factor, a lock or a wallet opens for, and of what a command shows of a file with a telling name.
import { isChosen, isIssued, isPassphrase, isPlaceholder, isUnlikeWords } from "../values.ts";
import { isPassword, isTyped, type PlaceRule } from "./place.ts";

/** Words that no list of words for wallets has, and every sentence. */
const ofSentence =
  /\b(?:the|and|for|are|was|from|your|not|but|with|its|our|der|die|und|que|los|les|des|pour)\b/;

/** The rules. */
export const codeRules: readonly PlaceRule[] = [
  {
    id: "second-factor-key",
    finds: "the key from which the codes of a second factor are made, in groups or as one run",
    kind: "key",
    words: [
      "setup key",
      "set-up key",
      "totp",
      "2fa",
      "authenticator",
      "manual entry",
      "mfa",
      "otp secret",
      "otp_secret",
    ],
    pattern:
      /(?:(?:set-?up|manual(?: entry)?)[ -](?:key|code)|(?:totp|2fa|otp|mfa|authenticator)[ _-]{0,2}(?:set-?up[ _-])?(?:key|secret|seed|code))[^\n:="'`]{0,24}?["'`]{0,2}[ \t]{0,2}[:=]?[ \t]{0,2}["'`*]{0,3}((?:[A-Z2-7]{4}[ -]?){4,16}|(?:[a-z2-7]{4}[ -]){4,16}[a-z2-7]{1,4})(?![\w])/gi,
    accepts: (value) => /[2-7]/.test(value) && /^(?:[A-Z2-7 -]+|[a-z2-7 -]+)$/.test(value),
    gone: ["enter the setup key «{t4} {t4} {t4} {t4}»", "TOTP_SECRET=«{t32}»"],
    stay: ["the setup key of the table with seven columns"],
  },
  {
    id: "recovery-codes",
    finds: "codes that let in without the second factor, one or a list of them",
    kind: "code",
    words: [
      "recovery code",
      "backup code",
      "backup-code",
      "rescue code",
      "scratch code",
      "recovery-code",
      "recovery_code",
    ],
    pattern:
      /(?:recovery|backup|rescue|scratch)[ _-]codes?(?:[ \t][^\n:]{0,40})?:?[ \t"'`]{0,3}(?:(?<=:[ \t"'`]{0,3})\s{0,4}(?:\uf8ff\+?|[ +]{0,8}\d{1,6}[→\t])?)?((?:(?:\d{1,2}[.)][ ])?(?:[0-9a-z]{4,6}[ -][0-9a-z]{4,6}|\d{8})(?:[ \t,]{0,3}\n[ \t]{0,4}(?:\uf8ff\+?|[ +]{0,8}\d{1,6}[→\t])?(?=\d{1,2}[.)] \d|[0-9a-z]{4,6}[ -][0-9a-z]|\d{8})|(?![\w-]))){1,24})/gi,
    accepts: (value) =>
      /\d/.test(value) &&
      !/^\d{4}-\d{2}/.test(value) &&
      /\d[a-z]|[a-z]\d|^(?:\d{1,2}[.)] )?\d{4,6}[ -]?\d{4}/i.test(value),
    gone: ["backup codes:\n«{h4}-{h4}\n{h4}-{h4}»", "use the recovery code «{h5}-{h5}»"],
    stay: ["backup codes: see page two", "the recovery code path-of-it"],
  },
  {
    id: "pin",
    finds: "the number behind the word PIN, and that of a door or an alarm",
    kind: "code",
    words: ["PIN", " pin ", "door code", "gate code", "alarm code", "safe code", "türcode"],
    pattern:
      /(?:(?<![A-Za-z])PIN["']?[ \t]{0,2}[:=][ \t]{0,2}["'`]?|\b(?:PIN|pin)\b[^\n\d"'=:]{0,30}?[ ](?:is|ist|es|est|é|è|to)[ \t]["'`]?(?=\d{6,8}(?!\d))|\b(?:door|gate|alarm|safe|tür)-?[ ]?code\b[^\n\d]{0,50}?[ ]["'`]?)(\d{4,8}(?:[#*]\d{0,4})?)(?![\w.-])/gi,
    gone: ["CARD_PIN=«{d6}»", "the pin of the card is «{d6}» still", "alarm code: «{d5}»"],
    stay: ["LED_PIN=13", "the pin is 12 mm long", "alarm code of the year"],
  },
  {
    id: "app-password",
    finds: "a password made for an app: four times four letters",
    kind: "password",
    words: ["app-specific", "app specific", "app-pass", "app pass", "app_pass"],
    pattern:
      /app[ _-](?:specific|passw(?:ord|ort))[^\n]{0,60}?(?<![\w-])([a-z]{4}(?:-[a-z]{4}){3}|[a-z]{4}(?: [a-z]{4}){3})(?![\w-])(?! [a-z])/gi,
    accepts: (value) => value.includes("-") || isUnlikeWords(value),
    gone: [
      "app password for mail: «qzkf wxjv hbtq zgkd»",
      "the app-specific one is «{x4}-{x4}-{x4}-{x4}»",
    ],
    stay: ["an app password that will work once"],
  },
  {
    id: "drive-recovery-key",
    finds: "the recovery key of an encrypted drive: eight times six digits",
    kind: "key",
    words: ["bitlocker", "recovery", "wiederherstellung"],
    pattern: /(?<![\w-])(\d{6}(?:-\d{6}){7})(?![\w-])/g,
    gone: ["Recovery Key: «{d6}-{d6}-{d6}-{d6}-{d6}-{d6}-{d6}-{d6}»"],
    stay: ["recovery from 123456-123456"],
  },
  {
    id: "wallet-words",
    finds: "the words of a wallet, behind a word that says so, or numbered",
    kind: "private-key",
    words: ["wallet", "seed", "recovery phrase", "secret phrase", "2. "],
    pattern:
      /(?:\b(?:seed|recovery|secret|backup|wallet)[ _-]?(?:phrase|words?|seed)["'`]{0,2}[ \t]{0,2}(?:[:=]|is|are)?[\s"'`(]{1,6}((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?![a-z])|(?<!\d)(1[.)][ ]{0,2}[a-z]{3,8}(?:\s{1,12}(?:(?:\uf8ff\+?|\d{1,6}[→\t])[ ]{0,4})?\d{1,2}[.)][ ]{0,2}[a-z]{3,8}){11,23})(?![\w ]))/g,
    accepts: (value) => !ofSentence.test(value),
    gone: ["wallet words «{x4} {x5} {x4} {x5} {x4} {x5} {x4} {x5} {x4} {x5} {x4} {x6}»"],
    stay: [
      "1. open 2. read 3. close",
      "seed words are kept for the time that all of you can see that this may help them",
    ],
  },
  {
    id: "shown-key-file",
    finds: "the one line that a command shows of a file with a telling name",
    kind: "key",
    words: [
      "master.key",
      "node-token",
      "privatekey",
      "vault_pass",
      "/run/secrets/",
      "initialAdminPassword",
      "wg genkey",
      "wg genpsk",
      ".token",
    ],
    pattern:
      /(?:\b(?:cat|less|head|tail|bat|more|type)\b[^\n]{0,80}(?:master\.key|node-token|privatekey|vault_pass\w*|\/run\/secrets\/[\w.-]{1,40}|initialAdminPassword|[\w-]{1,20}\.token)|\bwg gen(?:key|psk)\b[^\n]{0,120})["']?[ \t]{0,4}\r?\n(?:\uf8ff|[ ]{0,8}\d{1,6}[→\t])?([\w+/=.:-]{16,200})(?=\s|$|["\\])/g,
    accepts: (value) =>
      isIssued(value) ||
      isIssued(value.replace(/=+$/, "")) ||
      /^[0-9a-f]{32,64}$|^[A-Za-z0-9+/]{42,43}={0,2}$/.test(value) ||
      /::server:/.test(value),
    gone: ["$ cat config/master.key\n«{h32}»", "$ wg genkey\n«{b42}=»"],
    stay: ["$ cat config/master.key\nno-such-file-here", "$ cat a.md\n{h40}"],
  },
  {
    id: "shown-dump",
    finds: "what a command dumps of a file with a telling name",
    kind: "secret",
    words: ["hexdump", "xxd", "od -"],
    pattern:
      /(?:\b(?:hexdump|xxd|hd|od)\b[^\n]{0,60}|\bcat )(?:\b|_)(?:pw|pass\w{0,6}|secret|token|luks|key|cred\w{0,8})(?:\.\w{1,6})?(?:[ \t]*\|[ ]?(?:xxd|hexdump|od)[^\n]{0,20})?[ \t]*\r?\n((?:(?:\uf8ff\+?|[ +]{0,8}\d{1,6}[→\t])?[ ]{0,4}(?:[0-9a-f]{4,8}:?[ \t]{1,3}(?:[0-9a-f]{2}[0-9a-f ]{1,60})[^\n]{0,30}|[0-9a-f]{16,64}|(?:[ ]{1,3}(?:\\?[!-~]|\d{3})){3,16})[ \t]*(?:\n|(?=")|$)){1,64})/g,
    gone: ["$ cat pw | xxd -p\n«{h30}»", "$ xxd pass.bin\n«00000000: {h4} {h4} {h4}  abcdef»"],
    stay: ["$ xxd logo.png\n00000000: 8950 4e47", "$ od -c a.txt\n  a b c d"],
  },
  {
    id: "dialogue-password",
    finds: "the password that is sent in a dialogue of FTP or POP3",
    kind: "password",
    words: ["PASS "],
    pattern:
      /(?:^|[\n\uf8ff→+"])[ \t]{0,4}(?:[CS>-]{1,3}:?[ \t])?(?<=(?:^|\n)[^\n\w]{0,8}(?:\d{1,6}→)?\+?(?:331|\+OK)[^\n]{0,100}\n[^\n]{0,16})PASS[ \t]([^\s"'\\]{4,100})/g,
    accepts: (value) => isPassword(value) && !/^[*x]+$/i.test(value),
    gone: ["331 Password required\nPASS «{x8}»\n230 ok"],
    stay: ["PASS src/a.test.ts\nPASS src/b.test.ts"],
  },
  {
    id: "copied-password",
    finds: "what C copies into a buffer for a password",
    kind: "password",
    words: ["strcpy(", "strlcpy(", "strncpy(", "fromhex(", "unhexlify("],
    pattern:
      /(?:\bstr[ln]?cpy\([ ]?[\w.>-]{0,40}(?:pass|pwd|secret|token)\w{0,12},[ ]?|\b[A-Za-z_]{0,20}(?:key|KEY|secret|SECRET)[ ]?=[ ]?[\w.]{0,24}(?:fromhex|unhexlify)\([ ]?b?)\\{0,4}["']([^"'\n\\]{6,200})(?=\\{0,4}["'])/g,
    accepts: (value) =>
      isPassword(value) &&
      (isChosen(value, true) || isPassphrase(value, true) || /^[0-9a-f]{32,128}$/.test(value)),
    gone: ['strcpy(cfg.wifi_pass, "«plum-and-pear»");', 'KEY = bytes.fromhex("«{h64}»")'],
    stay: ['strcpy(pass, "%s");', 'data = bytes.fromhex("{h64}")'],
  },
  {
    id: "reversed-token",
    finds: "a literal that a program turns around",
    kind: "token",
    words: [".reverse()", "[::-1]", "strrev("],
    pattern:
      /["'`]([\w+/=.-]{20,200})(?=["'`](?:\.split\(["'`]{2}\)\.reverse\(\)|\[::-1\])|["'`]\)(?<=strrev\(["'`][\w+/=.-]{20,200}["'`]\)))/g,
    accepts: (value) => isIssued(value),
    gone: ["'«{a32}»'.split('').reverse()"],
    stay: ["'abc'.split('').reverse()", "'a-name-of-a-very-long-function'[::-1]"],
  },
  {
    id: "typed-login",
    finds: "name and password in marks of code or bold, said to log in",
    kind: "password",
    words: ["log in", "login", "sign in", "sandbox:"],
    pattern:
      /\b(?:log|sign)[ -]?in\b[^\n`*]{0,80}?(`|\*\*)[\w.@+-]{2,60}\1[ ]?(?:\/|:|and|with|mit|und)[ ]?\1([^\s`*]{6,80})(?=\1)/gi,
    accepts: (value) => isTyped(value) || (isPassphrase(value, true) && !isPlaceholder(value)),
    gone: ["Log in with `ada` / `«plum-and-pear»`"],
    stay: ["Log in with `name` / `password`", "sign in with **GitHub** / **Google**"],
  },
];

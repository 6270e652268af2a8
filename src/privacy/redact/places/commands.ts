// Places on command lines where a secret stands.
import { isChosen, isHandedOut, isNameOf, isRandom, isScattered } from "../values.ts";
import { command, isPassword, isTyped, type PlaceRule, unquotedOf } from "./place.ts";

/** A constant or a function of C: what `#define` gives another name. */
const constant = /^[A-Z][A-Z\d]*(?:_[A-Za-z]{1,40}\d{0,2}){1,9}$/;
/** Several numbers of one. */
const numbers = /^[A-Z]\w{1,60}(?:,\d{1,6}L){1,9}$/;
/** What a command or a header sets, and neither a constant nor the name itself. */
const isSetting = (value: string, name: string): boolean =>
  isPassword(value) &&
  !isNameOf(value, name) &&
  !numbers.test(value) &&
  !/^(?:\(|[A-Z_]+(?:\(|$)|0x[\dA-Fa-f]+$|[a-z]+\d{0,5}(?:_[a-z]+\d{0,4}){2,9}$|[A-Za-z]+(?: [A-Za-z]+){2,6}$)/.test(
    value,
  ) &&
  !(constant.test(value) && !isScattered(value));

/** The rules. */
export const commandRules: readonly PlaceRule[] = [
  {
    id: "curl-user",
    finds: "the password of `-u name:password`",
    kind: "password",
    words: ["-u ", "-u=", "-user", "-a ", "--auth", "curl"],
    pattern:
      /[\s("',](?:-[a-zA-Z]{0,5}u|--user|--proxy-user|-a|--auth)[ =](?:["'\\]{1,4}[\w.@+-]{1,80}:([^"'\n]{3,4000})|[\w.@+-]{1,80}:([^\s"'`\\]{3,4000}))/g,
    // `docker run -u 1000:1000` and `-u user:group` name no password, nor does a branch of git.
    accepts: (value) =>
      !/^(?:\$|\/\/|\d+$|root$|node$|staff$|users?$|nobody$|\[redacted:|<|refs\/|[a-z]+(?:[-/][a-z]+)*\d?$|\w+\.txt$)/.test(
        value,
      ),
    gone: ["curl -u ada:«{a12}» https://x.example", "curl -u 'ada:«{a4};{a5}»' https://x.example"],
    stay: [
      "docker run -u 1000:1000 image",
      "git push -u origin main:main",
      'curl -u "$USER:$PASS" x',
    ],
  },
  {
    id: "curl-token",
    finds: "the token of `curl -u token:`, with no password or one that says nothing",
    kind: "token",
    words: ["curl", "-u ", "--user"],
    pattern:
      /\s(?:-u|--user)[ =]["'\\]{0,4}([\w.+/=-]{8,600})(?=:(?:x|X|api|api_?token|none|unused|password)?(?:["'\s]|$))/g,
    accepts: isHandedOut,
    gone: [
      "curl -u «{a32}»: https://api.example.com",
      "curl -u «{b60}==»: https://x.example",
      "curl -u '«{h32}»:X' https://x.example",
    ],
    stay: ["curl -u a-user-of-the-deployment: https://x"],
  },
  {
    id: "user-and-password",
    finds: "the password of `-u name -p password`, whatever the command",
    kind: "password",
    words: ["-p ", "-p'", '-p"', "-P ", "-pw ", "-w "],
    pattern:
      /[ \t](?:-u|-U|--user|--username)[ \t=]{0,4}["']?[\w.@\\+-]{1,80}["']?(?:[ \t]{1,4}[\w./:@=-]{1,60}){0,4}[ \t]{1,4}(?:-p|-P|-pw|-w)[ \t]{0,4}["']?([^\s"']{4,200})/g,
    accepts: (value) => isTyped(value) && isChosen(value) && !value.includes(":"),
    gone: [
      "psexec \\\\srv -u ADA\\admin -p «{a10}» cmd",
      "twine upload -u __token__ -p «{a40}» dist/x",
    ],
    stay: [
      "cmd -u root -p 8080:80",
      "docker run -u ada -p $PORT x",
      "x -U ada -p password",
      "docker run -u 1000 -v a:b -p 127.0.0.1:80:80/tcp x",
    ],
  },
  {
    id: "listed-arguments",
    finds: "the password of a command whose arguments are a list",
    kind: "password",
    words: ['"-p', "'-p", '"-P', "'-P"],
    pattern:
      /(?:["']-(?:p|P|pw|pass)["'],[ \t]{0,4}["']|(?:mysql|mariadb|7z)[^\n]{0,120}["']-p)([^"'\s-][^"'\s]{4,200})(?=["'])/g,
    accepts: (value) => isTyped(value) && isChosen(value) && !value.includes(":"),
    gone: ['run(["sshpass", "-p", "«{a12}»", "ssh", "h"])', '["mysql", "-u", "root", "-p«{a12}»"]'],
    stay: ['["docker", "run", "-p", "8080:80"]', '["mkdir", "-p", "dir"]'],
  },
  {
    id: "openssl-pass",
    finds: "the value of `pass:` as openssl takes it",
    kind: "password",
    words: ["pass:"],
    pattern: command(String.raw`-pass(?:in|out|word)?[ \t]{1,4}pass:`),
    accepts: unquotedOf(isPassword),
    gone: ["openssl rsa -in k.pem -passin pass:«{a10}» -out x"],
    stay: ["openssl rsa -in k.pem -passin pass:$PASS"],
  },
  {
    id: "imap-login",
    finds: "the password of the command LOGIN of a mail server's dialogue",
    kind: "password",
    words: ["LOGIN "],
    pattern:
      /(?:^|[\n"])[ \t]{0,8}(?:\d{1,6}[→\t|:][ \t]{0,4})?(?:[CS>]{1,2}:?[ \t])?[A-Za-z]{0,4}\d{1,5}[ \t]LOGIN[ \t]["']?[\w.@+-]{1,80}["']?[ \t]["']?([^\s"']{4,200})/g,
    accepts: isTyped,
    gone: ["a1 LOGIN ada «{a12}»\r\na1 OK", 'a001 LOGIN "ada" "«{a12}»"'],
    stay: ["a1 LOGIN of the user"],
  },
  {
    id: "sasl-login",
    finds: "the base 64 of a name and password in a mail server's dialogue",
    kind: "password",
    words: ["AUTH PLAIN", "AUTH LOGIN", "TE PLAIN", "UGFzc3dvcmQ6"],
    pattern:
      /(?:AUTH(?:ENTICATE)? (?:PLAIN|LOGIN) |334 UGFzc3dvcmQ6(?:\r?\n|\\r\\n|\\n)[ \t]{0,8}(?:\d{1,6}→)?(?:[C>]{1,2}:?[ \t])?)([A-Za-z0-9+/]{8,400}={0,2})(?![\w+/])/g,
    accepts: (value) => /\d/.test(value) || /[a-z][A-Z]/.test(value),
    gone: ["AUTH PLAIN «{b28}»==", "334 UGFzc3dvcmQ6\r\n«{b16}»"],
    stay: ["AUTH PLAIN LOGIN", "AUTH LOGIN succeeded"],
  },
  {
    id: "smb-password",
    finds: "the password of `-U user%password`",
    kind: "password",
    words: ["-U"],
    pattern: /[ \t]-U[ \t]{0,2}["']?[\w.\\-]{1,60}%([^\s"']{3,4000})/g,
    accepts: isPassword,
    gone: ["smbclient //h/s -U ada%«{a10}»"],
    stay: ["date -U 5%"],
  },
  {
    id: "piped-password",
    finds: "what is echoed into a command that reads a secret",
    kind: "password",
    words: ["echo", "printf"],
    pattern:
      /\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,2}[ \t]{1,4}|'?%s(?:\\n)?'?[ \t]{1,4})?["']?(?:[\w.-]{1,60}:)?([^\s"'|]{3,400})(?=["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-[A-Za-z]{0,4}S\b|(?:sudo[ \t]{1,4})?(?:chpasswd|passwd|kinit|cryptsetup|smbpasswd|su\b|wg[ \t])|(?![ \t]{0,4}(?:grep|egrep|sed|awk|rg|jq|tr|cut|wc|sort|uniq|head|tail|cat|less|xargs|tee|base64|shasum|sha\d{1,3}sum|md5sum)\b)[^\n|]{0,160}(?:password|passphrase|secret|token|[ \t]login\b|[ \t]auth\b|load-key|keychain|[ \t]key\b|\bpass[ \t]insert)))/g,
    accepts: isTyped,
    gone: [
      "echo «{a16}» | docker login -u ada --password-stdin",
      "echo 'ada:«{a10}»' | chpasswd",
      "printf '%s' '«{a14}»' | podman secret create db -",
      "echo -n '«{a16}»' | cryptsetup luksOpen /dev/sda2 x -",
    ],
    stay: [
      "echo $TOKEN | docker login --password-stdin",
      "echo done | sudo tee /etc/x",
      "echo v2.1.0 | grep -c token",
      "echo src/a1 | xargs grep secret",
    ],
  },
  {
    id: "piped-login",
    finds: "what is echoed into a command that reads nothing but a password",
    kind: "password",
    words: ["chpasswd", "cryptsetup", "smbpasswd", "kinit"],
    pattern:
      /\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,2}[ \t]{1,4})?["']?(?:[\w.-]{1,60}:)?([^\s"'|:]{5,400})(?=["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?(?:chpasswd|kinit|cryptsetup|smbpasswd))/g,
    accepts: isPassword,
    gone: ["echo 'ada:«plumpear»' | chpasswd", "echo -n 'Plum^«Pear»' | cryptsetup open x"],
    stay: ["echo ada:$P | chpasswd"],
  },
  {
    id: "here-string",
    finds: "a secret handed over as a here-string or as the output of echo",
    kind: "token",
    words: ["<<<", "<(echo", "<(printf"],
    pattern:
      /(?:<<<[ \t]{0,4}|<\([ \t]{0,2}(?:echo|printf)[ \t]{1,2}(?:-n[ \t]{1,2})?)["']?(?:[\w.-]{1,40}:)?([\w.~+/=!@#%^*-]{8,400})/g,
    accepts: (value) => isRandom(value) || (isChosen(value) && /\d{2}/.test(value)),
    gone: [
      "gh auth login --with-token <<< «{a36}»",
      "chpasswd <<< 'ada:«{a12}23»'",
      "cryptsetup luksOpen --key-file <(echo -n '«{a14}23»') d",
    ],
    stay: ['cat <<< "$TOKEN"'],
  },
  {
    id: "literal-argument",
    finds: "a value that a Kubernetes secret is made of",
    kind: "secret",
    words: ["--from-literal"],
    pattern: /--from-literal[= ]["']?[\w.-]{1,80}=["']?([^\s"']{3,400})/g,
    accepts: isPassword,
    gone: ["kubectl create secret generic x --from-literal=smtp='«{a12}»'"],
    stay: ["kubectl create secret generic x --from-literal=a=$A"],
  },
  {
    id: "setting-command",
    finds:
      "a value set by a command: `ENV NAME value`, `setenv`, `set -gx`, `setx`, `aws configure set`, `npm config set`",
    kind: "secret",
    words: ["ENV", "ARG", "#define", "setenv", "setx", "set ", "set\t"],
    named: true,
    pattern:
      /(?:^|[\n\uf8ff;&|→+"]|\\n)[ \t]{0,16}(?:ENV|ARG|#define|setenv|setx|set[ \t]+-[gUx]{1,3}|aws configure set|(?:npm|yarn|pnpm) config set)[ \t]+(?:\/\/[^\s:]{1,100}:)?((?:[A-Za-z_][\w.-]{0,40})?(?:password|passwd|pwd|secret|token|api_?key|access_?key|private_?key|auth|_pass(?![a-z])|_pw(?![a-z]))[\w]{0,20})[ \t]+(?:"([^"\n]{3,400})(?=")|'([^'\n]{3,400})(?=')|([^\s"'=]{3,400}))/gi,
    accepts: isSetting,
    gone: [
      "ENV DB_PASSWORD «{a10}»",
      "setx API_TOKEN «{a16}»",
      "aws configure set aws_secret_access_key «{b40}»",
    ],
    stay: [
      "ENV MAX_TOKENS 4096",
      "ENV TOKEN $TOKEN",
      "set -x\nset -e",
      "#define SCTP_AUTHINFO\tSCTP_AUTHINFO",
      "#define OBJ_userPassword  OBJ_X509,35L",
      '#define SN_auth_rsa "AuthRSA"',
      '#define LN_setext_miAuth "merchant initiated auth"',
      "#define NFSDDBG_AUTH 0x0040",
    ],
  },
  {
    id: "redis-auth",
    finds: "the password of the command AUTH, as typed at a server's prompt",
    kind: "password",
    words: ["AUTH ", 'AUTH"', 'AUTH\\"'],
    pattern:
      /(?:(?<=\d> |redis> |\bsend |")AUTH[ \t]{1,4}(?!(?:CRAM|DIGEST|SCRAM|XOAUTH)[-\d])(?:[\w.@-]{1,60}[ \t]{1,4})?([^\s"'\\]{6,200})|\\{0,4}"AUTH\\{0,4}"(?:,? \\{0,4}"[\w.@-]{1,60}\\{0,4}")?,? \\{0,4}"([^"\n\\]{6,200})(?=\\{0,4}"(?!,? \\{0,4}")))/g,
    accepts: isTyped,
    gone: [
      '1772366401.1 [0 10.0.0.1:5000] "AUTH" "«{a12}»"',
      'write(4, "AUTH «{a12}»\\r\\n", 22) = 17',
      "127.0.0.1:6379> AUTH «{a20}»",
      "cache:6379> AUTH ada «{a14}»",
    ],
    stay: ["127.0.0.1:6379> AUTH <password>", "SMTP AUTH LOGIN2FA is refused"],
  },
  {
    id: "expected-password",
    finds: "what a script of expect sends to a prompt for a password",
    kind: "password",
    words: ["assword", "assphrase"],
    pattern:
      /ass(?:word|phrase)[^"'\n]{0,12}\\{0,4}["'][ \t]{0,4}[){]{0,2}(?:[ \t;\n]|\\?n){0,8}(?:(?<=\n)[^"'\n]{0,60}?[\s:→+])?(?:\w{1,20}\.)?send(?:line)?(?:[ \t]{1,4}--)?[ \t]{0,4}\(?\\{0,4}["']([^"'\s\\]{4,200})/g,
    accepts: isPassword,
    gone: [
      'expect "assword:" { send "«{a12}»\\r" }',
      'child.expect("Password:"); child.sendline("«{a12}»")',
    ],
    stay: ['expect "assword:" { send "$password\\r" }'],
  },
];

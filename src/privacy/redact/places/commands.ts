// Places on command lines where a secret stands.
import { isRandom } from "../values.ts";
import { command, isPassword, isTyped, type PlaceRule, unquotedOf } from "./place.ts";

/** The rules. */
export const commandRules: readonly PlaceRule[] = [
  {
    id: "curl-user",
    finds: "the password of `-u name:password`",
    kind: "password",
    words: ["-u ", "-u=", "-user", "-a ", "--auth"],
    pattern:
      /\s(?:-u|--user|--proxy-user|-a|--auth)[ =](?:["'\\]{1,4}[\w.@+-]{1,80}:([^"'\n]{3,200})|[\w.@+-]{1,80}:([^\s"'`\\]{3,200}))/g,
    // `docker run -u 1000:1000` and `-u user:group` name no password, nor does a branch of git.
    accepts: (value) =>
      !/^(?:\$|\d+$|root$|node$|staff$|users?$|nobody$|\[redacted:|<|refs\/|[a-z]+(?:[-/][a-z]+)*\d?$|\w+\.txt$)/.test(
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
    finds: "the token of `curl -u token:`",
    kind: "token",
    words: ["curl"],
    pattern: /\s(?:-u|--user)[ =]["'\\]{0,4}([\w.-]{20,200})(?=:["'\s]|:$)/g,
    accepts: isRandom,
    gone: ["curl -u «{a32}»: https://api.example.com"],
    stay: ["curl -u a-user-of-the-deployment: https://x"],
  },
  {
    id: "command-password",
    finds: "a password on a command line that takes one without a telling name",
    kind: "password",
    words: [
      "sshpass",
      "docker",
      "redis-cli",
      "mongo",
      "openssl",
      "zip",
      "7z",
      "ldap",
      "vault login",
      "podman",
      "helm",
      "htpasswd",
      "net use",
      "http-basic.",
    ],
    pattern: command(
      String.raw`\b(?:sshpass[ \t]{1,4}-p|(?:docker|podman|helm)[ \t]{1,4}(?:registry[ \t]{1,4})?login\b[^\n|;&]{0,120}?[ \t]-p|redis-cli\b[^\n|;&]{0,120}?[ \t]-a|mongo[a-z]{0,7}\b[^\n|;&]{0,120}?[ \t]-p|openssl[ \t]{1,4}enc\b[^\n|;&]{0,120}?[ \t]-k|(?:un)?zip\b[^\n|;&]{0,80}?[ \t]-P|7z[a-z]?\b[^\n|;&]{0,80}?[ \t]-p(?=[^\s-])|ldap[a-z]{3,8}\b[^\n|;&]{0,120}?[ \t]-w|vault[ \t]{1,4}login|htpasswd[ \t]{1,4}-[A-Za-z]{0,6}b[A-Za-z]{0,6}[ \t]{1,4}(?:\S{1,100}[ \t]{1,4}){1,2}(?=\S{3,200}(?:\s|$))(?!-)|poetry[ \t]{1,4}config[ \t]{1,4}http-basic\.\S{1,60}[ \t]{1,4}\S{1,60}[ \t]|net[ \t]{1,4}use[ \t]{1,4}\S{1,60}[ \t]{1,4}\\{2}\S{1,120}[ \t](?![ \t]*\/))[ \t=]{0,4}`,
    ),
    accepts: unquotedOf(isPassword),
    gone: [
      "sshpass -p «{a10}» ssh ada@db",
      "redis-cli -h db -a «{a12}» ping",
      "7z x a.7z -p«{a10}»",
      "htpasswd -bB .htpasswd ada «{a10}»",
      "poetry config http-basic.acme ada «{a18}»",
      "net use Z: \\\\srv\\share «{a10}» /user:ADA",
    ],
    stay: [
      "redis-cli -a $REDIS_PASSWORD ping",
      "zip -r out.zip dist",
      "docker compose -p shop up",
      "net use Z: \\\\srv\\share /persistent:no",
    ],
  },
  {
    id: "mysql-password",
    finds: "the password of `mysql -p…`",
    kind: "password",
    words: ["mysql", "mariadb"],
    pattern: command(
      String.raw`\b(?:mysql|mariadb)[a-z_-]{0,12}[ \t][^\n|;&]{0,120}?(?<=[ \t])-p(?=[^\s-])`,
    ),
    // `docker run mysql -p3306:3306` names ports.
    accepts: unquotedOf(isPassword),
    gone: ["mysql -uroot -p«{a10}» shop"],
    stay: ["docker run --name db mysql -p3306:3306 mysql:8", "mysql -u root -p shop"],
  },
  {
    id: "user-and-password",
    finds: "the password of `-u name -p password`, whatever the command",
    kind: "password",
    words: ["-p ", "-p'", '-p"', "-P "],
    pattern:
      /[ \t](?:-u|-U|--user|--username)[ \t=]{1,4}["']?[\w.@\\+-]{1,80}["']?[ \t]{1,4}(?:-p|-P|-pw)[ \t]{0,4}["']?([^\s"']{4,200})/g,
    accepts: isTyped,
    gone: [
      "psexec \\\\srv -u ADA\\admin -p «{a10}» cmd",
      "twine upload -u __token__ -p «{a40}» dist/x",
    ],
    stay: ["cmd -u root -p 8080:80", "docker run -u ada -p $PORT x", "x -U ada -p password"],
  },
  {
    id: "openssl-pass",
    finds: "the value of `pass:` as openssl takes it",
    kind: "password",
    words: ["pass:"],
    pattern: command(String.raw`-pass(?:in|out)?[ \t]{1,4}pass:`),
    accepts: unquotedOf(isPassword),
    gone: ["openssl rsa -in k.pem -passin pass:«{a10}» -out x"],
    stay: ["openssl rsa -in k.pem -passin pass:$PASS"],
  },
  {
    id: "smb-password",
    finds: "the password of `-U user%password`",
    kind: "password",
    words: ["-U"],
    pattern: /[ \t]-U[ \t]{0,2}["']?[\w.\\-]{1,60}%([^\s"']{3,200})/g,
    accepts: isPassword,
    gone: ["smbclient //h/s -U ada%«{a10}»"],
    stay: ["date -U 5%"],
  },
  {
    id: "piped-password",
    finds: "what is echoed into a command that reads a password",
    kind: "password",
    words: ["echo", "printf"],
    pattern:
      /\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?["']?(?:[\w.-]{1,60}:)?([^\s"'|]{3,400})(?=["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-[A-Za-z]{0,4}S\b|(?:sudo[ \t]{1,4})?chpasswd|(?:docker|podman|helm)[^\n|]{0,160}--password-stdin|gh[ \t]{1,4}auth|passwd\b))/g,
    accepts: isPassword,
    gone: ["echo «{a16}» | docker login -u ada --password-stdin", "echo 'ada:«{a10}»' | chpasswd"],
    stay: ["echo $TOKEN | docker login --password-stdin", "echo done | sudo tee /etc/x"],
  },
  {
    id: "here-string",
    finds: "a token handed over as a here-string",
    kind: "token",
    words: ["<<<"],
    pattern: /<<<[ \t]{0,4}["']?([\w.~+/=-]{16,400})/g,
    accepts: isRandom,
    gone: ["gh auth login --with-token <<< «{a36}»"],
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
      /(?:^|[\n\uf8ff;&|→+"]|\\n)[ \t]{0,16}(?:ENV|ARG|#define|setenv|setx|set[ \t]+-[gUx]{1,3}|aws configure set|(?:npm|yarn|pnpm) config set)[ \t]+(?:\/\/[^\s:]{1,100}:)?((?:[A-Za-z_][\w.-]{0,40})?(?:password|passwd|pwd|secret|token|api_?key|access_?key|private_?key|auth)[\w]{0,20})[ \t]+["']?([^\s"'=]{3,400})/gi,
    accepts: isPassword,
    gone: [
      "ENV DB_PASSWORD «{a10}»",
      "setx API_TOKEN «{a16}»",
      "aws configure set aws_secret_access_key «{b40}»",
    ],
    stay: ["ENV MAX_TOKENS 4096", "ENV TOKEN $TOKEN", "set -x\nset -e"],
  },
  {
    id: "redis-auth",
    finds: "the password of the command AUTH, as typed at a server's prompt",
    kind: "password",
    words: ["AUTH "],
    pattern: /(?<=\d> |redis> |\bsend )AUTH[ \t]{1,4}(?:[\w.@-]{1,60}[ \t]{1,4})?(\S{6,200})/g,
    accepts: isTyped,
    gone: ["127.0.0.1:6379> AUTH «{a20}»", "cache:6379> AUTH ada «{a14}»"],
    stay: ["127.0.0.1:6379> AUTH <password>", "SMTP AUTH LOGIN2FA is refused"],
  },
  {
    id: "expected-password",
    finds: "what a script of expect sends to a prompt for a password",
    kind: "password",
    words: ["assword", "assphrase"],
    pattern:
      /ass(?:word|phrase)[^"'\n]{0,12}\\{0,4}["'][ \t]{0,4}\{?(?:[ \t]|\\?n){0,8}send(?:line)?(?:[ \t]{1,4}--)?[ \t]{0,4}\(?\\{0,4}["']([^"'\s\\]{4,200})/g,
    accepts: isPassword,
    gone: ['expect "assword:" { send "«{a12}»\\r" }'],
    stay: ['expect "assword:" { send "$password\\r" }'],
  },
];

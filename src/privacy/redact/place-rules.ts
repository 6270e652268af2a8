// Secrets that their place gives away: headers, cookies, addresses, command lines and files with a place for a secret.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { kindOf } from "./assignments.ts";
import type { Found, TextRule } from "./rule.ts";
import { isPlaceholder, isRandom, isScattered, isSecretLiteral } from "./values.ts";

/** A rule whose pattern says where a secret stands. */
export interface PlaceRule extends TextRule {
  kind: string;
  /** Global and linear; its last group is the secret, and ends the match. */
  pattern: RegExp;
  /** The kind is that of the name in the first group. */
  named?: boolean;
  /** Whether what stood there is a secret; else any value that is no placeholder. */
  accepts?: (value: string) => boolean;
}

/** A value, and no reference to one (`process.env.TOKEN`, `token`, `${token}`). */
function isReal(value: string): boolean {
  return (
    isSecretLiteral(value, "") &&
    /\d|[+/=~]/.test(value) &&
    !/[$({[]|^[a-z]+(?:\.[a-zA-Z_]+)+$/.test(value)
  );
}
const isRandomBearer = (value: string): boolean =>
  /\d/.test(value) && isReal(value) && (isRandom(value) || /=$/.test(value));
const isPassword = (value: string): boolean =>
  isSecretLiteral(value, "") && !isReference(value) && !/^[\d.:]+$/.test(value);
/** A variable of a shell or a template. */
function isReference(value: string): boolean {
  return /^["']?(?:[$%<{]|\[redacted:)/.test(value);
}
/** Typed where a person would also write a word of prose: only what no word is. */
const isTyped = (value: string): boolean =>
  isPassword(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[\w.-]*\/\S*$/.test(value);
const isUrlPassword = (value: string): boolean =>
  !/^(?:\[redacted:|<|\$|\{|%[({]|\*+$|x{3,}$|\d{1,5}(?:\/|$))|^(?:password|pass|pw|pwd)$/i.test(
    value,
  );

const quoted = String.raw`(?:'[^'\n]{3,200}'|"[^"\n]{3,200}"|[^\s"'|;&<>]{3,200})`;
const command = (before: string): RegExp => new RegExp(`${before}(${quoted})`, "g");
const unquotedOf =
  (accepts: (value: string) => boolean) =>
  (value: string): boolean =>
    accepts(value.replace(/^["']|["']$/g, ""));

const withDigit = (before: string): string[] => [..."0123456789"].map((digit) => before + digit);

/** The rules; more of them is all it takes to find more. */
export const placeRules: readonly PlaceRule[] = [
  {
    id: "authorization-header",
    finds: "the value of an Authorization header",
    kind: "authorization",
    words: ["authorization"],
    pattern:
      /authorization["'\\]{0,6}[ \t]{0,4}[:=,][ \t]{0,4}["'`\\]{0,6}(?:(?:basic|bearer|token|digest|apikey|negotiate|aws4-hmac-sha256)[ \t]+)?([^\s"'`\\,;)}<>]{6,4000})/gi,
    accepts: isReal,
    gone: [
      "Authorization: Bearer «{a40}»",
      '["Authorization", "Bearer «{a32}»"]',
      "authorization: «{a32}»",
    ],
    stay: ["Authorization: Bearer <token>", "headers.authorization = `Bearer ${key}`"],
  },
  {
    id: "bearer",
    finds: "a random value behind Bearer or Basic",
    kind: "authorization",
    words: ["bearer", "basic"],
    pattern: /\b(?:bearer|basic)[ \t]+([\w.~+/=-]{16,4000})/gi,
    accepts: isRandomBearer,
    gone: ["send Bearer «{a32}»"],
    stay: ["supports Basic authentication-schemes-of-rfc-7617"],
  },
  {
    id: "key-header",
    finds: "the value of a header that carries a key",
    kind: "key",
    words: ["-key", "-token", "-secret", "-api", "-security"],
    pattern:
      /\b(?:x-(?:[a-z]{1,16}-){0,3}|private-|job-|deploy-|apim-)(?:api-?key|subscription-key|token|secret|security-token|api)["'\\]{0,6}[ \t]{0,4}:[ \t]{0,4}["'\\]{0,6}([^\s"'`\\,;)}<>]{6,4000})/gi,
    accepts: isReal,
    gone: [
      "X-API-Key: «{a24}»",
      "PRIVATE-TOKEN: «{a20}»",
      "X-Vault-Token: «s.{a24}»",
      "Ocp-Apim-Subscription-Key: «{h32}»",
    ],
    stay: ["X-Api-Key: your-key", "x-api-key: ${key}"],
  },
  {
    id: "cookie-header",
    finds: "the cookies of a Cookie or Set-Cookie header",
    kind: "cookie",
    words: ["cookie"],
    pattern:
      /\b(?:set-)?cookie["'\\]{0,6}[ \t]{0,4}:[ \t]{0,4}\[?["'\\]{0,6}([\w.-]{1,80}=[^\r\n"'\\]{4,8000})/gi,
    gone: ["Cookie: sid=«{a32}»; theme=«dark{a4}»", '{"set-cookie":["sid=«{a32}»; Path=/"]}'],
    stay: ["Cookie: what the browser sends back"],
  },
  {
    id: "cookie-argument",
    finds: "cookies on a command line of curl or wget",
    kind: "cookie",
    words: ["curl", "wget", "http"],
    pattern: /[ \t](?:-b|--cookie)[ =]["'\\]{1,4}([\w.-]{1,80}=[^\r\n"'\\]{4,8000})/g,
    gone: ["curl -b 'session=«{a32}»' https://x.example"],
    stay: ["curl -b cookies.txt https://x.example"],
  },
  {
    id: "cookie-jar",
    finds: "the value of a line of a Netscape cookie file",
    kind: "cookie",
    words: ["TRUE", "FALSE"],
    pattern:
      /(?:TRUE|FALSE)(?:\t|\\t)\/[^\s\\]{0,200}(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\d{1,12}(?:\t|\\t)[^\s\\]{1,100}(?:\t|\\t)([^\s\\"]{4,4000})/g,
    gone: [".example.com\tTRUE\t/\tTRUE\t1799999999\tsession\t«{a32}»"],
    stay: ["x\tTRUE\t/\tFALSE\tname"],
  },
  {
    id: "url-password",
    finds: "the password of an address, `scheme://user:password@host`",
    kind: "password",
    words: ["://"],
    pattern: /:\/\/[^\s:@/"'`<>\\[]{0,100}:([^\s@"`\\]{1,400})(?=@)/g,
    accepts: isUrlPassword,
    gone: ["postgres://shop:«{a12}»@db.local/shop", "redis://:«{a8}/{a4}»@cache:6379"],
    stay: [
      "http://localhost:8080/@scope/pkg",
      "postgres://u:${PASSWORD}@db",
      "http://x:3000/a@b.c",
    ],
  },
  {
    id: "url-token",
    finds: "a token in place of the user of an address",
    kind: "token",
    words: ["://"],
    pattern: /:\/\/([\w.~-]{20,400})(?=@)/g,
    accepts: isRandom,
    gone: ["https://«{a40}»@git.example.com/x.git"],
    stay: ["ssh://git-user-of-the-deployment@git.example.com"],
  },
  {
    id: "oracle-password",
    finds: "the password of an Oracle address",
    kind: "password",
    words: ["jdbc:oracle", "sqlplus"],
    pattern: /(?:jdbc:oracle:thin:|sqlplus[ \t]{1,4})\w{1,60}\/([^\s@"'\\/]{3,200})(?=@)/g,
    accepts: isPassword,
    gone: ["jdbc:oracle:thin:shop/«{a12}»@db:1521:x"],
    stay: ["jdbc:oracle:thin:@db:1521:x"],
  },
  {
    id: "signed-url",
    finds: "the signature that makes a link work for everybody",
    kind: "signature",
    words: ["sig=", "signature=", "security-token="],
    pattern:
      /[?&](?:sig|signature|x-(?:amz|goog)-(?:signature|security-token))=([\w%+/=.-]{16,4000})/gi,
    gone: ["https://s3.example/x?X-Amz-Signature=«{h64}»"],
    stay: ["https://x.example/?sig=none"],
  },
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
    id: "sql-password",
    finds: "the password of a user in SQL",
    kind: "password",
    words: ["identified", "password"],
    pattern:
      /\b(?:IDENTIFIED[ \t]+(?:WITH[ \t]+\S{1,40}[ \t]+)?BY(?:[ \t]+PASSWORD)?|(?:WITH|ENCRYPTED|SET|(?:ROLE|USER)[ \t]+\S{1,60}(?:[ \t]+[A-Z]{4,12}){0,4})[ \t]+PASSWORD(?:[ \t]+FOR[ \t]+\S{1,80})?[ \t]{0,4}=?)[ \t]{0,4}(?:PASSWORD\()?N?'([^'\n]{3,200})(?=')/gi,
    gone: [
      "CREATE USER ada IDENTIFIED BY '«{a10}»';",
      "ALTER ROLE ada WITH PASSWORD '«{a10}»';",
      "CREATE ROLE ada LOGIN PASSWORD '«{a10}»';",
    ],
    stay: ["checkpoints (identified by strategy in metadata)", "IDENTIFIED BY '?'"],
  },
  {
    id: "netrc",
    finds: "the password of an entry of a netrc file",
    kind: "password",
    words: ["login"],
    pattern:
      /\b(?:machine(?:\s|\\[nt]){1,8}\S{1,100}|default)(?:\s|\\[nt]|[|>→\uf8ff\d:+-]){1,24}login(?:\s|\\[nt]){1,8}[^\s\\]{1,100}(?:\s|\\[nt]|[|>→\uf8ff\d:+-]){1,24}password(?:\s|\\[nt]){1,8}([^\s"'\\]{3,200})/g,
    gone: [
      "machine api.example login ada password «{a10}»",
      "machine x\n  login ada\n  password «{a10}»\n",
    ],
    stay: ["on a machine with login shell and password prompt"],
  },
  {
    id: "pgpass",
    finds: "the password of a line of a pgpass file",
    kind: "password",
    words: [":*:", ...withDigit(":")],
    pattern:
      /(?<=(?:^|[\s→+">])(?:[\w.-]{1,100}|\*)):(?:\d{4,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:([^\s:"'\\,]{6,200})(?![\w:])/g,
    accepts: isTyped,
    gone: ["db.example:5432:shop:ada:«{a12}»", "*:*:*:ada:«{a12}»"],
    stay: ["12:3000:10:40:done", "src/a.ts:1200:5:error:unused2"],
  },
  {
    id: "password-hash",
    finds: "hashes of passwords, as in shadow and htpasswd files",
    kind: "password",
    words: ["$2", "$6$", "$5$", "$1$", "$apr1$", "$y$", "$argon2", "$scrypt"],
    pattern:
      /(\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{40,60}|(?:apr1|[156y]|argon2(?:id|i|d)|scrypt)\$[./A-Za-z0-9$=,+]{20,300}))/g,
    gone: ["$2b$12$«{a53}»", "ada:$apr1$«{a8}$x{a21}»"],
    stay: ["$1$2", "const $2b = 1"],
  },
  {
    id: "telegram-token",
    finds: "the token of a Telegram bot",
    kind: "telegram-token",
    words: [":AA"],
    pattern: /(?<![\w])(\d{8,10}:AA[\w-]{33,35})(?![\w-])/g,
    gone: ["«{d10}:AA{w33}»"],
    stay: ["12345:AAPL"],
  },
  {
    id: "azure-client-secret",
    finds: "the secret of an Azure application, by the mark in its middle",
    kind: "azure-secret",
    words: ["Q~"],
    pattern: /(?<![\w.~-])([\w.~]{3}\dQ~[\w.~-]{31,34})(?![\w.~-])/g,
    gone: ["«{a3}8Q~{a34}»"],
    stay: ["8Q~ is a mark"],
  },
  {
    id: "terraform-token",
    finds: "a token of Terraform Cloud, by the mark in its middle",
    kind: "terraform-token",
    words: [".atlasv1."],
    pattern: /(?<!\w)([A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70})/g,
    gone: ["«{a14}.atlasv1.{w64}»"],
    stay: ["x.atlasv1.y"],
  },
  {
    id: "mailchimp-key",
    finds: "a key of Mailchimp, by its end",
    kind: "mailchimp-key",
    words: withDigit("-us"),
    pattern: /(?<!\w)([0-9a-f]{32}-us\d{1,2})(?!\w)/g,
    gone: ["«{h32}»-us12"],
    stay: ["deadbeef-us1"],
  },
  {
    id: "maxmind-key",
    finds: "a license key of MaxMind, by its end",
    kind: "maxmind-key",
    words: ["_mmk"],
    pattern: /(?<!\w)([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?!\w)/g,
    gone: ["«{a6}_{a29}»_mmk"],
    stay: ["name_mmk"],
  },
  {
    id: "mailgun-signing-key",
    finds: "a key of Mailgun, by its three hexadecimal parts",
    kind: "mailgun-key",
    words: ["mailgun"],
    pattern: /mailgun[^\n]{0,80}?(?<![\w-])([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?![\w-])/gi,
    gone: ["mailgun('«{h32}-{h8}-{h8}»')"],
    stay: ["mailgun {h32}-{h8}"],
  },
  {
    id: "newrelic-license",
    finds: "a license key of New Relic, by its end",
    kind: "newrelic-key",
    words: ["NRAL"],
    pattern: /(?<!\w)((?:[0-9a-f]{36}|[a-z]{2}\d\dxx[0-9a-f]{30})NRAL)(?!\w)/g,
    gone: ["«{h36}»NRAL", "eu01xx«{h30}»NRAL"],
    stay: ["the end NRAL"],
  },
  {
    id: "dropbox-long-token",
    finds: "a token of Dropbox, by the mark in its middle",
    kind: "dropbox-token",
    words: ["AAAAAAAAAA"],
    pattern: /(?<![\w+/-])((?=[A-Za-z]{0,10}\d)[A-Za-z0-9]{11}AAAAAAAAAA[\w=-]{43})(?![\w+/-])/g,
    gone: ["«{l11}AAAAAAAAAA{w43}»"],
    stay: ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
  },
  {
    id: "meta-app-token",
    finds: "the token of an app of Meta Horizon: its number, a stroke, and a random run",
    kind: "facebook-token",
    words: ["OC|"],
    pattern: /(?<![\w|])(OC\|\d{15,17}\|[\w-]{27,40})(?![\w-])/g,
    accepts: (value) => isScattered(value.slice(value.lastIndexOf("|") + 1)),
    gone: ["OC|«{d16}|{a28}»"],
    stay: ["OC|{d15}|a-word-of-the-next-column-of-it"],
  },
  {
    id: "rapidapi-key",
    finds: "a key of RapidAPI, by the marks in it",
    kind: "rapidapi-key",
    words: ["jsn"],
    pattern: /(?<!\w)([0-9a-f]{10}msh[0-9a-f]{15}p1[0-9a-f]{5}jsn[0-9a-f]{12})(?!\w)/g,
    gone: ["«{h10}msh{h15}p1{h5}jsn{h12}»"],
    stay: ["jsn"],
  },
  {
    id: "upstash-token",
    finds: "a token of Upstash, by the mark in it",
    kind: "upstash-token",
    words: ["AAIncD", "AAIjcD"],
    pattern: /(?<![\w+/])(A[A-Za-z0-9]{3}AAI[nj]cD[A-Za-z0-9+/]{30,120}={0,2})/g,
    gone: ["«AX{a2}AAIncD{a40}»"],
    stay: ["AAIncD"],
  },
  {
    id: "unleash-token",
    finds: "a token of Unleash: project, environment, and a long run",
    kind: "unleash-token",
    words: [":production.", ":development.", "default:", "*:*", "*:dev", "*:prod"],
    pattern: /(?<![\w*])((?:\*|[\w-]{1,40}):(?:\*|[\w-]{1,40})\.[0-9a-f]{56,64})(?!\w)/g,
    gone: ["«default:production.{h56}»", "«*:*.{h56}»"],
    stay: ["default:production.example.com"],
  },
  {
    id: "sidekiq-login",
    finds: "the login of Sidekiq's paid gems",
    kind: "sidekiq-login",
    words: ["contribsys"],
    pattern:
      /(?:contribsys__com["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}([0-9a-f]{8}:[0-9a-f]{8})(?!\w)|\/\/([0-9a-f]{8}:[0-9a-f]{8})(?=@(?:gems|enterprise)\.contribsys\.com))/gi,
    gone: ["https://«{h8}:{h8}»@gems.contribsys.com/", "BUNDLE_GEMS__CONTRIBSYS__COM=«{h8}:{h8}»"],
    stay: ["source 'https://gems.contribsys.com/'"],
  },
  {
    id: "chat-webhook",
    finds: "the address at which a Mattermost or Rocket.Chat takes messages",
    kind: "webhook",
    words: ["/hooks/"],
    pattern:
      /https?:\/\/[\w.-]{3,100}(?::\d{1,5})?\/hooks\/([a-z0-9]{26}|[A-Za-z0-9]{17,24}\/[A-Za-z0-9]{40,70})(?![\w/.-])/g,
    accepts: (value) => /\d/.test(value),
    gone: [
      "https://chat.example.org/hooks/«{l26}»",
      "https://chat.example.org/hooks/«{a17}/{a47}»",
    ],
    stay: ["https://example.org/hooks/use-local-storage"],
  },
  {
    id: "key-file-line",
    finds:
      "values of settings whose name says it elsewhere: `requirepass`, `psk`, `storePassword '…'`",
    kind: "password",
    words: ["requirepass", "masterauth", "psk", "asswor", "storepass", "keypass"],
    pattern:
      /(?:\b(?:requirepass|masterauth)[ \t]{1,8}|\b(?:wpa_)?psk[ \t]{0,4}=[ \t]{0,4}["\\]{0,4}|\b-?(?:store|key|signing)(?:P|p)ass(?:word)?[ \t]{1,4}["']?)([^\s"'\\]{6,200})/g,
    accepts: isTyped,
    gone: ["requirepass «{a14}»", 'psk="«{a14}»"', "storePassword '«{a12}»'"],
    stay: ["requirepass foo", "storePassword System.getenv('X')"],
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
    id: "xml-setting",
    finds: "the value of an XML setting whose key names a secret",
    kind: "password",
    words: ["<add", "<property", "<param", "<entry", "<setting"],
    pattern:
      /<(?:add|property|param|entry|setting)[ \t]{1,4}(?:key|name)=\\?["'][\w.:-]{0,60}(?:password|passwd|pwd|secret|token|apikey|api-key|connectionstring)\\?["'][ \t]{1,4}value=\\?["']([^"'<>\n\\]{3,400})/gi,
    accepts: (value) => !isPlaceholder(value),
    gone: ['<add key="ClearTextPassword" value="«{a12}»" />'],
    stay: ['<add key="Password" value="%PASSWORD%" />'],
  },
  {
    id: "wordpress-key",
    finds: "the keys and salts of WordPress, which are full of signs",
    kind: "key",
    words: ["define("],
    pattern:
      /define\([ \t]{0,4}\\?['"](?:(?:SECURE_)?AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)\\?['"][ \t]{0,4},[ \t]{0,16}\\?'([^'\n]{16,200})/g,
    accepts: (value) => value !== "put your unique phrase here",
    gone: [
      "define('AUTH_SALT', '«{a20}|{a10} {a10}»');",
      "define('AUTH_KEY',         '«{a20}|{a10} {a10}»');",
    ],
    stay: ["define('AUTH_SALT', 'put your unique phrase here');"],
  },
  {
    id: "wireguard-key",
    finds: "the private and shared keys of WireGuard",
    kind: "private-key",
    words: ["PrivateKey", "PresharedKey"],
    pattern: /\bP(?:rivate|reshared)Key[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9+/]{42,44}={0,2})/g,
    gone: ["PrivateKey = «{b43}=»"],
    stay: ["PublicKey = {b43}="],
  },
  {
    id: "hidden-docker-auth",
    finds: "the base 64 of `user:password` in the settings of docker and npm",
    kind: "password",
    words: ['"auth', "_auth"],
    pattern:
      /(?:"auth\\?"[ \t]{0,4}:[ \t]{0,4}\\?"|(?<![\w])_auth[ \t]{0,4}=[ \t]{0,4}"?)([A-Za-z0-9+/]{8,400}={0,2})/g,
    accepts: (value) => /\d/.test(value) || /[a-z][A-Z]/.test(value),
    gone: ['{"auths":{"r.example":{"auth":"«{b28}=»"}}}', "_auth=«{b20}»"],
    stay: ['"auth":"basic"'],
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
    id: "shared-key-of-ipsec",
    finds: "the shared key of a line of ipsec.secrets",
    kind: "key",
    words: ["PSK", "XAUTH", "EAP"],
    pattern: /:[ \t]{1,4}(?:PSK|XAUTH|EAP)[ \t]{1,4}\\{0,4}"([^"\\\n]{4,200})(?=\\{0,4}")/g,
    gone: ['10.0.0.1 10.0.0.2 : PSK "«{a24}»"', 'ada : EAP "«{a12}»"'],
    stay: ["mode: PSK", 'kind: EAP "%s"'],
  },
  {
    id: "connection-password",
    finds: "the password of a connection string, where its name is short",
    kind: "password",
    words: ["pwd="],
    pattern: /;[ \t]{0,4}pwd[ \t]{0,4}=[ \t]{0,4}\{?([^;{}"'\s\\]{3,200})/gi,
    accepts: (value) => isPassword(value) && !/^[/~.]/.test(value),
    gone: ["Data Source=.;UID=ada;PWD=«{a11}»", "Server=db;Uid=ada;Pwd={«{a12}»};"],
    stay: ["cd /tmp; PWD=/tmp make", "Uid=ada;Pwd=$PASSWORD"],
  },
  {
    id: "credential-call",
    finds: "the password handed over beside a name in calls that make credentials or connections",
    kind: "password",
    words: [
      ...["PasswordAuthentication", "NetworkCredential", "BasicAuth", "UsernamePasswordCredential"],
      ...[
        "PSCredential",
        "DBI->connect",
        "getConnection",
        "mysql_connect",
        "mysqli",
        "PDO(",
        "DirectoryEntry",
      ],
    ],
    pattern:
      /\b(?:PasswordAuthentication|NetworkCredential|(?:Set|HTTP)?BasicAuth(?:entication)?|UsernamePasswordCredentials?|PSCredential|DBI->connect|getConnection|mysql_connect|mysqli(?:_connect)?|PDO|DirectoryEntry)[ \t]{0,2}\([^"'()\n]{0,60}(?:\\{0,4}["'][^"'\n\\]{1,200}\\{0,4}["'][ \t]{0,4},[ \t]{0,4}|\$\w{1,40}[ \t]{0,4},[ \t]{0,4}){1,2}\\{0,4}["']([^"'\s\\]{4,200})(?=\\{0,4}["'][ \t]{0,4}[),])/g,
    accepts: isTyped,
    gone: [
      'new PasswordAuthentication("ada@example.com", "«{a16}»")',
      "DBI->connect($dsn, 'ada', '«{a12}»')",
      'new NetworkCredential("ada", "«{a14}»")',
      'DriverManager.getConnection("jdbc:x", "ada", "«{a12}»")',
    ],
    stay: [
      'new PasswordAuthentication("ada", password)',
      "DBI->connect($dsn, $user, $password)",
      'new NetworkCredential("ada", "password")',
    ],
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
  {
    id: "state-of-terraform",
    finds: "the password that Terraform made and keeps in its state",
    kind: "password",
    words: ["random_password"],
    pattern:
      /random_password\\{0,4}"(?:[^"]|"(?!result\\?"|type\\?")){0,600}"result\\{0,4}"[ \t]{0,4}:[ \t]{0,4}\\{0,4}"([^"\n]{4,200}?)(?=\\{0,4}")/g,
    gone: [
      '{"type": "random_password", "instances": [{"attributes": {"length": 16, "result": "«{a16}»"}}]}',
    ],
    stay: ['resource "random_password" "db" { length = 16 }'],
  },
  {
    id: "azure-marked-key",
    finds: "keys of Azure, by the mark that stands in them",
    kind: "azure-key",
    words: [
      "JQQJ99",
      "+ASt",
      "+ABa",
      "APIM",
      "AzFu",
      "+ARm",
      "+AMC",
      "AzSe",
      "AzCa",
      "ACDb",
      "+ACR",
      "+AEh",
      "+ASb",
      "AIoT",
    ],
    pattern:
      /(?<![\w+/-])([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18}[A-Z]{4}[A-Za-z0-9]{4}|[A-Za-z0-9+/]{76}\+(?:ASt|ABa|AMC)[A-Za-z0-9+/]{5,6}==|[A-Za-z0-9+/]{76}(?:ACDb|APIM)[A-Za-z0-9+/]{6}==|[\w-]{44}AzFu[\w-]{5,6}={0,2}|[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}|[A-Za-z0-9+/]{33}(?:AzCa|\+ASb|\+AEh|AIoT)[A-Za-z0-9+/]{5,6}={0,2}|[A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9+/]{6})(?![\w+/])/g,
    gone: [
      "«{a52}JQQJ99{a18}AZDO{a4}»",
      "«{b76}+ASt{b6}==»",
      "«{w44}AzFu{w6}==»",
      "«{a42}AzSe{a6}»",
      "AZURE_SEARCH=«{a42}AzSe{a6}»",
      "«{b76}+ABa{b6}==»",
      "«{b76}APIM{b6}==»",
    ],
    stay: ["JQQJ99 marks a token of Azure DevOps", "x+ASt+y"],
  },
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

/** What one of them finds. */
export function findPlaces(
  { id, kind, pattern, accepts, named }: PlaceRule,
  text: string,
): Found[] {
  const found: Found[] = [];
  for (const hit of text.matchAll(pattern)) {
    const value = hit.findLast((group) => group !== undefined) ?? "";
    if (!(accepts ? accepts(value) : !isPlaceholder(value))) continue;
    const end = hit.index + hit[0].length;
    found.push({
      start: end - value.length,
      end,
      kind: named ? kindOf(hit[1] ?? "") : kind,
      rule: id,
    });
  }
  return found;
}

// Secrets that their place gives away: headers, cookies, addresses, command lines and files with a place for a secret.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import type { Rule } from "./rule.ts";
import { isPlaceholder, isRandom, isSecretLiteral } from "./values.ts";

/** A rule whose pattern says where a secret stands. */
export interface PlaceRule extends Rule {
  kind: string;
  /** One of them stands in every text in which the pattern may match; looking for them is much quicker. */
  words: readonly string[];
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

/** The rules; more of them is all it takes to find more. */
export const placeRules: readonly PlaceRule[] = [
  {
    id: "authorization-header",
    finds: "the value of an Authorization header",
    kind: "authorization",
    words: ["uthorization", "UTHORIZATION"],
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
    words: ["earer", "EARER", "asic", "ASIC"],
    pattern: /\b(?:bearer|basic)[ \t]+([\w.~+/=-]{16,4000})/gi,
    accepts: isRandomBearer,
    gone: ["send Bearer «{a32}»"],
    stay: ["supports Basic authentication-schemes-of-rfc-7617"],
  },
  {
    id: "key-header",
    finds: "the value of a header that carries a key",
    kind: "key",
    words: [
      "-key",
      "-Key",
      "-KEY",
      "-token",
      "-Token",
      "-TOKEN",
      "-secret",
      "-Secret",
      "-api",
      "-Api",
      "-API",
      "-Security",
    ],
    pattern:
      /\b(?:x-(?:[a-z]{1,16}-){0,3}|private-|job-|deploy-)(?:api-?key|token|secret|security-token|api)["'\\]{0,6}[ \t]{0,4}:[ \t]{0,4}["'\\]{0,6}([^\s"'`\\,;)}<>]{6,4000})/gi,
    accepts: isReal,
    gone: ["X-API-Key: «{a24}»", "PRIVATE-TOKEN: «{a20}»", "X-Vault-Token: «s.{a24}»"],
    stay: ["X-Api-Key: your-key", "x-api-key: ${key}"],
  },
  {
    id: "cookie-header",
    finds: "the cookies of a Cookie or Set-Cookie header",
    kind: "cookie",
    words: ["ookie", "OOKIE"],
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
    words: ["?", "&"],
    pattern:
      /[?&](?:sig|signature|x-(?:amz|goog)-(?:signature|security-token))=([\w%+/=.-]{16,4000})/gi,
    gone: ["https://s3.example/x?X-Amz-Signature=«{h64}»"],
    stay: ["https://x.example/?sig=none"],
  },
  {
    id: "curl-user",
    finds: "the password of `-u name:password`",
    kind: "password",
    words: ["-u", "-a ", "--auth"],
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
    ],
    pattern: command(
      String.raw`\b(?:sshpass[ \t]{1,4}-p|(?:docker|podman|helm)[ \t]{1,4}(?:registry[ \t]{1,4})?login\b[^\n|;&]{0,120}?[ \t]-p|redis-cli\b[^\n|;&]{0,120}?[ \t]-a|mongo[a-z]{0,7}\b[^\n|;&]{0,120}?[ \t]-p|openssl[ \t]{1,4}enc\b[^\n|;&]{0,120}?[ \t]-k|(?:un)?zip\b[^\n|;&]{0,80}?[ \t]-P|7z[a-z]?\b[^\n|;&]{0,80}?[ \t]-p(?=[^\s-])|ldap[a-z]{3,8}\b[^\n|;&]{0,120}?[ \t]-w|vault[ \t]{1,4}login)[ \t=]{0,4}`,
    ),
    accepts: unquotedOf(isPassword),
    gone: [
      "sshpass -p «{a10}» ssh ada@db",
      "redis-cli -h db -a «{a12}» ping",
      "7z x a.7z -p«{a10}»",
    ],
    stay: ["redis-cli -a $REDIS_PASSWORD ping", "zip -r out.zip dist", "docker compose -p shop up"],
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
    words: ["IDENTIFIED", "identified", "PASSWORD", "password"],
    pattern:
      /\b(?:IDENTIFIED[ \t]+(?:WITH[ \t]+\S{1,40}[ \t]+)?BY(?:[ \t]+PASSWORD)?|(?:WITH|ENCRYPTED|SET|ROLE[ \t]+\w{1,60})[ \t]+PASSWORD(?:[ \t]+FOR[ \t]+\S{1,80})?[ \t]{0,4}=?)[ \t]{0,4}(?:PASSWORD\()?'([^'\n]{3,200})(?=')/gi,
    gone: ["CREATE USER ada IDENTIFIED BY '«{a10}»';", "ALTER ROLE ada WITH PASSWORD '«{a10}»';"],
    stay: ["checkpoints (identified by strategy in metadata)", "IDENTIFIED BY '?'"],
  },
  {
    id: "netrc",
    finds: "the password of an entry of a netrc file",
    kind: "password",
    words: ["machine", "default"],
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
    words: [":"],
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
    words: ["-us"],
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
    id: "key-file-line",
    finds:
      "values of settings whose name says it elsewhere: `requirepass`, `psk`, `storePassword '…'`",
    kind: "password",
    words: ["requirepass", "masterauth", "psk", "asswor", "ASSWOR", "storepass", "keypass"],
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
    words: ["ENV", "ARG", "set", "#define"],
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
    words: ["key=", "name="],
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
    words: ["define"],
    pattern:
      /define\([ \t]{0,4}\\?['"](?:(?:SECURE_)?AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)\\?['"][ \t]{0,4},[ \t]{0,4}\\?'([^'\n]{16,200})/g,
    accepts: (value) => value !== "put your unique phrase here",
    gone: ["define('AUTH_SALT', '«{a20}|{a10} {a10}»');"],
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
    words: ["auth"],
    pattern:
      /(?:"auth\\?"[ \t]{0,4}:[ \t]{0,4}\\?"|(?<![\w])_auth[ \t]{0,4}=[ \t]{0,4}"?)([A-Za-z0-9+/]{8,400}={0,2})/g,
    accepts: (value) => /\d/.test(value) || /[a-z][A-Z]/.test(value),
    gone: ['{"auths":{"r.example":{"auth":"«{b28}=»"}}}', "_auth=«{b20}»"],
    stay: ['"auth":"basic"'],
  },
];

// Places in files of settings and in code where a secret stands.
import { isChosen, isIssued, isPassphrase, isPlaceholder } from "../values.ts";
import { isTyped, type PlaceRule, withDigit } from "./place.ts";

/** The rules. */
export const fileRules: readonly PlaceRule[] = [
  {
    id: "sql-password",
    finds: "the password of a user in SQL",
    kind: "password",
    words: ["identified", "password"],
    pattern:
      /\b(?:IDENTIFIED[ \t]+(?:WITH[ \t]+\S{1,40}[ \t]+)?BY(?:[ \t]+PASSWORD)?|(?:WITH|ENCRYPTED|SET|(?:ROLE|USER)[ \t]+\S{1,60}(?:[ \t]+[A-Z]{4,12}){0,4})[ \t]+PASSWORD(?:[ \t]+FOR[ \t]+\S{1,80})?[ \t]{0,4}=?)[ \t]{0,4}(?:PASSWORD\()?N?'((?:[^'\n]|''(?=[^\s',;)])){3,200})(?=')/gi,
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
    id: "vault-secret-id",
    finds: "what an AppRole of Vault signs in with",
    kind: "secret",
    words: ["secret_id", "secretid", "secret-id"],
    pattern:
      /(?:role[_-]?id[^\n]{0,120}\n?[^\n]{0,60}|approle[^\n]{0,120}|vault[^\n]{0,100}|\bKey[ \t]{1,20}Value(?:[^\n\\]{0,120}(?:\n|\\n)){2,5}?[^\n\\]{0,12}|(?=secret_id {4}))secret[_-]?id["'\\]{0,4}[ \t]{0,20}[:= ][ \t]{0,8}["'\\]{0,4}([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![\w-])/gi,
    gone: [
      "VAULT_SECRET_ID=«{h8}-{h4}-{h4}-{h4}-{h12}»",
      'vault write auth/approle/login role_id="{h8}" secret_id="«{h8}-{h4}-{h4}-{h4}-{h12}»"',
      '{"role_id": "x", "secret_id": "«{h8}-{h4}-{h4}-{h4}-{h12}»"}',
      "Key    Value\n---    -----\nsecret_id    «{h8}-{h4}-{h4}-{h4}-{h12}»",
      "secret_id             «{h8}-{h4}-{h4}-{h4}-{h12}»",
    ],
    stay: ['{"secret_id": "{h8}-{h4}-{h4}-{h4}-{h12}"}', "vault read secret_id of the role"],
  },
  {
    id: "pgpass",
    finds: "the password of a line of a pgpass file",
    kind: "password",
    words: [":*:", ...withDigit(":")],
    pattern:
      /:(?:\d{4,5}|\*):(?<=(?:^|[\s→+">])(?:[\w.-]{1,100}|\*):[\d*]{1,5}:)[\w.*-]{1,60}:[\w.*-]{1,60}:(?=[^\s:]{0,199}\d)((?:[^\s:"'\\,]|\\[:\\]){6,200})(?![\w:])|:(?:54\d\d|6432):(?<=(?:^|[\s→+">])[\w.-]{1,100}:[\d*]{1,5}:)[\w.*-]{1,60}:[\w.*-]{1,60}:([a-z._-]{6,80})(?=\s|$|\\n|")/g,
    accepts: (value) => isTyped(value) || (/^[a-z._-]+$/.test(value) && !isPlaceholder(value)),
    gone: [
      "db.example:5432:shop:ada:«{a12}»",
      "db:5432:shop:ada:«{a4}\\:{a6}»",
      "*:*:*:ada:«{a12}»",
      "localhost:5432:*:ada:«tulipbulb»",
    ],
    stay: ["12:3000:10:40:done", "src/a.ts:1200:5:error:unused2"],
  },
  {
    id: "password-hash",
    finds: "hashes of passwords, as in shadow and htpasswd files",
    kind: "password",
    words: ["$2", "$6$", "$5$", "$1$", "$apr1$", "$y$", "$8$", "$9$", "$argon2", "$scrypt"],
    pattern:
      /(\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{40,60}|(?:apr1|[15689y]|argon2(?:id|i|d)|scrypt)\$[./A-Za-z0-9$=,+]{20,300}))/g,
    gone: ["$2b$12$«{a53}»", "ada:$apr1$«{a8}$x{a21}»", "secret 8 $8$«{a14}$x{a42}»"],
    stay: ["$1$2", "const $2b = 1"],
  },
  {
    id: "key-file-line",
    finds:
      "values of settings whose name says it elsewhere: `requirepass`, `psk`, `storePassword '…'`",
    kind: "password",
    words: ["requirepass", "masterauth", "psk", "asswor", "storepass", "keypass"],
    pattern:
      /(?:\b(?:requirepass|masterauth)[ \t]{1,8}|\b(?:wpa_)?psk[ \t]{0,4}=[ \t]{0,4}["\\]{0,4}|\b-?(?:store|key|signing)(?:P|p)ass(?:word)?[ \t]{1,4}["']?)([^\s"'\\]{6,200})/g,
    accepts: (value) => isTyped(value) || isPassphrase(value, true),
    gone: [
      "requirepass «{a14}»",
      "requirepass «plum-and-pear»",
      'psk="«{a14}»"',
      "storePassword '«{a12}»'",
    ],
    stay: ["requirepass foo", "storePassword System.getenv('X')"],
  },
  {
    id: "quoted-psk",
    finds: "the passphrase of a wireless network, blanks included",
    kind: "password",
    words: ["psk", "wpa_passphrase"],
    pattern:
      /\b(?:(?:wpa_)?psk[ \t]{0,4}=[ \t]{0,4}|wpa-psk[ \t]{1,4})\\{0,4}"([^"\n\\]{8,63})(?=\\{0,4}")|\bwpa_passphrase[ \t]{0,4}=[ \t]{0,4}([^"\n\\]{8,63})/g,
    accepts: (value) => !isPlaceholder(value) && !/[$%{<]/.test(value),
    gone: [
      'psk="«two words {d2}»"',
      'wpa-psk "«two words {d2}»"',
      "wpa_passphrase=«two more words {d2}»\n",
    ],
    stay: ['psk="%s and more"', "psk=none"],
  },
  {
    id: "login-file",
    finds:
      "the password of a line of a file of logins: userlist.txt, chap-secrets, sasl_passwd, auth-user-pass",
    kind: "password",
    words: ['" "', '" * "', "]:", "auth-user-pass"],
    pattern:
      /(?:(?<=(?:^|\n)[ \t+\uf8ff]{0,8}(?:\d{1,6}[→\t|:])?[ \t]{0,8}"[\w.@-]{1,60})"(?: \*)? "([^"\n\\]{6,200})(?="(?: \*)?[ \t]*(?:$|\n|"))|(?<=(?:^|\n)[ \t+\uf8ff]{0,8}(?:\d{1,6}[→\t|:])?[ \t]{0,8}\[?[\w.-]{3,100})\]?:\d{2,5}[ \t]{1,8}[\w.@+-]{1,80}:([^\s:]{4,200})(?=[ \t]*(?:$|\n))|<auth-user-pass>\s{1,20}(?:\d{1,6}→)?\S{1,80}\s{1,20}(?:\d{1,6}→)?[ \t]{0,8}([^\s<]{4,200}))/g,
    accepts: (value) => isChosen(value),
    gone: [
      '"shop" "«sunny{d4}x»"\n',
      '"ada" * "«{a12}»" *\n',
      "[smtp.example]:587 ada@example.com:«{a14}»\n",
      "<auth-user-pass>\nada\n«{a10}»\n</auth-user-pass>",
    ],
    stay: ['"shop" "name"\n', "[docs]:80 see a:b\n"],
  },
  {
    id: "chpasswd-list",
    finds: "the passwords that cloud-init sets",
    kind: "password",
    words: ["chpasswd:"],
    pattern:
      /(?<=chpasswd:[^:]{0,20}(?:expire: \w{4,5}[^:]{0,40})?(?:list|users):[\s\S]{0,300})\n[ \t+\uf8ff]{0,12}(?:\d{1,6}→)?[ \t]{0,12}(?:- )?[\w.-]{1,40}:([^\s:]{4,200})(?=[ \t]*(?:$|\n))/g,
    accepts: (value) => isChosen(value),
    gone: ["chpasswd:\n  list: |\n    root:«{a12}»\n    ada:«{a12}»\n"],
    stay: ["chpasswd:\n  expire: false\n"],
  },
  {
    id: "bundler-login",
    finds: "the login of a host of gems in the settings of Bundler",
    kind: "password",
    words: ["BUNDLE_"],
    pattern:
      /\bBUNDLE_[A-Z0-9]{1,40}__[A-Z0-9_]{2,80}["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:[\w.@-]{1,60}:)?([^\s"':]{6,200})/g,
    accepts: (value) => isChosen(value) || isIssued(value),
    gone: ['BUNDLE_GEMS__EXAMPLE__COM: "ada:«{a14}»"', "BUNDLE_RUBYGEMS__PKG__GITHUB__COM=«{a40}»"],
    stay: ["BUNDLE_BUILD__NOKOGIRI: --use-system-libraries"],
  },
  {
    id: "key-of-truenas",
    finds: "a key of TrueNAS where it signs in",
    kind: "key",
    words: ["login_with_api_key"],
    pattern: /login_with_api_key[^\n]{0,40}?(\d{1,3}-[A-Za-z0-9]{64})(?!\w)/g,
    gone: ['"method":"auth.login_with_api_key", "params":["«1-{a64}»"]'],
    stay: ["auth.login_with_api_key of version 1-2"],
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
      /define\([ \t]{0,4}\\?['"](?:(?:SECURE_)?AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)\\?['"][ \t]{0,4},[ \t]{0,16}\\?(?:'([^'\n]{16,200})|"([^"\n\\]{16,200}))/g,
    accepts: (value) => value !== "put your unique phrase here",
    gone: [
      "define('AUTH_SALT', '«{a20}|{a10} {a10}»');",
      "define('AUTH_KEY',         '«{a20}|{a10} {a10}»');",
      'define("NONCE_SALT", "«{a10}#{a10}»");',
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
    id: "redis-user",
    finds: "the password of a user in the access list of Redis",
    kind: "password",
    words: ["user "],
    pattern:
      /[ \t]>(?<=\b(?:user|SETUSER)[ \t]\S{1,60}[ \t](?:\S{1,40}[ \t]){0,4}>)([^\s"']{4,200})/gi,
    accepts: isTyped,
    gone: ["user ada on >«{a14}» ~* +@all", "ACL SETUSER ada >«{a14}» allkeys"],
    stay: ["the user ran it with 2>error1.log", "a user has more >50 items"],
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
    id: "typed-value",
    finds: "the value of an entry whose type says that it is a secret",
    kind: "secret",
    words: ["securestring", "password", "secret"],
    pattern:
      /"type\\?": ?\\?"(?:password|secret|SecureString|secure)\\?"[^{}\n]{0,120}?"value\\?": ?\\?"([^"\\\n]{6,400})(?=\\?")|"value\\?": ?\\?"([^"\\\n]{6,400})(?=\\?"[^{}\n"]{1,4}"type\\?": ?\\?"(?:password|secret|SecureString|secure)\\?")/gi,
    accepts: (value) => isChosen(value, true) || isIssued(value),
    gone: [
      '{"type":"password","label":"root","value":"«{a16}»"}',
      '{"Name": "/shop/db", "Type": "SecureString", "Value": "«{a24}»"}',
      '"Value": "«{a24}»", "Type": "SecureString"',
    ],
    stay: [
      '{"type":"password","label":"root","value":"<root-2>"}',
      '{"type": "password", "name": "pw2"}',
    ],
  },
  {
    id: "escaped-field",
    finds: "the value of a field of a form in escaped HTML, whose name follows",
    kind: "token",
    words: ["&#34;", "&quot;", "&#x22;"],
    pattern:
      /value=(?:&#34;|&quot;|&#x22;)([^&\s]{8,400})(?=(?:&#34;|&quot;|&#x22;)[^<>\n]{1,60}name=(?:&#34;|&quot;|&#x22;)[\w.-]{0,40}(?:token|secret|passw|api_?key))/gi,
    accepts: (value) => isChosen(value) || isIssued(value),
    gone: ["value=&#34;«{a24}»&#34; name=&#34;api_token&#34;"],
    stay: ["value=&#34;on&#34; name=&#34;api_token&#34;"],
  },
  {
    id: "openvpn-static-key",
    finds: "the static key of OpenVPN",
    kind: "private-key",
    words: ["openvpn static key"],
    pattern:
      /-----BEGIN OpenVPN Static key V1-----(?:\s|\\[nr]|[#|>+→\uf8ff]|\d{1,6}[→\t:|]){0,24}([\s\S]{16,4000}?)(?=-----END OpenVPN)/gi,
    gone: [
      "-----BEGIN OpenVPN Static key V1-----\n«{h32}»\n«{h32}»\n-----END OpenVPN Static key V1-----",
    ],
    stay: ["a file with BEGIN OpenVPN Static key V1 in it"],
  },
  {
    id: "ak-and-sk",
    finds: "an access key and its secret under names as short as `ak` and `sk`",
    kind: "key",
    words: ['"ak"', "'ak'", "ak=", "ak =", "ak:"],
    pattern:
      /(?<![A-Za-z0-9])(?:ak["']?[ \t]?[:=][ \t]?["']?(?=[\w+/=-]{16,90}["']?[\s,;]{1,12}["']?(?:[a-z]{2,20}_)?sk["']?[ \t]?[:=])|sk["']?[ \t]?[:=][ \t]?["']?(?<=(?<![A-Za-z0-9])ak["']?[ \t]?[:=][ \t]?["']?[\w+/=-]{16,90}["']?[\s,;]{1,12}["']?(?:[a-z]{2,20}_)?sk["']?[ \t]?[:=][ \t]?["']?))([\w+/=-]{16,90})(?![\w+/=-])/gi,
    accepts: isTyped,
    gone: [
      '{"ak": "«{a32}»", "sk": "«{a32}»"}',
      "HUAWEI_AK=«{a20}»\nHUAWEI_SK=«{a40}»",
      "ak: «{h32}»\nsk: «{h32}»",
    ],
    stay: ['{"pk": "{a32}", "sk": "{a32}"}', "ak: name-of-the-access-key\nsk: name-of-its-secret"],
  },
  {
    id: "splunk-collector",
    finds: "the token of an event collector of Splunk under its name",
    kind: "token",
    words: ["splunk"],
    pattern:
      /splunk[._ -]?hec["']?[ \t]{0,2}[:=][ \t]{0,2}["']?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gi,
    gone: ["splunk.hec=«{h8}-{h4}-{h4}-{h4}-{h12}»", "SPLUNK_HEC: «{h8}-{h4}-{h4}-{h4}-{h12}»"],
    stay: ["splunk.hec=true", "splunk_hec_index={h8}-{h4}-{h4}-{h4}-{h12}"],
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
];

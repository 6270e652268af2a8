// Places in addresses and connection strings where a secret stands.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { isIssued } from "../values.ts";
import { isPassword, isUrlPassword, type PlaceRule } from "./place.ts";

/** The value without the escapes of an address. */
const decoded = (value: string): string =>
  value.replace(/%[0-9A-F]{2}/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );

/** The rules. */
export const addressRules: readonly PlaceRule[] = [
  {
    id: "url-password",
    finds: "the password of an address, `scheme://user:password@host`",
    kind: "password",
    words: ["://"],
    // A sign @ in the password stands before the last one of the address.
    pattern:
      /:\/\/[^\s:@/"'`<>\\[]{0,100}:([^\s@"`\\]{1,400}(?:@[^\s@"'`\\/:]{1,60}(?=@[\w.-]{1,100}(?:[:/?\s"'`]|$)))?)(?=@)/g,
    accepts: isUrlPassword,
    gone: [
      "postgres://shop:«{a12}»@db.local/shop",
      "redis://:«{a8}/{a4}»@cache:6379",
      "amqp://shop:«{a6}@{a6}»@mq.local:5672/x",
    ],
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
    pattern:
      /:\/\/([\w.~-]{16,400}:?)(?=@(?![\w.-]{0,60}(?:sentry|ingest|glitchtip|errors?\.)|[\w.-]{1,100}(?::\d{2,5})?\/\d{1,20}(?!\w)))/g,
    accepts: (value) => isIssued(value.replace(/:$/, "")),
    gone: [
      "https://«{a40}»@git.example.com/x.git",
      "https://«{h40}»@api.example.com/v1",
      "https://«{a20}:»@pypi.example.com/x",
    ],
    stay: [
      // The address that a page sends its errors to is public.
      "https://{h32}@o1.ingest.example.com/2",
      "ssh://git-user-of-the-deployment@git.example.com",
    ],
  },
  {
    id: "key-in-query",
    finds: "a key that a service made, in the query of an address",
    kind: "key",
    words: ["key=", "appid=", "code=", "auth=", "ticket=", "apikey=", "magic=", "otp="],
    pattern:
      /[?&](?:[a-z-]{0,12}key|appid|app_id|code|auth|ticket|magic|otp)=([\w.%~+/=-]{16,600})(?![\w.%~+/=-])/gi,
    accepts: (value) => isIssued(value) || isIssued(decoded(value)),
    gone: [
      "https://api.example.com/8.8.8.8?key=«{h32}»",
      "https://api.example.com/weather?q=Rome&appid=«{h32}»",
      "https://x.example.net/api/f?code=«{w54}»==",
    ],
    stay: ["https://x.example/?key=name-of-a-column-of-it", "https://x.example/?code=usd&key=2"],
  },
  {
    id: "token-in-path",
    finds: "a token as a part of an address that resets, invites or reaches a service",
    kind: "token",
    words: [
      ...["/reset", "-reset/", "/invite", "/confirm", "/verif", "/activat", "/unsubscribe"],
      ...["/magic", "/t/", "infura.io/", "quiknode.pro/", "alchemy.com/v2/", "hc-ping.com/"],
      "/ical/",
    ],
    pattern:
      /(?:infura\.io\/(?:ws\/)?v3|quiknode\.pro|alchemy\.com\/v2|hc-ping\.com|:\/\/[\w.:-]{3,100}\/t|\/(?:\w{1,12}-)?(?:reset|invite|confirm|verif|activat|unsubscribe|magic)[\w-]{0,20}|\/ical\/[^\s/]{1,100}(?=\/private-))\/(?:private-)?([\w.~-]{20,400})(?![\w.~-])/g,
    accepts: isIssued,
    gone: [
      "https://mainnet.infura.io/v3/«{h32}»",
      "https://example.com/reset-password/«{w43}»",
      "https://example.com/t/«{h40}»/acme",
    ],
    stay: [
      "https://example.com/reset-password/how-to-reset-your-own-password",
      "https://example.com/c/{h40}",
    ],
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
      /(?:[?&]|, ?(?=Signature=[0-9a-f]{64}))(?:sig|signature|x-(?:amz|goog)-(?:signature|security-token))=([\w%+/=.-]{16,4000})/gi,
    gone: [
      "https://s3.example/x?X-Amz-Signature=«{h64}»",
      "SignedHeaders=host;x-amz-date, Signature=«{h64}»",
    ],
    stay: ["https://x.example/?sig=none"],
  },
  {
    id: "connection-password",
    finds: "the password of a connection string, where its name is short",
    kind: "password",
    words: ["pwd=", "password={"],
    pattern:
      /(?:;|(?<=\bUID[ \t]{0,4}=[^\n;]{1,60}(?:\n\uf8ff?|\\n)(?:\+|[ ]{0,8}\d{1,6}[→\t])?))[ \t]{0,4}(?:pwd|password)[ \t]{0,4}=[ \t]{0,4}(?:\{([^{}"'\n]{3,4000})(?=\})|([^;{}"'\s\\]{3,4000}))/gi,
    accepts: (value) => isPassword(value) && !/^[/~.]/.test(value),
    gone: [
      "UID=sa\nPWD=«Seven-Herons»\n",
      "Data Source=.;UID=ada;PWD=«{a11}»",
      "Server=db;Uid=ada;Pwd={«{a5};{a6}»};",
    ],
    stay: ["cd /tmp; PWD=/tmp make", "Uid=ada;Pwd=$PASSWORD", "USER=ada\nPWD=seven-herons"],
  },
  {
    id: "sidekiq-login",
    finds: "the login of Sidekiq's paid gems",
    kind: "sidekiq-login",
    words: ["contribsys"],
    pattern:
      /(?:contribsys(?:__com["'\\]{0,4}\s{0,4}[:=]\s{0,4}|\.com[ \t]{1,4})["'\\]{0,4}([0-9a-f]{8}:[0-9a-f]{8})(?!\w)|\/\/([0-9a-f]{8}:[0-9a-f]{8})(?=@(?:gems|enterprise)\.contribsys\.com))/gi,
    gone: [
      "https://«{h8}:{h8}»@gems.contribsys.com/",
      "BUNDLE_GEMS__CONTRIBSYS__COM=«{h8}:{h8}»",
      "bundle config gems.contribsys.com «{h8}:{h8}»",
    ],
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
];

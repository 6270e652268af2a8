// Places in addresses and connection strings where a secret stands.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { isRandom } from "../values.ts";
import { isPassword, isUrlPassword, type PlaceRule } from "./place.ts";

/** The rules. */
export const addressRules: readonly PlaceRule[] = [
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
];

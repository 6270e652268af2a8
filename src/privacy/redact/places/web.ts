// Places in addresses, connection strings, headers and cookies where a secret stands.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { isIssued, isIssuedPair, isUnguessable, isUuid } from "../values.ts";
import { isPassword, isRandomBearer, isReal, isUrlPassword, type PlaceRule } from "./place.ts";

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

/** The rules. */
export const headerRules: readonly PlaceRule[] = [
  {
    id: "authorization-header",
    finds: "the value of an Authorization header",
    kind: "authorization",
    words: ["authorization"],
    pattern:
      /(?<!::\w{1,40}|Server)authorization["'\\]{0,6}(?:[ \t]{0,4}[:=,]|[ \t](?=["']))[ \t]{0,4}["'`\\]{0,6}[ \t]?(?:(?:basic|bearer|token|digest|apikey|negotiate|aws4-hmac-sha256)\\{0,4}[ \t]+)?([^\s"'`\\,;)}<>]{6,4000})/gi,
    accepts: isReal,
    gone: [
      "Authorization: Bearer «{a40}»",
      '["Authorization", "Bearer «{a32}»"]',
      "authorization: «{a32}»",
      'header_up Authorization "Bearer «{a24}»"',
      "curl -H Authorization:\\ Bearer\\ «{a32}» https://x.example",
    ],
    stay: [
      "Authorization: Bearer <token>",
      "headers.authorization = `Bearer ${key}`",
      '"AWS::Redshift::EndpointAuthorization": "{h16}"',
    ],
  },
  {
    id: "authorization-scheme",
    finds: "what follows a scheme of its own in an Authorization header",
    kind: "authorization",
    words: ["authorization"],
    pattern:
      /authorization["'\\\]]{0,6}[ \t]{0,4}[:=,][ \t]{0,4}["'`\\]{0,6}(?:[A-Za-z][\w-]{1,24}[ \t]+(?:token=)?)(?:\$\{["'])?["'\\]{0,3}([^\s"'`\\,;)}<>]{12,4000})/gi,
    accepts: (value) =>
      isIssuedPair(value) || isUnguessable(value) || /^[0-9a-f-]{36}:[a-z]{2}$/.test(value),
    gone: [
      "Authorization: sso-key «{a37}:{a22}»",
      "Authorization: Splunk «{h8}-{h4}-{h4}-{h4}-{h12}»",
      "Authorization: DeepL-Auth-Key «{h8}-{h4}-{h4}-{h4}-{h12}:fx»",
      'Authorization: Token token="«{w20}»"',
    ],
    stay: ["Authorization: see section-4.2-of-it", "authorization: Bearer <your-api-token-here>"],
  },
  {
    id: "session-cookie",
    finds: "the value of a cookie whose name is that of a session",
    kind: "cookie",
    words: [
      "sessid=",
      "sessionid=",
      ".aspxauth=",
      "connect.sid=",
      "_session=",
      'name": "session',
      'name":"session',
      "wordpress_logged_in",
    ],
    pattern:
      /(?:\b(?:PHPSESSID|JSESSIONID|ASP\.NET_SessionId|connect\.sid|wordpress_logged_in_\w{8,64})|\.ASPXAUTH|_session)=([\w%+/.=|-]{20,4000})|name": ?"session(?:id)?", ?"value": ?"([\w%+/.=|-]{20,4000})/gi,
    accepts: (value) => /\d/.test(value) && /[A-Za-z]/.test(value) && !isUuid(value),
    gone: [
      "JSESSIONID=«{H32}»",
      "laravel_session=«{b160}»; path=/",
      '{"name": "session", "value": "«{w60}»"}',
    ],
    stay: ["PHPSESSID=none", "resume_session={h8}-{h4}-{h4}-{h4}-{h12}"],
  },
  {
    id: "bearer",
    finds: "a random value behind Bearer or Basic",
    kind: "authorization",
    words: ["bearer", "basic"],
    pattern:
      /\b(?:bearer|basic)(?:[ \t]+(?:["'`] ?[+.] ?["'`])?|,[ \t]{0,2})([\w.~+/=-]{16,4000})/gi,
    accepts: (value) => isRandomBearer(value) || /^(?=[a-f]{0,40}\d)[0-9a-f]{32,128}$/.test(value),
    gone: [
      "send Bearer «{a32}»",
      "- Bearer «{h64}»",
      "'Bearer ' + '«{a48}»'",
      "Sec-WebSocket-Protocol: bearer, «{a40}»",
    ],
    stay: ["supports Basic authentication-schemes-of-rfc-7617"],
  },
  {
    id: "key-behind-its-scheme",
    finds: "a key behind the name of its scheme, where a value begins",
    kind: "authorization",
    words: ["oauth ", "token ", "apikey ", "api-key "],
    pattern:
      /(?:["'`]|[:=][ \t])(?:OAuth|[Tt]oken|[Aa]pi-?[Kk]ey) ([\w.~+/-]{32,400}={0,2})(?=["'`\s\\]|$)/g,
    accepts: isIssued,
    gone: ["status_api: OAuth «{h64}»", '{"header": "Token «{h40}»"}', "h = 'ApiKey «{a40}»'"],
    stay: ["'token of-the-user-that-reads-it-and-writes'", "the OAuth {h40}"],
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
    id: "plain-key-header",
    finds: "a key that a command sends under a name as short as `Key:`",
    kind: "key",
    words: ["-h ", "--header", "headers"],
    pattern:
      /(?:(?:-H|--header)[ =]["'\\]{0,3}|headers["']?[ ]?[=:(][ ]?\{[ ]?["'])(?:key|auth|sign|access-?code)["']?:[ ]?["']?([\w+/=.-]{20,400})(?![\w])/gi,
    accepts: isIssued,
    gone: [
      'curl -H "Key: «{h80}»" https://x.example',
      "fetch(u, { headers: { 'Key': '«{a40}»' } })",
    ],
    stay: ["curl -H 'Key: name-of-a-very-long-setting'"],
  },
  {
    id: "cookie-header",
    finds: "the cookies of a Cookie or Set-Cookie header",
    kind: "cookie",
    words: ["cookie"],
    pattern:
      /\b(?:set-)?cookie["'\\]{0,6}[ \t]{0,4}:[ \t]{0,4}\[?["'\\]{0,6}([\w.-]{1,80}=[^\r\n"'\\]{4,8000})/gi,
    // Words alone let nobody in: `theme=dark; Path=/`.
    accepts: (value) =>
      /\d|[\w%+-]{12}|=[^;]{0,400}[^\w;=\s/.,-]/.test(
        value.replace(/(?:expires|path|domain|max-age)=[^;]*/gi, ""),
      ),
    gone: ["Cookie: sid=«{a32}»; theme=«dark{a4}»", '{"set-cookie":["sid=«{a32}»; Path=/"]}'],
    stay: [
      "Cookie: what the browser sends back",
      "Set-Cookie: theme=dark; Path=/; Expires=Wed, 01 Jan 2031 00:00:00 GMT",
    ],
  },
  {
    id: "cookie-row",
    finds: "the value of a row of a browser's table of cookies",
    kind: "cookie",
    words: ["cookies"],
    pattern:
      /(?:^|\n|\uf8ff)[+ ]{0,8}(?:\d{1,6}[→\t])?\.?[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}\|[\w.-]{1,60}\|([\w%+/.=-]{16,4000})(?=[|\s"\\\uf8ff]|$)/g,
    accepts: (value) => isIssued(value) || isUnguessable(value),
    gone: ["> select host,name,value from moz_cookies;\n.x.example|sid|«{a40}»\n"],
    stay: ["select name from cookies;\nx.example|theme|dark-and-quiet-blue"],
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
    id: "cookie-in-code",
    finds: "the cookies that code or a test sends along",
    kind: "cookie",
    words: ["cookies", "setcookie", "set_cookie", "addcookie", "add_cookie"],
    pattern:
      /(?:cookies?["']?\]?(?:\(\))?[ ]{0,2}(?:[=:(]|\.set\()[ ]{0,2}[[({]{0,3}|(?<=cookies["']?[ ]{0,2}[=:][ ]{0,2}\{[^{}\n]{1,300}),)[ ]{0,2}(?:["']?name["']?: ?)?["'][\w.-]{1,60}["'][ ]{0,2}[:,][ ]{0,2}(?:["']?value["']?: ?)?["']([^\s"'\\;]{16,4000})(?=["'])/gi,
    accepts: (value) => isIssued(value) || isUnguessable(value),
    gone: [
      'requests.get(url, cookies={"sessionid": "«{l32}»", "csrftoken": "«{a64}»"})',
      "addCookies([{ name: 'sid', value: '«{h32}»', domain: 'x.example' }])",
      "cookies().set('sid', '«{a40}»')",
    ],
    stay: ["cookies={'theme': 'dark-and-quiet-blue'}", "setCookie('consent', 'analytics-only-v2')"],
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
];

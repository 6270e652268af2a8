// Places in headers and cookies where a secret stands.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { isIssued, isIssuedPair, isUnguessable, isUuid } from "../values.ts";
import { isRandomBearer, isReal, type PlaceRule } from "./place.ts";

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

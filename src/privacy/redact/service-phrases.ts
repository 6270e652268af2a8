// Keys that only the name of their service before them gives away.
import type { Phrase, PhraseRule } from "./rule.ts";
import { keyedServices, otherServices, spellingsOf, wordlikeServices } from "./service-names.ts";
import {
  isHandedOut,
  isIssued,
  isIssuedPair,
  isRandom,
  isScattered,
  isUnguessable,
} from "./values.ts";

/** What a service hands out: one run, or two with a sign between. */
const key = String.raw`((?:\d{1,8}\|)?(?:[\w.-]{1,64}:){0,2}[\w.+/~!$^*-]{10,1200}={0,2})(?![\w-])`;

/** A sign of assignment, a call or a word that says so, then the key. */
const rest = new RegExp(
  String.raw`[\w.-]{0,30}["'\]]{0,3}(?:[ \t]{0,3}(?:=>|:=|[=:(,])[ \t]{0,3}|[ \t]{0,20}\|[ \t]{0,20}|\)?\(["'][\w.@:-]{1,60}["'],[ \t]{0,3}|[ \t]{1,3}(?:init|auth|login|(?:api[ _-]?|secret |access )?(?:key|token))(?:[ \t]{0,3}(?:[:=]|is)[ \t]{0,3}|[ \t]{1,3}))["'(\x60]{0,3}${key}`,
  "iy",
);

/** A part of an address, behind the whole name. */
const path =
  /(?:api|app|hq|s)?(?=[./-])[\w.-]{0,30}\/(?:[\w-]{1,20}\/){1,4}([A-Za-z0-9_=.-]{20,90})(?![\w-])/iy;

/** In the address of a service short keys count too. */
const query =
  /[\w.-]{0,30}\/[^\s"'<>?]{0,100}\?(?:[^\s"'<>&]{0,80}&){0,6}(?:[a-z_-]{0,12}(?:key|token|secret)|app_?id|auth)=([\w.~+-]{8,90})(?![\w.~+-])/iy;

/** In a line of a log: `qubole client initialised with key …`. */
const logged = new RegExp(
  String.raw`(?:[ \t][a-z]{2,16}){1,6}[ \t](?:api[ _-]?key|key|token)[ \t]${key}`,
  "iy",
);

/** The name of the service, the key, and nothing else in a line or a member of an object. */
const alone =
  /(?=\\?["']?[ \t]{0,3}[:=])(?<=(?:^|\n|\\n|\uf8ff|[{,"])(?:[+ ]{0,8}\d{1,6}[→\t])?[ \t+{-]{0,24}(?:export |const |let |var )?(?:\\?["'])?[a-z0-9._-]{2,24})\\?["']?[ \t]{0,3}[:=]>?[ \t]{0,8}\\?["']?((?:\d{1,8}\|)?(?:[\w.-]{1,64}:){0,2}[\w.+/~-]{10,1200}={0,2})(?=\\?["']?[ \t]{0,2},?[ \t]{0,2}(?:[\r\n}"#]|\\n|$))/iy;

/** A variable of an environment that is called as the service is. */
const variable = new RegExp(
  String.raw`(?<=(?:^|\n|\\n|\uf8ff|")(?:[+ ]{0,8}\d{1,6}[→\t])?[ \t+-]{0,24}(?:export |set |ENV |docker [^\n]{1,60} -e )?[A-Z][A-Z\d_]{1,23})=(\\?["']?)${key}(?=\1(?:[ \t\r\n"]|\\n|$))`,
  "y",
);
/** What a client of the service is made with. */
const calling = new RegExp(
  String.raw`\w{0,20}\.(?:init|initialize|setup|configure|auth|authenticate|login|set_?(?:api_?)?(?:key|token))\([ \t]{0,3}["'\x60]${key}`,
  "iy",
);
/** The next column of a table. */
const cell = new RegExp(String.raw`[ \t]{0,20}\|[ \t]{0,20}\x60?${key}`, "iy");

/** What makes a client of a service: `new Zendesk("…")`. */
const made = /(?:Client|Api|API|SDK)?\([ ]?["'`]([\w=.+/:-]{20,200})(?=["'`][ ]?[,)])/y;

/** Under a name that a service alone gives to its key: `newrelic.license`, `STRIPE_PRIVATE`. */
const ownName =
  /[ ._-]?(?:license|private|keystring|plaintext|login)\\?["']?\]?[ \t]{0,3}(?:=>|[:=,])[ \t]{0,3}\\?["'`]{0,2}([\w=.+/:-]{14,200})(?![\w-])/iy;

/** What a service made; with signs too where nobody could have guessed it. */
const isMade = (value: string): boolean => isIssuedPair(value) || isUnguessable(value);
/** The same in an address, and no name of a file. */
const isIssuedPart = (value: string): boolean =>
  isIssued(value) && !/\.[a-z]{2,5}$|^0x[0-9a-f]{64}$/.test(value);
/** The same, or a pair of it. */
const isKeyAlone = (value: string): boolean => isRandom(value) || isIssuedPair(value);
/** Behind a word of every text: what nobody typed. */
const isUnlike = (value: string): boolean =>
  value.length >= 20 && isRandom(value) && isScattered(value.replace(/[^A-Za-z0-9]/g, ""));
/** A service that keeps code has revisions too. */
const isKeyOfHost = (value: string): boolean =>
  isKeyAlone(value) && !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
const keepsCode =
  /^(?:git|bitbucket|buildkite|circleci|travis|vercel|netlify|sentry|sonar|sourcegraph|code|doppler|jfrog|artifactory|vagrant|appveyor|bitrise|teamcity|heroku|figma|google|docker)/;

const phrases = new Map<string, readonly Phrase[]>();

/** The rule by which they go. */
export const serviceNameRule: PhraseRule = {
  id: "key-beside-service",
  finds: "a key behind the name of a service whose keys have no form of their own",
  kind: "key",
  words: [...keyedServices, ...otherServices].flatMap(spellingsOf),
  gone: [
    "weatherstack key «{h32}»",
    'geoapify("«{l32}»")',
    "shodan init «{a32}»",
    "finnhub: '«{l20}»'",
    "curl https://api.flightapi.io/iata/«{h24}»/london/airport",
    "https://api.mockaroo.com/api/generate.csv?count=3&key=«{h8}»",
    'etsy: "«{l24}»"',
    "dandelion: «{h32}»",
    '{"fastly": "«{w32}»", "port": 1}',
    "INFO qubole client initialised with key «{l64}»",
    'plivo.RestClient("MAXXXX", "«{a40}»")',
    'planview: "«{h128}»"',
    "customer_io = «{h20}»",
    "OPTIMIZELY=«2:{a52}»",
    'splunk: "«{a22}»"',
    "PINATA=«{h64}»",
    'gumroad: "«{h64}»"',
    "'algolia' => '«{a32}»',",
    "docker run -e SENDGRID=«{a32}» acme/app",
    "AIRTABLE=«{a24}» node sync.js",
    'newrelic.license="«{h40}»"',
    "STRIPE_PRIVATE=«{a24}»",
    "LOGGLY=«{h8}-{h4}-{h4}-{h4}-{h12}»",
    "strava.init('«{h40}»')",
    "| datadog | «{h32}» |",
    'new Zendesk("«{a40}»")',
  ],
  stay: [
    "github: {h40}",
    "vercel: {h64}",
    "segment: {h32}",
    "INFO github client ready with key {h40}",
    "shodan of the commit {h40}",
    "unsplash: photo-of-a-very-long-name",
    "https://unsplash.com/photos/a-name",
    "https://cdn.rawgit.com/ada/shop/{h40}/logo.svg",
    "https://ik.imagekit.io/acme/pictures/2024-01-02_header.png",
    "splunk: {h40}",
    "DOCKER={h40}",
    "GITHUB={h40}",
    "| github | {h40} |",
  ],
  phrases,
};

const ofService: readonly Phrase[] = [
  { rest, accepts: isMade, rule: serviceNameRule },
  { rest: path, accepts: isIssuedPart, rule: serviceNameRule },
  { rest: logged, accepts: isMade, rule: serviceNameRule },
  { rest: query, accepts: isHandedOut, rule: serviceNameRule },
  { rest: ownName, accepts: isIssuedPair, rule: serviceNameRule },
];
const isNoRevision = (value: string): boolean =>
  isIssued(value) && !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
const phrasesOf = (hasRevisions: boolean, isWord: boolean): readonly Phrase[] => [
  ...(isWord ? [] : [{ rest: logged, accepts: isRandom, rule: serviceNameRule }]),
  {
    rest: alone,
    accepts: isWord ? isUnlike : hasRevisions ? isKeyOfHost : isKeyAlone,
    rule: serviceNameRule,
  },
  { rest: variable, accepts: hasRevisions ? isNoRevision : isIssued, rule: serviceNameRule },
  { rest: calling, accepts: isIssued, rule: serviceNameRule },
  { rest: cell, accepts: isNoRevision, rule: serviceNameRule },
  { rest: made, accepts: isUnlike, rule: serviceNameRule },
  { rest: ownName, accepts: isIssuedPair, rule: serviceNameRule },
];
const ofOther = { true: phrasesOf(true, false), false: phrasesOf(false, false) };
const ofWord = { true: phrasesOf(true, true), false: phrasesOf(false, true) };
for (const word of keyedServices.flatMap(spellingsOf)) phrases.set(word, ofService);
for (const word of otherServices.flatMap(spellingsOf)) {
  const table = wordlikeServices.has(word) ? ofWord : ofOther;
  phrases.set(word, table[`${keepsCode.test(word)}`]);
}

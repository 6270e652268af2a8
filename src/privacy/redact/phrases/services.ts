// Keys that only the name of their service before them gives away.
import { keyedServices, otherServices, wordlikeServices } from "../service-names.ts";
import { isHandedOut, isIssued, isRandom } from "../values.ts";
import type { Phrase, PhraseRule } from "./phrase.ts";

/** A sign of assignment, a call, a word that says so, or a part of an address, then the key. */
const rest =
  /[\w.-]{0,30}["'\]]{0,3}(?:[ \t]{0,3}(?:=>|:=|[=:(,])[ \t]{0,3}|\)?\(["'][\w.@:-]{1,60}["'],[ \t]{0,3}|[ \t]{1,3}(?:init|auth|login|(?:api[ _-]?|secret |access )?(?:key|token))(?:[ \t]{0,3}(?:[:=]|is)[ \t]{0,3}|[ \t]{1,3})|\/(?:[\w-]{1,20}\/){1,4})["'(]{0,3}([A-Za-z0-9_=.-]{20,90})(?![\w-])/iy;

/** In the address of a service short keys count too. */
const query =
  /[\w.-]{0,30}\/[^\s"'<>?]{0,100}\?(?:[^\s"'<>&]{0,80}&){0,6}(?:[a-z_-]{0,12}(?:key|token|secret)|app_?id|auth)=([\w.~+-]{8,90})(?![\w.~+-])/iy;

/** In a line of a log: `qubole client initialised with key …`. */
const logged =
  /(?:[ \t][a-z]{2,16}){1,6}[ \t](?:api[ _-]?key|key|token)[ \t]([A-Za-z0-9_=.-]{20,90})(?![\w-])/iy;

/** The name of the service, the key, and nothing else in a line or a member of an object. */
const alone =
  /(?=\\?["']?[ \t]{0,3}[:=])(?<=(?:^|\n|\\n|\uf8ff|[{,"])(?:[+ ]{0,8}\d{1,6}[→\t])?[ \t+{-]{0,24}(?:\\?["'])?[a-z0-9]{2,24})\\?["']?[ \t]{0,3}[:=][ \t]{0,8}\\?["']?([A-Za-z0-9_-]{20,90})(?=\\?["']?[ \t]{0,2},?[ \t]{0,2}(?:[\r\n}"#]|\\n|$))/iy;

/** What a service made, and no digest. */
const isKeyAlone = (value: string): boolean =>
  isRandom(value) || (isIssued(value) && !/^[0-9a-f]{64}$/.test(value));
/** A service that keeps code has revisions too. */
const isKeyOfHost = (value: string): boolean => isKeyAlone(value) && !/^[0-9a-f]{40}$/.test(value);
const keepsCode =
  /^(?:git|bitbucket|buildkite|circleci|travis|vercel|netlify|sentry|sonar|sourcegraph|code|doppler|jfrog|artifactory|vagrant|appveyor|bitrise|teamcity|heroku|figma|google|docker)/;

const phrases = new Map<string, readonly Phrase[]>();

/** The rule by which they go. */
export const serviceNameRule: PhraseRule = {
  id: "key-beside-service",
  finds: "a key behind the name of a service whose keys have no form of their own",
  kind: "key",
  words: [...keyedServices, ...otherServices],
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
  ],
  stay: [
    "github: {h40}",
    "vercel: {h64}",
    "segment: {h32}",
    "INFO github client ready with key {h40}",
    "shodan of the commit {h40}",
    "unsplash: photo-of-a-very-long-name",
    "https://unsplash.com/photos/a-name",
  ],
  phrases,
};

const ofService: readonly Phrase[] = [
  { rest, accepts: isIssued, rule: serviceNameRule },
  { rest: logged, accepts: isIssued, rule: serviceNameRule },
  { rest: query, accepts: isHandedOut, rule: serviceNameRule },
];
for (const word of keyedServices) phrases.set(word, ofService);
for (const word of otherServices) {
  const accepts = keepsCode.test(word) ? isKeyOfHost : isKeyAlone;
  const ones: readonly Phrase[] = [
    { rest: logged, accepts: isRandom, rule: serviceNameRule },
    { rest: alone, accepts, rule: serviceNameRule },
  ];
  if (!wordlikeServices.has(word)) phrases.set(word, ones);
}

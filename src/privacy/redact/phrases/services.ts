// Keys that only the name of their service before them gives away.
import { keyedServices } from "../service-names.ts";
import { isHandedOut, isIssued } from "../values.ts";
import type { Phrase, PhraseRule } from "./phrase.ts";

/** A sign of assignment, a call, a word that says so, or a part of an address, then the key. */
const rest =
  /[\w.-]{0,30}["'\]]{0,3}(?:[ \t]{0,3}(?:=>|:=|[=:(,])[ \t]{0,3}|\)?\(["'][\w.@:-]{1,60}["'],[ \t]{0,3}|[ \t]{1,3}(?:init|auth|login|(?:api[ _-]?|secret |access )?(?:key|token))(?:[ \t]{0,3}(?:[:=]|is)[ \t]{0,3}|[ \t]{1,3})|\/(?:[\w-]{1,20}\/){1,4})["'(]{0,3}([A-Za-z0-9_=.-]{20,90})(?![\w-])/iy;

/** In the address of a service short keys count too. */
const query =
  /[\w.-]{0,30}\/[^\s"'<>?]{0,100}\?(?:[^\s"'<>&]{0,80}&){0,6}(?:[a-z_-]{0,12}(?:key|token|secret)|app_?id|auth)=([\w.~+-]{8,90})(?![\w.~+-])/iy;

const phrases = new Map<string, readonly Phrase[]>();

/** The rule by which they go. */
export const serviceNameRule: PhraseRule = {
  id: "key-beside-service",
  finds: "a key behind the name of a service whose keys have no form of their own",
  kind: "key",
  words: keyedServices,
  gone: [
    "weatherstack key «{h32}»",
    'geoapify("«{l32}»")',
    "shodan init «{a32}»",
    "finnhub: '«{l20}»'",
    "curl https://api.flightapi.io/iata/«{h24}»/london/airport",
    "https://api.mockaroo.com/api/generate.csv?count=3&key=«{h8}»",
    'plivo.RestClient("MAXXXX", "«{a40}»")',
  ],
  stay: [
    "shodan of the commit {h40}",
    "unsplash: photo-of-a-very-long-name",
    "https://unsplash.com/photos/a-name",
  ],
  phrases,
};

const ofService: readonly Phrase[] = [
  { rest, accepts: isIssued, rule: serviceNameRule },
  { rest: query, accepts: isHandedOut, rule: serviceNameRule },
];
for (const word of keyedServices) phrases.set(word, ofService);

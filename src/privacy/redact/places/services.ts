// Keys that only the name of their service before them gives away.
import { keyedServices } from "../service-names.ts";
import { isIssued } from "../values.ts";
import type { PlaceRule } from "./place.ts";

/** What stands between the name and its key: a sign of assignment, a call, a word that says so, a part of an address. */
const between = String.raw`(?:[ \t]{0,3}(?:=>|:=|[=:(,])[ \t]{0,3}|[ \t]{1,3}(?:init|auth|login|(?:api[ _-]?|secret |access )?(?:key|token))(?:[ \t]{0,3}(?:[:=]|is)[ \t]{0,3}|[ \t]{1,3})|\/(?:[\w-]{1,20}\/){1,4})`;

/** The rules. */
export const serviceNameRules: readonly PlaceRule[] = [
  {
    id: "key-beside-service",
    finds: "a key behind the name of a service whose keys have no form of their own",
    kind: "key",
    words: keyedServices,
    pattern: new RegExp(
      String.raw`(?:${keyedServices.join("|")})[\w.-]{0,30}["'\]]{0,3}${between}["'(]{0,3}([A-Za-z0-9_=.-]{20,90})(?![\w-])`,
      "gi",
    ),
    accepts: isIssued,
    gone: [
      "weatherstack key «{h32}»",
      'geoapify("«{l32}»")',
      "shodan init «{a32}»",
      "finnhub: '«{l20}»'",
      "curl https://api.flightapi.io/iata/«{h24}»/london/airport",
    ],
    stay: [
      "shodan of the commit {h40}",
      "unsplash: photo-of-a-very-long-name",
      "https://unsplash.com/photos/a-name",
    ],
  },
];

// memoir/privacy: keeping secrets and private passages out, and marking what memoir says so that it is never taken for the agent's.
export { mapEvent, mapTexts } from "./event-texts.ts";
export { wrapContext } from "./marker.ts";
export { privateText, stripPrivate } from "./private.ts";
export { redactText } from "./redact.ts";
export { scrubDeep } from "./scrub.ts";

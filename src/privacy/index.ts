// memoir/privacy: keeping secrets and private passages out, and marking what memoir says so that it is never taken for the agent's.

export { privateText, stripPrivate, wrapContext } from "./marker.ts";
export { mapEvent, mapTexts, redactText, scrubDeep } from "./redact.ts";

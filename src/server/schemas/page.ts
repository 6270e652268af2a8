// What opening the page takes and answers.
import * as v from "valibot";

/** `POST /api/page/code`. */
export const PageCodeAnswer = v.object({
  address: v.pipe(v.string(), v.description("Opens the page once, within a minute.")),
});

/** `POST /api/page/session`. */
export const PageSessionBody = v.strictObject({
  code: v.pipe(v.string(), v.regex(/^[\w-]{43}$/, "is no code of `memoir open`")),
});
/** The session's other half; its first is the cookie. */
export const PageSessionAnswer = v.object({
  key: v.pipe(v.string(), v.description("Goes along with each request, as `memoir-page-key`.")),
});

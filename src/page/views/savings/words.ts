// A day, a week or a month as people read it.
import type { Step } from "./days.ts";

const formats: Record<Step, Intl.DateTimeFormat> = {
  day: new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" }),
  week: new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat(undefined, { month: "short", year: "2-digit", timeZone: "UTC" }),
};
const wholeDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const wholeMonth = new Intl.DateTimeFormat(undefined, {
  ...{ month: "long", year: "numeric", timeZone: "UTC" },
});

const momentOf = (key: string) => Date.parse(`${key}T00:00:00Z`);

/** Short, for below a bar; nothing where there is no step. */
export const stepWords = (key: string | undefined, step: Step) =>
  key === undefined ? "" : formats[step].format(momentOf(key));

/** In full. */
export function wholeStep(key: string, step: Step): string {
  if (step === "month") return wholeMonth.format(momentOf(key));
  return step === "week"
    ? `Week of ${wholeDay.format(momentOf(key))}`
    : wholeDay.format(momentOf(key));
}

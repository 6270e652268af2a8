// How moments are written for a reader, by the clock on their own wall.

/** Writes epoch ms as a day and a time of day. */
export interface Clock {
  /** `2026-11-20`. */
  day(time: number): string;
  /** `14:05`. */
  time(time: number): string;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** The clock of the machine's own time zone. */
export const localClock: Clock = {
  day(time) {
    const date = new Date(time);
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  },
  time(time) {
    const date = new Date(time);
    return `${two(date.getHours())}:${two(date.getMinutes())}`;
  },
};

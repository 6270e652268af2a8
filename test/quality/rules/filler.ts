// Prose around a rule, of a page that was pasted.

/** Prose that asks for nothing. */
export const filler = [
  "The service reads its settings when it starts and keeps them until it is stopped.",
  "Requests are answered in the order in which they came in, unless a client asks otherwise.",
  "Every answer carries the id of its request, so that both can be found in the log.",
  "When the queue is full, further requests are refused with status 503.",
];
/** So much of it that nobody types it. */
export const longer = Array.from({ length: 5 }, () => filler.join("\n"));

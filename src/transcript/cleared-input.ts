// What stands in a transcript or request for a tool's input that was taken out.

/** An input that was cleared; `message` says so to the model, and how it gets the input back. */
export type ClearedInput = {
  _cleared: true;
  message: string;
};

/** Whether an input was cleared before, by whichever strategy. */
export function isClearedInput(input: Readonly<Record<string, unknown>>): boolean {
  return input._cleared === true;
}

// A request's body as a value that strategies may change, and back to bytes. Sure means: written again it is the same, byte for byte.

export type Body = Readonly<Record<string, unknown>>;

/** The body, or undefined where reading and writing it again would not give the very same text. */
export function parseBody(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) && JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The changed body's text, or undefined where it is none that the API could take. Parts that nobody changed come out as
 * they came, because the original did.
 */
export function writeBody(body: unknown): string | undefined {
  try {
    return isBody(body) ? JSON.stringify(body) : undefined;
  } catch {
    return undefined;
  }
}

function isBody(value: unknown): value is Body {
  return (
    typeof value === "object" &&
    value !== null &&
    Array.isArray((value as Record<string, unknown>).messages)
  );
}

// Reads a request's body up to a limit.
import { MemoirError } from "../../sdk/errors.ts";

/** No event is larger: what a client sends is bounded by its own tools. */
const bodyLimit = 64 * 1024 * 1024;

/** The whole body as text. Throws MemoirError `payload_too_large` without reading more than `limit` bytes. */
export async function readText(request: Request, limit: number = bodyLimit): Promise<string> {
  const announced = request.headers.get("content-length");
  if (announced !== null) {
    if (Number(announced) > limit) throw tooLarge(limit);
    return request.text();
  }
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}

/** The body as JSON; an empty one is `undefined`. Throws MemoirError `payload_invalid`. */
export async function readJson(request: Request, limit?: number): Promise<unknown> {
  const text = await readText(request, limit);
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the input.
    throw new MemoirError("payload_invalid", "The request's body is no JSON.");
  }
}

function tooLarge(limit: number): MemoirError {
  return new MemoirError("payload_too_large", `The body is larger than ${limit} bytes.`);
}

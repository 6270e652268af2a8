// The token that loopback TCP asks for, made once per home.
import { Buffer } from "node:buffer";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { chmod } from "node:fs/promises";
import { atomicWrite, readFileText } from "../../home/read-file.ts";

/** The home's token: 32 random bytes in hexadecimal, in a file of mode 0600. Makes it when there is none or it is damaged. */
export async function ensureToken(path: string): Promise<string> {
  const known = await readToken(path);
  if (known !== undefined) {
    await chmod(path, 0o600);
    return known;
  }
  const token = randomBytes(32).toString("hex");
  await atomicWrite(path, `${token}\n`);
  return token;
}

/** The token in the file, or undefined when there is none. */
export async function readToken(path: string): Promise<string | undefined> {
  try {
    const token = (await readFileText(path)).trim();
    return /^[0-9a-f]{64}$/.test(token) ? token : undefined;
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Compares in constant time. */
export function sameToken(given: string, token: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(token);
  return left.length === right.length && timingSafeEqual(left, right);
}

// Why the newest try to make a backup by itself failed: kept beside the backups until one succeeds.
import { rm } from "node:fs/promises";
import * as v from "valibot";
import { atomicWrite } from "../atomic-write.ts";
import { errorMessage } from "../describe-error.ts";
import type { Paths } from "../paths.ts";
import { readFileText } from "../read-file.ts";
import { backupFolder } from "./read-backups.ts";

const FailureSchema = v.object({ time: v.number(), message: v.string() });
/** When (epoch ms) and why no backup was made. */
export type BackupFailure = v.InferOutput<typeof FailureSchema>;

/** Undefined where the newest try succeeded. */
export async function readFailure(paths: Paths): Promise<BackupFailure | undefined> {
  try {
    const parsed = v.safeParse(FailureSchema, JSON.parse(await readFileText(fileOf(paths))));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Never rejects: where even this cannot be written, the age of the newest backup tells. */
export async function noteFailure(paths: Paths, error: unknown, time: number): Promise<void> {
  const failure: BackupFailure = { time, message: errorMessage(error) };
  await atomicWrite(fileOf(paths), `${JSON.stringify(failure)}\n`).catch(() => undefined);
}

/** The newest try succeeded. */
export async function clearFailure(paths: Paths): Promise<void> {
  await rm(fileOf(paths), { force: true });
}

function fileOf(paths: Paths): string {
  return `${backupFolder(paths)}/failed.json`;
}

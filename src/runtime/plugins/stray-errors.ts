// Errors that nobody caught, from a plugin's timer or a promise it left alone: written down, not the server's end.
import process from "node:process";
import type { Log } from "../../home/log.ts";

/** Logs stray errors of this process instead of ending it. Gives the function that undoes it. */
export function catchStrayErrors(log: Log): () => void {
  const onError = (error: unknown) => log.error("an error that nobody caught", { error });
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
  return () => {
    process.off("uncaughtException", onError);
    process.off("unhandledRejection", onError);
  };
}

// How a declared command hands its work to whoever runs the command line.
import type { Terminal } from "./terminal.ts";

/** Runs a command's work and keeps its exit code. */
export type Run = (work: (terminal: Terminal) => Promise<number>) => Promise<void>;

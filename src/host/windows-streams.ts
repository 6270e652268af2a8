// Keeps a process's own streams from those that it starts. Needed on Windows alone.
import process from "node:process";

/** The two calls of kernel32, by their own names. */
export interface Kernel {
  GetStdHandle(which: number): unknown;
  SetHandleInformation(handle: unknown, mask: number, flags: number): unknown;
}

/** STD_INPUT_HANDLE, STD_OUTPUT_HANDLE and STD_ERROR_HANDLE. */
const streams = [-10, -11, -12];
const inheritFlag = 1;

/**
 * Windows hands a started process every handle that may be inherited, whatever streams it is given: a server would keep the
 * pipe open that our output goes into, and whoever reads it would wait as long as the server lives. Streams that are handed on
 * by intent are copies, which this does not touch. Never throws: without it all but such a pipe works.
 */
export function keepOwnStreams(
  platform: string = process.platform,
  open: () => Kernel = kernel32,
): void {
  if (platform !== "win32") return;
  try {
    const kernel = open();
    for (const which of streams)
      kernel.SetHandleInformation(kernel.GetStdHandle(which), inheritFlag, 0);
  } catch {
    // Not every engine can call the system's libraries.
  }
}

function kernel32(): Kernel {
  if (typeof Bun === "undefined") throw new Error("Deno keeps its streams by itself.");
  const { dlopen, FFIType } = require("bun:ffi") as typeof import("bun:ffi");
  const { symbols } = dlopen("kernel32.dll", {
    GetStdHandle: { args: [FFIType.i32], returns: FFIType.ptr },
    SetHandleInformation: {
      args: [FFIType.ptr, FFIType.u32, FFIType.u32],
      returns: FFIType.i32,
    },
  });
  return symbols as unknown as Kernel;
}

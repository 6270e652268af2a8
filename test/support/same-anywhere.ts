// Tests see the same on any machine: one time zone, for days and times are written by the reader's clock, and short names of
// temporary folders, for paths break lines of what is shown.
import { accessSync, constants } from "node:fs";
import process from "node:process";

process.env.TZ = "UTC";

try {
  accessSync("/tmp", constants.W_OK);
  process.env.TMPDIR = "/tmp";
} catch {
  // Where there is no such folder the system's own is used.
}

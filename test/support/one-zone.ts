// Tests are in one time zone, whatever the machine's: memoir writes days and times by the clock on the reader's wall.
import process from "node:process";

process.env.TZ = "UTC";

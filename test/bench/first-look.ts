// Prints how many ms the first second look of a process takes: `bun first-look.ts CHARACTERS OUTPUT`.
import { lookAgain } from "../../plugins/endless-live/look/look.ts";
import { leftOutputs } from "./left-out.ts";

const [size = 0, at = 0] = process.argv.slice(2).map(Number);
const output = leftOutputs(size)[at];
if (!output) throw new Error(`there is no output ${at}`);
const begin = performance.now();
lookAgain(output.text, output.short);
console.log(performance.now() - begin);

// Reduces a list of file names.
import * as v from "valibot";
import type { Reducer } from "../reducer.ts";
import { reduceNames } from "./names.ts";

const Response = v.looseObject({ filenames: v.array(v.string()) });

export const reduceGlob: Reducer = (arrived, _, policy) => {
  const parsed = v.safeParse(Response, arrived.response);
  return parsed.success ? reduceNames(arrived, parsed.output, policy) : undefined;
};

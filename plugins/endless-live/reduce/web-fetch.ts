// Reduces a fetched page: the client's own model has answered from it already, so only very long answers are cut.
import * as v from "valibot";
import type { Reducer } from "../reducer.ts";
import { shortenAnswer } from "../text/answer.ts";
import { shortenJson } from "../text/json.ts";
import { firstOf } from "../text/shortened.ts";
import { replaceText } from "./replaced.ts";

const Response = v.looseObject({ result: v.string() });
const shorten = firstOf(shortenJson, shortenAnswer);

export const reduceWebFetch: Reducer = (arrived, _, policy) => {
  const parsed = v.safeParse(Response, arrived.response);
  if (!parsed.success) return undefined;
  const response = parsed.output;
  const replaced = replaceText(arrived, response.result, shorten, policy);
  return (
    replaced && {
      response: { ...response, result: replaced.text },
      before: response.result,
      after: replaced.text,
      how: replaced.how,
    }
  );
};

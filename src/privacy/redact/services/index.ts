// The tokens of services, by their beginnings, in one list.
import { cloudRows } from "./clouds.ts";
import { codeRows } from "./code.ts";
import { dataRows } from "./data.ts";
import { generalRows } from "./general.ts";
import { messagingRows } from "./messaging.ts";
import { modelRows } from "./models.ts";
import { paymentRows } from "./payment.ts";
import { readRows } from "./rows.ts";
import { workRows } from "./work.ts";

/** Every service that memoir knows: of tokens that begin alike the first whose shape fits is believed. */
export const serviceRules = [
  paymentRows,
  workRows,
  messagingRows,
  modelRows,
  cloudRows,
  dataRows,
  codeRows,
  generalRows,
].flatMap(readRows);

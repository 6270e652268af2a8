// The pages of a database, wherever they are read from.

/** Pages by number, from 1. */
export interface PageSource {
  pageSize: number;
  /** Of each page, what its end is not reserved for. */
  usable: number;
  count: number;
  /** Undefined past the end, and where the file is cut. */
  page(number: number): Uint8Array | undefined;
}

// For plugins: reading a client's transcript files, whole, backwards, as they grow, and rewritten.
export * from "../transcript/index.ts";

// A loopback HTTP server that answers in raw bytes, for what a decent server never does: torn chunks, resets, silence.
import net from "node:net";

export interface RawRequest {
  /** `POST /v1/messages?beta=true`. */
  line: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface RawUpstream {
  url: string;
  port: number;
  requests: RawRequest[];
  /** Connections that the other side closed, or reset, before the answer was over. */
  left: number;
  stop(): Promise<void>;
}

/** Writes the answer; `write` sends bytes at once. What it does not end stays open. */
export type RawAnswer = (socket: net.Socket, request: RawRequest) => void | Promise<void>;

/** Starts one on a free port. */
export async function rawUpstream(answer: RawAnswer): Promise<RawUpstream> {
  const sockets = new Set<net.Socket>();
  const upstream: RawUpstream = {
    ...{ url: "", port: 0, requests: [], left: 0 },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = net.createServer((socket) => {
    let bytes = Buffer.alloc(0);
    let answering = false;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      if (answering) upstream.left += 1;
    });
    socket.on("data", async (part: Buffer) => {
      bytes = Buffer.concat([bytes, part]);
      const request = read(bytes);
      if (!request) return;
      bytes = Buffer.alloc(0);
      upstream.requests.push(request);
      answering = true;
      await answer(socket, request);
      if (socket.writableEnded || socket.destroyed) answering = false;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  upstream.port = (server.address() as net.AddressInfo).port;
  upstream.url = `http://127.0.0.1:${upstream.port}`;
  return upstream;
}

function read(bytes: Buffer): RawRequest | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [line = "", ...rest] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    rest.map((header) => {
      const colon = header.indexOf(":");
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  const body = bytes.subarray(end + 4);
  if (body.length < Number(headers["content-length"] ?? 0)) return undefined;
  return { line: line.replace(/ HTTP\/1\.1$/, ""), headers, body };
}

/** A whole HTTP/1.1 answer that closes its connection. */
export function whole(
  status: string,
  headers: Record<string, string>,
  body: Buffer | string,
): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({
    ...headers,
    "content-length": String(bytes.length),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`), bytes]);
}

/** The head of an answer in chunks. */
export function head(status: string, headers: Record<string, string>): string {
  const lines = Object.entries({ ...headers, "transfer-encoding": "chunked" });
  return `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

/** One chunk of it. */
export function chunk(body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);
}

/** Ends an answer in chunks. */
export const lastChunk = "0\r\n\r\n";

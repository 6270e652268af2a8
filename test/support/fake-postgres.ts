// What speaks PostgreSQL's protocol and is none: answers every question as a test says, on loopback.
import { createServer, type Socket } from "node:net";

/** A column of an answer: text, or null. */
type Cell = string | null;

/** What a question is answered with. */
export interface FakeAnswer {
  columns: string[];
  rows: Cell[][];
}

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string) => Buffer.from(`${value}\0`);

/** An error as a server, or what stands before it, sends it. */
export function errorMessage(code: string, says: string): Buffer {
  const fields = [
    ["S", "FATAL"],
    ["C", code],
    ["M", says],
  ].map(([key, value]) => text(`${key}${value}`));
  return message("E", Buffer.concat([...fields, Buffer.from([0])]));
}

/** One row as it is sent. */
export function rowMessage(cells: readonly Cell[]): Buffer {
  const parts = cells.map((cell) =>
    cell === null ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(cell)), Buffer.from(cell)]),
  );
  return message("D", Buffer.concat([int16(cells.length), ...parts]));
}

/** All columns are of this type: 25 is text, 17 bytea. */
function describe(columns: readonly string[], type: number): Buffer {
  const each = columns.map((name) =>
    Buffer.concat([text(name), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)]),
  );
  return message("T", Buffer.concat([int16(columns.length), ...each]));
}

/** `refuses`: says this instead of taking a connection. `streams`: sends its own after the answer's columns, and never ends. */
export interface Fake {
  refuses?: Buffer;
  answer?(query: string): FakeAnswer | undefined;
  streams?(query: string): ((socket: Socket) => void) | undefined;
}

/** Begins to listen; gives the address. */
export async function fakePostgres({ refuses, answer, streams }: Fake) {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => undefined);
    let isBegun = false;
    let query = "";
    let left: Buffer = Buffer.alloc(0);
    const ready = () => socket.write(message("Z", Buffer.from("I")));
    const shape = () => {
      const { columns } = answer?.(query) ?? { columns: ["x"] };
      socket.write(message("t", Buffer.concat([int16(0)])));
      socket.write(describe(columns, 25));
    };
    let isStreaming = false;
    const take = (type: string, body: Buffer) => {
      if (isStreaming) return;
      if (type === "P") query = body.toString("utf8", body.indexOf(0) + 1);
      if (type === "P") socket.write(message("1", Buffer.alloc(0)));
      if (type === "B") socket.write(message("2", Buffer.alloc(0)));
      if (type === "D") shape();
      const own = type === "E" ? streams?.(query) : undefined;
      if (own) {
        isStreaming = true;
        return own(socket);
      }
      if (type === "E") {
        for (const row of answer?.(query)?.rows ?? []) socket.write(rowMessage(row));
        socket.write(message("C", text("SELECT 1")));
      }
      if (type === "S") ready();
    };
    socket.on("data", (bytes: Buffer) => {
      left = Buffer.concat([left, bytes]);
      if (!isBegun && left.length >= 8) {
        left = left.subarray(left.readInt32BE(0));
        isBegun = true;
        if (refuses) return void socket.end(refuses);
        socket.write(message("R", int32(0)));
        ready();
      }
      while (isBegun && left.length > 4 && left.length > left.readInt32BE(1)) {
        const end = left.readInt32BE(1) + 1;
        take(String.fromCharCode(left[0] ?? 0), left.subarray(5, end));
        left = left.subarray(end);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `postgres://me:hunter2secret@127.0.0.1:${port}/x`,
    stop() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

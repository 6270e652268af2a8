// A real HTTP proxy on loopback: CONNECT for https, whole addresses for http. Nothing but it knows where the made-up hosts are.
import http from "node:http";
import net from "node:net";

export interface ConnectProxy {
  url: string;
  port: number;
  /** `CONNECT api.example:443`, `POST http://api.example/v1/messages`; one for each request, refused ones too. */
  asked: string[];
  stop(): Promise<void>;
}

export interface ConnectProxyOptions {
  /** Ports on loopback by `host:port`; everything else is answered with 502, as a proxy elsewhere answers `127.0.0.1`. */
  hosts: Readonly<Record<string, number>>;
  /** `name:password` that it asks for. */
  credentials?: string;
}

/** Starts one on a free port. */
export async function connectProxy({
  hosts,
  credentials,
}: ConnectProxyOptions): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<net.Socket>();
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;

  /** The port, or the status of a refusal. */
  function decide(request: http.IncomingMessage, host: string): { port: number } | number {
    asked.push(`${request.method} ${request.url}`);
    if (wanted && request.headers["proxy-authorization"] !== wanted) return 407;
    const port = hosts[host];
    return port === undefined ? 502 : { port };
  }

  const server = http.createServer((request, response) => {
    const { host, port = "80", pathname, search } = new URL(request.url ?? "");
    const way = decide(request, host.includes(":") ? host : `${host}:${port || 80}`);
    if (typeof way === "number") return void response.writeHead(way).end("refused by the proxy");
    const headers = { ...request.headers };
    delete headers["proxy-authorization"];
    const onward = http.request(
      {
        ...{ host: "127.0.0.1", port: way.port, headers },
        ...{ method: request.method ?? "GET", path: `${pathname}${search}` },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  server.on("connect", (request, client: net.Socket, head: Buffer) => {
    sockets.add(client);
    client.on("error", () => undefined).on("close", () => sockets.delete(client));
    const way = decide(request, request.url ?? "");
    if (typeof way === "number")
      return void client.end(`HTTP/1.1 ${way} Refused\r\nContent-Length: 0\r\n\r\n`);
    const onward = net.connect(way.port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.write(head);
      client.pipe(onward).pipe(client);
    });
    sockets.add(onward);
    onward.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("close", () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

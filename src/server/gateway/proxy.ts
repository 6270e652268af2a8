// The HTTP proxy between this machine and the API: read off a client's environment, kept in the home, and asked for each request.
import { rm } from "node:fs/promises";
import process from "node:process";
import * as v from "valibot";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import type { Host, Route } from "../../host/host.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const NetworkSchema = v.object({
  /** By the protocol of what is asked; with name and password where the user wrote them so. */
  http: v.optional(v.string()),
  https: v.optional(v.string()),
  /** Hosts that are asked directly. */
  noProxy: v.string(),
  /** Path of certificates that are trusted beside the usual ones, as proxies that read along need. */
  certificates: v.optional(v.string()),
});

/** How a client reaches the network. */
export type Network = v.InferOutput<typeof NetworkSchema>;

/** The addresses that the client finds the gateway by. */
const loopback: readonly string[] = ["127.0.0.1", "localhost", "::1"];
/** Names in both cases: the lower one counts first, as it does for the client. */
const noProxyNames: readonly string[] = ["no_proxy", "NO_PROXY"];

/** What these variables say; undefined where the network is reached directly. */
export function networkIn(env: Variables): Network | undefined {
  const found = (...names: string[]) =>
    names.flatMap((name) => [env[name], env[name.toUpperCase()]]).find(Boolean);
  const http = found("http_proxy", "all_proxy");
  const https = found("https_proxy", "all_proxy", "http_proxy");
  const certificates = found("node_extra_ca_certs");
  if (!http && !https && !certificates) return undefined;
  return {
    noProxy: found("no_proxy") ?? "",
    ...(http && { http: withProtocol(http) }),
    ...(https && { https: withProtocol(https) }),
    ...(certificates && { certificates }),
  };
}

function withProtocol(proxy: string): string {
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/** The proxy by which `url` is asked; undefined: directly. */
export function proxyFor(url: string, network: Network | undefined): string | undefined {
  if (!network || !URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const at = port || (protocol === "https:" ? "443" : "80");
  const isDirect = isLoopback(hostname) || isListed(hostname, at, network.noProxy);
  if (isDirect) return undefined;
  return protocol === "https:" ? network.https : network.http;
}

/** What `NO_PROXY` has to be, in both cases, so that a client with these variables finds this machine; nothing where it does. */
export function loopbackVariables(env: Variables): Record<string, string> {
  const set = noProxyNames.flatMap((name) => env[name] ?? []);
  const network = networkIn(env);
  const hasProxy = network?.http !== undefined || network?.https !== undefined;
  const lacks = (list: string) => loopback.filter((host) => !isListed(host, "", list));
  if (!hasProxy || (set.length > 0 && set.every((list) => lacks(list).length === 0))) return {};
  return Object.fromEntries(
    noProxyNames.toReversed().map((name) => {
      const list = env[name] ?? set[0] ?? "";
      return [name, [...(list.trim() === "" ? [] : [list]), ...lacks(list)].join(",")];
    }),
  );
}

/** The proxy that a client with these variables would ask for the gateway itself; undefined: it finds this machine. */
export function proxyToLoopback(env: Variables): string | undefined {
  const { noProxy = "", http, https } = networkIn(env) ?? {};
  return isListed("127.0.0.1", "", noProxy) ? undefined : (http ?? https);
}

/** Whether a host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Whether a list such as `corp.example,.local,10.0.0.1:8080` names the host, or a domain that it is in. */
function isListed(host: string, port: string, list: string): boolean {
  const bare = (text: string) => text.replace(/^\[|\]$/g, "").toLowerCase();
  const name = bare(host);
  const entries = list.split(/[\s,]+/).filter(Boolean);
  return entries.some((entry) => {
    if (entry === "*") return true;
    const [, only = entry, at] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    if (at !== undefined && at !== port) return false;
    const domain = bare(only).replace(/^\*?\./, "");
    return domain !== "" && (name === domain || name.endsWith(`.${domain}`));
  });
}

/** A proxy as it may be shown: its host and port alone. */
export function shownProxy(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).host : "one that is no address";
}

/** What the fetch of an address is given to take the way that leads there. */
export function fetchInit(
  host: Host,
  upstream: string,
  network: Reached | undefined,
): RequestInit | undefined {
  const route = routeTo(upstream, network);
  return route && host.fetchBy(route);
}

/** A network whose certificates are read. */
export interface Reached extends Network {
  /** PEM texts: all that are trusted; absent where the usual ones are. */
  trusted?: readonly string[];
}

/** The way to `url`, for the host's fetch; undefined where nothing has to be said about it. */
function routeTo(url: string, network: Reached | undefined): Route | undefined {
  const proxy = proxyFor(url, network);
  const trusted = network?.trusted;
  if (proxy === undefined && trusted === undefined) return undefined;
  return { ...(proxy !== undefined && { proxy }), ...(trusted && { trusted }) };
}

/** Reads the certificates: the client trusts this system's and its own extra ones too, which a proxy that reads along needs. */
export async function reached(network: Network): Promise<Reached> {
  const { certificates } = network;
  const extra = certificates && (await readFileText(certificates).catch(() => undefined));
  // An import would put half a megabyte of its bytecode into the binary.
  const tls = process.getBuiltinModule("node:tls");
  const more = [...tls.getCACertificates("system"), ...(extra ? [extra] : [])];
  return { ...network, ...(more.length > 0 && { trusted: [...tls.rootCertificates, ...more] }) };
}

/** Below the home, for its owner's eyes: a proxy's password may stand in it. */
function networkFile(home: string): string {
  return `${home}/gateway-proxy.json`;
}

/** What was kept when the gateway was switched on, as the request wants it. */
export async function readNetwork(home: string): Promise<Reached | undefined> {
  try {
    return await reached(v.parse(NetworkSchema, JSON.parse(await readFileText(networkFile(home)))));
  } catch {
    return undefined;
  }
}

/** Keeps it; undefined: the network is reached directly. */
export async function writeNetwork(home: string, network: Network | undefined): Promise<void> {
  if (network) await atomicWrite(networkFile(home), `${JSON.stringify(network)}\n`);
  else await rm(networkFile(home), { force: true });
}

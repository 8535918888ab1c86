// Where the server listens, and under which names it answers: only on this machine, unless the way to it is protected.
import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { readFailure } from "../../model/failure/system-failure.ts"
import type { AllowedNames } from "../../server/guard/request-origin.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"

export interface ListenAddressOptions {
  host?: string
  port?: number
  cert?: string
  key?: string
  behindProxy?: string
}

export interface ListenAddress {
  address: string
  tls?: { cert: string; key: string }
  /** Once the port is known. The first is the one to use. */
  urls: (port: number) => string[]
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
const BY_DEFAULT = "127.0.0.1"

export function listenAddress(cli: Cli, options: ListenAddressOptions): ListenAddress {
  const { host, cert, key, behindProxy } = options
  const tls = tlsOf(cli, cert, key)
  const proxy = behindProxy === undefined ? undefined : originOf(behindProxy)
  if (host !== undefined && !isLoopback(host) && tls === undefined && proxy === undefined) {
    throw new UsageError(
      `On ${host}, everybody on the network could read the token in transit.`,
      "Add --cert and --key for TLS, or --behind-proxy ORIGIN if a TLS proxy is in front of it.",
    )
  }
  // Behind a proxy, the browser does not see it.
  if (proxy === undefined && options.port !== undefined && BLOCKED_PORTS.has(options.port)) {
    throw new UsageError(
      `Browsers open no page on port ${options.port}, because other protocols use it.`,
      "Choose another with --port, or leave it out.",
    )
  }
  const scheme = tls === undefined ? "http" : "https"
  const own = [
    ...(tls === undefined ? [] : namesOf(tls.cert)),
    ...(host === undefined ? [] : [bracketed(host)]),
    ...LOOPBACK,
  ]
  return {
    address: host ?? BY_DEFAULT,
    ...(tls === undefined ? {} : { tls }),
    urls: (port) => [
      ...(proxy === undefined ? [] : [proxy]),
      ...[...new Set(own)].map((name) => `${scheme}://${name}:${port}`),
    ],
  }
}

/** Those that the Fetch standard blocks. */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** Allowed values of `Host` and `Origin`. */
export function allowedAt(urls: readonly string[]): AllowedNames {
  return { hosts: urls.map((url) => new URL(url).host), origins: urls.map((url) => new URL(url).origin) }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host)
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && (url.protocol === "https:" || url.protocol === "http:")) return url.origin
  throw new UsageError(
    `--behind-proxy ${text} is not an address.`,
    "Give the address that people type, such as: https://retcon.example.org",
  )
}

function tlsOf(cli: Cli, cert: string | undefined, key: string | undefined): { cert: string; key: string } | undefined {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) throw new UsageError("TLS needs --cert and --key.", "Name both files.")
  return { cert: textOf(resolve(cli.cwd, cert)), key: textOf(resolve(cli.cwd, key)) }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw new RetconError(readFailure(error, path), { cause: error })
  }
}

/** The names that a certificate is for, except patterns. */
function namesOf(cert: string): string[] {
  const { subjectAltName = "" } = new X509Certificate(cert)
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s*]+)(?:,|$)/g)].map(([, name]) =>
    bracketed(name as string),
  )
}

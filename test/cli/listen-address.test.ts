// Where `retcon serve` listens, under which names, and what it leaves behind for programs of the same person.
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { Cli } from "../../src/cli/port/cli.ts"
import { allowedAt, type ListenAddressOptions, listenAddress } from "../../src/cli/serve/listen-address.ts"
import { writeTokenFile } from "../../src/cli/serve/token-file.ts"
import { temporaryFolder } from "../formats/read-session.ts"

const at = (options: ListenAddressOptions, cwd = "/") => listenAddress({ cwd } as Cli, options)

test("by default only on this machine, under all of its names", () => {
  const { address, urls, tls } = at({})
  expect([address, tls]).toEqual(["127.0.0.1", undefined])
  expect(urls(4180)).toEqual(["http://127.0.0.1:4180", "http://localhost:4180", "http://[::1]:4180"])
  expect(allowedAt(urls(4180)).hosts).toContain("localhost:4180")
  expect(allowedAt(["https://a.example:443/x"])).toEqual({ hosts: ["a.example"], origins: ["https://a.example"] })
})

test.each(["localhost", "::1", "127.0.0.1", "127.1.2.3"])("%s is this machine", (host) => {
  const { address, urls } = at({ host })
  expect(address).toBe(host)
  expect(urls(1)[0]).toBe(`http://${host === "::1" ? "[::1]" : host}:1`)
})

test.each(["0.0.0.0", "example.org", "::", "127.example.org", "x127.0.0.1"])(
  "%s needs TLS, or a proxy with it",
  (host) => {
    expect(() => at({ host })).toThrow(`On ${host}, everybody on the network could read the token`)
    expect(at({ host, behindProxy: "https://retcon.example.org/path" }).urls(1)[0]).toBe("https://retcon.example.org")
  },
)

test("a port on which no browser opens a page is refused, unless a proxy is in front", () => {
  for (const port of [1, 6000, 6667, 10_080])
    expect(() => at({ port })).toThrow(`Browsers open no page on port ${port}`)
  for (const port of [0, 80, 4180, 6001, 8080]) expect(at({ port }).address).toBe("127.0.0.1")
  expect(at({ port: 6000, behindProxy: "https://retcon.example.org" }).urls(6000)[0]).toBe("https://retcon.example.org")
})

test("what is not an address of a proxy is refused", () => {
  for (const behindProxy of ["nonsense", "ftp://example.org"])
    expect(() => at({ behindProxy })).toThrow("is not an address")
  expect(at({ behindProxy: "http://proxy:8080" }).urls(1)[0]).toBe("http://proxy:8080")
})

test("TLS needs both files, and names the one that cannot be read", () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "cert.pem"), "")
  expect(() => at({ cert: "cert.pem" })).toThrow("--cert and --key")
  expect(() => at({ key: "key.pem" })).toThrow("--cert and --key")
  expect(() => at({ cert: "cert.pem", key: "key.pem" }, folder)).toThrow(join(folder, "key.pem"))
})

test("the token of a server is for its owner's eyes only, also where a file was before, and goes with it", () => {
  const home = temporaryFolder()
  const serving = { url: "http://127.0.0.1:4180", token: "secret", pid: 1 }
  const before = writeTokenFile(home, 4180, { ...serving, token: "old" })
  writeFileSync(before.path, "x", { mode: 0o644 })
  const file = writeTokenFile(home, 4180, serving)
  const { path } = file
  expect(path).toBe(before.path)
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(serving)
  expect([statSync(path).mode & 0o777, statSync(join(home, "serve")).mode & 0o777]).toEqual([0o600, 0o700])
  file.remove()
  file.remove()
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
})

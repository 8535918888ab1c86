import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { get } from "node:https"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { writeTokenFile } from "../../src/cli/serve/token-file.ts"
import { hasTmux, openPane, RETCON } from "../tui/tmux.ts"
import { readEvents } from "./reader.ts"
import { jsonBody, PROGRAM, served } from "./served.ts"

test("serve listens on this machine only, with a token that only its owner can read, and removes it when it ends", async () => {
  const { url, token, home, ask, stop } = await served()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(token).toMatch(/^[\w-]{43}$/)
  const file = join(home, "serve", `${new URL(url).port}.json`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ url, token })
  expect((await ask("/api/sessions")).status).toBe(200)
  expect((await fetch(`${url}/api/sessions`)).status).toBe(401)
  expect(await stop()).toBe(0)
  expect(existsSync(file)).toBe(false)
})

test.skipIf(!hasTmux())("the browser is started without the token, and finds the page all the same", async () => {
  const pane = openPane(200)
  const [home, tools] = [join(pane.cwd, "..", "home"), join(pane.cwd, "..", "tools")]
  mkdirSync(tools)
  const opener = process.platform === "darwin" ? "open" : "xdg-open"
  const told = join(tools, "told")
  writeFileSync(join(tools, opener), `#!/bin/sh\necho "$@" > ${told}.new; mv ${told}.new ${told}\n`, { mode: 0o755 })
  pane.type(`PATH=${tools}:$PATH ${RETCON} serve --port 0 --model practice; test -e ${told} && echo told`)
  pane.press("Enter")
  await pane.sees(/retcon is at \S+#token=[\w-]{43}\n/)
  const [, address = ""] = /retcon is at (\S+)/.exec(pane.screen()) ?? []
  const [, token = ""] = /#token=([\w-]{43})$/.exec(address) ?? []
  expect(token).not.toBe("")
  while (!existsSync(told)) await new Promise((settle) => setTimeout(settle, 20))
  const given = readFileSync(told, "utf8").trim()
  expect(given).toBe(join(home, "serve", `${new URL(address).port}.html`))
  expect(statSync(given).mode & 0o777).toBe(0o600)
  expect(readFileSync(given, "utf8")).toContain(`url=${address}"`)
  pane.press("C-c")
  await pane.sees(/^told/m)
  expect(existsSync(given)).toBe(false)
})

test("a turn that runs when it ends is stopped and settled, and its readers are told", async () => {
  const { cwd, ask, stop } = await served(["--mode", "yolo"])
  const { id } = (await (await ask("/api/sessions", jsonBody({ cwd }))).json()) as { id: string }
  const reader = readEvents(await ask(`/api/sessions/${id}/events`))
  const begun = await ask(`/api/sessions/${id}/converse`, jsonBody({ text: "run sleep 60" }))
  expect(begun.status).toBe(202)
  await reader.until(({ type }) => type === "turn-start")
  expect(await stop("SIGTERM")).toBe(0)
  expect(await reader.ended).toBe("end")
  const types = reader.events.map(({ type }) => type)
  expect(types[0]).toBe("reset")
  expect(types).toContain("turn-end")
  expect(types.at(-1)).toBe("host-closing")
})

test("a server that cannot keep its token ends, and says why", async () => {
  const home = mkdtempSync(join(tmpdir(), "retcon-home-"))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, "serve"), "a file where the folder should be")
  await expect(served([], { RETCON_HOME: home })).rejects.toThrow(/serve ended with 1: .*EEXIST/s)
})

test.each(["nowhere/x", "nonsense", "anthropic/x"])(
  "with the model %s it does not start, in the words of run",
  async (model) => {
    const error = await served(["--model", model]).catch((thrown: Error) => thrown.message)
    const home = mkdtempSync(join(tmpdir(), "retcon-home-"))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const words = [PROGRAM, "run", "--model", model, "hi"]
    const env = { PATH: process.env.PATH ?? "", HOME: home, RETCON_HOME: join(home, "retcon") }
    const ran = spawnSync(process.execPath, words, { cwd: home, env, encoding: "utf8" })
    const refused = /There is no (?:model|key) .*/.exec(ran.stderr)?.[0]
    expect(refused).toBeDefined()
    expect(error).toMatch(/^serve ended with 1: /)
    expect(error).toContain(JSON.stringify(refused).slice(1, -1))
  },
)

test("where it cannot listen, it says why and what to do", async () => {
  const { url } = await served()
  const { port } = new URL(url)
  await expect(served(["--port", port])).rejects.toThrow(new RegExp(`Port ${port} is in use.*--port`, "s"))
  // Of a network that is only for documentation.
  await expect(served(["--host", "192.0.2.1", "--behind-proxy", "https://retcon.example"])).rejects.toThrow(
    /192\.0\.2\.1 is not an address of this machine.*--host/s,
  )
})

test("the file of the token is removed once: one that appears later is another server's", () => {
  const home = mkdtempSync(join(tmpdir(), "retcon-home-"))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const serving = { url: "http://127.0.0.1:4180", token: "t", pid: 1 }
  const first = writeTokenFile(home, 4180, serving)
  first.remove()
  const second = writeTokenFile(home, 4180, serving)
  first.remove()
  expect(existsSync(second.path)).toBe(true)
})

test("an upgrade to a websocket is refused", async () => {
  const { url, token } = await served()
  const { port } = new URL(url)
  const answer = await new Promise<string>((settle) => {
    const socket = connect(Number(port), "127.0.0.1")
    let text = ""
    socket.on("data", (data) => (text += data.toString()))
    socket.on("close", () => settle(text))
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\n` +
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    )
  })
  expect(answer).toMatch(/^HTTP\/1\.1 426 /)
})

test("another address needs TLS or a proxy in front", async () => {
  await expect(served(["--host", "0.0.0.0"])).rejects.toThrow(/everybody on the network could read the token/)
  const { url, token } = await served(["--host", "0.0.0.0", "--behind-proxy", "https://retcon.example"])
  expect([url, token]).toEqual(["https://retcon.example", expect.any(String)])
})

test.skipIf(spawnSync("openssl", ["version"]).status !== 0)(
  "with TLS it answers under the names of its certificate, and no others",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "retcon-tls-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
    const names = "subjectAltName=DNS:retcon.test,IP:127.0.0.1"
    const words = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-subj", "/CN=x", "-addext", names]
    expect(spawnSync("openssl", ["req", "-x509", ...words]).status).toBe(0)
    const { url, token } = await served(["--host", "0.0.0.0", "--cert", cert, "--key", key])
    const { port } = new URL(url)
    expect(url).toBe(`https://retcon.test:${port}`)
    const statusAs = (host: string) =>
      new Promise((settle, fail) => {
        const headers = { host: `${host}:${port}`, authorization: `Bearer ${token}` }
        const to = {
          host: "127.0.0.1",
          port,
          path: "/api/sessions",
          headers,
          servername: "retcon.test",
          ca: readFileSync(cert),
        }
        get(to, (response) => settle(response.resume().statusCode)).on("error", fail)
      })
    expect([await statusAs("retcon.test"), await statusAs("evil.test")]).toEqual([200, 403])
  },
)

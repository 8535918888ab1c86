// `retcon serve` as a process of its own, over a folder that is removed afterwards.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { onTestFinished } from "vitest"

export const PROGRAM = resolve("dist/cli.cjs")

type Sent = Omit<RequestInit, "headers"> & { headers?: Record<string, string> }

export interface Served {
  url: string
  token: string
  cwd: string
  home: string
  pid: number
  /** With the token. */
  ask: (path: string, init?: Sent) => Promise<Response>
  /** Sends the signal and resolves with the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
  err: () => string
}

export async function served(words: readonly string[] = [], more: Record<string, string> = {}): Promise<Served> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-serve-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [cwd, home] = [join(folder, "work"), join(folder, "home")]
  mkdirSync(cwd)
  const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: home, ...more }
  const all = [PROGRAM, "serve", "--port", "0", "--no-open", "--json", "--model", "practice", ...words]
  const child = spawn(process.execPath, all, { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  let [out, err] = ["", ""]
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text))
  const ended = new Promise<number | null>((settle) => child.on("close", (code) => settle(code)))
  const line = await new Promise<string>((settle, fail) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text
      if (out.includes("\n")) settle(out)
    })
    void ended.then((code) => fail(new Error(`serve ended with ${code}: ${err}`)))
  })
  const { url, token } = JSON.parse(line) as { url: string; token: string }
  return {
    url,
    token,
    cwd,
    home,
    pid: child.pid as number,
    ask: (path, init = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } }),
    async stop(signal = "SIGINT") {
      child.kill(signal)
      return ended
    },
    err: () => err,
  }
}

export function jsonBody(value: unknown): Sent {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(value) }
}

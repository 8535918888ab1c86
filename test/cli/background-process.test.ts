// Codex's background process keeps a session open for a minute after its terminal was closed.
import { spawn } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { EVERY_AGENT, putSample } from "../foreign/every-agent.ts"
import { Bench } from "./bench.ts"

test.runIf(process.platform === "linux")(
  "a move names the process; --even-if-running waits until it has let go, and then moves",
  async () => {
    const bench = new Bench()
    const sample = EVERY_AGENT.find(({ agent }) => agent === "codex")
    if (sample === undefined) throw new Error("there is no sample")
    const { path } = putSample(sample, join(bench.folder, "person"))
    const before = readFileSync(path, "utf8")
    const handle = openSync(path, "a")
    const words = ["-c", "read line", "codex", "app-server", "--managed-daemon"]
    const daemon = spawn("sh", words, { stdio: ["pipe", "ignore", "ignore", handle] })
    closeSync(handle)
    const ended = new Promise((resolve) => daemon.once("close", resolve))
    try {
      const refused = await bench.run(["back", "-s", path])
      expect([refused.exit, readFileSync(path, "utf8")]).toEqual([1, before])
      expect(refused.err).toContain(`Codex's background process (${daemon.pid}) has this session open`)
      expect(refused.err).toContain("--even-if-running")
      expect((await bench.run(["back", "-s", path, "--dry-run"])).out).toContain(`process ${daemon.pid}`)
      const moving = bench.run(["back", "-s", path, "--even-if-running"])
      daemon.stdin?.end()
      await ended
      expect((await moving).exit).toBe(0)
      expect(readFileSync(path, "utf8")).not.toBe(before)
    } finally {
      daemon.kill()
    }
  },
)

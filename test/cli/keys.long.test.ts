// What a command finds out about the process that started it.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"

/** A real process with real variables; `practice` runs what it is told to. */
function runs(command: string, ...words: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "retcon-keys-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    RETCON_HOME: join(folder, "home"),
    ANTHROPIC_API_KEY: "sk-0123456789-not-for-children",
    AFTER: "is still there",
  }
  const run = [resolve("dist/cli.cjs"), "run", "--model", "practice", "--mode", "yolo", ...words, `run ${command}`]
  return execFileSync(process.execPath, run, { cwd: folder, env, encoding: "utf8", stdio: "pipe" })
}

test.skipIf(process.platform !== "linux")("the key is not in the environment of its parent, without a sandbox", () => {
  const output = runs("tr '\\0' '\\n' < /proc/$PPID/environ | grep ^A", "--sandbox", "off")
  expect(output).toContain("AFTER=is still there")
  expect(output).not.toContain("not-for-children")
})

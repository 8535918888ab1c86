// Programs that retcon starts itself are not chosen by what somebody has checked in.
import { chmodSync, existsSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { connectMcp } from "../../src/agent/mcp/servers.ts"
import { grepTool } from "../../src/agent/tools/grep.ts"
import { findProgram, trustedPath } from "../../src/programs/find-program.ts"
import { ENV, runTool, type Setting, setting, temporaryFolder } from "../agent/setting.ts"

/** A program in the workspace that says that it ran. */
function planted(at: Setting, name: string): string {
  const file = at.file(`node_modules/.bin/${name}`, `#!/bin/sh\ntouch ${join(at.root.folder, "ran")}\n`)
  chmodSync(file, 0o755)
  return file
}

function ways(at: Setting): string[] {
  const link = join(temporaryFolder(), "bin")
  symlinkSync(at.file("node_modules/.bin"), link)
  return ["./node_modules/.bin", "node_modules/.bin", "", ".", at.file("node_modules/.bin"), link]
}

test("a folder of the PATH that is relative, or in the workspace, does not count", () => {
  const at = setting()
  planted(at, "sh")
  for (const way of ways(at)) {
    const lookup = { path: `${way}:/usr/bin:/bin`, workspace: at.root.folder }
    expect(findProgram("sh", lookup)).toMatch(/^(\/usr)?\/bin\/sh$/)
    expect(trustedPath(lookup)).toBe("/usr/bin:/bin")
  }
})

test("a link from a good folder into the workspace is not followed, and a folder is no program", () => {
  const at = setting()
  const bin = temporaryFolder()
  symlinkSync(planted(at, "tool"), join(bin, "tool"))
  expect(findProgram("tool", { path: bin, workspace: at.root.folder })).toBeUndefined()
  expect(findProgram(at.root.folder.slice(1), { path: "/", workspace: "/nonexistent" })).toBeUndefined()
})

test("Grep starts no ripgrep of the workspace", async () => {
  const at = setting({ "file.txt": "needle\n" })
  planted(at, "rg")
  for (const way of ways(at)) {
    const env = { PATH: `${way}:${ENV.PATH}` }
    expect((await runTool(at, grepTool, { pattern: "needle" }, { env })).output).toContain("file.txt")
  }
  expect(existsSync(at.file("ran"))).toBe(false)
})

test("an MCP server that is configured by its name is no file of the workspace, and says why it is not started", async () => {
  const at = setting()
  planted(at, "retcon-test-server")
  const notices: string[] = []
  const server = { name: "s", kind: "stdio" as const, command: "retcon-test-server", args: [], env: {} }
  const path = [...ways(at), ENV.PATH].join(":")
  const mcp = connectMcp([server], {
    cwd: at.root.folder,
    version: "0",
    path,
    notice: (text) => void notices.push(text),
  })
  expect(await mcp.tools()).toEqual([])
  expect(notices.join()).toContain("retcon-test-server is not on the PATH")
  expect(existsSync(at.file("ran"))).toBe(false)
})

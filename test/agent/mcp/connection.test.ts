import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { connectionTo } from "../../../src/agent/mcp/connection.ts"
import { temporaryFolder } from "../../formats/read-session.ts"

test("a connection that is closed while it is being opened starts no server, and no later call does", async () => {
  const cwd = temporaryFolder()
  const script = join(cwd, "server.mjs")
  writeFileSync(script, `import { writeFileSync } from "node:fs"\nwriteFileSync("started", "")\n`)
  const server = { name: "one", kind: "stdio" as const, command: process.execPath, args: [script], env: {} }
  const connection = connectionTo(server, { cwd, version: "0", path: process.env.PATH, timeout: 5000 })
  const opening = connection.client()
  await connection.close()
  await expect(opening).rejects.toThrow("server one was closed")
  await expect(connection.client()).rejects.toThrow("server one was closed")
  expect(existsSync(join(cwd, "started"))).toBe(false)
})

// The declarations of the built library, as a project sees them that has no types of Node.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"

const CONSUMER = `
import { createSession, memoryStore, promptDraft, type SessionLog, type Workspace } from "retcon"
import { storeContract } from "retcon/store-contract"
import { retconChat } from "retcon/ai-sdk"
import { retconSession } from "retcon/openai-agents"

export async function use(log: SessionLog, workspace: Workspace): Promise<void> {
  await using session = await createSession(memoryStore(), { cwd: "/", made: { name: "me", version: "1" } }, { durability: "fast" })
  const [first] = await session.append(promptDraft("one"))
  await session.append(promptDraft("another"), { parent: first ?? null })
  const turn = await session.beginTurn()
  turn.signal.addEventListener("abort", () => undefined)
  const line: Uint8Array = log.line(0)
  const { id } = await workspace.snapshot()
  const bytes: Uint8Array | undefined = await workspace.blob(id, "a")
  // @ts-expect-error there is no such role
  await session.append({ type: "message", role: "developer", origin: "agent", content: [] })
  void [line, bytes, storeContract, retconChat(session).messages(), retconSession<{ type: string }>(session).getItems()]
}
`

test("they need no types of Node, and say what is wrong with a call", () => {
  const folder = mkdtempSync(join(tmpdir(), "retcon-types-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, "node_modules"))
  symlinkSync(resolve("."), join(folder, "node_modules", "retcon"))
  writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  writeFileSync(join(folder, "consumer.ts"), CONSUMER)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
    target: "ES2022",
    module: "nodenext",
    lib: ["ES2023", "DOM", "ESNext.Disposable"],
    types: [],
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }))
  const { stdout, status } = spawnSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  })
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 })
})

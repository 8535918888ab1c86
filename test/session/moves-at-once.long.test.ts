import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { createSession, openSession } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { fileStore } from "../../src/store/file/file-store.ts"

test("people who go back at the same time each go back: no move is lost and none is made twice", async () => {
  const home = mkdtempSync(join(tmpdir(), "retcon-moves-"))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const store = fileStore({ home })
  const session = await createSession(store, { cwd: home, made: { name: "test", version: "0" } })
  for (let n = 1; n <= 12; n++) await session.append([promptDraft(`p${n}`), answerDraft(`a${n}`)])
  await session.close()
  const cli = join(import.meta.dirname, "../../dist/cli.cjs")
  const back = () =>
    promisify(execFile)(process.execPath, [cli, "back", "-s", session.id], { env: { RETCON_HOME: home } })
  const outputs = await Promise.all(Array.from({ length: 6 }, back))
  expect(outputs.every(({ stdout }) => stdout.startsWith("Went back 1 round."))).toBe(true)
  const after = await openSession(store, session.id)
  onTestFinished(() => after.close())
  expect(after.history.round(after.headRow)).toBe(6)
})

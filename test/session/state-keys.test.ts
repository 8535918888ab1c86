// A key is read from the beginning of its line, whatever it is called and however long its value.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createSession, openSession } from "../../src/session/session.ts"
import { fileStore } from "../../src/store/file/file-store.ts"

const KEYS = ["todos", "a key", 'a "quoted" key', "back\\slash", "über 漢", "k".repeat(400), ""]

async function withStates() {
  const home = mkdtempSync(join(tmpdir(), "retcon-states-"))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const store = fileStore({ home })
  const session = await createSession(store, { cwd: "/tmp", made: { name: "test", version: "1" } })
  for (const [i, key] of KEYS.entries())
    await session.append({ type: "state", key, value: { i, long: "x".repeat(1000) } })
  await session.append({ type: "state", key: "todos", value: "last" })
  await session.close()
  return { store, id: session.id, file: session.log.file as string }
}

test("every key is found, and one that was never set is not", async () => {
  const { store, id } = await withStates()
  const session = await openSession(store, id)
  for (const [i, key] of KEYS.entries()) {
    if (key === "todos") expect(session.state(key)).toBe("last")
    else expect(session.state(key)).toMatchObject({ i })
  }
  expect(session.state("never")).toBeUndefined()
  await session.close()
})

test("a line with its fields in another order, or that cannot be read, changes nothing for the others", async () => {
  const { store, id, file } = await withStates()
  const lines = readFileSync(file, "utf8").trimEnd().split("\n")
  const turned = lines.map((line) => {
    const record = JSON.parse(line) as Record<string, unknown>
    if (record.key === "a key") return JSON.stringify(Object.fromEntries(Object.entries(record).reverse()))
    // Its key is as it was, its value is not JSON any more.
    return record.value === "last" ? line.replace('"value":"last"', '"value":!last!') : line
  })
  writeFileSync(file, `${turned.join("\n")}\n`)
  rmSync(file.replace(/\.jsonl$/, ".index"))
  const session = await openSession(store, id)
  expect(session.state("a key")).toMatchObject({ i: 1 })
  expect(session.state("todos")).toMatchObject({ i: 0 })
  expect(session.state("never")).toBeUndefined()
  await session.close()
})

// The format page is enough to read a session: a reader in another language, written from it, reads what retcon reads.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { type History, NONE, path, prompts } from "../../src/history/tree/tree.ts"
import { entryText } from "../../src/model/record/entry-text.ts"
import { printPart } from "../../src/model/record/record.ts"
import { type Session, sessionOn } from "../../src/session/session.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { makeProject, round } from "../session/project.ts"
import { damaged, madeUpLog, playedLogs, randomFrom } from "./random-logs.ts"

const READER = "examples/read_session.py"
const PLAYED = 250
const MADE_UP = 250
const noPython = spawnSync("python3", ["--version"]).status !== 0

test.skipIf(noPython)(
  "a reader written from the page reads 500 random logs as retcon does (skipped without python3)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "retcon-reader-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const madeUp = Array.from({ length: MADE_UP }, (_, i) => madeUpLog(randomFrom(1000 + i)))
    const files = [...(await playedLogs(PLAYED)), ...madeUp].map((lines, i) => {
      const file = join(folder, `${i}.jsonl`)
      writeFileSync(file, damaged(lines, randomFrom(i)))
      return file
    })
    const output = execFileSync("python3", [READER, ...files], { encoding: "utf8", maxBuffer: 1 << 28 })
    const theirs = output.trimEnd().split("\n")
    const store = fileStore({ home: folder })
    for (const [i, file] of files.entries()) {
      const session = sessionOn(store, await store.openFile(file))
      expect({ log: i, ...(JSON.parse(theirs[i] as string) as object) }).toEqual({ log: i, ...read(session) })
      await session.close()
    }
  },
)

test.skipIf(noPython)("it reads what takes rounds back and brings branches, as retcon does", async () => {
  const project = makeProject()
  const session = await project.open()
  const write = (path: string) => ({ paths: [path], run: () => project.write(path, `${path}\n`) })
  for (const path of ["one", "two", "three"]) await round(session, path, write(path))
  const tip = session.head ?? ""
  await session.back({ files: "restore" })
  await round(session, "four", write("four"))
  await session.revert(["@2"])
  await session.bring([tip])
  await session.undo()
  await session.redo()
  await session.bring(["@2"])
  await session.bring([tip], { onlyRound: true })
  await session.goto(tip, { files: "restore" })
  await session.undo()
  const output = execFileSync("python3", [READER, session.log.file ?? ""], { encoding: "utf8", maxBuffer: 1 << 26 })
  expect(JSON.parse(output)).toEqual(read(session))
})

test.each([READER, "examples/session_context.py", "examples/session_parts.py"])(
  "%s is short enough to be read",
  (file) => {
    expect(readFileSync(file, "utf8").trimEnd().split("\n").length).toBeLessThan(120)
  },
)

/** What the reader prints, as retcon sees it. */
function read(session: Session): object {
  const { history, headRow } = session
  const last = history.size - 1
  const seen = {
    head: session.head,
    path: path(history, headRow).map((row) => history.id(row)),
    context: session.context().map(({ role, content }) => ({ role, content: content.map(printPart) })),
    prompts: prompts(history, headRow).map((row) => {
      const record = history.record(row)
      return { id: history.id(row), text: (record && entryText(record)) ?? "" }
    }),
    labels: Object.fromEntries(session.labels()),
    undo: depth(history, history.undo(last)),
    redo: depth(history, history.redo(last)),
  }
  return JSON.parse(JSON.stringify(seen)) as object
}

function depth(history: History, top: number): number {
  let count = 0
  for (let row = top; row !== NONE; row = history.link(row)) count++
  return count
}

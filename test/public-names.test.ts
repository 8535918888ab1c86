// What others may rely on. A name that goes away or changes here is a breaking change: say so in CHANGELOG.md.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import * as source from "../src/index.ts"

const NAMES = [
  "COMPACTION_LIMITS",
  "NONE",
  "RetconError",
  "adviceText",
  "agentsStore",
  "answerDraft",
  "branchesOf",
  "checkpoints",
  "commonAncestor",
  "compare",
  "contextAt",
  "createSession",
  "entries",
  "entriesOf",
  "fileStore",
  "gitWorkspace",
  "isOnPath",
  "isPrompt",
  "lineHistory",
  "listed",
  "makeIds",
  "memoryStore",
  "newestFirst",
  "nextCheckpoint",
  "noWorkspace",
  "openSession",
  "parseEntryId",
  "parseRecord",
  "parseSessionId",
  "parseSnapshotId",
  "path",
  "plainText",
  "printRecord",
  "promptDraft",
  "prompts",
  "readHeader",
  "recordLines",
  "sessionOn",
  "stateAt",
  "toolDraft",
  "wordsFor",
]

test("the library publishes these names and no others", () => {
  expect(Object.keys(source).sort()).toEqual(NAMES)
})

/** Runs a module that imports the built library in an empty folder that is also its home. */
function importing(script: string): { output: string; files: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "retcon-import-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const library = JSON.stringify(pathToFileURL("dist/index.js"))
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script.replace("LIBRARY", library)], {
    cwd: folder,
    env: { HOME: folder, XDG_DATA_HOME: folder, RETCON_HOME: join(folder, "home") },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  return { output, files: readdirSync(folder) }
}

test("importing it prints nothing, writes no file and leaves nothing running", () => {
  expect(importing("await import(LIBRARY)")).toEqual({ output: "", files: [] })
  const handles = "await import(LIBRARY); process.stdout.write(process.getActiveResourcesInfo().join())"
  expect(importing(handles)).toEqual({
    output: expect.not.stringMatching(/Timeout|FSEvent|FSReq|TCP|Process/),
    files: [],
  })
})

test("the built library has the same names", () => {
  const names = "process.stdout.write(JSON.stringify(Object.keys(await import(LIBRARY)).sort()))"
  expect(JSON.parse(importing(names).output)).toEqual(NAMES)
})

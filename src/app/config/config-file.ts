// Reads and changes config.json in retcon's home. The file is replaced as a whole.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { JsonObject } from "../../model/json.ts"
import { attemptRead, ensureFolder, errno, fail } from "../../store/file/disk/problems.ts"
import { configFile } from "./home.ts"
import { readSettings } from "./settings.ts"

/** The text of the file; undefined if there is none. */
export function readConfig(file: string): string | undefined {
  return attemptRead(file, () => {
    try {
      // Not from a pipe, which would block. Reading a folder fails with an error.
      const stat = statSync(file)
      if (!stat.isFile() && !stat.isDirectory())
        throw new RetconError({ code: "io", path: file, problem: "it is not a regular file" })
      return readFileSync(file, "utf8")
    } catch (error) {
      if (errno(error) === "ENOENT") return undefined
      throw error
    }
  })
}

/** Contract: other keys of the file stay, including those of a newer version. */
export function changeConfig(home: string, change: (raw: JsonObject) => JsonObject): void {
  const file = configFile(home)
  const { raw, problems } = readSettings(readConfig(file))
  if (raw === undefined) {
    const problem = `${file} cannot be changed: ${problems.join(", ")}.`
    throw new RetconError({ code: "invalid", problem, advice: "Fix it or move it away. Nothing was changed." })
  }
  const next = change(raw as JsonObject)
  ensureFolder(home)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600 })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    fail(error, file)
  }
}

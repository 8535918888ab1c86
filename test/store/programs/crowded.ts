// Opens files until the system gives no more, then asks for sessions. usage: crowded HOME ID
import { closeSync, openSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileStore, RetconError, type SessionId } from "../../../src/index.ts"
import { fileLease } from "../../../src/store/file/locks/lease.ts"

const [home = "", id = ""] = process.argv.slice(2)
const store = fileStore({ home })
const folder = join(home, "sessions", readdirSync(join(home, "sessions"))[0] ?? "")
const lease = fileLease(join(folder, `${id}.lease`), () => Date.now())
await lease.take()
const other = fileLease(join(folder, `${id}.lease`), () => Date.now())
const open: number[] = []
for (;;) {
  try {
    open.push(openSync("/dev/null", "r"))
  } catch {
    break
  }
}
const answers: string[] = []
const ask = async (what: string, work: () => unknown) => {
  try {
    await work()
    answers.push(`${what}: done`)
  } catch (error) {
    answers.push(`${what}: ${error instanceof RetconError ? error.code : String(error)}`)
  }
}
await ask("list", () => store.list())
await ask("open", () => store.open(id as SessionId))
await ask("lease", () => other.holder())
for (const fd of open) closeSync(fd)
for (const answer of answers) console.log(answer)

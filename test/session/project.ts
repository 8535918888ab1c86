// A project folder with a session, and an "agent" whose tool calls change files: for tests of files and conversation.
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import type { EntryId } from "../../src/model/id.ts"
import { createSession, openSession, type Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft, toolDraft } from "../../src/session/state/draft.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { type FileStore, fileStore } from "../../src/store/file/file-store.ts"
import { type OpenRequest, openGitWorkspace } from "../../src/workspace/git/git-workspace.ts"
import { behind } from "../behind.ts"

export interface Project {
  root: string
  home: string
  store: FileStore
  open(id?: Session["id"], files?: "keep" | "restore", more?: Partial<OpenRequest>): Promise<Session>
  write(path: string, text: string): void
  read(path: string): string | undefined
  remove(path: string): void
}

/** `unsure`: what a command changes seems to be saved by someone else, after it ended. */
export function makeProject(options: { git?: boolean; unsure?: boolean } = {}): Project {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "retcon-project-")))
  const [root, home] = [join(base, "work"), join(base, "home")]
  mkdirSync(root)
  if (options.git === true) execFileSync("git", ["init", "-q", "-b", "main", root])
  const store = fileStore({ home })
  const opened: Session[] = []
  onTestFinished(async () => {
    for (const session of opened) await session.close()
    rmSync(base, { recursive: true, force: true })
  })
  return {
    root,
    home,
    store,
    async open(id, files = "keep", more = {}) {
      const workspace = await openGitWorkspace({
        root,
        home,
        session: id ?? randomBytes(8).toString("hex"),
        clock: () => Date.now(),
        newId: () => randomBytes(8).toString("hex"),
        ...more,
      })
      const clock = options.unsure === true ? { now: behind } : {}
      const parts = { ...systemOptions(), ...clock, workspace, files }
      const made = { name: "test", version: "0" }
      const session =
        id === undefined ? await createSession(store, { cwd: root, made }, parts) : await openSession(store, id, parts)
      opened.push(session)
      return session
    },
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    read: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined),
    remove: (path) => rmSync(join(root, path), { recursive: true, force: true }),
  }
}

let made = 0

type Work = { paths?: string[]; run: () => void | Promise<void> }

/** One round: a prompt, one tool call that does `work`, its result, an answer. */
export async function round(session: Session, text: string, work: Work): Promise<EntryId> {
  const [prompt] = await session.append(promptDraft(text))
  await calls(session, text, work)
  return prompt as EntryId
}

/** The rest of a round: one tool call that does `work`, its result, an answer. */
export async function calls(session: Session, text: string, work: Work): Promise<void> {
  const call = `call-${++made}`
  const content = [{ type: "tool-call" as const, call, name: work.paths === undefined ? "Bash" : "Write", input: {} }]
  const [message] = await session.append(answerDraft(content))
  const span = await session.files.openSpan({
    entry: message as EntryId,
    call,
    ...(work.paths === undefined ? {} : { paths: work.paths }),
  })
  await work.run()
  await session.files.closeSpan(span)
  await session.append([toolDraft([{ type: "tool-result", call, output: "ok" }]), answerDraft(`did: ${text}`)])
}

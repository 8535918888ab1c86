// A host over temporary folders, with the practice model and real tools: for end-to-end tests.
import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { builtInTools } from "../src/agent/tools/built-in.ts"
import { makeHost } from "../src/app/host.ts"
import type { HostDeps } from "../src/app/port/host-deps.ts"
import type { HostEvent } from "../src/protocol/event.ts"
import type { Host, HostSession } from "../src/protocol/host.ts"
import { practiceModel } from "../src/provider/practice/practice.ts"
import { WINDOW_LIMITS } from "../src/runner/window/threshold.ts"
import { systemOptions } from "../src/session/state/system.ts"
import { fileStore } from "../src/store/file/file-store.ts"
import { localFiles } from "../src/store/file/local/local-files.ts"
import { openGitWorkspace } from "../src/workspace/git/git-workspace.ts"

export interface TestHost {
  root: string
  home: string
  host: Host
  parts: HostDeps
  /** As if in another process: it shares nothing but the files. */
  elsewhere: () => Host
  open: (id?: HostSession["id"]) => Promise<{ session: HostSession; events: HostEvent[] }>
}

export function makeTestHost(changes: Partial<HostDeps> = {}): TestHost {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "retcon-host-")))
  const [root, home] = [join(base, "work"), join(base, "home")]
  mkdirSync(root)
  const opened: HostSession[] = []
  onTestFinished(async () => {
    for (const session of opened) await session.close()
    rmSync(base, { recursive: true, force: true })
  })
  const store = fileStore({ home })
  const deps: HostDeps = {
    store,
    openFile: (path) => store.openFile(path),
    session: systemOptions(),
    made: { name: "test", version: "0" },
    now: () => Date.now(),
    openWorkspace: (cwd, session, store) =>
      openGitWorkspace({
        root: cwd,
        home,
        session,
        store,
        clock: () => Date.now(),
        newId: () => randomBytes(8).toString("hex"),
      }),
    local: (log) => localFiles(home, log),
    model: async () => practiceModel(),
    tools: async (tools) => builtInTools(tools),
    workRoot: (cwd, session) => ({ folder: cwd, scratch: join(home, "scratch", session) }),
    env: { PATH: process.env.PATH ?? "" },
    secrets: [],
    systemPrompt: async () => "You are a careful engineer.",
    tokens: (text) => Math.ceil(text.length / 4),
    limits: WINDOW_LIMITS,
    rules: () => ({ allow: [], deny: [] }),
    mode: "yolo",
    backtrack: true,
    maxSteps: 100,
    ...changes,
  }
  const host = makeHost(deps)
  return {
    root,
    home,
    host,
    parts: deps,
    elsewhere() {
      const other = makeHost({ ...deps, session: { ...deps.session, via: "command-line" } })
      onTestFinished(() => other.close())
      return other
    },
    async open(id) {
      const session = id === undefined ? await host.create({ cwd: root }) : await host.open(id)
      opened.push(session)
      const events: HostEvent[] = []
      session.on(({ event }) => event.type !== "status" && events.push(event))
      return { session, events }
    },
  }
}

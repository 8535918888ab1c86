// A host in a folder where Claude Code has a session, and a fake Claude Code that works in it.
import { randomUUID } from "node:crypto"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import type { HostDeps } from "../../src/app/port/host-deps.ts"
import type { AnyStore } from "../../src/foreign/any-store.ts"
import type { SessionId } from "../../src/model/id.ts"
import { claudeProgram } from "../../src/programs/claude-code/program.ts"
import { testStore } from "../any-store.ts"
import { putClaudeSession, registerClaude } from "../cli/claude-session.ts"
import { fakeClaude } from "../programs/fake-claude.ts"
import { makeTestHost, type TestHost } from "../test-host.ts"

/** What a host needs for it. `put`: puts the session, which works in a folder, and returns its file. */
export function withClaude(body: string | undefined): {
  deps: Partial<HostDeps> & { store: AnyStore }
  put: (cwd: string) => string
  /** From now on a process of Claude Code has it open. */
  runs: () => void
  /** Where the program is. */
  path: string
} {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-theirs-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env: Record<string, string | undefined> = { PATH: process.env.PATH }
  const missing = { missing: "Claude Code is not installed here." }
  const path = join(folder, "bin")
  if (body !== undefined) fakeClaude(path, body)
  let registry = ""
  const store = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
  return {
    path,
    deps: {
      store,
      program(agent) {
        if (agent !== "claude-code") return undefined
        if (body === undefined) return missing
        return claudeProgram({ newId: randomUUID, program: fakeClaude(path, body), env })
      },
    },
    put(cwd) {
      const { file, ...put } = putClaudeSession({ folder, cwd })
      registry = put.registry
      env.SESSION_FOLDER = dirname(file)
      return file
    },
    runs: () => registerClaude(registry),
  }
}

export interface ClaudeHost extends TestHost {
  file: string
  listed: () => Promise<SessionId>
  runs: () => void
}

/** `body`: what the program does with a prompt; undefined: it is not installed. */
export function claudeHost(body: string | undefined): ClaudeHost {
  const { deps, put, runs } = withClaude(body)
  const host = makeTestHost(deps)
  const file = put(host.root)
  return { ...host, file, runs, listed: async () => (await deps.store.list({ agents: "all" }))[0]?.id as SessionId }
}

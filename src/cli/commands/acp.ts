// retcon acp: retcon as an agent in an editor, which starts this and talks to it over pipes. With `install`, prints what to paste
// into the editor's settings.

import { readFileSync, statSync } from "node:fs"
import { serveAcp } from "../../acp/serve.ts"
import { makeHost } from "../../app/host.ts"
import { libraryApart } from "../../app/library/library-apart.ts"
import { type AgentOptions, hostDeps } from "../../app/setup/make-host-deps.ts"
import { sanitiseLine, shellWord } from "../../model/text/sanitise.ts"
import { checkAllowed } from "../config/allow-option.ts"
import { ownProgram } from "../mcp/server-program.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"

interface AcpOptions extends AgentOptions {
  action?: string
  editor?: string
}

/** A larger file is shown as a diff in words. */
const MOST_BYTES = 1_000_000

export async function run(cli: Cli, options: AcpOptions): Promise<void> {
  if (options.action !== undefined) return install(cli, options)
  if (cli.in.isTerminal)
    throw new UsageError("An editor starts this command, not a person.", "Set one up with: retcon acp install zed")
  checkAllowed(options.allow)
  const composition = await hostDeps(cli, options)
  const warn = (text: string) => cli.err.write(`retcon: ${text}\n`)
  composition.notices.forEach(warn)
  const session = { ...composition.deps.session, via: "editor" as const }
  const host = makeHost({ ...composition.deps, session }, options.model, { sessions: "apart" })
  try {
    await serveAcp({
      host,
      version: cli.made.version,
      input: process.stdin,
      output: process.stdout,
      warn,
      now: cli.now,
      models: composition.models,
      read,
      find: (query, job) => libraryApart(cli).find(query, job),
      exportSession: async (open, name) => (await import("../tui/export-markdown.ts")).exportMarkdown(cli, open, name),
      doctor: async (open) => (await import("../tui/doctor-page.ts")).examineOpen(cli, open),
    })
  } finally {
    await composition.close()
  }
}

function read(path: string): string | undefined {
  try {
    if (statSync(path).size > MOST_BYTES) return undefined
    const text = readFileSync(path, "utf8")
    return text.includes("\0") || text.includes("\ufffd") ? undefined : text
  } catch {
    return undefined
  }
}

/** What each editor wants in its settings, and where those are. */
const EDITORS: Readonly<Record<string, { where: string; type?: string }>> = {
  zed: { where: "Zed's settings.json", type: "custom" },
  jetbrains: { where: "~/.jetbrains/acp.json" },
}

function install(cli: Cli, { editor }: AcpOptions): void {
  const { command, args, env } = ownProgram(cli, ["acp"])
  if (editor === undefined || !Object.hasOwn(EDITORS, editor)) {
    const named = editor === undefined ? "" : `retcon does not know the settings of ${sanitiseLine(editor)}. `
    cli.err.write(`${named}Known: ${Object.keys(EDITORS).join(", ")}. Any other editor starts this command:\n`)
    cli.out.write(
      `${[...Object.entries(env).map((each) => each.join("=")), command, ...args].map(shellWord).join(" ")}\n`,
    )
    return
  }
  const { where = "", type } = EDITORS[editor] ?? {}
  const server = { ...(type !== undefined && { type }), command, args, env }
  cli.err.write(`Add this to ${where}:\n`)
  cli.out.write(`${JSON.stringify({ agent_servers: { retcon: server } }, undefined, 2)}\n`)
}

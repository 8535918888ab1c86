// Claude Code in a git folder, as far as its transcript shows it, and a real MCP client on our server.
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { appendFileSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { Client, InMemoryTransport } from "@modelcontextprotocol/client"
import { onTestFinished } from "vitest"
import { withFilesOf } from "../../../src/app/open/with-files.ts"
import { makeServer } from "../../../src/cli/mcp/server.ts"
import type { SessionId } from "../../../src/model/id.ts"
import type { JsonObject } from "../../../src/model/json.ts"
import { FilesBench } from "../files-bench.ts"

export interface Said {
  text: string
  error: boolean
}

interface CallOptions {
  input?: JsonObject
  /** What Claude Code notes of the result beside what the model gets. */
  result?: JsonObject
  says?: string
  failed?: boolean
}

export class ClaudeBench extends FilesBench {
  /** When the next line is written. */
  clock = () => new Date()
  readonly #parents = new Map<string, string>()

  constructor() {
    super()
    execFileSync("git", ["init", "-q", this.cwd])
  }

  /** A prompt in the session of this name, and the first words of the answer. */
  prompt(text: string, name: string = SESSION): void {
    this.typed(text, name)
    this.answer(`I will see to: ${text}`, name)
  }

  /** A prompt whose answer is not on disk yet. */
  typed(text: string, name: string = SESSION): void {
    this.#row(name, { type: "user", message: { role: "user", content: text } })
  }

  answer(text: string, name: string = SESSION): void {
    this.#assistant(name, { type: "text", text })
  }

  /** A call of a tool that changes files. `watched`: between snapshots, as hooks take them. */
  async call(
    tool: string,
    does: () => void,
    watched: "watched" | "unwatched" = "unwatched",
    { input = inputOf(tool), result, says = `${tool} is done`, failed = false }: CallOptions = {},
  ): Promise<void> {
    const call = `toolu_${randomUUID()}`
    this.#assistant(SESSION, { type: "tool_use", id: call, name: tool, input })
    if (watched === "unwatched") does()
    else await this.#between(call, does)
    const content = [{ tool_use_id: call, type: "tool_result", content: says, ...(failed && { is_error: true }) }]
    const told = result === undefined ? {} : { toolUseResult: result }
    this.#row(SESSION, { type: "user", message: { role: "user", content }, ...told })
  }

  async #between(call: string, does: () => void): Promise<void> {
    const cli = this.cli()
    const [summary] = await cli.store.foreign.list({ cwd: this.cwd })
    const log = await cli.store.open(summary?.id as SessionId)
    await withFilesOf(cli, log, async ({ files, head }) => {
      const span = await files.openSpan({ entry: head, call, paths: ["a.txt"] })
      does()
      await files.closeSpan(span)
    })
  }

  /** Connects as the agent does when it starts. */
  async connect(agent: string | undefined = "claude-code"): Promise<Client> {
    const { server } = makeServer({ cli: this.cli(), agent, started: Date.now(), parent: process.ppid })
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    const client = new Client({ name: "test", version: "1" })
    await Promise.all([server.connect(theirs), client.connect(ours)])
    onTestFinished(() => client.close())
    return client
  }

  #assistant(name: string, block: JsonObject): void {
    const message = { model: "claude-opus-4-8", id: `msg_${randomUUID()}`, type: "message", role: "assistant" }
    this.#row(name, { type: "assistant", message: { ...message, content: [block], stop_reason: null, usage: {} } })
  }

  #row(name: string, body: JsonObject): void {
    const file = join(this.folder, "person/.claude/projects/-project", `${name}.jsonl`)
    mkdirSync(dirname(file), { recursive: true })
    const uuid = randomUUID()
    const timestamp = this.clock().toISOString()
    const place = { userType: "external", cwd: this.cwd, sessionId: name, version: "2.1.197" }
    const parentUuid = this.#parents.get(name) ?? null
    const line = { parentUuid, isSidechain: false, ...body, uuid, timestamp, ...place }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    this.#parents.set(name, uuid)
  }
}

function inputOf(tool: string): JsonObject {
  return tool === "Bash" ? { command: "make" } : { file_path: "a.txt" }
}

const SESSION = "5f0b3c5a-0d0b-4c55-9c3e-2f1f6f1f1f01"

export async function say(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Said> {
  const { content, isError } = await client.callTool({ name, arguments: given })
  const [part] = content as { type: string; text: string }[]
  return { text: part?.text ?? "", error: isError === true }
}

// A session with some rounds, and everybody has it open.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Client } from "@modelcontextprotocol/client"
import { expect } from "vitest"
import type { Kind } from "./steps.ts"
import {
  ClaudeWorld,
  PiWorld,
  type Plain,
  type Served,
  type Server,
  startMcp,
  startPlain,
  startServer,
  World,
} from "./world.ts"

export interface Parts {
  world: World
  server: Server
  plain: Plain
  mcp: Client
  id: string
  /** The session's own file. */
  file: string
}

export function openParts(kind: Kind): Promise<Parts> {
  return kind === "retcon" ? openOwn() : openAgents(kind)
}

async function openOwn(): Promise<Parts> {
  const world = new World()
  allowRestore(world)
  const server = await startServer(world)
  const { id, file } = (await server.ask("/sessions", { cwd: world.cwd })) as Served & { id: string; file: string }
  for (const name of ["a", "b", "c"]) {
    const answer = await server.ask(`/sessions/${id}/converse`, { text: `create ${name}.txt with 0`, wait: true })
    expect(answer.outcome).toBe("done")
  }
  const [plain, mcp] = await Promise.all([startPlain(world, id), startMcp(world, "test")])
  return { world, server, plain, mcp, id, file }
}

async function openAgents(kind: Exclude<Kind, "retcon">): Promise<Parts> {
  const world = kind === "pi" ? new PiWorld() : new ClaudeWorld()
  allowRestore(world)
  for (const name of ["a", "b"]) expect(await world.agent(`create ${name}.txt with 0`).ended).toMatchObject({ exit: 0 })
  const [server, plain, mcp] = await Promise.all([
    startServer(world),
    startPlain(world, world.id, "This is a session of"),
    startMcp(world, kind),
  ])
  return { world, server, plain, mcp, id: world.id, file: world.session }
}

/** What an agent asks for is carried out. */
function allowRestore(world: World): void {
  mkdirSync(world.home)
  writeFileSync(join(world.home, "config.json"), '{"mcp.restore":"apply"}')
}

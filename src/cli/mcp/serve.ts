// Serves one agent over the standard streams, until it closes its end. Writes only the protocol to standard output.
import { Transform, type TransformCallback } from "node:stream"
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import type { McpContext } from "./port.ts"
import { makeServer } from "./server.ts"

/** Contract: resolves when standard input has ended and every running call has, too. */
export async function serve(at: McpContext): Promise<void> {
  const ended = new Promise<void>((settle) => {
    process.stdin.once("end", settle)
    process.stdin.once("close", settle)
  })
  const input = checkedLines((answer) => process.stdout.write(`${JSON.stringify(answer)}\n`))
  process.stdin.setEncoding("utf8").pipe(input)
  const servers: ReturnType<typeof makeServer>[] = []
  const handle = serveStdio(
    () => {
      const made = makeServer(at)
      servers.push(made)
      return made.server
    },
    { transport: new StdioServerTransport(input), onerror: (error) => at.cli.err.write(`retcon: ${error.message}\n`) },
  )
  await ended
  await handle.close()
  for (const made of servers) await made.settled()
}

interface RpcError {
  jsonrpc: "2.0"
  id: string | number | null
  error: { code: number; message: string }
}

/**
 * What an agent sends, line by line, before the protocol's own library gets it: that answers a malformed message with
 * nothing, or with the description of its schema. The answer to a line that is no message of the protocol; undefined if
 * it is one.
 */
export function refusalOf(line: string): RpcError | undefined {
  const parsed = parseJson(line)
  if (!parsed.ok) return refused(null, -32700, "Parse error: a message is one line of JSON.")
  const message = parsed.value
  if (!isObject(message))
    return refused(null, -32600, "Invalid request: a message is one object on one line; there are no batches.")
  const id = idOf(message)
  if (message.jsonrpc !== "2.0") return refused(id, -32600, 'Invalid request: "jsonrpc" must be "2.0".')
  if (message.id !== undefined && id === null)
    return refused(null, -32600, 'Invalid request: "id" must be a text or a number.')
  if (message.method === undefined && (message.result !== undefined || message.error !== undefined)) return undefined
  if (typeof message.method !== "string") return refused(id, -32600, 'Invalid request: "method" must be a text.')
  const problem = id === null ? undefined : wrongParams(message.method, message.params)
  return problem === undefined ? undefined : refused(id, -32602, `Invalid parameters of ${message.method}: ${problem}.`)
}

function idOf({ id }: JsonObject): string | number | null {
  return typeof id === "string" || typeof id === "number" ? id : null
}

function wrongParams(method: string, params: Json | undefined): string | undefined {
  if (params !== undefined && !isObject(params)) return "they must be an object"
  if (method === "initialize") {
    const about = params?.clientInfo
    if (typeof params?.protocolVersion !== "string") return '"protocolVersion" must be a text'
    if (!isObject(params.capabilities ?? null)) return '"capabilities" must be an object'
    if (!isObject(about ?? null)) return '"clientInfo" must be an object with "name" and "version"'
  }
  if (method !== "tools/call") return undefined
  if (typeof params?.name !== "string") return '"name" must be a text'
  return params.arguments === undefined || isObject(params.arguments) ? undefined : '"arguments" must be an object'
}

function refused(id: RpcError["id"], code: number, message: string): RpcError {
  return { jsonrpc: "2.0", id, error: { code, message } }
}

/** Contract: passes on whole lines that are messages of the protocol, and `refuse`s the others, in their order. */
export function checkedLines(refuse: (answer: RpcError) => void): Transform {
  let rest = ""
  const take = (stream: Transform, lines: readonly string[]) => {
    for (const line of lines) {
      const refusal = line.trim() === "" ? undefined : refusalOf(line)
      if (refusal === undefined) stream.push(`${line}\n`)
      else refuse(refusal)
    }
  }
  return new Transform({
    transform(chunk: string, _: BufferEncoding, done: TransformCallback) {
      const lines = `${rest}${chunk}`.split("\n")
      rest = lines.pop() ?? ""
      take(this, lines)
      done()
    },
    flush(done: TransformCallback) {
      take(this, rest === "" ? [] : [rest])
      done()
    },
    decodeStrings: false,
  })
}

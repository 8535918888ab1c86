// Serves one agent over the standard streams, until it closes its end. Writes only the protocol to standard output.
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import { checkedLines } from "./checked-lines.ts"
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

// Serves one agent over the standard streams, until it closes its end. Writes only the protocol to standard output.
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import type { McpContext } from "./port.ts"
import { makeServer } from "./server.ts"

/** Contract: resolves when standard input has ended and every running call has, too. */
export async function serve(at: McpContext): Promise<void> {
  const ended = new Promise<void>((settle) => {
    process.stdin.once("end", settle)
    process.stdin.once("close", settle)
  })
  const servers: ReturnType<typeof makeServer>[] = []
  const handle = serveStdio(
    () => {
      const made = makeServer(at)
      servers.push(made)
      return made.server
    },
    { onerror: (error) => at.cli.err.write(`retcon: ${error.message}\n`) },
  )
  await ended
  await handle.close()
  for (const made of servers) await made.settled()
}

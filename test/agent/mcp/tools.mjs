// The tools of the test servers.
import { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"

export function makeServer() {
  const server = new McpServer({ name: "test", version: "1.0.0" })
  const text = (words) => ({ content: [{ type: "text", text: words }] })
  server.registerTool(
    "add",
    { description: "Adds.", inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => text(`${a + b}`),
  )
  server.registerTool("fail", { description: "Fails." }, () => ({ ...text("it went wrong"), isError: true }))
  server.registerTool("throw", { description: "Throws." }, () => {
    throw new Error("thrown inside")
  })
  server.registerTool("picture", { description: "Shows." }, () => ({
    content: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
  }))
  server.registerTool("die", { description: "Ends the server." }, () => process.exit(1))
  server.registerTool("where", { description: "Says where." }, () =>
    text(`${process.cwd()} ${process.env.GIVEN ?? ""}`),
  )
  server.registerTool("wait", { description: "Never ends." }, () => new Promise(() => undefined))
  return server
}

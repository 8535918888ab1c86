// A real MCP server for the tests, over stdio: `node server.mjs [mode]`.
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { makeServer } from "./tools.mjs"

const mode = process.argv[2]
if (mode === "hang") setInterval(() => undefined, 1000)
else if (mode === "crash") process.exit(7)
else serveStdio(makeServer)

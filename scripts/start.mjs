// npm start: installs and builds what is stale, then runs retcon where npm was called.
import { join } from "node:path"
import { passThrough } from "./pass-through.mjs"
import { prepare, root } from "./prepare.mjs"

await prepare("install", "build")
passThrough(process.execPath, [join(root, "dist", "cli.cjs"), ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
})

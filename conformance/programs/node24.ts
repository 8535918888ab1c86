// A newer Node from npm, for programs that need one.
import { join } from "node:path"

const PACKAGE = `node-linux-${process.arch}`

export const NODE_24 = { [PACKAGE]: "24.21.0" }

export function node24(installed: string): string {
  return join(installed, "node_modules", PACKAGE, "bin/node")
}

#!/usr/bin/env node
import { createRequire } from "node:module"

if (process.argv.includes("--version")) {
  const { version } = createRequire(import.meta.url)("../package.json") as { version: string }
  console.log(version)
}

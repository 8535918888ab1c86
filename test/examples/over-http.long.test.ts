import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { served } from "../server/served.ts"

test("a short program converses and goes back over HTTP; what it left stays in the tree", async () => {
  const { url, token, cwd } = await served()
  const words = ["--import", "tsx", "examples/over-http.ts", url, token, cwd]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  const [, , , , ...rest] = stdout.split("\n")
  expect(stdout).toMatch(/^> hello\nI am the practice model/)
  expect(rest).toEqual(['Went back to before "help": 2 messages are left.', "  help", "* hello again", ""])
})

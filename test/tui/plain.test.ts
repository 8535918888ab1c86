import { describe, expect, test } from "vitest"
import { runPlain } from "../../src/tui/plain/plain.ts"
import { makeTestHost, type TestHost } from "../host-parts.ts"

/** Types each line once what is written holds the text before it. */
async function talk(host: TestHost, script: readonly (readonly [after: string, line: string])[]): Promise<string> {
  let written = ""
  let wake: () => void = () => undefined
  async function* lines(): AsyncGenerator<string> {
    let from = 0
    for (const [after, line] of script) {
      while (!written.slice(from).includes(after)) await new Promise<void>((settle) => (wake = settle))
      from = written.length
      yield line
    }
  }
  await runPlain({
    host: host.host,
    cwd: host.root,
    start: { kind: "new" },
    files: "keep",
    steers: true,
    lines: lines(),
    write(text) {
      written += text
      wake()
    },
  })
  return written
}

describe("--plain", () => {
  test("reads lines and prints a transcript that only grows, without control characters", async () => {
    const written = await talk(makeTestHost(), [
      ["/help", "create a.txt with hello"],
      ["Turn done.", "run \"printf '\\\\033]0;owned\\\\007x'\""],
      ["Turn done.", "/back"],
      ["Your prompt was:", "/prompts"],
      ["1: create", "/quit"],
    ])
    expect(written).toContain("Tool: Write a.txt")
    expect(written).toContain("Created a.txt.")
    expect(written).toContain("nothing is lost. Round 1 of 2")
    expect([...written.matchAll(/(?!\n)\p{Cc}/gu)]).toEqual([])
  })

  test("asks and takes an answer with a reason", async () => {
    const written = await talk(makeTestHost({ mode: "default" }), [
      ["/help", 'run "rm -rf build"'],
      ["Answer y", "n use git clean"],
      ["Turn done.", "/quit"],
    ])
    expect(written).toContain("rm -rf build")
    expect(written).toContain("use git clean")
  })
})

import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { systemParts } from "../../src/session/system.ts"
import { makeTestHost } from "../host-parts.ts"
import { plainTalk as talk } from "./plain-talk.ts"

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

  test("a move says what became of the files and how to take it back; one that goes nowhere is no move", async () => {
    const written = await talk(makeTestHost(), [
      ["/help", "create a.txt with hello"],
      ["Turn done.", "/undo"],
      ["Your prompt was:", "/redo"],
      ["Moved.", "/goto head"],
      ["already", "/back x"],
      ["rounds", "/back 9"],
      ["first round", "/quit"],
    ])
    expect(written).toContain("Take this back with /redo.")
    expect(written).toMatch(/Files stayed as they are and differ from here: \w+ a\.txt\.\n/)
    expect(written).toContain("You are there already. Nothing was changed. Round 1 of 1")
    expect(written).toContain('"x" is not a number of rounds. Use: /back, or /back 2')
    expect(written).not.toContain("retcon goto")
  })

  test("a line that begins with a path is a prompt", async () => {
    const written = await talk(makeTestHost(), [
      ["/help", "/etc/hosts is a file"],
      ["Turn done.", "/quit"],
    ])
    expect(written).not.toContain("There is no command")
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

  test.each(["a lot of it", "yes but not there", "always", "the tests"])(
    "only a line that is nothing but an answer allows: %j does not",
    async (line) => {
      const host = makeTestHost({ mode: "default" })
      const written = await talk(host, [
        ["/help", 'run "touch ran"'],
        ["Answer y", line],
        ["Turn done.", "/quit"],
      ])
      expect(written).toContain("The person refused this call")
      expect(existsSync(join(host.root, "ran"))).toBe(false)
    },
  )

  test("/allow lists and revokes", async () => {
    const written = await talk(makeTestHost({ mode: "default", rules: () => ({ allow: [], deny: ["Bash(rm)"] }) }), [
      ["/help", 'run "touch ran"'],
      ["Answer y", "a"],
      ["Turn done.", "/allow"],
      ["take back", "/allow revoke 1"],
      ["No longer", "/allow"],
      ["take back", "/quit"],
    ])
    expect(written).toContain("  1 Bash(=touch ran): exactly this command (this session)")
    expect(written).toMatch(/Forbidden, in every mode:\n +Bash\(rm\)/)
    expect(written).toContain("Allowed without asking: nothing more.")
  })

  test("-r without an ID says which session it goes on with", async () => {
    const host = makeTestHost()
    const quit = ["/help", "/quit"] as const
    expect(await talk(host, [quit], { kind: "resume" })).toContain("There is no session here yet")
    await talk(host, [
      ["/help", "say hello"],
      ["Turn done.", "/quit"],
    ])
    const last = (await host.host.list()).find(({ prompts }) => prompts > 0)
    const written = await talk(host, [quit], { kind: "resume" })
    expect(written).toContain(`Going on with the last session here, ${last?.id}.`)
    expect(written).toContain("Last prompt: say hello.")
  })

  test("a diff is told once, also when it is asked about", async () => {
    const written = await talk(makeTestHost({ mode: "default" }), [
      ["/help", "create a.txt with hello"],
      ["Answer y", "y"],
      ["Turn done.", "/quit"],
    ])
    expect(written).toContain("Question: Write a.txt\na: changes of a.txt, for this session\nt: all changes")
    expect(written.split("+hello")).toHaveLength(2)
  })
})

test("--plain has the commands of the terminal", async () => {
  const host = makeTestHost()
  const written = await talk(host, [
    ["/help", "/help"],
    ["/quit leaves", "create a.txt with one"],
    ["Turn done.", "change one to two in a.txt"],
    ["Turn done.", "/label here"],
    ["This point", "/tree"],
    ["@1 create", "/diff"],
    ["+two", "/restore @2"],
    ["Take this back", "/cost"],
    ["cost ", "/title of mine"],
    ["is called", "/split"],
    ["session ", "/resume"],
    ["Continue one with", "/branches"],
    ["1 branch.", "/new"],
    ["A new session.", "/fly"],
    ["There is no command /fly", "/quit"],
  ])
  expect(written).toContain("head [here] @2 change one to two in a.txt")
  expect(readFileSync(join(host.root, "a.txt"), "utf8")).toBe("one")
})

test("--plain takes a choice for files that conflict as the command line does", async () => {
  const host = makeTestHost({ session: { ...systemParts(), files: "restore" } })
  const file = join(host.root, "a.txt")
  await talk(host, [
    ["/help", "create a.txt with one"],
    ["Turn done.", "change one to two in a.txt"],
    [
      "Turn done.",
      () => {
        writeFileSync(file, "mine")
        return "/back"
      },
    ],
    ["--ours keeps such lines", "/back --theirs"],
    ["Moved.", "/quit"],
  ])
  expect(readFileSync(file, "utf8")).toBe("one")
})

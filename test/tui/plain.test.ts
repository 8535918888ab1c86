import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { systemOptions } from "../../src/session/state/system.ts"
import { makeTestHost, scriptedModel } from "../test-host.ts"
import { makeStage, plainTalk as talk } from "./stage.ts"

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

  test("a move says what happened to the files and how to take it back; one that goes nowhere is not a move", async () => {
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
    expect(written).toMatch(/Files that differ from this point stay as they are: \w+ a\.txt\.\n/)
    expect(written).toContain("You are already there. Nothing was changed. Round 1 of 1")
    expect(written).toContain('"x" is not a number of rounds. Use: /back, or /back 2')
    expect(written).not.toContain("retcon goto")
  })

  test("/undo and /redo take as many steps as asked, and refuse what is not a number", async () => {
    const written = await talk(makeTestHost(), [
      ["/help", "say one"],
      ["Turn done.", "say two"],
      ["Turn done.", "/undo 2"],
      ["Your prompt was: say one", "/undo x"],
      ['"x" is not a number of steps. Use: /undo, or /undo 2', "/redo 3"],
      ["nothing to redo", "/quit"],
    ])
    expect(written).toMatch(/Moved\..*Round 1 of 2[\s\S]*Moved\..*Round 2 of 2/)
  })

  test("a command without an argument says what the current value is, and what can be typed", async () => {
    const written = await talk(makeTestHost(), [
      ["/help", "say one"],
      ["Turn done.", "/mode"],
      [
        "Mode yolo: changes files and runs commands without asking. Choose with: /mode plan|default|autoEdit|yolo",
        "/think low",
      ],
      ["Thinking: low", "/think"],
      ["Thinking: low. Choose with: /think default|off", "/think default"],
      ["Thinking: as configured, or the model's default", "/think nope"],
      ['There is no thinking level "nope".', "/model"],
      ["The model is practice/rules. Choose one with:", "/goto"],
      ["Go to the end of one with: /goto ID", "/omit"],
      ["An entry is missing. Use: /omit ENTRY", "!"],
      ["Type a command after the !", "/bakc"],
      ["There is no command /bakc. Did you mean /back?", "/"],
      ["There is no command /.", "/mode nope"],
      ['There is no mode "nope". Modes: plan', "/rewind"],
      ["1: say one\nGo back to one with: /goto @N", "/tree"],
      ["Go to the end of one with: /goto ID", "/quit now"],
    ])
    const [, id] = /^([0-9a-f]{6,}) .*say one/m.exec(written) ?? []
    expect(id).toBeDefined()
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

  test.each(["a lot of it", "the tests", "no, not there"])(
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

  test.each(["yes but not there", "y please", "always", "OK then"])("%j is asked about again", async (line) => {
    const host = makeTestHost({ mode: "default" })
    const written = await talk(host, [
      ["/help", 'run "touch ran"'],
      ["Answer y", line],
      ["neither yes nor no, so nothing is allowed yet. Answer y (once)", "n"],
      ["Turn done.", "/quit"],
    ])
    expect(written).toContain("The person refused this call; it was not made.\n")
    expect(existsSync(join(host.root, "ran"))).toBe(false)
  })

  test("/allow lists and revokes", async () => {
    const written = await talk(makeTestHost({ mode: "default", rules: () => ({ allow: [], deny: ["Bash(rm)"] }) }), [
      ["/help", 'run "touch ran"'],
      ["Answer y", "a"],
      ["Turn done.", "/allow"],
      ["revoke with", "/allow revoke 1"],
      ["No longer", "/allow revoke 1"],
      ["This session has no rules of its own. Add one with: /allow RULE", "/allow"],
      ["revoke with", "/quit"],
    ])
    expect(written).toContain("  1 Bash(=touch ran): exactly this command (this session)")
    expect(written).toMatch(/Forbidden, in every mode:\n +Bash\(rm\): refuses every `rm …` \(configuration\)\n/)
    expect(written).toContain("No rule allows more.")
  })

  test("/allow of a rule that allows less than it seems to says so, and what would", async () => {
    const written = await talk(makeTestHost({ mode: "default" }), [
      ["/help", "/allow Bash(npm run)"],
      ["Revoke it", "/quit"],
    ])
    expect(written).toContain("The rule Bash(npm run) allows `npm run` alone")
    expect(written).toContain("Bash(npm run *)")
  })

  test("what was allowed for a file is one line, and taken back as a whole", async () => {
    const host = makeTestHost({ mode: "default" })
    const written = await talk(host, [
      ["/help", "create a.txt with one"],
      ["Answer y", "a"],
      ["Turn done.", "/allow"],
      ["revoke with", "/allow revoke 1"],
      ["No longer", "/allow"],
      ["revoke with", "/quit"],
    ])
    expect(written.match(/\(this session\)/g)).toHaveLength(1)
    expect(written).toContain("No rule allows more.")
    const [listed] = (await host.host.list()).sessions
    const { session } = await host.open(listed?.id)
    expect((await session.permissions()).allow).toEqual([])
  })

  test("-r without an ID says which session it continues", async () => {
    const host = makeTestHost()
    const quit = ["/help", "/quit"] as const
    expect(await talk(host, [quit], { kind: "resume" })).toContain("There is no session here yet")
    await talk(host, [
      ["/help", "say hello"],
      ["Turn done.", "/quit"],
    ])
    const last = (await host.host.list()).sessions.find(({ prompts }) => (prompts ?? 0) > 0)
    const written = await talk(host, [quit], { kind: "resume" })
    expect(written).toContain(`Continuing the last session here, ${last?.id}.`)
    expect(written).toContain("Last prompt: say hello.")
  })

  test("a question longer than the screen comes page by page, and cannot be allowed before its end", async () => {
    const host = makeTestHost({ mode: "default", model: async () => model })
    const content = Array.from({ length: 50 }, (_, i) => `line ${i + 1}\n`).join("")
    const command = `${"x".repeat(90)}     ; ${Array.from({ length: 30 }, (_, i) => `echo ${i}\n`).join("")}touch last`
    const model = scriptedModel([
      { calls: [{ name: "Write", input: { path: "a.txt", content } }] },
      { calls: [{ name: "Bash", input: { command } }] },
      { text: "All done." },
    ])
    const screen = { rows: 20, columns: 60 }
    const written = await talk(
      host,
      [
        ["/help", "go"],
        ["Enter shows more", "y"],
        ["There is more of it:", ""],
        ["Enter shows more", ""],
        ["Answer y", ""],
        ["Answer y", () => (existsSync(join(host.root, "a.txt")) ? "n too early" : "y")],
        ["Enter shows more", ""],
        ["Enter shows more", ""],
        ["Answer y", "y"],
        ["All done.", "/quit"],
      ],
      { kind: "new" },
      screen,
    )
    expect(readFileSync(join(host.root, "a.txt"), "utf8")).toBe(content)
    const told = written.split(/(?<=refuses it\.\n|a reason\.\n)|(?=Question: |Tool: |Result: )/).slice(1)
    const pages = told.filter((each) => /(?:refuses it|a reason)\.\n$/.test(each))
    const heights = pages.map((page) => page.trimEnd().split("\n").length)
    expect(heights.filter((height) => height > 10).length).toBeGreaterThan(4)
    expect(Math.max(...heights)).toBeLessThan(screen.rows)
    expect(written).toContain("  +line 50\n")
    expect(written).toMatch(/ {2}\$ x{56}\n↳ x{34} {5}; echo 0\n/)
    expect(existsSync(join(host.root, "last"))).toBe(true)
  })

  test("a diff is shown once, also when it is asked about", async () => {
    const written = await talk(makeTestHost({ mode: "default" }), [
      ["/help", "create a.txt with hello"],
      ["Answer y", "y"],
      ["Turn done.", "/quit"],
    ])
    expect(written).toContain("Question: Write a.txt\na: changes to a.txt, for this session\nt: all changes")
    expect(written.split("+hello")).toHaveLength(2)
  })
})

test("/compact says once that there is too little to compact, in lines and on the screen", async () => {
  const said = await talk(makeTestHost(), [
    ["Type /help", "say one"],
    ["Turn done", "/compact"],
    ["too little", "/quit"],
  ])
  expect(said.match(/too little to compact/g)).toHaveLength(1)
  const stage = await makeStage()
  stage.enter("say one")
  await stage.idle(1)
  stage.enter("/compact")
  await stage.sees("There is too little to compact.")
  expect(stage.text()).not.toContain("was not compacted")
})

test("--plain shows what /restore would change, and does it only after a yes", async () => {
  const host = makeTestHost()
  const seen: string[] = []
  const look = (line: string) => () => {
    seen.push(readFileSync(join(host.root, "a.txt"), "utf8"))
    return line
  }
  const written = await talk(host, [
    ["/help", "create a.txt with one"],
    ["Turn done.", "change one to two in a.txt"],
    ["Turn done.", "/restore @2"],
    ["Change these files? y/N", look("")],
    ["Nothing was changed.", "/restore @2"],
    ["Change these files? y/N", "/prompts"],
    ["2: change", look("y")],
    ["Turn done.", "/restore @2"],
    ["Change these files? y/N", "y"],
    ["Files restored.", look("/restore @2")],
    ["The files are already as they were then.", "/quit"],
  ])
  expect(written).toMatch(/as they were before @2:\nThe conversation stays where it is\.\n +modified +a\.txt/)
  expect(seen).toEqual(["two", "two", "one"])
})

test("where nobody can be asked, /restore changes nothing without --yes, and says so", async () => {
  const host = makeTestHost()
  const file = () => readFileSync(join(host.root, "a.txt"), "utf8")
  let unasked = ""
  const sure = () => {
    unasked = file()
    return "/restore @2 --yes"
  }
  const script = [
    ["/help", "create a.txt with one"],
    ["Turn done.", "change one to two in a.txt"],
    ["Turn done.", "/restore @2"],
    ["Nothing has changed yet: add --yes to restore all of them.", sure],
    ["Files restored. Take this back with /undo.", "/quit"],
  ] as const
  await talk(host, script, { kind: "new" }, undefined, false)
  expect([unasked, file()]).toEqual(["two", "one"])
})

test("--plain has the commands of the terminal", async () => {
  const host = makeTestHost()
  const written = await talk(host, [
    ["/help", "/help"],
    ["/quit: leave", "create a.txt with one"],
    ["Turn done.", "change one to two in a.txt"],
    ["Turn done.", "/label here"],
    ["This point", "/tree"],
    ["@1 create", "/diff"],
    ["+two", "/restore @2"],
    ["Change these files? y/N", "y"],
    ["Files restored. Take this back", "/cost"],
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

test("/revert shows what it would take back of one round, and does it on a yes; /bring makes it again", async () => {
  const host = makeTestHost()
  const there = (name: string) => existsSync(join(host.root, name))
  let [asked, taken] = [false, true]
  await talk(host, [
    ["/help", "create a.txt with one"],
    ["Turn done.", "create b.txt with two"],
    ["Turn done.", "/revert"],
    ["A round is missing. Use: /revert @2", "/revert @1"],
    [
      "Take back the file changes of @1:",
      () => {
        asked = there("a.txt")
        return "y"
      },
    ],
    [
      "File changes of @1 taken back. Take this back with /undo.",
      () => {
        taken = there("a.txt")
        return "/bring @1 --yes"
      },
    ],
    ["File changes of @1 made again.", "/quit"],
  ])
  expect([asked, taken, there("a.txt"), there("b.txt")]).toEqual([true, false, true, true])
})

test("--plain takes a choice for files that conflict as the command line does", async () => {
  const host = makeTestHost({ session: { ...systemOptions(), files: "restore" } })
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
    ["--ours keeps these lines", "/back --theirs"],
    ["Moved.", "/quit"],
  ])
  expect(readFileSync(file, "utf8")).toBe("one")
})

test("prompts that the agent went back past are listed with their ids, and /back returns to the last of them", async () => {
  const backtrack = { calls: [{ name: "Backtrack", input: { checkpoint_id: 0, note: "Only b.ts matters." } }] }
  const model = scriptedModel([{ text: "answer 1" }, { text: "answer 2" }, backtrack, { text: "answer 3" }])
  const written = await talk(makeTestHost({ model: async () => model }), [
    ["/help", "one"],
    ["Turn done.", "two"],
    ["Turn done.", "three"],
    ["Turn done.", "/prompts"],
    ["three (left by", "/back"],
    ["Your prompt was: three", "/quit"],
  ])
  expect(written).toMatch(
    /1: one\n- \w+: two \(left by the agent's Backtrack\)\n- \w+: three \(left by the agent's Backtrack\)\n/,
  )
  expect(written).toContain("The agent's Backtrack had left this prompt behind")
})

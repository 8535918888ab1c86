// The corpus of consent, walked as `retcon run` and as the terminal ask: the same is asked, and all of it is shown.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { builtInTools } from "../../src/agent/tools/built-in.ts"
import { askAtTerminal } from "../../src/cli/agent/approve.ts"
import type { Json } from "../../src/model/json.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { WorkSession } from "../../src/protocol/host.ts"
import { GRANT_KEYS } from "../../src/protocol/question.ts"
import { makeQuestionView } from "../../src/tui/approval/approval.ts"
import { makeTheme } from "../../src/tui/terminal/theme.ts"
import { makeTestHost, scriptedModel } from "../test-host.ts"
import { CORPUS, type Group } from "./consent-corpus.ts"

type Question = Extract<HostEvent, { type: "approval-start" }>
type Asker = (session: WorkSession, shown: Map<string, string>) => (event: HostEvent) => void

const WIDTH = 60

/** Questions as `retcon run` asks them: on a narrow terminal, refused at the end. */
const asRun: Asker = (session, shown) => {
  let [written, call] = ["", ""]
  const err = {
    write(text: string | Uint8Array) {
      written += String(text)
    },
    isTerminal: true,
    width: WIDTH,
    height: 10,
    colours: false,
  }
  const input = {
    isTerminal: true,
    isPiped: false,
    readAll: async () => undefined,
    async ask(question: string) {
      if (question.startsWith("Lines")) return ""
      shown.set(call, written)
      return "n"
    },
  }
  const ask = askAtTerminal({ in: input, err }, session)
  return (event) => {
    if (event.type === "approval-start") [written, call] = ["", event.call]
    ask(event)
  }
}

/** As the terminal draws them: page by page to the end. */
const asTerminal: Asker = (session, shown) => (event) => {
  if (event.type !== "approval-start") return
  const view = makeQuestionView(event, makeTheme({ colours: false }))
  const pages = [view.lines({ width: WIDTH, room: 10, typing: false })]
  while (!view.read && view.scroll("space")) pages.push(view.lines({ width: WIDTH, room: 10, typing: false }))
  expect(view.read).toBe(true)
  shown.set(event.call, pages.flat().join("\n"))
  void session.answer(event.approval, { answer: "no" })
}

function placed({ root, home }: { root: string; home: string }, text: string): string {
  const folder = dirname(root)
  return text.replaceAll("HOME/", `${home}/`).replaceAll("FOLDER", folder).replaceAll("OUT", folder)
}

function callOf(words: string): { name: string; input: Json } {
  if (words.startsWith("$ ")) return { name: "Bash", input: { command: words.slice(2) } }
  const [name = "", path = ""] = words.split(" ")
  if (name === "Write") return { name, input: { path, content: "new\n" } }
  return { name, input: name === "Edit" ? { path, old: "old", new: "new" } : { path } }
}

async function walk(group: Group, asker: Asker) {
  const rows = group.cases.split("\n").flatMap((line) => {
    const [, expected = "", words = ""] = /^\s*(.*?) \| (.*)$/.exec(line) ?? []
    return words === "" ? [] : [{ expected, words }]
  })
  let calls: { name: string; input: Json }[] = []
  const model = scriptedModel((_, step) => (step === 0 ? { calls } : { text: "Done." }))
  const at = makeTestHost({
    mode: group.mode,
    model: async () => model,
    // What is allowed is not carried out: here it only matters that it would be.
    tools: async (parts) => builtInTools(parts).map((tool) => ({ ...tool, run: async () => ({ output: "ran" }) })),
    workRoot: (cwd, session) => ({
      folder: cwd,
      scratch: join(dirname(cwd), "home", "scratch", session),
      home: dirname(cwd),
      own: join(dirname(cwd), "home"),
    }),
    rules: () => ({ allow: (group.allow ?? []).map((rule) => placed(at, rule)), deny: group.deny ?? [] }),
  })
  for (const file of [
    "a.txt",
    "sub/a.txt",
    ".env",
    "sub/.env",
    "locked.txt",
    "ledger/a",
    ".vscode/tasks.json",
    "../outside.txt",
    "../keys/id",
    "../notes/a",
    "../other",
    "../home/config.json",
  ]) {
    mkdirSync(dirname(join(at.root, file)), { recursive: true })
    writeFileSync(join(at.root, file), "old\n")
  }
  mkdirSync(join(at.root, "../linked"))
  symlinkSync("../outside.txt", join(at.root, "link.txt"))
  symlinkSync("../linked", join(at.root, "linked"))
  symlinkSync("../home", join(at.root, "home-link"))
  calls = rows.map(({ words }) => callOf(placed(at, words)))
  const { session, events } = await at.open()
  const shown = new Map<string, string>()
  const ask = asker(session, shown)
  session.on(({ event }) => ask(event))
  await session.send({ text: "go" })
  const questions = new Map(
    events.flatMap((event) => (event.type === "approval-start" ? [[event.call, event] as const] : [])),
  )
  const ends = events.flatMap((event) => (event.type === "tool-end" ? [event] : []))
  return rows.map((row, i) => {
    const end = ends.find(({ call }) => call === `call-0-${i}`)
    if (end === undefined) throw new Error(`no end of ${row.words}`)
    const question = questions.get(end.call)
    return { ...row, found: foundOf(end, question), question, shown: shown.get(end.call) ?? "" }
  })
}

function foundOf({ output }: { output: string }, question: Question | undefined): string {
  if (question !== undefined) return question.grants.map(({ id }) => GRANT_KEYS[id]).join(" ") || "-"
  return output === "ran" ? "allowed" : output.startsWith("Not allowed") ? "denied" : output
}

/** The text that a person read, without the marks where lines were broken. */
const joined = (shown: string) =>
  shown
    .split("\n")
    .map((line) => line.slice(2))
    .join("")

test.each(
  CORPUS.flatMap((group) => [
    ["run", group.about, group, asRun] as const,
    ["the terminal", group.about, group, asTerminal] as const,
  ]),
)("in %s: %s", async (_, __, group, asker) => {
  const rows = await walk(group, asker)
  expect(rows.map(({ found, words }) => `${found} | ${words}`)).toEqual(
    rows.map(({ expected, words }) => `${expected} | ${words}`),
  )
  for (const { question, shown } of rows) {
    if (question === undefined) continue
    if (question.action.kind === "command") expect(joined(shown)).toContain(`$ ${question.action.command}`)
    for (const { words } of question.grants) expect(joined(shown)).toContain(words)
    for (const warning of question.warnings) expect(joined(shown)).toContain(warning)
    for (const path of question.outside) expect(joined(shown)).toContain(path)
  }
})

test("the corpus has its cases", () => {
  const cases = CORPUS.flatMap(({ cases }) => cases.split("\n").filter((line) => line.includes(" | ")))
  expect(cases.length).toBeGreaterThan(250)
})

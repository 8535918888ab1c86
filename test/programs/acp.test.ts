import { expect, it } from "vitest"
import { ACP_LAUNCHES, loadsIn } from "../../src/programs/acp/launch.ts"
import type { ProgramQuestion } from "../../src/programs/port.ts"
import { opened } from "./contract.ts"
import { FAKE_LAUNCH, fakeAcp } from "./fake-acp.ts"

const HERE = { id: "s1", file: "/x/session.jsonl", resume: [] }

it("tells what it says and does in steps, with what they cost", async () => {
  const { live, events } = await opened(fakeAcp())
  await live.prompt({ text: "steps", media: [] })
  expect(events.filter(({ type }) => !["grown", "commands"].includes(type))).toEqual([
    { type: "step-start" },
    { type: "reasoning-delta", text: "Hm." },
    { type: "reasoning-end" },
    { type: "text-delta", text: "First " },
    { type: "text-delta", text: "this." },
    { type: "text-end" },
    { type: "tool-start", call: "c1", name: "touch x", input: { command: "touch x" } },
    { type: "tool-end", call: "c1", output: "done", error: false },
    { type: "step-end", usage: {} },
    { type: "step-start" },
    { type: "text-delta", text: "Then that." },
    { type: "text-end" },
    { type: "step-end", usage: { input: 7, output: 3 } },
  ])
})

it.each([
  ["loading", {}],
  ["resuming", { resume: {} }],
])("shows nothing of what %s a session replays", async (_, can) => {
  const { live, said } = await opened(fakeAcp("as usual", {}, can), { session: HERE })
  expect(live.session).toBe("s1")
  await live.prompt({ text: "say new", media: [] })
  expect(said()).toBe("new")
})

it("takes no greeting for an answer", async () => {
  const { live, said } = await opened(fakeAcp())
  await live.prompt({ text: "say more", media: [] })
  expect(said()).toBe("more")
})

it("offers no files: a program that asks for them all the same writes them itself", async () => {
  const { live, said } = await opened(fakeAcp())
  await live.prompt({ text: "files", media: [] })
  expect(said()).toBe("wrote it myself: -32601")
})

it("offers its modes, models and commands, and chooses among them", async () => {
  const { live } = await opened(fakeAcp())
  await live.prompt({ text: "say hello", media: [] })
  expect(live.offers).toMatchObject({
    images: true,
    modes: [
      { id: "plan", name: "Plan", about: "reads only" },
      { id: "do", name: "Do" },
    ],
    models: [
      { id: "big", name: "Big" },
      { id: "small", name: "Small" },
    ],
    commands: [{ name: "init", about: "Set up", hint: "where" }],
    mode: "plan",
    model: "big",
  })
  await live.choose("mode", "do")
  await live.choose("model", "small")
  expect(live.offers).toMatchObject({ mode: "do", model: "small" })
  await expect(live.choose("mode", "other")).rejects.toThrow("No such mode")
  await expect(live.choose("effort", "high")).rejects.toThrow("Kimi Code has no choice of effort.")
})

it("shows an edit as a diff of a whole path, even if it is the first that is heard of it", async () => {
  const { events, questions } = await asked("edit")
  expect(questions).toMatchObject([
    {
      call: "e1",
      title: "Edit a.txt",
      action: { kind: "write", diff: expect.stringContaining("-one\n+two\n") },
      options: [{ words: "Yes" }, { words: "Yes, and do not ask again" }, { words: "No" }],
    },
  ])
  const { action } = questions[0] as ProgramQuestion
  expect(action.kind === "write" && action.path.startsWith("/")).toBe(true)
  expect(events).toContainEqual(expect.objectContaining({ type: "tool-start", call: "e1" }))
})

it("says so if it does not say what it would do", async () => {
  const { questions } = await asked("vague")
  expect(questions).toMatchObject([
    {
      action: { kind: "other", input: { title: "Proposed amendment", says: ["rm -rf x"] } },
      warnings: ["The agent does not say more than this."],
    },
  ])
})

it("answers no to a question that has no way to allow something once, and says so", async () => {
  const { questions, said, events } = await asked("asks nothing known")
  expect([questions, said()]).toEqual([[], "cancelled"])
  expect(events).toContainEqual({
    type: "notice",
    level: "warning",
    text: "Kimi Code asked something that retcon cannot ask, so the answer was no: Which plan?",
  })
})

it("passes on why a turn failed, and the next one can still be had", async () => {
  const { live, said } = await opened(fakeAcp())
  const end = await live.prompt({ text: "nonsense", media: [] })
  expect(end).toEqual({ outcome: "failed", message: "Kimi Code failed: Internal error: overloaded", denied: [] })
  await live.prompt({ text: "say fine", media: [] })
  expect(said()).toBe("fine")
})

it("sends images with the prompt, and nothing that the program does not take", async () => {
  const { live, said } = await opened(fakeAcp())
  const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const
  expect(await live.prompt({ text: "say it", media: [image] })).toMatchObject({ outcome: "done" })
  expect(said()).toBe("it+image/png")
  const end = await live.prompt({ text: "say it", media: [{ ...image, type: "file" }] })
  expect(end).toMatchObject({ outcome: "failed", message: "Kimi Code takes no files with a prompt." })
})

it("gives up on a program that never answers, and says what it waited for", async () => {
  await expect(opened(fakeAcp("mute", { startMs: 300 }))).rejects.toThrow("Kimi Code did not answer within 0 s.")
})

it("says how to log in", async () => {
  await expect(opened(fakeAcp("not logged in"))).rejects.toMatchObject({ hint: "Log in with: fake-acp login" })
})

it("does not let Gemini CLI load a session within the minute in which it was created", async () => {
  const gemini = ACP_LAUNCHES.find(({ agent }) => agent === "gemini-cli") ?? FAKE_LAUNCH
  const file = "/x/chats/session-2026-11-18T16-14-7b0c2651.jsonl"
  const at = (time: string) => loadsIn(gemini, file, Date.parse(time))
  expect(at("2026-11-18T16:14:20Z")).toBe(40_000)
  expect(at("2026-11-18T16:15:00Z")).toBe(0)
  expect(at("2026-11-18T16:13:00Z")).toBe(0)
  expect(loadsIn(FAKE_LAUNCH, file, Date.parse("2026-11-18T16:14:20Z"))).toBe(0)
  const launch = { ...FAKE_LAUNCH, agent: "gemini-cli", minute: true } as const
  const program = fakeAcp("as usual", { launch, now: () => Date.parse("2026-11-18T16:14:20Z") })
  await expect(opened(program, { session: { ...HERE, file } })).rejects.toThrow(
    "Gemini CLI can continue this session in 40 s",
  )
})

async function asked(text: string) {
  const questions: ProgramQuestion[] = []
  const there = await opened(fakeAcp(), {
    async ask(question) {
      questions.push(question)
      return { refused: "No." }
    },
  })
  await there.live.prompt({ text, media: [] })
  return { ...there, questions }
}

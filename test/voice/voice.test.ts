// A person who speaks: through a live model over its real protocol, and through a recogniser that gives text.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { fileVoiceLogs } from "../../src/voice/file-voice-log.ts"
import { geminiLive } from "../../src/voice/gemini-live.ts"
import { spoken } from "../../src/voice/spoken.ts"
import { startVoice, type VoiceEvent } from "../../src/voice/voice.ts"
import type { VoiceLog } from "../../src/voice/voice-log.ts"
import { bash, shape, talk, until } from "../app/talk.ts"
import { type FakeGeminiLive, fakeGeminiLive } from "./fake-gemini-live.ts"

it("going back is the button: one round less, no tool call, answered to the model", async () => {
  const { session, gemini, log, told } = await talking([{ text: "one" }, { text: "two" }])
  await session.send({ text: "first" })
  const before = await shape(session)
  await session.send({ text: "second" })
  gemini.hearsAndCalls("Go back, please.", "go_back")
  expect(await answer(gemini)).toEqual({ ok: true, say: "Went back. The prompt was: second" })
  expect(await shape(session)).toEqual(before)
  expect(await texts(log)).toEqual(["Go back, please.", "Went back. The prompt was: second"])
  expect(told.map(({ type }) => type)).toEqual(["ready", "line", "line", "did"])
})

it("what was said is on disk before it is done, and going back never takes it away", async () => {
  const { session, gemini, log, file } = await talking([{ text: "one" }, { text: "two" }])
  await session.send({ text: "first" })
  await session.send({ text: "second" })
  const before = await shape(session)
  const moved = until(session, ({ type }) => type === "moved").then(() => existsSync(file))
  gemini.hearsAndCalls("Go back.", "go_back")
  await answer(gemini)
  expect(await moved).toBe(true)
  gemini.hearsAndCalls("And forward.", "redo")
  await answer(gemini)
  expect(await shape(session)).toEqual(before)
  expect(await texts(log)).toEqual(["Go back.", expect.any(String), "And forward.", "Went forward again."])
})

it("a refusal is answered too, in words that can be spoken", async () => {
  const { gemini, log } = await talking([])
  gemini.hearsAndCalls("Go back.", "go_back")
  // Commands are for the eye.
  const refused = { ok: false, say: "The conversation is empty here." }
  expect(await answer(gemini)).toEqual(refused)
  gemini.hearsAndCalls("Back minus one.", "go_back", { rounds: -1 })
  expect(await answer(gemini)).toMatchObject({ ok: false })
  expect(await texts(log)).toHaveLength(4)
})

it("a prompt goes to the agent, and its answer is read out", async () => {
  const { session, gemini } = await talking([{ text: "All tests pass." }])
  gemini.hearsAndCalls("Run the tests.", "converse", { text: "Run the tests." })
  expect(await answer(gemini)).toEqual({ ok: true, say: "Sent to the agent." })
  const content = await gemini.receives("clientContent")
  expect(JSON.stringify(content)).toContain("The agent has finished. All tests pass.")
  expect((await session.context()).map(({ role }) => role)).toEqual(["system", "user", "assistant"])
})

it("a question is read out whole, and a spoken yes allows it once", async () => {
  const { session, gemini, root } = await talking([bash("touch made"), { text: "Done." }])
  const sent = session.send({ text: "go" })
  expect(JSON.stringify(await gemini.receives("clientContent"))).toContain("touch made")
  gemini.hearsAndCalls("Yes.", "approve", { yes: true })
  expect(await answer(gemini)).toMatchObject({ ok: true })
  await sent
  expect(existsSync(join(root, "made"))).toBe(true)
  gemini.hearsAndCalls("Yes.", "approve", { yes: true })
  expect(await answer(gemini)).toEqual({ ok: false, say: "Nothing is waiting for permission." })
})

it("a spoken stop ends the turn", async () => {
  const { session, gemini } = await talking([bash("sleep 100")], "yolo")
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "tool-start")
  gemini.hearsAndCalls("Stop.", "stop")
  expect(await answer(gemini)).toEqual({ ok: true, say: "Stopped." })
  expect(await sent).toMatchObject({ outcome: "stopped" })
})

it("a stop with nothing to stop, and words without a function of ours, are refused", async () => {
  const { gemini } = await talking([])
  gemini.hearsAndCalls("Stop.", "stop")
  expect(await answer(gemini)).toEqual({ ok: false, say: "Nothing is running." })
  gemini.hearsAndCalls("Make tea.", "make_tea")
  expect(await answer(gemini)).toEqual({ ok: false, say: "make_tea cannot be called like that." })
})

it("a spoken no denies it, and the agent is told of a turn that was stopped", async () => {
  const { session, gemini, root } = await talking([bash("touch made"), bash("sleep 100")])
  gemini.hearsAndCalls("Make it.", "converse", { text: "Make it." })
  expect(await answer(gemini)).toMatchObject({ ok: true })
  await gemini.receives("clientContent")
  gemini.hearsAndCalls("No.", "approve", { yes: false })
  expect(await answer(gemini)).toMatchObject({ ok: true, say: expect.stringMatching(/^Not allowed: /) })
  expect(existsSync(join(root, "made"))).toBe(false)
  await gemini.receives("clientContent")
  await session.stop()
  expect(JSON.stringify(await gemini.receives("clientContent"))).toContain("The agent was stopped.")
})

it("a failed turn is reported in its own words", async () => {
  const { gemini } = await talking([{ problem: { kind: "invalid", message: "no such model", status: 400 } }])
  gemini.hearsAndCalls("Go.", "converse", { text: "Go." })
  expect(await answer(gemini)).toMatchObject({ ok: true })
  const content = JSON.stringify(await gemini.receives("clientContent"))
  expect(content).toContain("no such model")
  expect(content).not.toContain("has finished")
})

it("the person may end it: then there is no reason", async () => {
  const { voice, comes } = await talking([])
  voice.close()
  expect(await comes(({ type }) => type === "closed")).toEqual({ type: "closed" })
})

it("what the voice says is kept when it has said it, and when it is interrupted", async () => {
  const { gemini, log, comes } = await talking([])
  gemini.send({ serverContent: { outputTranscription: { text: "I went " } } })
  gemini.send({ serverContent: { outputTranscription: { text: "back." }, turnComplete: true } })
  await comes(({ type }) => type === "line")
  gemini.send({ serverContent: { outputTranscription: { text: "And then" } } })
  gemini.send({ serverContent: { interrupted: true } })
  await comes((event) => event.type === "line" && event.line.text === "And then")
  expect(await texts(log)).toEqual(["I went back.", "And then"])
})

it("words without a call are kept when the model goes away, and the person is told why", async () => {
  const { gemini, log, comes } = await talking([])
  gemini.send({ serverContent: { inputTranscription: { text: "Are you there?" } } })
  gemini.end("quota")
  const closed = await comes(({ type }) => type === "closed")
  expect(closed).toEqual({ type: "closed", because: "The voice model closed the connection: quota" })
  expect(await texts(log)).toEqual(["Are you there?"])
})

it("a recogniser's text does the same", async () => {
  const { session, log } = await talking([{ text: "one" }, { text: "two" }])
  await session.send({ text: "first" })
  const before = await shape(session)
  await session.send({ text: "second" })
  expect(await spoken(session, log, "go back")).toMatchObject({ action: "go_back", answer: { ok: true } })
  expect(await shape(session)).toEqual(before)
  expect(await spoken(session, log, "Go back!")).toMatchObject({ action: "go_back", answer: { ok: false } })
  expect(await shape(session)).toEqual(before)
  expect(await texts(log)).toEqual(["go back", expect.any(String), "Go back!", expect.any(String)])
})

/** A session in which somebody speaks with a live model. */
async function talking(answers: Parameters<typeof talk>[0], mode: "default" | "yolo" = "default") {
  const { open, root, home } = talk(answers, { mode })
  const { session } = await open()
  const gemini = await fakeGeminiLive()
  const folder = join(home, "voice")
  const log = fileVoiceLogs(folder, () => new Date())(session.id)
  const told: VoiceEvent[] = []
  const waiting = new Set<() => void>()
  const voice = await startVoice(session, log, geminiLive({ key: "k", baseUrl: gemini.url }), (event) => {
    told.push(event)
    for (const look of waiting) look()
  })
  const comes = (fits: (event: VoiceEvent) => boolean) =>
    new Promise<VoiceEvent>((resolve) => {
      const look = () => {
        const found = told.find(fits)
        if (found !== undefined) resolve(found)
      }
      waiting.add(look)
      look()
    })
  return { session, gemini, log, told, comes, root, voice, file: join(folder, `${session.id}.jsonl`) }
}

/** What the model is told of its last call. */
async function answer(gemini: FakeGeminiLive): Promise<unknown> {
  const response = (await gemini.receives("toolResponse")) as { functionResponses: { response: unknown }[] }
  return response.functionResponses[0]?.response
}

async function texts(log: VoiceLog): Promise<string[]> {
  return (await log.read()).map(({ text }) => text)
}

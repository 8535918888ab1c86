import { expect, it, vi } from "vitest"
import { geminiLive } from "../../src/voice/gemini-live.ts"
import type { LiveEvents } from "../../src/voice/live-model.ts"
import { fakeGeminiLive } from "./fake-gemini-live.ts"

it("offers the five functions and asks for what was heard and said as text", async () => {
  const gemini = await fakeGeminiLive()
  const live = await geminiLive({ key: "k", model: "m", baseUrl: gemini.url }).connect("Be brief.", ignored())
  expect(await gemini.receives("setup")).toMatchObject({
    model: expect.stringContaining("m"),
    inputAudioTranscription: {},
    outputAudioTranscription: {},
    tools: [{ functionDeclarations: ["converse", "go_back", "redo", "stop", "approve"].map((name) => ({ name })) }],
  })
  live.close()
})

it("carries audio, words and calls both ways", async () => {
  const gemini = await fakeGeminiLive()
  const told: [string, unknown][] = []
  let ended = () => {}
  const end = new Promise<void>((resolve) => {
    ended = resolve
  })
  const events: LiveEvents = {
    ...ignored(),
    heard: (text) => told.push(["heard", text]),
    said: (text) => told.push(["said", text]),
    audio: (pcm) => told.push(["audio", [...pcm]]),
    call: (call) => told.push(["call", call]),
    turnEnd: () => ended(),
  }
  const live = await geminiLive({ key: "k", baseUrl: gemini.url }).connect("Be brief.", events)
  live.audio(new Uint8Array([1, 2, 3, 4]).subarray(1))
  expect(await gemini.receives("realtimeInput")).toEqual({
    audio: { data: Buffer.from([2, 3, 4]).toString("base64"), mimeType: "audio/pcm;rate=16000" },
  })
  gemini.hearsAndCalls("go back two", "go_back", { rounds: 2 })
  gemini.send({ serverContent: { modelTurn: { parts: [{ inlineData: { data: "BQY=", mimeType: "audio/pcm" } }] } } })
  gemini.send({ serverContent: { outputTranscription: { text: "Done." } } })
  gemini.send({ serverContent: { turnComplete: true } })
  await end
  const call = { id: "call-1", name: "go_back", input: { rounds: 2 } }
  expect(told).toEqual([
    ["heard", "go back two"],
    ["call", call],
    ["audio", [5, 6]],
    ["said", "Done."],
  ])
  live.respond(call, { ok: false, say: "No." })
  expect(await gemini.receives("toolResponse")).toEqual({
    functionResponses: [{ id: "call-1", name: "go_back", response: { ok: false, say: "No." } }],
  })
  live.tell("The agent has finished.")
  expect(await gemini.receives("clientContent")).toMatchObject({ turnComplete: true })
  live.close()
})

it("says why the connection ended, and never the key", async () => {
  const gemini = await fakeGeminiLive()
  const because = await new Promise<string | undefined>((resolve) => {
    const events = { ...ignored(), closed: resolve }
    const connected = geminiLive({ key: "SECRET-KEY", baseUrl: gemini.url }).connect("Be brief.", events)
    void connected.then(() => gemini.end("API key SECRET-KEY is not valid"))
  })
  expect(because).toBe("The voice model closed the connection: API key … is not valid")
})

it.each([
  ["refuses", /^API key … not valid\.$/],
  ["hangs", /^it did not answer within 1 s\.$/],
] as const)("a service that %s is not waited for, and nothing says the key", async (setup, because) => {
  const gemini = await fakeGeminiLive(setup)
  const live = geminiLive({ key: "SECRET-KEY", baseUrl: gemini.url, patience: 300 })
  const closed = vi.fn()
  await expect(live.connect("Be brief.", { ...ignored(), closed })).rejects.toThrow(because)
  expect(closed).not.toHaveBeenCalled()
})

it("a service that cannot be reached is not waited for, and the reason is the system's", async () => {
  const live = geminiLive({ key: "SECRET-KEY", baseUrl: "http://127.0.0.1:9" })
  await expect(live.connect("Be brief.", ignored())).rejects.toThrow(/ECONNREFUSED/)
})

function ignored(): LiveEvents {
  const nothing = () => undefined
  return {
    audio: nothing,
    heard: nothing,
    said: nothing,
    interrupted: nothing,
    turnEnd: nothing,
    call: nothing,
    closed: nothing,
  }
}

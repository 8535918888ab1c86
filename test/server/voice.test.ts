// Voice over HTTP and on its WebSocket, against a live model's real protocol on loopback.
import { once } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { WebSocket } from "ws"
import type { SessionId } from "../../src/model/id.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { fileVoiceLogs } from "../../src/voice/file-voice-log.ts"
import { geminiLive } from "../../src/voice/gemini-live.ts"
import type { VoiceMessage } from "../../src/voice/voice-message.ts"
import { temporaryFolder } from "../formats/read-session.ts"
import { fakeGeminiLive } from "../voice/fake-gemini-live.ts"
import { listening, TOKEN } from "./test-server.ts"

test("what a recogniser heard is recorded first, then done; going back takes nothing from the log", async () => {
  const { get, post, newSession, says } = await speaking()
  const session = await newSession()
  await says(session, "first", "second")
  const before = await get(`${session}/messages`)
  const back = await post(`${session}/voice`, { text: "Go back." })
  expect(back.body).toMatchObject({ action: "go_back", answer: { ok: true } })
  expect((await get(`${session}/messages`)).body.messages).toHaveLength(before.body.messages.length - 2)
  const refused = await post(`${session}/voice`, { text: "go back" })
  expect(refused.body).toMatchObject({ action: "go_back", answer: { ok: false } })
  const { body } = await get(`${session}/voice`)
  expect(body).toMatchObject({ live: false, lines: [{ text: "Go back." }, { by: "retcon" }, { text: "go back" }, {}] })
})

test("the WebSocket carries audio both ways, commands, and why it ended", async () => {
  const { open, gemini, newSession, says } = await speaking("live")
  const session = await newSession()
  await says(session, "first")
  const { socket, comes, audio } = await open(session)
  expect(socket.protocol).toBe("retcon.voice")
  await comes("ready")
  socket.send(new Uint8Array([1, 2]))
  expect(await gemini.receives("realtimeInput")).toMatchObject({ audio: { data: "AQI=" } })
  gemini.send({ serverContent: { modelTurn: { parts: [{ inlineData: { data: "BQY=", mimeType: "audio/pcm" } }] } } })
  expect([...(await audio)]).toEqual([5, 6])
  gemini.hearsAndCalls("Go back.", "go_back")
  expect(await comes("did")).toMatchObject({ action: "go_back", answer: { ok: false } })
  gemini.end("quota")
  expect(await comes("closed")).toMatchObject({ because: expect.stringContaining("quota") })
})

test.each([
  ["no token", { protocols: ["retcon.voice"] }, 401],
  ["a wrong token", { protocols: ["retcon.voice", "token.wrong"] }, 401],
  ["a token without the protocol", { protocols: [`token.${TOKEN}`] }, 401],
  ["another site's page", { origin: "https://evil.example" }, 403],
  ["another name of this machine", { headers: { host: "evil.example" } }, 403],
  ["another address", { path: "/api/events" }, 426],
  ["the page's address", { path: "/" }, 426],
  ["no session", { path: "/api/voice" }, 404],
  ["a path for a session", { path: "/api/voice?session=../../x" }, 404],
])("no WebSocket with %s", async (_, asked, status) => {
  const { dial } = await speaking("live")
  const [, response] = (await once(dial(asked), "unexpected-response")) as [unknown, { statusCode: number }]
  expect(response.statusCode).toBe(status)
})

test("without a key there is no live voice, and the refusal says what to do", async () => {
  const { dial, newSession } = await speaking()
  const id = (await newSession()).split("/").at(-1)
  const [, response] = (await once(dial({ path: `/api/voice?session=${id}` }), "unexpected-response")) as [
    unknown,
    { statusCode: number },
  ]
  expect(response.statusCode).toBe(409)
})

test("a model that refuses ends it with the reason, and the socket", async () => {
  const { open, newSession } = await speaking("live", "refuses")
  const { socket, comes } = await open(await newSession())
  expect(await comes("closed")).toMatchObject({ because: expect.stringContaining("API key … not valid.") })
  if (socket.readyState !== WebSocket.CLOSED) await once(socket, "close")
})

test("a page that breaks the protocol before the model answers is cut off, and nobody else", async () => {
  const { open, get, newSession } = await speaking("live", "hangs")
  const session = await newSession()
  const { socket } = await open(session)
  const closed = once(socket, "close")
  socket.send(new Uint8Array(1_000_000))
  await closed
  expect((await get(session)).status).toBe(200)
})

test("a server that stops tells its speakers, and does not wait for them", async () => {
  const { open, newSession, server, close } = await speaking("live")
  const { comes } = await open(await newSession())
  await comes("ready")
  await server.close()
  expect(await comes("closed")).toEqual({ type: "closed", because: "The server is stopping." })
  await close()
})

test("a refused socket is closed, also when the client keeps its end open", async () => {
  const { port } = await speaking()
  const raw = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  onTestFinished(() => void raw.destroy())
  const ended = once(raw, "end")
  raw.resume().write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
  await ended
  // Writing to what is closed at the other end fails; to what is only half closed it does not.
  const failed = once(raw, "error")
  const writing = setInterval(() => raw.write("x"), 5)
  onTestFinished(() => clearInterval(writing))
  expect((await failed)[0]).toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) })
})

interface Asked {
  path?: string
  protocols?: string[]
  origin?: string
  headers?: Record<string, string>
}

async function speaking(how?: "live", setup?: Parameters<typeof fakeGeminiLive>[0]) {
  const gemini = await fakeGeminiLive(setup)
  const logs = fileVoiceLogs(join(temporaryFolder(), "voice"), () => new Date())
  const model = how === "live" ? { model: geminiLive({ key: "SECRET-KEY", baseUrl: gemini.url }) } : {}
  const at = await listening([], { voice: { logs, ...model } })
  const dial = ({ path = "/api/voice", protocols = ["retcon.voice", `token.${TOKEN}`], ...more }: Asked) => {
    const dialled = new WebSocket(`ws://127.0.0.1:${at.port}${path}`, protocols, more)
    // One that was refused cannot be ended again.
    dialled.on("error", () => undefined)
    onTestFinished(() => dialled.terminate())
    return dialled
  }
  async function says(path: string, ...prompts: string[]) {
    const session = await at.host.open(path.split("/").at(-1) as SessionId)
    for (const text of prompts) await workIn(session).send({ text })
    await session.close()
  }
  async function open(session: string) {
    const dialled = dial({ path: `/api/voice?session=${session.split("/").at(-1)}` })
    const told: VoiceMessage[] = []
    const waiting = new Set<() => void>()
    let play: (pcm: Buffer) => void = () => {}
    const audio = new Promise<Buffer>((settle) => (play = settle))
    dialled.on("message", (data: Buffer, isBinary) => {
      if (isBinary) return play(data)
      told.push(JSON.parse(String(data)) as VoiceMessage)
      for (const look of waiting) look()
    })
    await once(dialled, "open")
    const comes = (type: VoiceMessage["type"]) =>
      new Promise<VoiceMessage>((settle) => {
        const look = () => {
          const found = told.find((each) => each.type === type)
          if (found !== undefined) settle(found)
        }
        waiting.add(look)
        look()
      })
    return { socket: dialled, comes, audio }
  }
  return { ...at, gemini, dial, open, says }
}

import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { WebSocket } from "ws"
import { fakeGeminiLive } from "../voice/fake-gemini-live.ts"
import { jsonBody, served } from "./served.ts"

const KEY = "SECRET-KEY"

test("the key of the voice model is in no answer, no message, no file and no output", async () => {
  const gemini = await fakeGeminiLive("refuses")
  const { url, token, cwd, home, ask, err, stop } = await served(["--mode", "yolo"], {
    GEMINI_API_KEY: KEY,
    GOOGLE_GEMINI_BASE_URL: gemini.url,
  })
  const { id } = (await (await ask("/api/sessions", jsonBody({ cwd }))).json()) as { id: string }
  const session = `/api/sessions/${id}`
  await ask(`${session}/converse`, jsonBody({ text: "run env", wait: true }))
  const seen: string[] = []
  for (const path of ["/", "/api/openapi.json", session, ...READS.map((each) => `${session}/${each}`)])
    seen.push(await (await ask(path)).text())
  expect(seen.find((text) => text.includes('"live":true'))).toBeDefined()

  const socket = new WebSocket(`${url.replace("http", "ws")}/api/voice?session=${id}`, [
    "retcon.voice",
    `token.${token}`,
  ])
  onTestFinished(() => socket.terminate())
  socket.on("message", (data: Buffer) => seen.push(data.toString()))
  await once(socket, "close")
  expect(gemini.asked.join()).toContain(KEY)
  expect(seen.at(-1)).toContain("API key … not valid.")
  await stop()
  expect([...seen, err(), ...textsBelow(home)].filter((text) => text.includes(KEY))).toEqual([])
})

const READS = ["messages", "voice", "context", "permissions", "doctor", "tree", "operations", "search?text=SECRET"]

function textsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile())
    .map((item) => readFileSync(join(item.parentPath, item.name), "latin1"))
}

import { connect } from "node:net"
import { expect, onTestFinished, test, vi } from "vitest"
import { listening, TOKEN } from "./test-server.ts"

test("a reader that stops reading is cut off without a word in the server's terminal", async () => {
  const printed = (["error", "info", "log"] as const).map((name) => vi.spyOn(console, name))
  onTestFinished(() => void vi.restoreAllMocks())
  const { post, newSession, port } = await listening()
  const session = await newSession()
  const stuck = connect(port, "127.0.0.1")
  onTestFinished(() => void stuck.destroy())
  const closed = new Promise<void>((settle) => stuck.on("error", () => undefined).on("close", () => settle()))
  let text = ""
  stuck.setEncoding("utf8").on("data", (more: string) => (text += more))
  const begun = new Promise<void>((settle) => stuck.once("data", () => settle()))
  stuck.write(`GET ${session}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`)
  await begun
  stuck.pause()
  // Far more than the system keeps for a socket, and what may wait for a reader.
  await post(`${session}/converse`, { text: "seq 1 4000000", shell: true })
  stuck.resume()
  await closed
  expect(text).toContain("event: reset")
  expect(text).not.toContain("too slow")
  expect(printed.flatMap((each) => each.mock.calls)).toEqual([])
})

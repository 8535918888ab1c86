// `@shot.png` in a prompt is the image, whichever front end sends it.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { HostEvent } from "../../src/protocol/event.ts"
import { brokenPng, png } from "../provider/fakes/images.ts"
import { VENDORS } from "../provider/fakes/vendors.ts"
import { wireHost } from "./wire.ts"

const bytes = (base64: string) => Buffer.from(base64, "base64")
const notices = (events: HostEvent[]) => events.flatMap((event) => (event.type === "notice" ? [event.text] : []))
const imageBlock = (data: string) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } })

test("an image named with @ is sent as an image, and the words stay", async () => {
  const at = await wireHost(VENDORS.anthropic, { backtrack: false })
  const { root } = at
  mkdirSync(join(root, "my shots"))
  writeFileSync(join(root, "a.png"), bytes(png(2, 2)))
  writeFileSync(join(root, "my shots/b.PNG"), bytes(png(3, 3)))
  const { session, events } = await at.open()
  at.say({ text: "Grey." })
  const text = 'compare @a.png, @"my shots/b.PNG" and @a.png; icon@a.png and @gone.png are words'
  expect(await session.send({ text })).toMatchObject({ outcome: "done" })
  expect(at.body(0).messages).toMatchObject([
    { role: "user", content: [imageBlock(png(2, 2)), imageBlock(png(3, 3)), { type: "text", text }] },
  ])
  expect(notices(events)).toEqual([])
})

test("what cannot be sent is named with the reason, and the prompt goes as text", async () => {
  const at = await wireHost(VENDORS.anthropic, { backtrack: false })
  const { root, home } = at
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, "private.png"), bytes(png()))
  symlinkSync(join(home, "private.png"), join(root, "link.png"))
  writeFileSync(join(root, "cut.png"), bytes(brokenPng()))
  writeFileSync(join(root, "big.png"), Buffer.alloc(5 * 1024 * 1024 + 1))
  const { session, events } = await at.open()
  at.say({ text: "I see none." })
  const text = "look at @link.png @cut.png @big.png"
  await session.send({ text })
  expect(at.body(0).messages).toMatchObject([{ role: "user", content: [{ type: "text", text }] }])
  expect(notices(events)).toEqual([
    "The model does not see the image link.png, because it is outside the folder of this session: copy it there, or ask the agent to read it.",
    "The model does not see the image cut.png, because it is not a whole PNG image.",
    "The model does not see the image big.png, because it is larger than 5 MB.",
  ])
})

test("a name in a folded paste is not a request to send that image", async () => {
  const at = await wireHost(VENDORS.anthropic, { backtrack: false })
  const { root } = at
  writeFileSync(join(root, "a.png"), bytes(png()))
  const { session } = await at.open()
  at.say({ text: "A log." })
  await session.send({ text: "what is this?\nline\n@a.png\nline", display: "what is this? [paste #1 +3 lines]" })
  expect(JSON.stringify(at.body(0).messages)).not.toContain('"image"')
})

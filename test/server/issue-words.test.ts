import { expect, test } from "vitest"
import { z } from "zod"
import { issueText } from "../../src/server/answer/issue-words.ts"
import { serve } from "./test-server.ts"

const kinds = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("image") }),
  z.strictObject({ type: z.literal("file") }),
])

test.each<[z.ZodType, unknown, string]>([
  [z.string(), 1, "it: a text is needed"],
  [z.string(), undefined, "it: it is missing; a text is needed"],
  [z.string().nullable(), 1, "it: a text is needed"],
  [z.number(), "1", "it: a number is needed"],
  [z.int(), 1.5, "it: a whole number is needed"],
  [z.coerce.number().int(), "1.5", "it: a whole number is needed"],
  [z.coerce.number().int(), "many", "it: a number is needed"],
  [z.boolean(), "yes", "it: true or false is needed"],
  [z.array(z.string()), "a", "it: a list is needed"],
  [z.array(z.string()), ["a", 1], "it.1: a text is needed"],
  [z.strictObject({}), [], "it: an object is needed"],
  [z.date(), 1, "it: another kind of value is needed"],
  [z.enum(["keep", "restore"]), "drop", 'it: one of "keep", "restore" is needed'],
  [z.enum(["keep", "restore"]), undefined, 'it: it is missing; one of "keep", "restore" is needed'],
  [z.literal("once"), "twice", 'it: "once" is needed'],
  [kinds, { type: "evil" }, 'it.type: one of "image", "file" is needed'],
  [z.union([z.string(), z.boolean()]), 1, "it: a text is needed, or true or false is needed"],
  [z.string().max(1000), "a".repeat(1001), "it: at most 1000 characters"],
  [z.string().max(1), "ab", "it: at most 1 character"],
  [z.string().min(1), "", "it: it must not be empty"],
  [z.string().min(2), "a", "it: at least 2 characters"],
  [z.string().length(2), "a", "it: exactly 2 characters"],
  [z.array(z.int()).max(2), [1, 2, 3], "it: at most 2 elements"],
  [z.array(z.int()).min(1), [], "it: it must not be empty"],
  [z.int().max(100), 101, "it: at most 100"],
  [z.int().min(1), 0, "it: at least 1"],
  [z.number().lt(5), 5, "it: less than 5"],
  [z.number().gt(5), 5, "it: more than 5"],
  [z.strictObject({}), { a: 1 }, 'it: there is no "a" here'],
  [
    z.strictObject({}),
    { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 },
    'it: there is no "a", "b", "c", "d", "e" and 2 more here',
  ],
  [z.string().regex(/^a$/), "b", "it: it does not have the expected form"],
  [z.string().regex(/^a$/, "an a is needed"), "b", "it: an a is needed"],
  [z.string().refine(() => false, "Not this one."), "b", "it: Not this one."],
  [z.number().multipleOf(2), 3, "it: this value is not possible here"],
])("%# what is wrong is reported in plain words: %s %j %s", (schema, it, words) => {
  const checked = z.object({ it: schema }).safeParse({ it }, { reportInput: true })
  expect(issueText(checked.error?.issues ?? [])).toBe(words)
})

test.each([
  ["back", { rounds: 1.5 }, "rounds: a whole number is needed"],
  ["back", { rounds: 0, files: "all" }, 'files: one of "keep", "restore" is needed; rounds: at least 1'],
  ["title", { title: "a".repeat(1001) }, "title: at most 1000 characters"],
  ["title", { name: "x" }, 'title: it is missing; a text is needed; there is no "name" here'],
  ["title", null, "an object is needed"],
  ["converse", { text: " " }, "text: The message is empty."],
  [
    "converse",
    { text: "a", media: [{ type: "image", mediaType: "png", data: "<svg>" }] },
    "media.0.mediaType: a media type such as image/png is needed; media.0.data: base64 is needed",
  ],
])("a request that is not right: %s %j", async (path, body, detail) => {
  const { post, newSession } = serve()
  expect(await post(`${await newSession()}/${path}`, body)).toMatchObject({
    status: 400,
    body: { code: "invalid", detail },
  })
})

test("a query that is not right", async () => {
  const { get, newSession } = serve()
  const session = await newSession()
  expect((await get(`${session}/search?text=${"a".repeat(1001)}&limit=x`)).body).toMatchObject({
    detail: "text: at most 1000 characters; limit: a number is needed",
  })
})

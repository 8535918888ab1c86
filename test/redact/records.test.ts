// Which texts of a record are looked at, and which names in it tell what they hold.
import { expect, test } from "vitest"
import { NOTHING_KNOWN } from "../../src/redact/known.ts"
import { surveyRecord } from "../../src/redact/records.ts"
import { makeSecretSurvey } from "../../src/redact/secret-survey.ts"

const VALUE = "a1B2c3D4e5F6g7H8"
const TOKEN = `ghp_${"a1B2".repeat(9)}`

function found(record: object): [value: string, kind: string][] {
  const survey = makeSecretSurvey(NOTHING_KNOWN)
  surveyRecord(survey, record)
  return [...survey.found]
}

const text = (text: string) => ({ type: "text", text })

test("a token that two neighbouring texts of a message share is one", () => {
  const content = [text(`it is ${TOKEN.slice(0, 20)}`), text(`${TOKEN.slice(20)}.`)]
  expect(found({ content })).toEqual([[TOKEN, "GitHub token"]])
  expect(found({ content: [content[0], { type: "reasoning", text: "hm" }, content[1]] })).toEqual([
    [TOKEN, "GitHub token"],
  ])
})

test("a token in colours is a token", () => {
  expect(found({ content: [text(`\u001b[31m${TOKEN.slice(0, 9)}\u001b[0m${TOKEN.slice(9)}`)] })).toEqual([
    [TOKEN, "GitHub token"],
  ])
})

test("names describe their values in a tool's input, however deep, and nowhere else", () => {
  expect(found({ content: [{ type: "tool-call", input: { password: VALUE } }] })).toEqual([
    [VALUE, "value of password"],
  ])
  expect(found({ input: { env: [{ apiKey: VALUE }] } })).toEqual([[VALUE, "value of apiKey"]])
  expect(found({ content: [{ type: "tool-call", password: VALUE }] })).toEqual([])
})

test("the content of an image or a file is not examined; its name is", () => {
  for (const type of ["image", "file"]) {
    expect(found({ content: [{ type, data: TOKEN, filename: "a.png" }] })).toEqual([])
    expect(found({ content: [{ type, data: "", filename: TOKEN }] })).toEqual([[TOKEN, "GitHub token"]])
  }
  expect(found({ content: [{ type: "text", text: "", data: TOKEN }] })).toEqual([[TOKEN, "GitHub token"]])
})

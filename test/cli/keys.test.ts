// Where the provider's key goes: to the provider. And what tools read is exact, but for that key.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { Json } from "../../src/model/json.ts"
import { FAKES, SECRET, WireServer } from "../provider/wire/server.ts"
import { makeStage } from "./stage.ts"

interface Call {
  name: string
  input: Json
}

/** Makes these calls, one a step, in a folder with one file. Answers what the model was told in the end. */
async function told(
  file: string,
  text: string,
  calls: readonly Call[],
  env: Record<string, string> = {},
  options: readonly string[] = [],
) {
  const server = await WireServer.start()
  onTestFinished(() => server.close())
  const at = makeStage()
  mkdirSync(at.cwd, { recursive: true })
  writeFileSync(join(at.cwd, file), text)
  for (const [i, call] of calls.entries()) server.reply(FAKES.anthropic.reply({ calls: [{ id: `c${i}`, ...call }] }))
  server.reply(FAKES.anthropic.reply({ text: "Done." }))
  const own = { PATH: process.env.PATH ?? "", ANTHROPIC_API_KEY: SECRET, ANTHROPIC_BASE_URL: server.url }
  const { exit } = await at.retcon(["run", "--mode", "yolo", ...options, "go"], { env: { ...own, ...env } })
  expect(exit).toBe(0)
  const path = join(at.cwd, file)
  return { request: server.requests.at(-1)?.text ?? "", content: readFileSync(path, "utf8") }
}

test("a word that is also some password stays as it is in what is read and in what is written", async () => {
  const [file, text] = ["docker-compose.yml", "image: postgres:16\n"]
  const calls = [
    { name: "Read", input: { path: file } },
    { name: "Write", input: { path: file, content: "image: postgres:17\n" } },
  ]
  const { request, content } = await told(file, text, calls, { PGPASSWORD: "postgres", DB_SECRET: "image: postgres" })
  expect(request).toContain("image: postgres:16")
  expect(request).not.toContain("[key removed]")
  expect(content).toBe("image: postgres:17\n")
})

test("the key in use is masked in what is read, and the mask is not written over it", async () => {
  const text = `KEY=${SECRET}\nPORT=1\n`
  const calls = [
    { name: "Read", input: { path: ".env" } },
    { name: "Write", input: { path: ".env", content: "KEY=[key removed]\nPORT=2\n" } },
    { name: "Edit", input: { path: ".env", old: "PORT=1", new: "PORT=3" } },
  ]
  const { request, content } = await told(".env", text, calls)
  expect(request).toContain("KEY=[key removed]")
  expect(request).toContain("stands for a key that is hidden from you")
  expect(request).not.toContain(SECRET)
  expect(content).toBe(`KEY=${SECRET}\nPORT=3\n`)
})

test("a file that has the words of the mask in it can be edited", async () => {
  const calls = [
    { name: "Read", input: { path: "mask.ts" } },
    { name: "Edit", input: { path: "mask.ts", old: 'A = "[key removed]"', new: 'B = "[key removed]"' } },
  ]
  const { content } = await told("mask.ts", 'A = "[key removed]"\n', calls)
  expect(content).toBe('B = "[key removed]"\n')
})

test("a command has no key of any provider in its environment, nor what is called like a key", async () => {
  const calls = [{ name: "Bash", input: { command: "env" } }]
  const env = {
    OPENAI_API_KEY: "of-another",
    GITHUB_TOKEN: "of-another",
    DB_PASS: "of-another",
    MYSQL_PWD: "of-another",
    SSHPASS: "of-another",
    SIGNING_PASSPHRASE: "of-another",
    LANG: "C",
    COMPASS: "north",
    SSH_AUTH_SOCK: "/agent",
  }
  const { request } = await told("file", "", calls, env, ["--sandbox", "off"])
  expect(request).toContain("LANG=C")
  expect(request).toContain("COMPASS=north")
  expect(request).toContain("SSH_AUTH_SOCK=/agent")
  expect(request).not.toContain("of-another")
  expect(request).not.toMatch(/_API_KEY/)
})

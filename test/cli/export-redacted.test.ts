import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { makeStage, round, type Stage, step } from "./stage.ts"

const github = `ghp_${"a1B2".repeat(9)}`
const anthropic = `sk-ant-api03-${"k9".repeat(40)}`
const body = "b7Kx9Qm2Lw4Rt6Yp8Zn3Vc5Hs1Jd0Fg7Ua2Ei4Ob".repeat(2)
const pem = `-----BEGIN PRIVATE KEY-----\n${body}\n${body}\n-----END PRIVATE KEY-----`

async function told(stage: Stage, ...texts: string[]): Promise<void> {
  const session = await stage.session()
  for (const text of texts) await round(session, text)
  await session.close()
}

test("no text of a transcript keeps a secret, wherever it stands", async () => {
  const stage = makeStage()
  const session = await stage.session()
  const half = github.length / 2
  await session.append([
    { type: "message", role: "user", origin: "prompt", content: [{ type: "text", text: `use ${github}\n${pem}` }] },
    {
      type: "message",
      role: "assistant",
      origin: "agent",
      content: [
        { type: "text", text: `in two pieces: ${github.slice(0, half)}` },
        { type: "text", text: `${github.slice(half)} and coloured: ghp_\u001b[31m${github.slice(4)}\u001b[0m` },
        { type: "file", mediaType: "text/plain", data: "aGVsbG8=", name: `${github}.txt` },
        { type: "unknown", raw: { type: github } },
      ],
    },
    { type: "message", role: "tool", origin: "tool", content: [{ type: "tool-result", call: "c", output: github }] },
  ])
  await step(
    session,
    "bash",
    { command: `curl -H "x-api-key: ${anthropic}" https://a:${body.slice(0, 9)}@b` },
    anthropic.slice(0, 39),
  )
  await step(session, "connect", { password: "s3same-street", [github]: "1" }, "s3same-street")
  await session.append([
    {
      type: "message",
      role: "assistant",
      origin: "agent",
      content: [{ type: "tool-call", call: "f", name: `run ${github}`, input: null }],
    },
    {
      type: "message",
      role: "tool",
      origin: "tool",
      content: [{ type: "tool-result", call: "f", output: `${"x ".repeat(240)}${anthropic}`, error: true }],
    },
    { type: "merge", from: session.head as never, text: `from there: ${anthropic}` },
  ])
  await session.close()
  const { out, err } = await stage.retcon("export")
  for (const secret of [github, "ghp_", "a1B2a1B2", anthropic, "k9k9k9k9", body.slice(0, 9), "s3same"]) {
    expect(out).not.toContain(secret)
  }
  expect(out).toContain("# use [secret 1: GitHub token] [secret 2: private key]")
  expect(out).toContain("in two pieces: [secret 1: GitHub token]\n")
  expect(out).toContain("and coloured: [secret 1: GitHub token]")
  expect(out).toContain('"password":"[secret 6: value of password]"')
  expect(err).toBe(
    "Secrets were replaced: 1 GitHub token, 1 private key, 2 Anthropic keys, 1 password in a URL, 1 value of password.\n",
  )
})

test("secrets of the environment, of .env files and of retcon's own settings are known by their values", async () => {
  const stage = makeStage()
  mkdirSync(stage.cwd, { recursive: true })
  mkdirSync(stage.home, { recursive: true })
  writeFileSync(join(stage.cwd, ".env.local"), "SMTP_PASSWORD='three blind mice'\nPORT=3000\n")
  writeFileSync(join(stage.home, "config.json"), JSON.stringify({ providers: { own: { key: "plain-but-mine" } } }))
  await told(stage, "from-the-shell three blind mice plain-but-mine 3000 /home/me/project")
  const { out } = await stage.retcon("export", { env: { DEPLOY_TOKEN: "from-the-shell", HOME: "/home/me" } })
  const marks = ["value of DEPLOY_TOKEN", "value of SMTP_PASSWORD", "value of key"]
  expect(out).toContain(`${marks.map((kind, n) => `[secret ${n + 1}: ${kind}]`).join(" ")} 3000 ~/project`)
})

test("a .env file that is a pipe, a link or too large is not read, and the output says so", async () => {
  const stage = makeStage()
  mkdirSync(stage.cwd, { recursive: true })
  execFileSync("mkfifo", [join(stage.cwd, ".env")])
  symlinkSync("/etc/hostname", join(stage.cwd, ".env.link"))
  writeFileSync(join(stage.cwd, ".env.large"), `A_TOKEN=within-it\n${"#".repeat(1_000_000)}`)
  await told(stage, "hello within-it")
  const { out, err } = await stage.retcon("export")
  expect(out).toContain("hello within-it")
  expect(err).toContain(`The values in ${join(stage.cwd, ".env")} are not known, because it is not a regular file.`)
  expect(err).toContain("because it is a link.")
  expect(err).toContain("because it has more than 1.0 MB.")
})

test("--no-redact first says what it contains, and never a value", async () => {
  const stage = makeStage()
  await told(stage, `use ${github} and ${github}`, "in /home/me/project")
  const env = { HOME: "/home/me" }
  const { out, err } = await stage.retcon("export --no-redact", { env })
  expect(out).toContain(`use ${github} and ${github}`)
  expect(out).toContain("/home/me/project")
  expect(err).toBe("Nothing was replaced. The export contains: 1 GitHub token, the path of your home folder.\n")
})

test("JSON is exact, and says separately if it contains secrets", async () => {
  const stage = makeStage()
  await told(stage, `use ${github}`)
  const file = join(stage.home, "exact.json")
  const { out, err } = await stage.retcon(["export", "--to", "json", "-o", file])
  expect(out).toBe("")
  expect(readFileSync(file, "utf8")).toContain(`use ${github}`)
  expect(err).toContain("JSON is not redacted, and this export contains: 1 GitHub token.")
  expect(err).not.toContain(github)
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ format: "retcon-export" })
})

test("an export without secrets does not mention any", async () => {
  const stage = makeStage()
  await told(stage, "hello")
  for (const words of ["export", "export --no-redact", "export --to json"]) {
    expect(await stage.retcon(words)).toMatchObject({ err: "", exit: 0 })
  }
})

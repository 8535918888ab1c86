import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { makeStage, round, step } from "./stage.ts"

const github = `ghp_${"a1B2".repeat(9)}`
const stripe = `sk_live_${"c3D4".repeat(6)}`

test("doctor --secrets counts by kind in every branch, also what is not shown, and never shows a value", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, `use ${github} and ${github}`)
  await session.back()
  await round(session, "look around")
  await step(session, "read", { path: "x" }, `${"line\n".repeat(9000)}${stripe}`)
  const { id, log } = session
  await session.close()
  appendFileSync(log.file as string, `no record, but https://me:${"pw1".repeat(4)}@host\n`)
  const clean = await stage.session()
  await round(clean, "hello")
  await clean.close()
  const { out, err, exit } = await stage.retcon("doctor --secrets")
  expect(exit).toBe(1)
  expect(out).toContain(`${id.slice(-6)}: 1 GitHub token, 1 Stripe key, 1 password in a URL\n`)
  expect(out).toContain("3 secrets in 1 of 2 sessions.")
  expect(out + err).not.toMatch(/a1B2|c3D4|pw1pw1/)
  const one = await stage.retcon(`doctor --secrets --json -s ${clean.id}`)
  expect(one.exit).toBe(0)
  expect(JSON.parse(one.out)).toEqual([{ file: clean.log.file, session: clean.id, secrets: [] }])
  const all = JSON.parse((await stage.retcon("doctor --secrets --json --all")).out) as { session: string }[]
  expect(all.find((each) => each.session === id)).toMatchObject({
    secrets: [
      { kind: "GitHub token", count: 1 },
      { kind: "Stripe key", count: 1 },
      { kind: "password in a URL", count: 1 },
    ],
  })
})

test("values of secret variables and of the folder's .env are counted by their names", async () => {
  const stage = makeStage()
  mkdirSync(stage.cwd, { recursive: true })
  writeFileSync(join(stage.cwd, ".env"), "DB_PASSWORD=three-blind-mice\n")
  const session = await stage.session()
  await round(session, "three-blind-mice and from-the-shell")
  await session.close()
  const { out } = await stage.retcon("doctor --secrets", { env: { DEPLOY_TOKEN: "from-the-shell" } })
  expect(out).toContain("1 value of DB_PASSWORD, 1 value of DEPLOY_TOKEN")
})

test("a session that cannot be opened is named, and the others are counted", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, github)
  await session.close()
  const file = session.log.file as string
  writeFileSync(file.replace(session.id, session.id.replace(/^./, "7")), "")
  const { out, exit } = await stage.retcon("doctor --secrets")
  expect(exit).toBe(1)
  expect(out).toContain("could not be checked.")
  expect(out).toContain("1 secret in 1 of 2 sessions.")
})

test("without secrets it says so", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "hello")
  await session.close()
  expect(await stage.retcon("doctor --secrets")).toMatchObject({
    out: "No secrets were recognised in 1 session.\n",
    exit: 0,
  })
})

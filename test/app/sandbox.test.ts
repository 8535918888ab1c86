// What front ends are told of the sandbox: before the first command, and in the status.
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { SandboxUse } from "../../src/agent/sandbox/port.ts"
import { makeSandbox } from "../../src/agent/sandbox/sandbox.ts"
import type { HostDeps } from "../../src/app/port/host-deps.ts"
import { sandboxLabel, sandboxWarning } from "../../src/protocol/sandbox-words.ts"
import { SANDBOXES } from "../agent/sandbox/confined.ts"
import { makeTestHost } from "../test-host.ts"

function hostWithout(use: "auto" | "off", mode: HostDeps["mode"]) {
  return hostWith("/nonexistent", use, mode)
}

function hostWith(search: string, use: SandboxUse, mode: HostDeps["mode"]) {
  const sandbox: HostDeps["sandbox"] = ({ folder: root, scratch }, now) =>
    makeSandbox({
      settings: { use, network: "on", write: [] },
      mode: now,
      root,
      home: join(scratch, "..", ".."),
      readable: [scratch],
      search,
    })
  return makeTestHost({ mode, sandbox })
}

test("if there is none, it is reported before the first command, and in the status", async () => {
  const { session, events } = await hostWithout("auto", "yolo").open()
  await session.send({ text: "run echo hello" })
  const types = events.map(({ type }) => type)
  expect(types.indexOf("sandbox")).toBeGreaterThan(-1)
  expect(types.indexOf("sandbox")).toBeLessThan(types.indexOf("tool-end"))
  const { sandbox } = session.status()
  expect(sandbox).toEqual({ state: "none", because: expect.any(String) })
  expect(sandbox && sandboxLabel(sandbox)).toBe("no sandbox")
  expect(sandbox && sandboxWarning(sandbox)).toContain("Commands can change files outside this folder")
})

test("while each command needs approval, nothing is reported", async () => {
  const { session, events } = await hostWithout("auto", "default").open()
  session.on(({ event }) => {
    if (event.type === "approval-start") void session.answer(event.approval, { answer: "once" })
  })
  await session.send({ text: "run echo hello" })
  expect(events.some(({ type }) => type === "sandbox")).toBe(false)
  expect(session.status().sandbox).toBeUndefined()
})

test("one that was switched off is reported as off", async () => {
  const { session } = await hostWithout("off", "yolo").open()
  await session.send({ text: "run echo hello" })
  const { sandbox } = session.status()
  expect(sandbox && sandboxLabel(sandbox)).toBe("sandbox off")
})

test.skipIf(SANDBOXES.length === 0)("the person's own commands run outside of it, the agent's do not", async () => {
  const outside = mkdtempSync("/var/tmp/retcon-own-")
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
  const { session } = await hostWith("/usr/bin:/bin", "on", "yolo").open()
  session.on(({ event }) => {
    if (event.type === "approval-start") void session.answer(event.approval, { answer: "no" })
  })
  await session.send({ text: `run touch ${outside}/agent` })
  await session.send({ text: `touch ${outside}/own`, shell: true })
  expect(readdirSync(outside)).toEqual(["own"])
})

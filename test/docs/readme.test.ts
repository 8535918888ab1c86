// The README begins with what people have already: sessions of other agents.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"

test("hooks, copies of sessions and the way to remove them come before retcon's own agent", () => {
  const readme = readFileSync("README.md", "utf8")
  const own = readme.indexOf("retcon run")
  expect(own).toBeGreaterThan(0)
  for (const words of [
    "retcon hooks install",
    "retcon keep",
    "after 30 days",
    "retcon hooks uninstall",
    "docs/hooks.md",
  ]) {
    expect([words, readme.includes(words) && readme.indexOf(words) < own]).toEqual([words, true])
  }
})

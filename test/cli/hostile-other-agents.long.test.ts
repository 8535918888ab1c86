// What other agents' files say cannot steer the terminal, whatever command shows it.
import { join } from "node:path"
import { expect, test } from "vitest"
import { EVERY_AGENT, putHostile } from "../foreign/every-agent.ts"
import { Bench } from "./bench.ts"

/** Control characters but newline and tab, and what turns the order of text. */
const STEERING = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

test.each(EVERY_AGENT)("$agent", async (each) => {
  const bench = new Bench()
  const { path } = putHostile(each, join(bench.folder, "person"))
  const commands = [
    ["ls", "--all"],
    ["log", "-s", path],
    ["show", "-s", path],
    ["show", "--context", "-s", path],
    ["prompts", "-s", path],
    ["ops", "-s", path],
    ["doctor", "-s", path],
    ["export", "-s", path],
    ["search", "--all", "e"],
    ["keep", "--dry-run"],
  ]
  for (const command of commands) {
    for (const words of [command, [...command, "--json"]]) {
      const { out, err } = await bench.run(words)
      expect([words, STEERING.exec(out + err)?.index]).toEqual([words, undefined])
      if (words.length === command.length && command[0] !== "ops") expect([words, out !== ""]).toEqual([words, true])
    }
  }
})

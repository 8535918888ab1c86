// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell, not templates
// What a rule allows, given to a real shell: nothing but the allowed command may run, and nothing may be written.
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { isCommandAllowed } from "../../../src/agent/permission/allow-command.ts"
import { temporaryFolder } from "../setting.ts"

const PIECES =
  "echo¦echo ¦canary¦canary ¦&&¦ && ¦;¦ ; ¦|¦ | ¦||¦|&¦&¦\n¦\\\n¦'¦\"¦\\¦$(¦)¦`¦(¦{ ¦}¦;}¦>¦> ¦>>¦<¦<(¦>&¦2>&1¦2>¦&>¦>/dev/null¦/dev/null¦$x¦${x}¦${x:-canary}¦$'¦#¦ # ¦=¦x=1 ¦!¦! ¦if ¦then ¦fi¦*¦~¦\t¦  ¦a¦-n ¦eval ¦exec ¦\r¦\f¦\u00a0¦{canary,a}¦[[¦]]"
const pieces = fc.constantFrom(...PIECES.split("¦"))

test("whatever is allowed by a rule for echo runs echo and nothing else, and writes no file", () => {
  const folder = temporaryFolder()
  const [bin, cwd] = [join(folder, "bin"), join(folder, "cwd")]
  for (const each of [bin, cwd]) mkdirSync(each)
  writeFileSync(join(bin, "canary"), '#!/bin/sh\n: > "$CANARY"\n')
  chmodSync(join(bin, "canary"), 0o755)
  const env = { PATH: bin, CANARY: join(cwd, "ran"), x: "canary" }
  let ran = 0
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (rest) => {
      const line = `echo ${rest.join("")}`
      if (!isCommandAllowed(line, ["echo"])) return
      ran++
      spawnSync("/bin/bash", ["-c", line], { cwd, env, stdio: "ignore", shell: false })
      expect(readdirSync(cwd)).toEqual([])
    }),
    { numRuns: 800 },
  )
  expect(ran).toBeGreaterThan(50)
})

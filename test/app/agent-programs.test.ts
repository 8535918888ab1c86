import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { agentPrograms } from "../../src/app/setup/agent-programs.ts"
import type { OpenAgent } from "../../src/programs/port.ts"
import { testApp } from "../any-store.ts"
import { temporaryFolder } from "../formats/read-session.ts"

test("another agent's program gets its own keys, and not those of retcon's providers", async () => {
  const [bin, cwd] = [temporaryFolder(), temporaryFolder()]
  writeFileSync(join(bin, "kimi"), `#!/bin/sh\n/usr/bin/env > ${bin}/seen\necho "$@" >> ${bin}/seen\n`, { mode: 0o755 })
  const env = { PATH: bin, MOONSHOT_API_KEY: "theirs", ANTHROPIC_API_KEY: "ours" }
  const program = agentPrograms({ ...testApp(bin, cwd), env }, { PATH: bin }).program("kimi-code", cwd)
  if (program === undefined || "missing" in program) throw new Error("it was not found")
  const request: OpenAgent = {
    cwd,
    session: undefined,
    allow: [],
    told: () => undefined,
    ask: async () => ({ refused: "No." }),
  }
  await expect(program.open(request)).rejects.toThrow("Kimi Code has ended (0).")
  const seen = readFileSync(join(bin, "seen"), "utf8")
  expect(seen).toContain("MOONSHOT_API_KEY=theirs")
  expect(seen).not.toContain("ours")
  expect(seen).toMatch(/^acp$/m)
})

test("a program that is not here, or is only in the workspace, is missing, with how to install it", () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "gemini"), "#!/bin/sh\n", { mode: 0o755 })
  const { program } = agentPrograms({ ...testApp(cwd, cwd), env: { PATH: cwd } }, {})
  expect(program("gemini-cli", cwd)).toEqual({
    missing:
      "This session belongs to Gemini CLI, and the program for that (gemini) is not installed here. Install it with: npm install -g @google/gemini-cli. Or continue in a copy.",
  })
  expect(program("neovate", cwd)).toBeUndefined()
})

// What a rule allows, given to a real shell: nothing but the allowed command may run, and nothing may be written.
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { isCommandAllowed } from "../../../src/agent/permission/allow-command.ts"
import { denialOf } from "../../../src/agent/permission/deny-command.ts"
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

/** Commands that write or run something with the right option, each with a rule for any arguments. */
const WIDE =
  "find . -maxdepth 1¦sort¦uniq¦git log¦git diff¦git show¦git grep -n¦rg -n¦sed -n¦test¦[¦ls¦diff a b¦jq -n 1¦head -n1¦file¦tree¦printf".split(
    "¦",
  )
const RULES =
  "find¦sort¦uniq¦git log¦git diff¦git show¦git grep¦rg¦sed -n¦test¦[¦ls¦diff¦jq¦head¦file¦tree¦printf¦echo".split("¦")

/** What an attack is made of, and what the shell makes options of. */
const PARTS =
  ' ¦ ¦ ¦ ¦a¦b¦OUT¦./¦p¦1p¦-¦--¦-o¦-oOUT¦-Lo¦2¦-exec¦touch¦\\;¦--output=¦--output=OUT¦-v¦PATH¦%n¦-Osh¦--pre=touch¦-fprint¦w OUT¦\'w OUT\'¦\'1e touch OUT\'¦-i¦-n¦-e¦"¦$U¦$U-exec touch OUT \\;¦$U-o OUT¦${U}¦"$U"¦$O¦"$O"¦${O}¦$E¦$S¦"$S"¦$HOME¦$USER¦~¦~/¦*¦?¦[-]*¦{a,OUT}¦{a,-oOUT}¦./{a,OUT}¦=¦:¦]'.split(
    "¦",
  )
const ENVIRONMENTS: readonly Record<string, string>[] = [
  { O: "-o OUT", E: "-exec touch OUT ;", S: "a OUT", HOME: "/" },
  { O: "--output=OUT", E: "-fprint OUT", S: "a -oOUT", HOME: "-oOUT", USER: "-o" },
  { O: "-oOUT", E: "-Osh", S: "1p;w OUT", HOME: "--output=OUT", USER: "" },
]

/** Each file's size, content and date: whatever is written changes one of them. */
function filesOf(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    if (name === ".git") return []
    const { mtimeMs } = statSync(join(folder, name))
    return [`${name} ${mtimeMs} ${readFileSync(join(folder, name), "utf8")}`]
  })
}

test("whatever rules with any arguments allow writes nothing and runs no other program, in any environment", () => {
  const folder = temporaryFolder()
  const [bin, cwd] = [join(folder, "bin"), join(folder, "cwd")]
  for (const each of [bin, cwd]) mkdirSync(each)
  for (const name of ["touch", "sh", "canary"]) {
    writeFileSync(join(bin, name), `#!/bin/bash\n: > ${join(cwd, "ran")}\n`, { mode: 0o755 })
  }
  for (const name of ["a", "b", "-oOUT", "--output=OUT", "-exec"]) writeFileSync(join(cwd, name), "one\ntwo\n")
  const git = "git init -q && git add -- a b && git -c user.name=a -c user.email=a@b commit -qm one && echo more >> a"
  spawnSync("/bin/bash", ["-c", git], { cwd })
  const before = filesOf(cwd)
  let ran = 0
  const part = fc.constantFrom(...PARTS)
  fc.assert(
    fc.property(
      fc.constantFrom(...WIDE),
      fc.array(part, { minLength: 1, maxLength: 7 }),
      fc.constantFrom(...ENVIRONMENTS),
      (command, rest, env) => {
        const line = `${command} ${rest.join("")}`
        if (!isCommandAllowed(line, RULES)) return
        ran++
        // What an earlier try left, while a failure is made smaller.
        for (const name of ["OUT", "ran"]) rmSync(join(cwd, name), { force: true })
        const at = { cwd, env: { ...env, PATH: `${bin}:/usr/bin:/bin` }, timeout: 5000, shell: false }
        spawnSync("/bin/bash", ["-c", line], { ...at, stdio: "ignore" })
        expect(filesOf(cwd)).toEqual(before)
      },
    ),
    { numRuns: 4000 },
  )
  expect(ran).toBeGreaterThan(100)
})

/** Ways to write `git push`, or to hide it, as far as the words of a line show what runs. */
const HIDING =
  'git¦push¦git push¦ ¦ ¦ ¦ ¦g¦it¦pu¦sh¦\'¦"¦""¦\'\'¦\\¦{s,}¦pu{s,}h¦g{i,}t¦{git,push}¦$G¦$P¦$GP¦"$P"¦${G}¦$U¦$(echo git)¦$(echo pu)¦`echo push`¦*¦?¦g?t¦/¦./¦;¦ ; ¦&& ¦| ¦(¦)¦eval ¦command ¦env ¦exec ¦X=git ¦$X¦if true; then ¦; fi¦{ ¦;}¦! ¦-C . ¦-c a.b=c ¦--no-pager ¦log¦ # ¦\n¦\\\n¦>/dev/null ¦2>&1 ¦a'.split(
    "¦",
  )

test("whatever runs `git push` is denied by a rule against it, or asked about", () => {
  const folder = temporaryFolder()
  const [bin, cwd] = [join(folder, "bin"), join(folder, "cwd")]
  for (const each of [bin, cwd]) mkdirSync(each)
  const pushed = join(folder, "pushed")
  const git = `#!/bin/bash\nwhile [[ $1 == -* ]]; do case $1 in -C|-c) shift 2;; *) shift;; esac; done\n[ "$1" != push ] || : > ${pushed}\n`
  writeFileSync(join(bin, "git"), git, { mode: 0o755 })
  for (const name of ["git", "push"]) writeFileSync(join(cwd, name), git, { mode: 0o755 })
  const env = { PATH: bin, G: "git", P: "push", GP: "git push" }
  let ran = 0
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...HIDING), { minLength: 2, maxLength: 7 }), (parts) => {
      const line = parts.join("")
      if (denialOf(line, "git push") !== "no") return
      ran++
      rmSync(pushed, { force: true })
      spawnSync("/bin/bash", ["-c", line], { cwd, env, stdio: "ignore", timeout: 5000, shell: false })
      expect(existsSync(pushed)).toBe(false)
    }),
    { numRuns: 1500 },
  )
  expect(ran).toBeGreaterThan(50)
})

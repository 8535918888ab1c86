import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { keepOutput } from "../../../src/agent/process/kept-output.ts"
import { temporaryFolder } from "../setting.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

test("output that fits is given as it is, and no file is made", () => {
  const file = join(temporaryFolder(), "out/x.txt")
  const output = keepOutput({ file, limit: 10 })
  output.add(bytes("12345"))
  output.add(bytes("67890"))
  expect([output.text(), output.size, existsSync(file)]).toEqual(["1234567890", 10, false])
})

test("however it comes, beginning and end are kept, and everything is in the file", () => {
  const folder = temporaryFolder()
  let n = 0
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 30 }), { maxLength: 20 }),
      fc.integer({ min: 2, max: 40 }),
      (parts, limit) => {
        const file = join(folder, `${n++}.txt`)
        const output = keepOutput({ file, limit })
        for (const part of parts) output.add(bytes(part))
        output.close()
        const all = parts.join("")
        if (all.length <= limit) {
          expect(output.text()).toBe(all)
          return
        }
        const half = Math.floor(limit / 2)
        expect(readFileSync(file, "utf8")).toBe(all)
        expect(output.text().startsWith(`${all.slice(0, half)}\n[${all.length - limit} characters left out`)).toBe(true)
        expect(output.text().endsWith(`\n${all.slice(all.length - limit + half)}`)).toBe(true)
      },
    ),
  )
})

test("the file has its own limit, and says so; only its owner can read it", () => {
  const folder = join(temporaryFolder(), "new")
  const file = join(folder, "x.txt")
  const output = keepOutput({ file, limit: 4, fileLimit: 10 })
  for (let i = 0; i < 100; i++) output.add(bytes("abc"))
  output.close()
  output.add(bytes("after the end"))
  expect(output.text()).toContain("The file has only its first 10 bytes.")
  expect([statSync(file).size, statSync(file).mode & 0o777, output.size]).toEqual([10, 0o600, 300])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test("what is new is returned once; characters are not torn", () => {
  const output = keepOutput({ file: join(temporaryFolder(), "x.txt"), limit: 7 })
  output.add(bytes("ab"))
  expect([output.fresh(), output.fresh()]).toEqual(["ab", ""])
  output.add(bytes("cd"))
  expect(output.fresh()).toBe("cd")
  output.add(bytes("éééééé"))
  expect(output.fresh()).toMatch(/^abc\n\[.* left out here.*\]\néé$/)
})

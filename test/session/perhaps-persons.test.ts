// Whose change is it, when a file changed while a command ran?
import { expect, test } from "vitest"
import { perhapsPersons } from "../../src/session/files/known/perhaps-persons.ts"

const SECOND = 1000
/** A command that ran from second 10 on. */
const ran = (seconds: number, command = "make") => ({ from: 10 * SECOND, until: (10 + seconds) * SECOND, command })

function unsure(files: Record<string, number | undefined>, run = ran(20)): string[] {
  const changed = Object.entries(files).map(([path, at]) => ({ path, at: at === undefined ? undefined : at * SECOND }))
  return [...perhapsPersons(changed, run)]
}

test("what many files have in common, a command did: written at once, or while nobody can turn to an editor", () => {
  expect(unsure(Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`src/${i}.ts`, 14 + i * 0.02])))).toEqual([])
  expect(unsure({ "a.ts": 10.2, "b.ts": 10.9, "gone.ts": undefined }, ran(1))).toEqual([])
})

test("a file that changed before the command ran, or after it ended, is perhaps the person's, whatever it names", () => {
  expect(unsure({ "a.ts": 3, "b.ts": 10.5, "c.ts": 12 }, ran(1, "fmt a.ts b.ts c.ts"))).toEqual(["a.ts", "c.ts"])
})

test("so is one that changed by itself while a long command ran that does not name it", () => {
  expect(unsure({ "notes.md": 17, "gone.md": undefined })).toEqual(["notes.md", "gone.md"])
  // When it begins and ends, a command writes what it was run for.
  expect(unsure({ "out.log": 10.1, "report.html": 29.9 })).toEqual([])
})

test("so are a few that were saved at once, unless one of them shows that the command wrote them", () => {
  const saved = { "mine1.txt": 17, "mine2.txt": 17.01, "mine3.txt": 17.09, "mine4.txt": 17.15 }
  const names = Object.keys(saved)
  expect(unsure(saved)).toEqual(names)
  expect(unsure({ ...saved, "a.txt": 10.1, "a2.txt": 29.9 })).toEqual(names)
  expect(unsure({ "gone1.txt": undefined, "gone2.txt": undefined })).toEqual(["gone1.txt", "gone2.txt"])
  expect(unsure({ ...saved, "mine5.txt": 17.2 })).toEqual([])
  expect(unsure(saved, ran(20, "gen > mine3.txt"))).toEqual([])
  expect(unsure({ "out.js": 29.7, "out.js.map": 29.8 })).toEqual([])
})

test.each([
  ["sed -i s/a/b/ docs/notes.md"],
  ["fmt ./docs/"],
  ["cat x > 'docs/notes.md'"],
  ["sed -i s/a/b/ docs/*.md"],
  ["python3 fix.py --out=docs/notes.md"],
  ["cd docs && sed -i s/a/b/ notes.md"],
  ["fmt /home/me/project/docs"],
])("unless the command names it: %s", (command) => {
  expect(unsure({ "docs/notes.md": 17 }, ran(20, command))).toEqual([])
  expect(unsure({ "src/main.ts": 17 }, ran(20, command))).toEqual(["src/main.ts"])
})

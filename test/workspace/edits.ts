// Random edits of a small set of files, as an agent or a person might make them.
import fs from "node:fs"
import nodePath from "node:path"
import * as fc from "fast-check"
import { lstat } from "../../src/workspace/git/disk/disk.ts"

export type Edit =
  | { do: "create"; path: string; text: string }
  | { do: "change"; path: string; line: number; text: string }
  | { do: "append"; path: string; text: string }
  | { do: "delete"; path: string }
  | { do: "rename"; path: string; to: string }
  | { do: "chmod"; path: string; mode: number }
  | { do: "link"; path: string; to: string }
  | { do: "folder"; path: string }
  | { do: "binary"; path: string; bytes: number[] }
  | { do: "crlf"; path: string }

export const SHARED = ["a", "b.txt", "d/x", "d/y", "d/e/z", "new\nline", "ümlaut", "d"]

export function anyEdit(paths: string[]): fc.Arbitrary<Edit> {
  const path = fc.constantFrom(...paths)
  const text = fc
    .array(fc.constantFrom("one\n", "two\n", "three\n", "four\n", "x\r\n", "\n", "end"), { maxLength: 8 })
    .map((lines) => lines.join(""))
  return fc.oneof(
    fc.record({ do: fc.constant("create" as const), path, text }),
    fc.record({
      do: fc.constant("change" as const),
      path,
      line: fc.nat(6),
      text: fc.constantFrom("A\n", "B\n", "C\r\n"),
    }),
    fc.record({ do: fc.constant("append" as const), path, text }),
    fc.record({ do: fc.constant("delete" as const), path }),
    fc.record({ do: fc.constant("rename" as const), path, to: path }),
    fc.record({ do: fc.constant("chmod" as const), path, mode: fc.constantFrom(0o644, 0o755, 0o600, 0o640, 0o700) }),
    fc.record({ do: fc.constant("link" as const), path, to: fc.constantFrom("a", "nowhere", "../outside", "d") }),
    fc.record({ do: fc.constant("folder" as const), path }),
    fc.record({
      do: fc.constant("binary" as const),
      path,
      bytes: fc.array(fc.constantFrom(0, 1, 10, 13, 255), { minLength: 1, maxLength: 12 }),
    }),
    fc.record({ do: fc.constant("crlf" as const), path }),
  )
}

/** Does the edit as far as it is possible. `mark` is written into every text, to find it again. */
export function edit(root: string, change: Edit, mark: string): void {
  const file = nodePath.join(root, change.path)
  const stat = lstat(file)
  const readable = stat?.isFile() === true
  switch (change.do) {
    case "create":
      write(root, change.path, Buffer.from(mark + change.text))
      return
    case "binary":
      write(root, change.path, Buffer.concat([Buffer.from(mark), Buffer.from(change.bytes)]))
      return
    case "change": {
      if (!readable) return
      const lines = fs.readFileSync(file, "latin1").split(/(?<=\n)/)
      lines[Math.min(change.line, lines.length)] = mark + change.text
      fs.writeFileSync(file, lines.join(""), "latin1")
      return
    }
    case "append":
      if (readable) fs.appendFileSync(file, mark + change.text)
      return
    case "delete":
      if (stat !== undefined) fs.rmSync(file, { recursive: true })
      return
    case "rename": {
      if (stat === undefined || change.to === change.path) return
      if (`${change.to}/`.startsWith(`${change.path}/`)) return
      clearWay(root, change.to)
      if (lstat(file)) fs.renameSync(file, nodePath.join(root, change.to))
      return
    }
    case "chmod":
      if (stat?.isFile() || stat?.isDirectory())
        fs.chmodSync(file, stat.isDirectory() ? change.mode | 0o700 : change.mode)
      return
    case "link":
      clearWay(root, change.path)
      fs.symlinkSync(change.to, file)
      return
    case "folder":
      clearWay(root, change.path)
      fs.mkdirSync(file)
      return
    case "crlf":
      if (readable) fs.writeFileSync(file, fs.readFileSync(file, "latin1").replace(/\r?\n/g, "\r\n"), "latin1")
  }
}

function write(root: string, path: string, bytes: Buffer): void {
  const file = nodePath.join(root, path)
  if (!lstat(file)?.isFile()) clearWay(root, path)
  fs.writeFileSync(file, bytes)
}

/** Makes the folders above and removes what is there. */
function clearWay(root: string, path: string): void {
  let at = root
  for (const name of nodePath
    .dirname(path)
    .split("/")
    .filter((part) => part !== ".")) {
    at = nodePath.join(at, name)
    const stat = lstat(at)
    if (stat !== undefined && !stat.isDirectory()) fs.rmSync(at)
    if (!stat?.isDirectory()) fs.mkdirSync(at)
  }
  fs.rmSync(nodePath.join(root, path), { recursive: true, force: true })
}

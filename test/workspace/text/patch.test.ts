import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import fs from "node:fs"
import os from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { pathFromBytes } from "../../../src/model/text/path-bytes.ts"
import { printPatch } from "../../../src/workspace/git/snapshot/compare.ts"
import { diskPath, type FileState } from "../../../src/workspace/port.ts"

const contents = new Map<string, Buffer>()
function state(content: string | Buffer, perm = 0o644): FileState {
  const oid = `oid-${contents.size}`
  contents.set(oid, Buffer.from(content as string))
  return { kind: "file", oid, perm } as unknown as FileState
}
function latin1(text: string): FileState {
  return state(Buffer.from(text, "latin1"))
}
function link(target: string): FileState {
  return { ...state(target), kind: "link" } as unknown as FileState
}
const read = (oid: string) => contents.get(oid) ?? Buffer.alloc(0)

function notUtf8(bytes: string): string {
  return pathFromBytes(Buffer.from(bytes, "latin1"))
}

const CASES: [string, string, FileState | undefined, FileState | undefined][] = [
  ["a new file", "new.txt", undefined, state("one\ntwo")],
  ["a new empty file", "empty.txt", undefined, state("")],
  ["a new program", "run.sh", undefined, state("#!/bin/sh\n", 0o755)],
  ["a deleted file", "old.txt", state("one\ntwo\n"), undefined],
  ["a deleted empty file", "old.txt", state(""), undefined],
  ["a changed file", "a b.txt", state("one\r\ntwo\r\n"), state("one\r\n2\r\n")],
  ["a changed file that is not UTF-8", "é.txt", latin1("# Größe\nalt\n"), latin1("# Größe\nfür später\n")],
  ["a new file that is not UTF-8", "new.txt", undefined, latin1("\xff\xfe café")],
  ["a file that became a program", "run.sh", state("x\n"), state("x\n", 0o755)],
  ["a file that became a link", "x", state("text\n"), link("elsewhere")],
  ["a name that has to be quoted", 'a"\t\u0007.txt', undefined, state("x\n")],
  ["a new file whose name is not UTF-8", notUtf8("caf\xe9 \xff.txt"), undefined, state("x\n")],
  ["a changed file whose name is not UTF-8", notUtf8("caf\xe9\t.txt"), state("x\n"), state("y\n")],
  ["a deleted file whose name is not UTF-8", notUtf8("\x80"), state("x\n"), undefined],
]

test.each(CASES)("git applies %s", (_, path, from, to) => {
  const folder = fs.mkdtempSync(join(os.tmpdir(), "retcon-patch-"))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const file = diskPath(folder, path)
  if (from?.kind === "file") fs.writeFileSync(file, read(from.oid), { mode: from.perm })
  const ran = spawnSync("git", ["apply", "-"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, GIT_CEILING_DIRECTORIES: folder },
    input: printPatch({ path, from, to }, read),
    encoding: "utf8",
  })
  expect({ status: ran.status, err: ran.stderr }).toEqual({ status: 0, err: "" })
  if (to === undefined) expect(fs.existsSync(file)).toBe(false)
  else if (to.kind === "link") expect(fs.readlinkSync(file)).toBe(read(to.oid).toString())
  else if (to.kind === "file") {
    expect(fs.readFileSync(file)).toEqual(read(to.oid))
    expect(fs.statSync(file).mode & 0o100).toBe(to.perm & 0o100)
  }
})

test("git applies what is text beside a file that is not, when that is left out", () => {
  const folder = fs.mkdtempSync(join(os.tmpdir(), "retcon-patch-"))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  fs.writeFileSync(join(folder, "b.txt"), "one\n")
  const oid = (text: string) => ({ ...state(text), oid: hashed(text) }) as FileState
  const patch = Buffer.concat([
    printPatch({ path: "a.bin", from: oid("a\0b"), to: oid("a\0c") }, read),
    printPatch({ path: "b.txt", from: state("one\n"), to: state("two\n") }, read),
  ])
  const ran = spawnSync("git", ["apply", "--exclude=a.bin", "-"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, GIT_CEILING_DIRECTORIES: folder },
    input: patch,
    encoding: "utf8",
  })
  expect({ status: ran.status, err: ran.stderr }).toEqual({ status: 0, err: "" })
  expect(fs.readFileSync(join(folder, "b.txt"), "utf8")).toBe("two\n")
})

function hashed(text: string): string {
  const bytes = Buffer.from(text)
  const oid = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex")
  contents.set(oid, bytes)
  return oid
}

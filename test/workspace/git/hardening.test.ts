// A repository is somebody else's program: looking at it must run nothing, and what is stored must be the bytes on disk.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import net from "node:net"
import nodePath from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { SnapshotId, Workspace } from "../../../src/workspace/port.ts"
import { git, openAt, picture, placeForEach, put } from "../folder.ts"

const place = placeForEach()
let workspace: Workspace
const at = (path: string) => nodePath.join(place.root, path)

beforeEach(async () => {
  workspace = await openAt(place)
})

afterEach(async () => {
  await workspace.close()
})

async function text(id: SnapshotId, path: string) {
  return (await workspace.blob(id, path))?.toString()
}

async function names(id: SnapshotId): Promise<string[]> {
  const folder = fs.readdirSync(nodePath.join(place.home, "workspaces"))[0] as string
  const store = nodePath.join(place.home, "workspaces", folder)
  return git(store, "--git-dir", store, "ls-tree", "-r", "-z", "--name-only", `${id}:files`).split("\0").filter(Boolean)
}

describe("a hostile repository", () => {
  function canary(): { script: string; ran: () => boolean } {
    const mark = nodePath.join(place.base, "canary")
    const script = nodePath.join(place.base, "canary.sh")
    fs.writeFileSync(script, `#!/bin/sh\ntouch '${mark}'\ncat\n`, { mode: 0o755 })
    return { script, ran: () => fs.existsSync(mark) }
  }

  test("runs no fsmonitor, filter, hook or attribute when it is snapshotted and restored", async () => {
    git(place.root, "init", "-q")
    put(place, "a.txt", "$Id$ one\r\n")
    git(place.root, "add", "-A")
    git(place.root, "commit", "-qm", "first")
    const { script, ran } = canary()
    for (const [key, value] of [
      ["core.fsmonitor", script],
      ["filter.evil.clean", script],
      ["filter.evil.smudge", script],
      ["filter.evil.process", script],
      ["core.hooksPath", nodePath.join(place.root, "hooks")],
      ["core.sshCommand", script],
      ["diff.external", script],
      ["merge.evil.driver", script],
      ["core.autocrlf", "true"],
    ]) {
      git(place.root, "config", key as string, value as string)
    }
    for (const hook of ["post-index-change", "post-checkout", "pre-commit", "fsmonitor-watchman"]) {
      put(place, `hooks/${hook}`, `#!/bin/sh\ntouch '${nodePath.join(place.base, "canary")}'\n`, 0o755)
      put(place, `.git/hooks/${hook}`, `#!/bin/sh\ntouch '${nodePath.join(place.base, "canary")}'\n`, 0o755)
    }
    put(place, ".gitattributes", "* filter=evil merge=evil diff=evil ident text working-tree-encoding=UTF-16\n")
    const own = picture(at(".git"))
    const before = (await workspace.snapshot()).id
    put(place, "a.txt", "$Id$ two\r\n")
    put(place, "b.txt", "new\r\n")
    const after = (await workspace.snapshot()).id
    put(place, "a.txt", "$Id$ two\r\nmine\r\n")
    await workspace.patch(before, after)
    const done = await workspace.restore(
      await workspace.planRestore({ steps: [{ before, after }], onConflict: "ours" }),
    )
    expect(done.outcome).toBe("restored")
    expect(ran()).toBe(false)
    expect(await text(before, "a.txt")).toBe("$Id$ one\r\n")
    expect(picture(at(".git"))).toEqual(own)
  })

  test("a nested repository that carries a canary runs nothing either, and one without commits is covered", async () => {
    git(place.root, "init", "-q")
    fs.mkdirSync(at("nested"))
    git(at("nested"), "init", "-q")
    const { script, ran } = canary()
    git(at("nested"), "config", "core.fsmonitor", script)
    put(place, "nested/inside.txt", "inside\n")
    const { id } = await workspace.snapshot()
    expect(ran()).toBe(false)
    expect(await text(id, "nested/inside.txt")).toBe("inside\n")
    expect(await names(id)).toEqual(["nested/inside.txt"])
  })
})

describe("what is covered", () => {
  test("bytes, modes, links, empty files, empty folders and any name come back exactly", async () => {
    const odd = Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from([0x66, 0xff, 0xfe, 0x80])])
    const start = () => {
      put(place, "crlf", "a\r\nb\n")
      put(place, "empty", "")
      put(place, "run", "#!/bin/sh\n", 0o755)
      put(place, "secret", "s", 0o600)
      put(place, "read-only", "r", 0o444)
      put(place, "new\nline", "n")
      put(place, "\uEF80 private use", "p")
      put(place, "-z", "dash")
      put(place, ' "quoted\\', "q")
      fs.writeFileSync(odd, Buffer.from([0, 255, 13, 10]))
      fs.symlinkSync("nowhere/at all", at("link"))
      fs.mkdirSync(at("hollow/inner"), { recursive: true })
      fs.mkdirSync(at("private"), { mode: 0o700 })
      put(place, "private/x", "x")
    }
    start()
    const whole = picture(place.root)
    const before = (await workspace.snapshot()).id
    fs.rmSync(place.root, { recursive: true })
    fs.mkdirSync(place.root)
    const after = (await workspace.snapshot()).id
    const done = await workspace.restore(await workspace.planRestore({ steps: [{ before, after }] }))
    expect(done.outcome).toBe("restored")
    expect(picture(place.root)).toEqual(whole)
  })

  test("paths survive JSON, even those that are not UTF-8", async () => {
    fs.writeFileSync(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from([0xff, 0x0a])]), "x")
    const { id, changed } = await workspace.snapshot()
    const [path] = JSON.parse(JSON.stringify(changed)) as string[]
    expect(Buffer.from(path as string).toString()).toBe(path)
    expect(await text(id, path as string)).toBe("x")
  })

  test("git itself finds the store sound", async () => {
    for (let i = 0; i < 300; i++) put(place, `many/f${i % 7}/file${i}.txt`, `content ${i}\n`)
    fs.mkdirSync(at("hollow"))
    const { id } = await workspace.snapshot()
    put(place, "many/f1/file1.txt", "changed")
    const next = await workspace.snapshot({ paths: ["many/f1/file1.txt"] })
    const folder = nodePath.join(
      place.home,
      "workspaces",
      fs.readdirSync(nodePath.join(place.home, "workspaces"))[0] as string,
    )
    expect(git(folder, "--git-dir", folder, "fsck", "--strict", "--full", id, next.id)).toBe("")
    expect(
      fs.readdirSync(nodePath.join(folder, "objects", "pack")).filter((name) => name.endsWith(".pack")),
    ).toHaveLength(1)
  })

  test("nothing is left out silently: large files, sockets, pipes and paths outside are listed", async () => {
    await workspace.close()
    workspace = await openAt(place, { settings: { maxFileSize: 10 } })
    put(place, "big.bin", "more than ten bytes")
    put(place, "small", "s")
    execFileSync("mkfifo", [at("pipe")])
    const server = net.createServer().listen(at("socket"))
    await new Promise((resolve) => server.once("listening", resolve))
    fs.mkdirSync(nodePath.join(place.base, "outside"))
    fs.symlinkSync("../outside", at("way-out"))
    const { notCovered, changed } = await workspace.snapshot()
    expect(notCovered.map(({ path, because }) => `${because} ${path}`).sort()).toEqual([
      "large big.bin",
      "pipe pipe",
      "socket socket",
    ])
    expect(changed.sort()).toEqual(["small", "way-out"])
    const named = await workspace.snapshot({ paths: ["../x", "way-out/x", ".git/hooks/x", "big.bin", "/etc/passwd"] })
    expect(named.notCovered.map(({ path, because }) => `${because} ${path}`)).toEqual([
      "outside ../x",
      "outside way-out/x",
      "git .git/hooks/x",
      "large big.bin",
      "outside /etc/passwd",
    ])
    await new Promise((resolve) => server.close(resolve))
  })

  test("a file that outgrows the limit does not look deleted, and a restore leaves it alone", async () => {
    await workspace.close()
    workspace = await openAt(place, { settings: { maxFileSize: 10 } })
    put(place, "log", "short")
    const before = (await workspace.snapshot()).id
    put(place, "log", "much longer than ten bytes")
    const after = (await workspace.snapshot()).id
    expect(await workspace.diff(before, after)).toEqual([])
    const plan = await workspace.planRestore({ steps: [{ before, after }] })
    expect(plan.kept).toEqual([{ path: "log", because: "not-covered" }])
    await workspace.restore(plan)
    expect(fs.readFileSync(at("log"), "utf8")).toBe("much longer than ten bytes")
  })

  test("a tracked file is covered even when it is ignored or large", async () => {
    git(place.root, "init", "-q")
    put(place, ".gitignore", "*.log\n")
    put(place, "kept.log", "tracked all the same")
    put(place, "other.log", "x")
    git(place.root, "add", "-f", "kept.log", ".gitignore")
    await workspace.close()
    workspace = await openAt(place, { settings: { maxFileSize: 10 } })
    const { id, notCovered } = await workspace.snapshot()
    expect(await names(id)).toEqual([".gitignore", "kept.log"])
    expect(notCovered).toEqual([])
  })

  test("too many files, or a home directory, asks first and stores nothing", async () => {
    for (let i = 0; i < 12; i++) put(place, `f${i}`, "x")
    const small = await openAt(place, { session: "two", settings: { maxFiles: 10 } })
    await expect(small.snapshot()).rejects.toMatchObject({ failure: { code: "too-many-files", limit: 10 } })
    expect((await small.usage()).objects).toBe(0)
    await small.close()
    await expect(openAt(place, { personHome: place.root })).rejects.toMatchObject({
      failure: { code: "too-many-files" },
    })
    await expect(openAt(place, { personHome: nodePath.join(place.root, "me") })).rejects.toMatchObject({
      failure: { code: "too-many-files" },
    })
    const allowed = await openAt(place, {
      session: "three",
      personHome: place.root,
      settings: { maxFiles: 10, allowAny: true },
    })
    expect((await allowed.snapshot()).changed).toHaveLength(12)
    await allowed.close()
  })

  test("retcon's own home inside the workspace is never part of a snapshot", async () => {
    const inside = await openAt(place, { home: at("own-home") })
    put(place, "x", "x")
    expect((await inside.snapshot()).changed).toEqual(["x"])
    expect((await inside.snapshot()).changed).toEqual([])
    await inside.close()
  })
})

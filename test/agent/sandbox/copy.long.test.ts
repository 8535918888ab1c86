// An agent in a copy: whatever it writes, by whatever path and in whatever mode, the original stays bit for bit.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { createJobs } from "../../../src/agent/process/jobs.ts"
import type { Sandbox } from "../../../src/agent/sandbox/sandbox.ts"
import { makeSandbox } from "../../../src/agent/sandbox/sandbox.ts"
import { builtInTools } from "../../../src/agent/tools/built-in.ts"
import type { PermissionMode } from "../../../src/model/permission-mode.ts"
import { copyAt } from "../../../src/workspace/git/copy/copied-folder.ts"
import { git, openAt, type Place, picture } from "../../workspace/folder.ts"
import { ENV, runTool, type Setting, scripted, takeStep } from "../setting.ts"
import { onlyWith, SANDBOXES, SETTINGS } from "./confined.ts"

interface InCopy extends Setting {
  original: string
  folder: string
  sandbox: Sandbox
  bash(command: string, more?: object): Promise<string>
}

async function inCopy(
  by: string | undefined,
  use: "auto" | "off" = "off",
  mode: PermissionMode = "yolo",
): Promise<InCopy> {
  // Not in /tmp, of which commands have one of their own.
  const base = realpathSync(mkdtempSync("/var/tmp/retcon-copy-"))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const place: Place = { base, root: join(base, "work"), home: join(base, "home") }
  mkdirSync(join(place.root, "src"), { recursive: true })
  writeFileSync(join(place.root, "file"), "original\n")
  writeFileSync(join(place.root, "src", "needle.txt"), "needle\n")
  symlinkSync(join(place.root, "file"), join(place.root, "absolute-link"))
  git(place.root, "init", "-q", "-b", "main")
  git(place.root, "add", "-A")
  git(place.root, "commit", "-q", "-m", "first")
  const workspace = await openAt(place)
  const { folder } = await workspace.copy({ snapshot: (await workspace.snapshot()).id, name: "a1" })
  await workspace.close()
  writeFileSync(join(folder, "file"), "copy\n")
  const scratch = join(place.home, "scratch", "one")
  const objects = copyAt(place.home, folder)?.objects ?? []
  const sandbox = makeSandbox({
    settings: { ...SETTINGS, use },
    mode: () => mode,
    root: folder,
    copy: { folder, origin: place.root, objects },
    home: place.home,
    readable: [scratch],
    search: by === undefined ? "/nowhere" : onlyWith(by),
  })
  onTestFinished(() => sandbox.close())
  const jobs = createJobs()
  onTestFinished(() => jobs.close())
  const root = { folder, origin: place.root, scratch, own: place.home }
  const at: Setting = { root, jobs, file: (path) => join(folder, path) }
  const tools = builtInTools({ jobs, sandbox })
  const bash = tools.find(({ name }) => name === "Bash")
  return {
    ...at,
    original: place.root,
    folder,
    sandbox,
    bash: async (command, more = {}) => (await runTool(at, bash as never, { command, ...more } as never)).output,
  }
}

const read = (...path: string[]) => readFileSync(join(...path), "utf8")

describe.each(SANDBOXES)("commands in a copy, by $by", ({ by }) => {
  test.each([
    ["off", "yolo"],
    ["off", "default"],
    ["auto", "default"],
    ["auto", "autoEdit"],
  ] as const)("with the sandbox %s and mode %s see the copy in the place of the original", async (use, mode) => {
    const at = await inCopy(by, use, mode)
    const before = picture(at.original)
    const said = await at.bash(
      `pwd; cat file; cat ${at.original}/file; cat absolute-link; readlink -f absolute-link; ` +
        `echo by path > ${at.original}/made; echo changed > ${at.original}/file; rm ${at.original}/src/needle.txt; ` +
        `node -e 'console.log(process.cwd(), require("fs").realpathSync("."))'`,
      { sandbox: false },
    )
    expect(said.split("\n")).toEqual([
      at.original,
      "copy",
      "copy",
      "copy",
      `${at.original}/file`,
      `${at.original} ${at.original}`,
    ])
    expect([read(at.folder, "made"), read(at.folder, "file")]).toEqual(["by path\n", "changed\n"])
    expect(existsSync(join(at.folder, "src/needle.txt"))).toBe(false)
    expect(picture(at.original)).toEqual(before)
  })

  test("git commits in the copy and reads the original's objects; neither they nor retcon's home can be changed", async () => {
    const at = await inCopy(by)
    const before = picture(at.original)
    const name = "-c user.name=a -c user.email=a@example.com"
    const said = await at.bash(
      `git status --short; git log --format=%s; git ${name} commit -qam 'in the copy'; git log --format=%s; git fsck; ` +
        `for o in ${join(at.folder, "../objects")}/*; do echo x > $o/x; done; ls ${join(at.folder, "../..")}`,
    )
    expect(said).toMatch(/^ M file\nfirst\nin the copy\nfirst\n/)
    expect(said).toMatch(/Read-only file system|Permission denied/)
    expect(picture(at.original)).toEqual(before)
    expect(git(at.folder, "log", "--format=%s")).toBe("in the copy\nfirst\n")
  })

  test("a command in the background writes to the copy too", async () => {
    const at = await inCopy(by)
    const before = picture(at.original)
    await at.bash(`echo late > ${at.original}/late`, { background: true })
    await at.jobs.whenEnded("job-1")
    expect(read(at.folder, "late")).toBe("late\n")
    expect(picture(at.original)).toEqual(before)
  })
})

test.each(["yolo", "default", "autoEdit"] as const)(
  "in mode %s, tools for files mean the copy by the original's path",
  async (mode) => {
    const at = await inCopy(undefined, "off", mode)
    const before = picture(at.original)
    const name = (path: string) => join(at.original, path)
    const calls = [
      { name: "Read", input: { path: name("file") } },
      { name: "Glob", input: { pattern: "**/*.txt", path: at.original } },
      { name: "Grep", input: { pattern: "needle", path: at.original } },
      { name: "Write", input: { path: name("made"), content: "made\n" } },
      { name: "Edit", input: { path: name("src/needle.txt"), old: "needle", new: "changed" } },
    ]
    const { outputs } = await takeStep(at, scripted({ calls }), {
      mode,
      env: ENV,
      tools: builtInTools({ jobs: at.jobs }),
      answer: () => ({ answer: "once" }),
      messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
    })
    expect(outputs[0]).toContain("copy")
    expect(outputs[1]).toBe("src/needle.txt")
    expect(outputs[2]).toContain("src/needle.txt:1: needle")
    expect(read(at.folder, "made")).toBe("made\n")
    expect(picture(at.original)).toEqual(before)
  },
)

test("a link in the copy that leads to the original, and a path beside it, are refused even if a person agrees", async () => {
  const at = await inCopy(undefined)
  const before = picture(at.original)
  symlinkSync(at.original, join(at.folder, "way-out"))
  const { outputs, asked } = await takeStep(
    at,
    scripted({
      calls: [
        { name: "Write", input: { path: "way-out/made", content: "x" } },
        { name: "Write", input: { path: "absolute-link", content: "x" } },
        { name: "Write", input: { path: join(at.original, "../made"), content: "x" } },
      ],
    }),
    { mode: "yolo", allow: ["Write"], tools: builtInTools({ jobs: at.jobs }), answer: () => ({ answer: "once" }) },
  )
  for (const output of outputs) expect(output).toContain("nothing outside it may be changed")
  expect(asked).toEqual([])
  expect(picture(at.original)).toEqual(before)
})

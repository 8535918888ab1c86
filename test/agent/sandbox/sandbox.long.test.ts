// What a sandboxed command can do, and what it cannot: each by a real command in a real sandbox.
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { CACHES } from "../../../src/agent/sandbox/machine-folders.ts"
import { bashTool } from "../../../src/agent/tools/bash.ts"
import { bashOutputTool } from "../../../src/agent/tools/bash-output.ts"
import { within } from "../../within.ts"
import { ownSleep, runningWith, runTool, scripted, setting, takeStep } from "../setting.ts"
import { confined as anyConfined, onlyWith, SANDBOXES } from "./confined.ts"

/** A program of the person that answers whoever asks. */
async function listening(path: string): Promise<void> {
  const server = createServer((socket) => socket.end("hello\n")).listen(path)
  onTestFinished(() => void server.close())
  await new Promise((ready) => server.once("listening", ready))
}

describe.each(SANDBOXES)("a command in a sandbox by $by", ({ by }) => {
  const confined: typeof anyConfined = (settings, parts) => anyConfined(settings, { search: onlyWith(by), ...parts })

  test("writes to the workspace and nowhere else", async () => {
    const at = confined()
    await at.bash(
      `echo in > file; echo out > ${at.outside}/file; echo out > /etc/retcon-test; echo out > ~/retcon-test`,
    )
    expect(readFileSync(at.file("file"), "utf8")).toBe("in\n")
    expect([`${at.outside}/file`, "/etc/retcon-test"].filter((path) => existsSync(path))).toEqual([])
  })

  test("works in a folder with any name", async () => {
    const at = confined()
    const root = join(at.outside, "it's a $HOME \\040 folder %s")
    mkdirSync(root)
    const { sandbox } = confined({}, { root })
    const tool = bashTool(at.jobs, sandbox)
    const command = "pwd; echo in > file; echo out > ../file"
    const { output } = await runTool({ ...at, root: { ...at.root, folder: root } }, tool, { command })
    expect(output).toContain(`${root}\n`)
    expect(output).toContain("Read-only file system")
    expect(readFileSync(join(root, "file"), "utf8")).toBe("in\n")
  })

  test("as root, cannot make the file system writable again", async () => {
    const at = confined()
    const { output } = await at.bash("mount -o remount,rw,bind / 2>&1; touch /etc/retcon-test")
    expect(output).toContain("Read-only file system")
  })

  test("has a /tmp that others do not see, for the whole session, and that is removed with it", async () => {
    const at = confined()
    const before = readdirSync(tmpdir())
    writeFileSync(join(at.outside, "of-the-person"), "")
    const file = `kept-${process.pid}`
    const command = `echo kept > /tmp/${file}; echo "$TMPDIR"; ls /tmp | grep -c of-the-person`
    expect((await at.bash(command)).output).toContain("/tmp\n0")
    expect((await at.bash(`cat /tmp/${file}`)).output).toBe("kept")
    expect(existsSync(`/tmp/${file}`)).toBe(false)
    const own = readdirSync(tmpdir()).filter((name) => !before.includes(name) && existsSync(join(tmpdir(), name, file)))
    expect(own).toHaveLength(1)
    at.sandbox.close()
    // Nothing is said of it any more: least of all that there was none.
    expect(await at.sandbox.state()).toBe(undefined)
    expect(existsSync(join(tmpdir(), own[0] ?? ""))).toBe(false)
  })

  test("leaves nothing running, not even what has left its process group", async () => {
    const at = confined()
    const sleep = ownSleep(4021)
    const { output } = await at.bash(`setsid ${sleep} & (setsid ${sleep} &) ; env -i setsid ${sleep} & echo started`)
    expect(output).toBe("started\n(Exit code 0. What it left running was ended; use background for that.)")
    await expect.poll(() => runningWith(sleep)).toEqual([])
  })

  test("that ends well is not reported to have left something running", async () => {
    const at = confined()
    expect((await at.bash("echo one; ls /proc/1 >/dev/null")).output).toBe("one")
    expect((await at.bash("exit 3")).output).toBe("(Exit code 3.)")
  })

  test("is asked to end before it is killed, with everything it started", async () => {
    const at = confined()
    const stop = new AbortController()
    const sleep = ownSleep(4022)
    const result = await at.bash(`trap 'echo bye; exit 1' TERM; echo up; setsid ${sleep} & ${sleep} & wait`, {
      signal: stop.signal,
      emit: () => stop.abort(),
    })
    expect(result.output).toContain("bye")
    await expect.poll(() => runningWith(sleep)).toEqual([])
  })

  test("cannot change the machine's settings, get at its disks, or undo what was mounted", async () => {
    const at = confined()
    // Only asked, not tried: where this fails the machine that runs the tests should not suffer.
    const settings = "/proc/sys/kernel/hostname /proc/sys/vm/swappiness /proc/sysrq-trigger"
    const asked = await at.bash(`for file in ${settings}; do [ ! -w $file ] || echo "can write $file"; done; ls /dev`)
    expect(asked.output).not.toContain("can write")
    expect(asked.output).toContain("null")
    expect(asked.output.split("\n").filter((name) => /^(?:sd|vd|nvme|mem|kmsg)/.test(name))).toEqual([])
    const tried = await at.bash(
      "umount -l /tmp; unshare -Urm sh -c 'umount -l /tmp; mount -o remount,rw,bind /; ls /tmp'; touch /etc/retcon-test; ls /tmp",
    )
    expect(tried.output).toContain("Read-only file system")
    expect(tried.output).not.toContain("retcon-root-")
  })

  test("sees no process but its own", async () => {
    const at = confined()
    const { output } = await at.bash(`ls /proc/${process.pid}; cat /proc/*/environ | tr '\\0' '\\n' | grep -c ^VITEST`)
    expect(output).toContain(`cannot access '/proc/${process.pid}'`)
    expect(output).toContain("\n0\n")
  })

  test("sees nothing of retcon's home but the output that was too long, and writes to neither", async () => {
    const at = confined()
    writeFileSync(join(at.home, "config.json"), '{"key":"hush"}')
    mkdirSync(at.root.scratch, { recursive: true })
    writeFileSync(join(at.root.scratch, "long.txt"), "long output")
    const home = await at.bash(`ls -A ${at.home}; cat ${at.home}/config.json; echo x > ${at.home}/new`)
    expect(home.output).not.toContain("hush")
    expect(home.output).toContain("No such file")
    expect(existsSync(join(at.home, "new"))).toBe(false)
    expect((await at.bash(`cat ${at.root.scratch}/long.txt`)).output).toBe("long output")
    expect((await at.bash(`echo x >> ${at.root.scratch}/long.txt`)).error).toBe(true)
  })

  test("does not see retcon's home when that is in the workspace either", async () => {
    const at = confined({}, {})
    const inside = at.file(".retcon/config.json", "hush")
    const own = confined({}, { root: at.root.folder, home: join(at.root.folder, ".retcon") })
    const tool = bashTool(at.jobs, own.sandbox)
    const { output } = await runTool(at, tool, {
      command: "cat .retcon/config.json; echo x > .retcon/config.json; mv .retcon r",
    })
    expect(output).not.toContain("hush")
    expect(readFileSync(inside, "utf8")).toBe("hush")
  })

  test("writes to the folders that are named, if they exist", async () => {
    const cache = confined().outside
    const at = confined({ write: [cache, "/not/there"] })
    await at.bash(`echo cached > ${cache}/file`)
    expect(readFileSync(join(cache, "file"), "utf8")).toBe("cached\n")
  })

  test("writes to caches, and not to what other programs run next to them", async () => {
    const personHome = join(confined().outside, "person")
    const theirs = [
      ".cache/p10k-instant-prompt.zsh",
      ".cache/pre-commit/hook",
      ".npm/_npx/1/node_modules/.bin/tool",
      ".yarn/bin/yarn",
      ".gradle/init.d/init.gradle",
      ".gradle/wrapper/dists/gradle",
      ".npm/_cacache/index",
      ".gradle/caches/jars/one",
    ]
    for (const path of theirs) {
      mkdirSync(dirname(join(personHome, path)), { recursive: true })
      writeFileSync(join(personHome, path), "theirs\n")
    }
    const at = confined({ write: CACHES }, { personHome })
    const { output } = await at.bash(
      [
        `cd ${personHome}; cat .cache/p10k-instant-prompt.zsh .gradle/init.d/init.gradle`,
        ...theirs.map((path) => `mkdir -p $(dirname ${path}); rm -f ${path}; echo changed > ${path}`),
        "mkdir -p .cache/new .npm/_npx/2; echo own > .cache/new/file; echo own > .npm/_npx/2/file; echo own > .cache/evil.zsh",
        "cat .cache/new/file .npm/_npx/2/file",
      ].join("\n"),
    )
    expect(output).toMatch(/^theirs\ntheirs\n/)
    expect(output).toMatch(/own\nown\b/)
    const changed = theirs.filter((path) => readFileSync(join(personHome, path), "utf8") !== "theirs\n")
    expect(changed).toEqual([".npm/_cacache/index", ".gradle/caches/jars/one"])
    const made = [".cache/new", ".cache/evil.zsh", ".npm/_npx/2"]
    expect(made.filter((path) => existsSync(join(personHome, path)))).toEqual([])
    // It is there for the next command of the session, and a cache that is removed meanwhile stops none.
    rmSync(join(personHome, ".cache/pre-commit"), { recursive: true })
    rmSync(join(personHome, ".gradle/caches"), { recursive: true })
    expect((await at.bash(`cat ${personHome}/.cache/new/file`)).output).toBe("own")
  })

  test("reaches no socket outside, wherever it is and whenever it was opened, but those of the workspace", async () => {
    const at = confined()
    const named = join(at.outside, "named")
    mkdirSync(named)
    const own = confined({ write: [named] }, { root: at.root.folder })
    const docker = join(at.outside, ".docker/run")
    mkdirSync(docker, { recursive: true })
    const connect = (path: string) =>
      `${JSON.stringify(process.execPath)} -e 'require("net").connect(process.argv[1]).on("data", (x) => console.log(String(x))).on("error", (x) => console.log(x.code))' ${path}`
    const run = async (path: string) =>
      (await runTool(at, bashTool(at.jobs, own.sandbox), { command: connect(path) })).output.split("\n")[0]
    await listening(join(docker, "docker.sock"))
    expect(await run(join(docker, "docker.sock"))).toMatch(/^E/)
    // The sandbox exists by now.
    await listening(join(at.outside, "later.sock"))
    expect(await run(join(at.outside, "later.sock"))).toMatch(/^E/)
    await listening(at.file("own.sock"))
    expect(await run(at.file("own.sock"))).toBe("hello")
    await listening(join(named, "allowed.sock"))
    expect(await run(join(named, "allowed.sock"))).toBe("hello")
  })

  test.skipIf(process.getuid?.() !== 0)("sees nothing of running programs in /run", async () => {
    const folder = mkdtempSync("/run/retcon-test-")
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await listening(join(folder, "socket"))
    const { output } = await confined().bash(`ls ${folder}; ls /run; touch /run/new`)
    expect(output).toContain("No such file or directory")
    expect(output).not.toContain("socket")
    expect(output).toContain("Read-only file system")
  })

  test("has no agent of the person in its environment", async () => {
    const at = confined()
    const env = { ...process.env, SSH_AUTH_SOCK: "/x/agent", DBUS_SESSION_BUS_ADDRESS: "unix:path=/x" } as never
    expect((await at.bash("env | grep -c 'SSH_AUTH\\|DBUS'", { env })).output).toContain("0")
  })

  test("with the network, reaches abstract sockets; without it, none", async () => {
    const name = `retcon-test-${process.pid}-${by}`
    await listening(`\0${name}`)
    const command = `${JSON.stringify(process.execPath)} -e 'require("net").connect("\\0${name}").on("data", (x) => console.log(String(x))).on("error", (x) => console.log(x.code))'`
    expect((await confined().bash(command)).output).toContain("hello")
    expect((await confined({ network: "off" }).bash(command)).output).toMatch(/^E/)
  })

  test("commits in a linked worktree, and reaches no folder that a .git file merely names", async () => {
    const at = confined()
    const git = (...words: string[]) => execFileSync("git", words, { cwd: at.outside, stdio: "pipe" })
    git("init", "-q", "main")
    const make = "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m"
    execFileSync("sh", ["-c", `cd main && ${make} one && git worktree add -q ../tree`], { cwd: at.outside })
    const tree = confined({}, { root: join(at.outside, "tree") })
    const root = { ...at.root, folder: join(at.outside, "tree") }
    const run = (command: string) => runTool({ ...at, root }, bashTool(at.jobs, tree.sandbox), { command })
    expect((await run(`${make} two && git log --oneline | wc -l`)).output).toBe("2")

    const named = confined()
    mkdirSync(join(named.outside, "victim"))
    named.file(".git", `gitdir: ${join(named.outside, "victim")}\n`)
    expect((await named.bash(`echo x > ${named.outside}/victim/hook`)).error).toBe(true)
  })

  test("has the network, or none", async () => {
    const server = createServer((socket) => socket.end("hello\n")).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await new Promise((ready) => server.once("listening", ready))
    const { port } = server.address() as { port: number }
    const command = `cat < /dev/tcp/127.0.0.1/${port}`
    expect((await confined().bash(command)).output).toBe("hello")
    expect((await confined({ network: "off" }).bash(command)).output).toMatch(
      /Connection refused|Network is unreachable/,
    )
  })

  test("reads what the person can read, and can send it away", async () => {
    const at = confined()
    writeFileSync(join(at.outside, "private"), "of-the-person", { mode: 0o600 })
    const server = createServer().listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    const sent = new Promise((settle) =>
      server.once("connection", (socket) => socket.once("data", (data) => settle(String(data)))),
    )
    await new Promise((ready) => server.once("listening", ready))
    const { port } = server.address() as { port: number }
    expect((await at.bash(`cat ${at.outside}/private > /dev/tcp/127.0.0.1/${port}`)).error).not.toBe(true)
    expect(await sent).toBe("of-the-person")
  })

  test("can change .git and what other programs run by themselves", async () => {
    const at = confined()
    await at.bash("git init -q; echo 'exit 1' > .git/hooks/pre-commit; echo 'echo hi' > .envrc")
    expect(readFileSync(at.file(".git/hooks/pre-commit"), "utf8")).toBe("exit 1\n")
    expect(readFileSync(at.file(".envrc"), "utf8")).toBe("echo hi\n")
  })

  test.skipIf(process.getuid?.() !== 0)(
    "as root, reads other people's private files only with bubblewrap",
    async () => {
      const at = confined()
      const theirs = at.file("theirs", "hush")
      chmodSync(theirs, 0o600)
      chownSync(theirs, 12345, 12345)
      expect((await at.bash("cat theirs")).output.includes("hush")).toBe(by === "bubblewrap")
    },
  )

  test("continues in the background until it is ended, in its own sandbox", async () => {
    const at = confined()
    const [bash, look] = [bashTool(at.jobs, at.sandbox), bashOutputTool(at.jobs)]
    const sleep = ownSleep(4023)
    const started = await runTool(at, bash, {
      command: `touch /etc/retcon-test; echo up; exec ${sleep}`,
      background: true,
    })
    expect(started.error).toBeUndefined()
    let seen = ""
    const reading = async () => {
      while (!seen.includes("up\n")) {
        seen += (await runTool(at, look, { job: "job-1", wait: 30 })).output
        expect(seen).toMatch(/\(job-1 is running\)$/)
      }
    }
    await within(reading(), () => seen)
    expect(seen).toContain("Read-only file system")
    await at.bash("true")
    expect(runningWith(sleep)).not.toEqual([])
    await at.jobs.close()
    await expect.poll(() => runningWith(sleep)).toEqual([])
  })

  test("that fails because of it asks to run outside, says so, and runs there if allowed", async () => {
    const at = confined()
    const target = join(at.outside, "file")
    const model = scripted({ calls: [{ name: "Bash", input: { command: `echo x > ${target}` } }] })
    const tools = [bashTool(at.jobs, at.sandbox)]
    const no = await takeStep(at, model, { tools })
    expect(no.asked.map(({ title }) => title)).toEqual([`Bash, outside the sandbox: echo x > ${target}`])
    expect(no.outputs[0]).toContain("(The sandbox lets commands write only to the workspace, /tmp and caches.)")
    expect(no.outputs[0]).toContain("The person refused")
    expect(existsSync(target)).toBe(false)
    const yes = await takeStep(at, model, { tools, answer: () => ({ answer: "once" }) })
    expect(yes.outputs).toEqual(["(no output)"])
    expect(readFileSync(target, "utf8")).toBe("x\n")
  })

  test("that continues after the sandbox blocked it ends well, with a note about that, and nobody is asked", async () => {
    const at = confined()
    const model = scripted({ calls: [{ name: "Bash", input: { command: `echo x > ${at.outside}/file; echo done` } }] })
    const { asked, outputs } = await takeStep(at, model, { tools: [bashTool(at.jobs, at.sandbox)] })
    expect(asked).toEqual([])
    expect(outputs[0]).toMatch(
      /done\n\(A part of it may have failed. The sandbox lets commands write only to the workspace/,
    )
  })

  test("that wants to run outside needs approval in every mode, unless exactly this one is allowed", async () => {
    const at = confined()
    const model = scripted({ calls: [{ name: "Bash", input: { command: "echo out", sandbox: false } }] })
    const tools = [bashTool(at.jobs, at.sandbox)]
    const asked = async (allow: string[]) => (await takeStep(at, model, { tools, mode: "yolo", allow })).asked.length
    expect(await asked([])).toBe(1)
    expect(await asked(["Bash"])).toBe(1)
    expect(await asked(["Bash(echo out)"])).toBe(1)
    expect(await asked(["Bash(=echo out)"])).toBe(0)
  })
})

test.skipIf(SANDBOXES.length === 0).each([
  ["default", "open", undefined],
  ["autoEdit", "confined", "confined"],
  ["yolo", "confined", "confined"],
] as const)("is used by default where commands run without approval: %s", async (mode, how, state) => {
  const { sandbox } = anyConfined({ use: "auto" }, { mode: () => mode })
  expect((await sandbox.confine()).how).toBe(how)
  expect((await sandbox.state())?.state).toBe(state)
})

describe("on a machine that has none", () => {
  const nowhere = { search: "/nonexistent" }

  test("commands run as they are, with a notice", async () => {
    const at = anyConfined({ use: "auto" }, nowhere)
    expect(await at.sandbox.state()).toEqual({ state: "none", because: "neither bubblewrap nor unshare is installed" })
    expect((await at.bash("echo ran")).output).toBe("ran")
  })

  test("a program in the workspace is not used to make one, and the reason is the true one", async () => {
    const at = setting()
    writeFileSync(at.file("bwrap"), "#!/bin/sh\n", { mode: 0o755 })
    const { sandbox } = anyConfined({ use: "on" }, { root: at.root.folder, search: at.root.folder })
    const because = "the program that makes one is inside the workspace, and retcon trusts no program there"
    expect(await sandbox.state()).toEqual({ state: "none", because })
    const problem = expect.stringContaining(`${because}. Work in a smaller folder, or run commands without one: `)
    expect(await sandbox.confine()).toEqual({ how: "refused", problem })
  })

  test("no command runs when one is required, and the message says what to do", async () => {
    const at = anyConfined({ use: "on" }, nowhere)
    const { output, error } = await at.bash("touch ran")
    expect(error).toBe(true)
    expect(output).toContain("neither bubblewrap nor unshare is installed. Install bubblewrap")
    expect(existsSync(at.file("ran"))).toBe(false)
  })
})

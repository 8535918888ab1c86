// One bash for one Markdown file: commands run in order in a temporary home, with the built program on the PATH.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, resolve } from "node:path"
import { within } from "../within.ts"
import { writeAgentHomes } from "./agent-homes.ts"

export interface Answer {
  output: string[]
  /** Undefined when the shell itself ended. */
  exit: number | undefined
}

/** What docs call the home directory; the real one is put in its place. */
const SHOWN_HOME = "/home/you"
const END = "--end-of-command--"

export class Shell {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-docs-")))
  readonly #home = join(this.#folder, "home")
  readonly #bash: ChildProcessWithoutNullStreams
  #printed = ""
  #ended = false
  #wake = (): void => undefined

  /** Starts in ~/project, which is empty. */
  constructor(program = resolve("dist/cli.cjs")) {
    const bin = join(this.#folder, "bin")
    const project = join(this.#home, "project")
    for (const folder of [bin, project]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(bin, "retcon"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
    chmodSync(join(bin, "retcon"), 0o755)
    writeFileSync(
      join(this.#home, ".gitconfig"),
      "[user]\nname = You\nemail = you@example.com\n[init]\ndefaultBranch = main\n",
    )
    writeAgentHomes(this.#home, Date.now())
    this.#bash = spawn("bash", ["--noprofile", "--norc"], {
      cwd: project,
      env: {
        PATH: bin + delimiter + (process.env.PATH ?? ""),
        HOME: this.#home,
        RETCON_HOME: join(this.#home, ".local", "share", "retcon"),
        TERM: "dumb",
        TZ: "UTC",
        LANG: "C.UTF-8",
      },
    })
    this.#bash.stdout.setEncoding("utf8").on("data", (text: string) => this.#heard(text))
    this.#bash.on("close", () => {
      this.#ended = true
      this.#wake()
    })
    this.#bash.stdin.write("exec 2>&1\n")
  }

  async run(command: string): Promise<Answer> {
    const quoted = `'${command.replaceAll(SHOWN_HOME, this.#home).replaceAll("'", String.raw`'\''`)}'`
    if (!this.#ended) this.#bash.stdin.write(`eval ${quoted} </dev/null; printf '\\n${END} %d\\n' $?\n`)
    for (;;) {
      const end = new RegExp(`\\n${END} (\\d+)\\n`).exec(this.#printed)
      if (end !== null || this.#ended) return this.#take(end)
      await within(new Promise<void>((wake) => (this.#wake = wake)), () => `no end of ${command} in\n${this.#printed}`)
    }
  }

  close(): void {
    this.#bash.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #take(end: RegExpExecArray | null): Answer {
    const text = this.#printed.slice(0, end?.index).replaceAll(this.#home, SHOWN_HOME)
    this.#printed = end === null ? "" : this.#printed.slice(end.index + end[0].length)
    const output = text.replace(/\n$/, "").split("\n")
    return { output: text === "" ? [] : output, exit: end === null ? undefined : Number(end[1]) }
  }

  #heard(text: string): void {
    this.#printed += text
    this.#wake()
  }
}

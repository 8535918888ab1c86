// retcon keep: copies other agents' sessions, because those agents remove them. --restore gives one back.
import { matchSession } from "../../app/library/named-session.ts"
import { forgetSize, keptSize } from "../../foreign/keep/kept-size.ts"
import type { RestoredSession } from "../../foreign/keep/restore-kept.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import { bytes } from "../../model/text/amounts.ts"
import { sanitiseLine, shellWord, wrap } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT, UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { keepingLines } from "../render/keeping-lines.ts"
import { progress } from "../render/progress.ts"

export interface KeepFlags {
  restore?: string
  dryRun?: boolean
  json?: boolean
}

/** Returns 1 if not everything could be copied. */
export async function run(cli: Cli, { restore, dryRun, json }: KeepFlags): Promise<number> {
  if (restore !== undefined) {
    if (dryRun === true) throw new UsageError("--restore has no dry run.", "Use: retcon keep --restore ID")
    await giveBack(cli, restore, json === true)
    return EXIT.done
  }
  const shown = progress(cli, "Copying")
  const keeping = await cli.store.foreign.keep({
    tick: (share) => shown.tick(share),
    ...(dryRun === true && { dryRun }),
  })
  shown.done()
  if (keeping.busy !== undefined) {
    const problem = `Process ${keeping.busy.pid} is copying sessions right now.`
    throw new RetconError({ code: "invalid", problem, advice: "Wait until it is done, then try again: retcon keep" })
  }
  if (keeping.files.length > 0 && dryRun !== true) forgetSize(cli.home)
  const size = keptSize(cli.home)
  const { files, sessions, left } = keeping
  if (json === true) {
    const databases = Object.fromEntries(keeping.databases)
    const budget = { bytes: size, overBudget: isOver(cli, size) }
    printJson(cli.out, { dryRun: dryRun === true, sessions, files, left, databases, ...budget })
  } else {
    const lines = [...keepingLines(keeping, dryRun === true), ...sizeLines(cli, size)]
    cli.out.write(`${lines.flatMap((line) => wrap(line, cli.out.width)).join("\n")}\n`)
  }
  return left.length > 0 ? EXIT.failed : EXIT.done
}

async function giveBack(cli: Cli, name: string, json: boolean): Promise<void> {
  const id = matchSession(await cli.store.foreign.list(), name)
  const restored = await cli.store.foreign.restore(id)
  if (restored.outcome === "refused") throw refusal(shortId(id), restored)
  if (restored.outcome === "take-in") return takeIn(cli, id, restored, json)
  if (json) return printJson(cli.out, { session: id, files: restored.files, resume: restored.resume })
  const files = restored.files.map((file) => `  ${sanitiseLine(file)}`)
  const resume = sanitiseLine(restored.resume.map(shellWord).join(" "))
  const lines = [`Restored session ${shortId(id)}:`, ...files, `Resume it with: ${resume}`]
  cli.out.write(`${lines.join("\n")}\n`)
}

/** For an agent with a database: retcon never writes there. */
function takeIn(cli: Cli, id: string, taken: RestoredSession & { outcome: "take-in" }, json: boolean): void {
  const { command, resume } = taken
  if (json) {
    printJson(cli.out, { session: id, files: [], import: command, resume })
    return
  }
  const [take, again] = [command, resume].map((words) => sanitiseLine(words.map(shellWord).join(" ")))
  const lines = [
    `Session ${shortId(id)} was in a database, which retcon does not write to. Load the copy into its program with:`,
    `  ${take}`,
    `Then resume it with: ${again}`,
  ]
  cli.out.write(`${lines.join("\n")}\n`)
}

function refusal(id: string, { file, because }: RestoredSession & { outcome: "refused" }): RetconError {
  if (because === "unreadable") {
    const unread = `Session ${id} is in its agent's folder, but you have no permission to read it: ${sanitiseLine(file)}. Nothing was written.`
    const advice = `Allow reading it: chmod u+r ${shellWord(file)}. Until then, retcon shows its own copy.`
    return new RetconError({ code: "invalid", problem: unread, advice })
  }
  if (because === "in-database") {
    const there = `Session ${id} is still in its agent's database: ${sanitiseLine(file)}. Nothing was written.`
    const advice =
      "Copies of messages that the session has lost since are sessions of their own: see retcon ls --all, and restore one of those."
    return new RetconError({ code: "invalid", problem: there, advice })
  }
  const problem = `Session ${id} is already in its agent's folder: ${sanitiseLine(file)}. Nothing was written.`
  return new RetconError({
    code: "invalid",
    problem,
    advice: "To replace it with the copy, move that file away first.",
  })
}

/** A budget is only reported: nothing is removed for it. */
function* sizeLines(cli: Cli, size: number): Generator<string> {
  if (size === 0) return
  const budget = cli.settings["keep.budget"]
  const over = isOver(cli, size) ? `, more than keep.budget (${budget}). retcon never removes any on its own` : ""
  yield `Kept copies take ${bytes(size)}${over}.`
}

function isOver(cli: Cli, size: number): boolean {
  const budget = cli.settings["keep.budget"]
  return budget !== "none" && size > Number.parseInt(budget, 10) * 1000 ** 3
}

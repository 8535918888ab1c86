// retcon gc: empties the trash, and drops snapshots and blobs that nothing names.
import { makeLibrary } from "../../app/library/library.ts"
import { bytes, count } from "../../model/text/amounts.ts"
import type { SweepAnswer } from "../../protocol/library.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"

export async function run(
  cli: Cli,
  options: { dryRun?: boolean; dropOldest?: boolean; json?: boolean },
): Promise<void> {
  const { json, ...request } = options
  const answer = await makeLibrary(cli).gc({ cwd: cli.cwd, ...request })
  if (json === true) return printJson(cli.out, answer)
  const { trash, blobs, indexes, local, temporary } = answer
  const would = answer.dryRun ? "Would free" : "Freed"
  cli.out.write(`${would} ${bytes(trash.bytes)} from the trash (${count(trash.files, "file")}).\n`)
  cli.out.write(`${would} ${bytes(blobs.bytes)} from stored content that no session here uses.\n`)
  if (indexes.files > 0)
    cli.out.write(
      `${would} ${bytes(indexes.bytes)} from indexes whose session is gone (${count(indexes.files, "file")}).\n`,
    )
  if (local.files > 0)
    cli.out.write(`${would} ${bytes(local.bytes)} from drafts and consent of sessions that are gone.\n`)
  if (temporary.files > 0)
    cli.out.write(
      `${would} ${bytes(temporary.bytes)} that interrupted processes left (${count(temporary.files, "file")}).\n`,
    )
  cli.out.write(snapshotLines(answer, request.dropOldest === true))
}

function snapshotLines({ snapshots: report, budget, dryRun }: SweepAnswer, dropOldest: boolean): string {
  if (report === undefined) return "There are no snapshots of this directory.\n"
  const { bytesBefore, bytesAfter, dropped, overBudget } = report
  const freed = `${dryRun ? "Would free" : "Freed"} ${bytes(bytesBefore - bytesAfter)} from snapshots`
  const lines = [`${freed}; ${bytes(bytesAfter)} remain, of a budget of ${bytes(budget)}.`]
  if (dropped.length > 0) {
    const number = count(dropped.length, "snapshot")
    lines.push(
      dryRun
        ? `Would drop ${number}, the oldest first: files could not be restored to those points any more.`
        : `Dropped ${number}, the oldest first: files can no longer be restored to those points.`,
    )
  }
  if (overBudget > 0) {
    lines.push(
      dropOldest
        ? `That is ${bytes(overBudget)} above the budget: retcon always keeps new snapshots, and those of where sessions are now.`
        : `Snapshots that sessions still use are ${bytes(overBudget)} above the budget. Drop the oldest with: retcon gc --drop-oldest`,
    )
  }
  return lines.map((line) => `${line}\n`).join("")
}

// `/undo 3`, `/redo 2`: one step after the other.
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { MoveResult } from "../../model/move/moved.ts"

/** `take` makes one step and reports it. Stops at the first step that fails. Refuses anything but a number. */
export async function takeSteps(
  way: "undo" | "redo",
  argument: string,
  take: () => Promise<MoveResult | undefined>,
): Promise<void> {
  if (!/^[1-9]\d{0,8}$|^$/.test(argument)) {
    const problem = `"${argument}" is not a number of steps.`
    throw new RetconError({ code: "invalid", problem, advice: `Use: /${way}, or /${way} 2` })
  }
  for (let left = Number(argument || "1"); left > 0; left--) if ((await take())?.outcome !== "moved") return
}

// If retcon moves in a program's own session, the program follows.
import { difference } from "../said.ts"
import type { Stage } from "../stage.ts"
import type { Case } from "./case.ts"
import { converse, PROMPTS } from "./conversation.ts"
import { prompted, resumedAsShown } from "./reads.ts"

const OTHER_WAY = "Let us try another way."

/** A case: after `steps` the conversation is at these prompts. */
function moved(name: string, means: string, steps: (stage: Stage) => Promise<void>, left: readonly string[]): Case {
  return {
    name,
    means,
    async differs(stage) {
      await converse(stage)
      await steps(stage)
      return landed(stage, left)
    },
  }
}

/** Checks that these prompts are on the path, and that the program resumes there, as retcon shows. */
export async function landed(stage: Stage, left: readonly string[]): Promise<string | undefined> {
  return difference(prompted(await stage.prompts()), prompted(left)) ?? (await resumedAsShown(stage))
}

const [first, second, third] = PROMPTS

export const MOVES: readonly Case[] = [
  moved("back", "after `retcon back` the program resumes before the last prompt", (stage) => stage.move("back"), [
    first,
    second,
    third,
  ]),
  moved("goto", "after `retcon goto` it resumes there, two prompts earlier", (stage) => stage.move("goto", "@3"), [
    first,
    second,
  ]),
  moved("first prompt", "the same before the first prompt", (stage) => stage.move("goto", "start"), []),
  moved(
    "undo",
    "after `retcon undo` the program resumes where it was before",
    async (stage) => {
      await stage.move("back", "2")
      await stage.move("undo")
    },
    PROMPTS,
  ),
  moved(
    "redo",
    "after `retcon redo` it resumes after the move again",
    async (stage) => {
      await stage.move("back", "2")
      await stage.move("undo")
      await stage.move("redo")
    },
    [first, second],
  ),
  moved(
    "second resume",
    "messages sent after a move are still there when the program resumes again",
    async (stage) => {
      await stage.move("back")
      await stage.ask(OTHER_WAY)
    },
    [first, second, third, OTHER_WAY],
  ),
  moved(
    "left branch",
    "`retcon goto` returns to an abandoned branch after another was started",
    async (stage) => {
      const end = (await stage.entries()).at(-1)?.id ?? ""
      await stage.move("back", "2")
      await stage.ask(OTHER_WAY)
      await stage.move("goto", end)
    },
    PROMPTS,
  ),
]

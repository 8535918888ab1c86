import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { inputOn } from "../../src/cli/machine.ts"

test("what was typed before a question does not answer it", async () => {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const asked: string[] = []
  const err = {
    isTerminal: true,
    width: 80,
    colours: false,
    /** The person answers when they see the question. */
    write(text: string | Uint8Array) {
      asked.push(String(text))
      keyboard.write("n\n")
    },
  }
  const input = inputOn(() => keyboard, err)
  keyboard.write("y\ny\n")
  expect(await input.ask("Allow it? ")).toBe("n")
  keyboard.write("yes\n")
  expect(await input.ask("And this? ")).toBe("n")
  expect(asked).toEqual(["Allow it? ", "And this? "])
})

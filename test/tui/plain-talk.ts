// A person at `retcon --plain`: types each line once what they wait for was written.
import type { Start } from "../../src/tui/app/deps.ts"
import { runPlain } from "../../src/tui/plain/plain.ts"
import type { PlainScreen } from "../../src/tui/plain/plain-question.ts"
import type { TestHost } from "../test-host.ts"
import { within } from "../within.ts"

export type PlainScript = readonly (readonly [after: string, line: string | (() => string | Promise<string>)])[]

/** Answers all that was written. A line that is a function is asked for when it is typed. */
export async function plainTalk(
  host: TestHost,
  script: PlainScript,
  start: Start = { kind: "new" },
  screen?: PlainScreen,
  asks = true,
): Promise<string> {
  let written = ""
  let wake: () => void = () => undefined
  async function* lines(): AsyncGenerator<string> {
    let from = 0
    for (const [after, line] of script) {
      while (!written.slice(from).includes(after)) {
        await within(new Promise<void>((settle) => (wake = settle)), () => `no "${after}" in\n${written.slice(from)}`)
      }
      from = written.length
      yield typeof line === "string" ? line : await line()
    }
  }
  await runPlain({
    host: host.host,
    cwd: host.root,
    start,
    steers: true,
    asks,
    ...(screen === undefined ? {} : { screen: () => screen }),
    now: () => Date.now(),
    exportSession: async () => "talk.md",
    doctor: async () => () => ["All good."],
    lines: lines(),
    write(text) {
      written += text
      wake()
    },
  })
  return written
}

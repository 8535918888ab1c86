// The terminal UI on a headless terminal, over a real host with the practice model: type as a person, read as a person.
import { onTestFailed, onTestFinished } from "vitest"
import type { HostDeps } from "../../src/app/port/host-deps.ts"
import type { Start, TuiDeps } from "../../src/tui/app/deps.ts"
import { runTui } from "../../src/tui/app/tui.ts"
import { runPlain } from "../../src/tui/plain/plain.ts"
import type { PlainScreen } from "../../src/tui/plain/plain-question.ts"
import { nothingFound } from "../nothing-found.ts"
import { makeTestHost, type TestHost } from "../test-host.ts"
import { within } from "../within.ts"
import { type Headless, makeHeadless } from "./headless.ts"

export interface Stage extends Headless {
  host: TestHost
  /** Types text, without Enter. */
  type(text: string): void
  press(...names: KeyName[]): void
  /** Types a line and sends it. */
  enter(text: string): void
  /** Resolves once this text is on the screen. */
  sees(text: string | RegExp): Promise<void>
  /** Resolves once no turn runs and the whole answer is drawn. */
  idle(round: number): Promise<void>
  /** Resolves when the program has ended. */
  ended: Promise<void>
  /** The screen as one text. */
  text(): string
}

const KEYS = {
  enter: "\r",
  escape: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  left: "\u001b[D",
  right: "\u001b[C",
  tab: "\t",
  "shift+tab": "\u001b[Z",
  backspace: "\u007f",
  "ctrl+c": "\u0003",
  "ctrl+d": "\u0004",
  "ctrl+g": "\u0007",
  "ctrl+o": "\u000f",
  "ctrl+z": "\u001a",
  "ctrl+-": "\u001f",
  "alt+up": "\u001b[1;3A",
  "alt+enter": "\u001b\r",
} as const

export type KeyName = keyof typeof KEYS

export interface StageOptions {
  columns?: number
  rows?: number
  host?: Partial<HostDeps>
  /** Another program on the same sessions. */
  with?: TestHost
  parts?: Partial<TuiDeps>
  /** What is on the screen once it can be used; by default a session. */
  first?: RegExp
}

export async function makeStage(options: StageOptions = {}): Promise<Stage> {
  const host = options.with ?? makeTestHost(options.host)
  const headless = makeHeadless(options.columns, options.rows)
  const ended = runTui({
    host: host.host,
    terminal: headless.terminal,
    cwd: host.root,
    start: { kind: "new" },
    now: () => Date.now(),
    elapsed: () => performance.now(),
    colours: true,
    notify: "none",
    find: nothingFound,
    exportSession: async () => "talk.md",
    doctor: async () => () => ["All good."],
    ...options.parts,
  })
  onTestFinished(async () => {
    headless.close()
    await ended
  })
  onTestFailed(() => console.log(headless.screen().join("\n")))
  const type = (text: string) => {
    for (const character of text) headless.send(character)
  }
  const press = (...names: KeyName[]) => {
    for (const name of names) headless.send(KEYS[name])
  }
  const text = () => headless.screen().join("\n")
  const stage: Stage = {
    ...headless,
    get started() {
      return headless.started
    },
    host,
    type,
    press,
    enter(line) {
      type(line)
      press("enter")
    },
    sees: (wanted) =>
      headless.until(() => (typeof wanted === "string" ? text().includes(wanted) : wanted.test(text()))),
    idle: (round) => headless.until(() => !/esc stops/.test(text()) && new RegExp(`round ${round}\\b`).test(text())),
    ended,
    text,
  }
  const first = options.first ?? /new session|round \d|before the first/
  await headless.until(() => headless.started && headless.screen().some((line) => first.test(line)))
  return stage
}

export type PlainScript = readonly (readonly [after: string, line: string | (() => string | Promise<string>)])[]

/**
 * A person at `retcon --plain`: types each line once what they wait for was written. Answers all that was written. A
 * line that is a function is asked for when it is typed.
 */
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
    find: nothingFound,
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

// What every driver of another agent's program promises, whatever that program does. Each driver runs it against a scripted fake
// over real pipes, which does what the text of a prompt says.
import { readFileSync } from "node:fs"
import { setTimeout as passed } from "node:timers/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import type { AgentProgram, LiveAgent, OpenAgent, ProgramEvent, ProgramQuestion } from "../../src/programs/port.ts"
import { temporaryFolder } from "../formats/read-session.ts"

/**
 * What the fake does with a prompt:
 * - `say WORDS`: answers with the words
 * - `silent`: says nothing until it is stopped; `deaf`: not even then
 * - `ask`: asks whether it may run `touch x` as call `c1`, then says `allowed`, `refused` or `always`, as it was answered
 * - `asks then dies`: exits while its question is open; `dies`: exits at once with code 3
 * - `odd`: before it says `odd`, it prints a line that is not JSON, an update of an unknown kind, and a request of an unknown kind,
 *   and it says how the request was answered: `odd: refused`
 * - `huge`: prints a line that does not end
 * - `child`: starts `sleep 600` in its own group, and says its pid
 */
export interface ProgramUnderTest {
  /** A driver of the fake. `start`: how it behaves when it is started. */
  program: (start?: "as usual" | "dies" | "mute" | "not logged in" | "stays when asked to end") => AgentProgram
}

export function programContract(name: string, { program }: ProgramUnderTest): void {
  describe(name, () => {
    it("answers a prompt, and the next one in the same process", async () => {
      const { live, said } = await opened(program())
      expect(await live.prompt({ text: "say one", media: [] })).toEqual({ outcome: "done", denied: [] })
      expect(await live.prompt({ text: "say two", media: [] })).toEqual({ outcome: "done", denied: [] })
      expect(said()).toBe("one|two")
    })

    it("stops at once while the model is silent, and goes on afterwards", async () => {
      const { live, said } = await opened(program())
      const silent = live.prompt({ text: "silent", media: [] })
      const before = performance.now()
      await live.stop()
      expect(await silent).toMatchObject({ outcome: "stopped" })
      expect(performance.now() - before).toBeLessThan(500)
      await live.prompt({ text: "say again", media: [] })
      expect(said()).toBe("again")
    })

    it("stops a program that does not listen, by ending it", async () => {
      const { live } = await opened(program())
      const deaf = live.prompt({ text: "deaf", media: [] })
      await live.stop()
      expect(await deaf).toMatchObject({ outcome: "stopped" })
      await live.gone
    })

    it.each(["once", "always", "no"] as const)("passes its question on, and the answer %s", async (means) => {
      const questions: ProgramQuestion[] = []
      const { live, said } = await opened(program(), {
        async ask(question) {
          questions.push(question)
          const option = question.options.find((each) => each.means === means)
          return option === undefined ? { refused: "No." } : { option: option.id }
        },
      })
      await live.prompt({ text: "ask", media: [] })
      expect(questions).toMatchObject([
        { call: "c1", action: { kind: "command", command: "touch x", background: false } },
      ])
      expect(said()).toBe({ once: "allowed", always: "always", no: "refused" }[means])
    })

    it("withdraws a question that is open when it is stopped", async () => {
      let [asked, withdrawn] = [() => {}, false]
      const isAsked = new Promise<void>((settle) => (asked = settle))
      const { live } = await opened(program(), {
        ask: (_, signal) =>
          new Promise((settle) => {
            signal.addEventListener("abort", () => {
              withdrawn = true
              settle({ refused: "It was stopped." })
            })
            asked()
          }),
      })
      const turn = live.prompt({ text: "ask", media: [] })
      await isAsked
      await live.stop()
      expect([await turn, withdrawn]).toEqual([expect.objectContaining({ outcome: "stopped" }), true])
    })

    it.each(["dies", "asks then dies", "huge"])("says why a turn failed: %s", async (text) => {
      const { live } = await opened(program(), { ask: never })
      expect(await live.prompt({ text, media: [] })).toMatchObject({ outcome: "failed", message: expect.any(String) })
      await live.gone
      expect(await live.prompt({ text: "say more", media: [] })).toMatchObject({ outcome: "failed" })
    })

    it("passes over what it does not know, and refuses what it never offered", async () => {
      const { live, said } = await opened(program())
      expect(await live.prompt({ text: "odd", media: [] })).toMatchObject({ outcome: "done" })
      expect(said()).toBe("odd: refused")
    })

    it("leaves no process behind when it is released, in the middle of a turn too", async () => {
      const { live, said } = await opened(program("stays when asked to end"))
      await live.prompt({ text: "child", media: [] })
      const turn = live.prompt({ text: "silent", media: [] })
      expect((await live.release()).ended).not.toEqual([])
      expect(await turn).toMatchObject({ outcome: "stopped" })
      expect(await isDead(Number(said()))).toBe(true)
      await live.release()
    })

    it.each(["dies", "not logged in"] as const)("rejects with a sentence if it cannot be opened: %s", async (start) => {
      const failed = await opened(program(start)).catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(RetconError)
      expect((failed as RetconError).hint).not.toBe("")
    })
  })
}

const never: OpenAgent["ask"] = (_, signal) =>
  new Promise((settle) => signal.addEventListener("abort", () => settle({ refused: "Nobody is here." })))

export async function opened(program: AgentProgram, more: Partial<OpenAgent> = {}) {
  const events: ProgramEvent[] = []
  const request: OpenAgent = {
    cwd: temporaryFolder(),
    session: undefined,
    allow: [],
    told: (event) => events.push(event),
    ask: never,
    ...more,
  }
  const live: LiveAgent = await program.open(request)
  onTestFinished(async () => void (await live.release()))
  /** The texts, a bar between two of them. */
  const said = () =>
    events
      .map((event) => (event.type === "text-delta" ? event.text : event.type === "text-end" ? "|" : ""))
      .join("")
      .replace(/\|$/, "")
  return { live, events, said }
}

/** What is killed may be listed until its parent has noticed. */
async function isDead(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if (!isRunning(pid)) return true
    await passed(10)
  }
  return false
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

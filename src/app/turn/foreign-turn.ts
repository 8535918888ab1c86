// A turn in another agent's session, run by that agent's own program. What it adds is read from its file, as always.
import { NONE } from "../../history/tree/tree.ts"
import type { Advice } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { isObject, type Json } from "../../model/json.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { OpenAgent, ProgramEvent } from "../../programs/port.ts"
import type { PromptInput, SendRequest } from "../../protocol/host.ts"
import type { TurnOutcome } from "../../runner/round.ts"
import type { Session } from "../../session/session.ts"
import type { EmitEvent } from "../port/event-feed.ts"
import { alreadyRecorded } from "./already-recorded.ts"
import type { ForeignCoverage } from "./foreign-coverage.ts"
import type { HeldAgent } from "./live-agent.ts"

export interface ForeignTurnDeps {
  session: Session
  agent: HeldAgent
  /** Puts a question of this turn to the person. */
  ask: (emit: EmitEvent) => OpenAgent["ask"]
  /** Snapshots of the files, around what the program does. */
  cover: (emit: EmitEvent) => ForeignCoverage
}

/** It was stopped before the program had recorded the prompt, or the program has removed it: it belongs in the editor again. */
export interface UnrecordedPrompt {
  outcome: "unrecorded"
  entry: EntryId | null
}

export async function foreignTurn(
  { session, agent, ask, cover }: ForeignTurnDeps,
  { text, media = [] }: PromptInput,
  emit: EmitEvent,
  signal: AbortSignal,
  { expects }: SendRequest = {},
): Promise<TurnOutcome | UnrecordedPrompt> {
  const { log } = session
  await begin(session, expects)
  try {
    return await turnOf({ session, agent, ask, cover }, { text, media }, emit, signal)
  } finally {
    await log.program?.release()
  }
}

/** Nobody moves, and no other process of ours runs a turn, from here on. */
async function begin(session: Session, expects: SendRequest["expects"]): Promise<void> {
  const { log } = session
  await log.alone(async () => {
    const taken = (await log.program?.take()) ?? { ok: true }
    if (!taken.ok) throw new RetconError({ code: "session-busy", session: session.id, pid: taken.pid })
    try {
      session.mustBeAt(expects)
    } catch (error) {
      await log.program?.release()
      throw error
    }
  })
}

async function turnOf(
  { session, agent, ask, cover }: ForeignTurnDeps,
  { text, media = [] }: PromptInput,
  emit: EmitEvent,
  signal: AbortSignal,
): Promise<TurnOutcome | UnrecordedPrompt> {
  const { log } = session
  const failed = (message: string, advice = ELSEWHERE): TurnOutcome => ({
    outcome: "failed",
    entry: session.head,
    message,
    advice,
  })
  const before = agent.isBeginning ? 0 : log.history.size
  const tell = inOurWords(session, before, emit)
  const files = cover(emit)
  const early: ProgramEvent[] = []
  let prompt: EntryId | undefined

  /** Sends no event of a turn before its prompt is in the file. */
  function look(): void {
    log.refresh()
    if (prompt !== undefined) return
    prompt = promptSince(session, before)
    if (prompt === undefined) return
    files.begun(prompt)
    emit({ type: "turn-start", entry: prompt, text })
    for (const event of early.splice(0)) tell(event)
  }
  function told(event: ProgramEvent): void {
    if (event.type === "tool-start") files.callBegins(event.call, event.name, event.input)
    if (event.type === "tool-end") files.callEnds(event.call)
    if (event.type === "grown" || prompt === undefined) look()
    if (prompt !== undefined) tell(event)
    else early.push(event)
  }

  // The prompt is in the file long before the model says anything, and a move waits for it.
  const forget = session.on(() => {
    if (prompt === undefined) look()
  })
  const askPerson = ask(emit)
  const end = await agent
    .prompt(
      { text, media },
      {
        told,
        signal,
        before: () => files.begins(),
        async ask(question, withdrawn) {
          const answer = await askPerson(question, withdrawn)
          // The person may have taken their time, and changed files meanwhile.
          if ("option" in answer) await files.waits(question.call)
          return answer
        },
      },
    )
    .catch((error: unknown) => {
      if (error instanceof RetconError) return error
      throw error
    })
    .finally(forget)
  look()
  await files.ends(prompt)
  if (end instanceof RetconError) return failed(end.message, end.advice)
  const calls = end.denied.map(({ call, tool, input, rule }) => ({ call, name: tool, title: titleOf(input), rule }))
  if (calls.length > 0) emit({ type: "denied", calls })
  if (end.outcome === "failed") return failed(end.message ?? "It ended without saying why.")
  const entry = session.head
  if (end.outcome === "stopped" && (prompt === undefined || log.history.rowOf(prompt) === NONE))
    return { outcome: "unrecorded", entry }
  if (end.outcome === "stopped" || entry === null) return { outcome: "stopped", entry, visible: true }
  return { outcome: "done", entry, text: "" }
}

const ELSEWHERE: Advice = ["Try again, or continue in a copy: ", { do: "split", to: "retcon" }]

/** `before`: how many rows there were before this turn. */
function inOurWords(session: Session, before: number, emit: EmitEvent): (event: ProgramEvent) => void {
  const names = new Map<string, string>()
  const isRecorded = alreadyRecorded(session.log.history, before)
  let step = 0
  return (event) => {
    const recorded = isRecorded(event)
    switch (event.type) {
      case "grown":
      case "commands":
      case "settings":
        break
      case "notice":
        emit(event)
        break
      case "step-start":
        emit({ type: "step-start", step: ++step })
        break
      case "step-end":
        if (session.head !== null) emit({ type: "step-end", entry: session.head, usage: event.usage })
        break
      case "tool-start":
        names.set(event.call, event.name)
        emit({ ...event, title: titleOf(event.input) })
        break
      case "tool-end":
        emit({ ...event, name: names.get(event.call) ?? "", files: [] })
        break
      case "reasoning-delta":
      case "text-delta":
        emit({ ...event, ...(recorded && { recorded }) })
        break
      case "reasoning-end":
      case "text-end":
        emit(event)
        break
      default:
        unreachable(event)
    }
  }
}

/** The first new prompt on the path. */
function promptSince({ log }: Session, before: number): EntryId | undefined {
  const { history } = log
  for (let row = before; row < history.size; row++) if (history.isPrompt(row)) return history.id(row) as EntryId
  return undefined
}

/** A one-line description of a call. */
function titleOf(input: Json): string {
  const fields = isObject(input) ? input : {}
  const words = TITLES.map((name) => fields[name]).find((value) => typeof value === "string")
  return typeof words === "string" ? (words.split("\n", 1)[0] ?? "") : ""
}

const TITLES = ["command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description"]

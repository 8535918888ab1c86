// What may happen, as data: a step, two at once, or some while a turn runs.
import * as fc from "fast-check"

export const FRONT_ENDS = ["shell", "server", "plain"] as const
export type FrontEnd = (typeof FRONT_ENDS)[number]

const MOVES = ["back", "goto", "undo", "redo", "restore", "revert", "bring"] as const
const KINDS = ["prompt", ...MOVES, "label", "archive", "split"] as const
/** What moves only files. */
const FILES_ALONE: readonly string[] = ["restore", "revert", "bring"]
/** What retcon does only in its own sessions, and refuses in others'. */
const OWN_KINDS = ["compact", "rm"] as const

/**
 * `retcon`: one of our own sessions. `claude-code`: that program works in it too, with retcon's hook. `pi`: that program works in it
 * too, and nobody can tell whether it does; its files are not known. Each front end drives its program, too.
 */
export type Kind = "retcon" | "claude-code" | "pi"

export interface Act {
  by: FrontEnd | "mcp" | "agent"
  does: (typeof KINDS)[number] | (typeof OWN_KINDS)[number] | "command" | "checkpoint"
  /** Which of what there is. */
  pick: number
  /** The server's client asks from the head that it was shown last, however old; or from what it reads now; or from anywhere. */
  expects: "shown" | "fresh" | "none"
  /** What a move does with the files; `default`: it is not told. */
  files: "restore" | "keep" | "default"
  onConflict: "theirs" | "ours" | "write-conflicts" | "none"
  /** The person says that the other agent does not have it open, whether or not that is so. */
  evenIfRunning: boolean
}

/** Nothing is chosen. */
export const PLAINLY = { expects: "none", files: "default", onConflict: "none", evenIfRunning: false } as const

export type Step =
  | { type: "one"; act: Act }
  | { type: "two"; acts: [Act, Act] }
  /** A turn that runs until it is stopped, and what is asked for meanwhile. */
  | { type: "during"; turn: FrontEnd | "agent"; acts: Act[] }
  /** The person changes a file of theirs, or one that the agent wrote. */
  | { type: "edit"; pick: number }

/** It is about rounds; other moves are about an entry, or about nothing. */
export function namesRounds({ does }: Pick<Act, "does">): boolean {
  return does === "revert" || does === "bring"
}

export function isMove({ does }: Act): boolean {
  return isMoveKind(does)
}

export function isMoveKind(does: Act["does"]): does is (typeof MOVES)[number] {
  return (MOVES as readonly string[]).includes(does)
}

/** While it lasts, another session may be the newest one that is listed in the folder. */
export function hidesSession(act: Act): boolean {
  return isSplit(act) || act.does === "archive"
}

/** Makes a copy. At the server, a removal is one too. */
export function isSplit({ by, does }: Act): boolean {
  return does === "split" || (does === "rm" && by === "server")
}

function anyAct(kind: Kind): fc.Arbitrary<Act> {
  const act = fc.record({
    by: fc.constantFrom(...FRONT_ENDS, "mcp", ...(kind === "retcon" ? [] : (["agent"] as const))),
    does: fc.constantFrom(
      ...KINDS,
      ...OWN_KINDS,
      ...(kind === "retcon" ? (["command"] as const) : []),
      "prompt",
      "prompt",
      "back",
      "undo",
    ),
    pick: fc.nat(1000),
    expects: fc.constantFrom("shown", "fresh", "none"),
    files: fc.constantFrom("restore", "restore", "restore", "keep", "default"),
    onConflict: fc.constantFrom("theirs", "theirs", "ours", "write-conflicts", "none"),
    evenIfRunning: kind === "retcon" ? fc.constant(false) : fc.boolean(),
  } satisfies { [Key in keyof Act]: fc.Arbitrary<Act[Key]> })
  return act.map((made): Act => {
    if (made.by === "mcp") return { ...made, does: made.pick % 2 ? "restore" : "checkpoint" }
    return made.by === "agent" ? { ...made, does: "prompt" } : made
  })
}

function anyStep(kind: Kind): fc.Arbitrary<Step> {
  const act = anyAct(kind)
  const turns = { retcon: FRONT_ENDS, "claude-code": ["server", "agent"] as const, pi: ["server", "agent"] as const }[
    kind
  ]
  return fc.oneof(
    { weight: 4, arbitrary: act.map((made): Step => ({ type: "one", act: made })) },
    { weight: 3, arbitrary: fc.tuple(act, act).map((acts): Step => ({ type: "two", acts })) },
    { weight: 1, arbitrary: fc.nat(1000).map((pick): Step => ({ type: "edit", pick })) },
    {
      weight: 2,
      arbitrary: fc
        .record({ turn: fc.constantFrom(...turns), acts: fc.array(act, { minLength: 1, maxLength: 2 }) })
        .map((made): Step => ({ type: "during", ...made })),
    },
  )
}

export function anySteps(kind: Kind, most: number): fc.Arbitrary<Step[]> {
  return fc.array(anyStep(kind), { minLength: most, maxLength: most })
}

export function stepWords(made: Step): string {
  const words = (act: Act) => {
    const { by, does, pick, expects, files, onConflict, evenIfRunning } = act
    const how = isMove(act) ? ` ${files} ${onConflict}${evenIfRunning ? " even if running" : ""}` : ""
    return `${by} ${does} ${pick}${by === "server" ? ` (${expects})` : ""}${how}`
  }
  if (made.type === "edit") return `the person edits ${made.pick}`
  if (made.type === "one") return words(made.act)
  if (made.type === "two") return made.acts.map(words).join(" ‖ ")
  return `while ${made.turn} works: ${made.acts.map(words).join(", ")}`
}

/** As the command line and the terminal know them. */
export function moveFlags(act: Act): string[] {
  const how = act.files === "default" || FILES_ALONE.includes(act.does) ? [] : ["--files", act.files]
  const conflict = act.onConflict === "none" || !asksForFiles(act) ? [] : [`--${act.onConflict}`]
  return [...how, ...conflict, ...(act.evenIfRunning ? ["--even-if-running"] : [])]
}

/** A choice about conflicts is refused where no file would be written. */
export function asksForFiles({ does, files }: Act): boolean {
  return FILES_ALONE.includes(does) || files === "restore"
}

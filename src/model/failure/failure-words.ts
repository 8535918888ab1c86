// A failure in words: what happened and why, then what to do next as advice, which each front end prints as its own
// commands. Also the HTTP status of each failure.
import { agentTitle } from "../agent-title.ts"
import { shortId } from "../id.ts"
import { clipNames } from "../text/clip-names.ts"
import { elsewhereWords } from "../text/done-elsewhere.ts"
import { unreachable } from "../unreachable.ts"
import { type Advice, type Failure, FORBIDDEN, FULL } from "./failure.ts"

export interface Words {
  message: string
  advice: Advice
  status: number
}

export function wordsFor(failure: Failure): Words {
  switch (failure.code) {
    case "at-start":
      return failure.rounds === 0
        ? words("The conversation is empty here.", SEE_ALL, 400)
        : words("This is the first round: there is nothing to go back to.", START_OVER, 400)
    case "too-few-rounds":
      return words(
        `There ${are(failure.possible, "round")} to go back, not ${failure.asked}.`,
        [
          `Use ${failure.possible === 1 ? "1" : `a number from 1 to ${failure.possible}`}, or start over with: `,
          { do: "goto", entry: "@1" },
        ],
        409,
      )
    case "nothing-to-undo":
      return words("There is nothing to undo.", ["See what was done with: ", { do: "ops" }], 409)
    case "nothing-to-redo":
      return words(
        "There is nothing to redo.",
        ["A redo reverses an undo. To reverse a move, such as back, use: ", { do: "undo" }],
        409,
      )
    case "nothing-to-compact":
      return words("There is too little to compact.", "Keep working: a summary would not save anything yet.", 409)
    case "not-found":
      return notFound(failure)
    case "ambiguous":
      if (failure.recent !== undefined)
        return words(
          "Several sessions here were used in the last few minutes, so it is not clear which one you mean. Nothing was done.",
          ["Name one with ", { do: "choose-session" }, `: ${list(failure.recent.map(foundWords))}`],
          409,
        )
      return words(
        `More than one ${failure.what} matches "${failure.name}": ${list(failure.matches)}.`,
        "Use a longer part of the id.",
        409,
      )
    case "no-session":
      return noSession(failure)
    case "invalid":
      return words(failure.problem, failure.advice, 400)
    case "unrelated":
      return words(
        `The sessions ${failure.a} and ${failure.b} have no entry in common: neither is a copy of the other, so there is nothing to compare.`,
        ["Compare two branches of one session, or a session with a copy of it. See: ", { do: "log" }],
        409,
      )
    case "moved-elsewhere":
      return words(
        `${failure.did === undefined ? "Another program moved this session" : elsewhereWords(failure.did)} meanwhile, so nothing was done.`,
        ["See where it is now, then ask again. See what was done with: ", { do: "ops" }],
        409,
      )
    case "session-busy":
      return words(
        busyWords(failure),
        failure.agent === undefined
          ? ["Stop it, or work on a copy with: ", { do: "split" }]
          : failure.lingers === true
            ? [
                "Close it there first. Then wait a minute, or use: ",
                { do: "even-if-running" },
                ", which waits for that in a shell. Or work on a copy with: ",
                { do: "split", session: shortId(failure.session) },
              ]
            : ["Close it there first, or work on a copy with: ", { do: "split", session: shortId(failure.session) }],
        409,
      )
    case "perhaps-running":
      return words(
        `retcon cannot tell whether ${agentTitle(failure.agent)} has this session open. If it does, it would not notice the move and might overwrite it.`,
        ["Close it there first, then use: ", { do: "even-if-running" }],
        409,
      )
    case "not-honoured":
      return words(failure.problem, failure.advice, 409)
    case "turn-ended":
      return words("This turn was stopped, so its late result was not recorded.", "Send the prompt again.", 409)
    case "exists":
      return words(`${failure.path} already exists.`, "Nothing was written. Choose another name.", 409)
    case "format-newer":
      return words(
        `${failure.path} was written by a newer retcon (format ${failure.reads}), which this one cannot read.`,
        "Install a newer retcon.",
        409,
      )
    case "read-only":
      return readOnly(failure)
    case "damaged":
      return words(
        `${failure.line === 0 ? "" : `Line ${failure.line} of `}${failure.path} cannot be read: ${failure.problem}.`,
        ["retcon keeps it as it is. See what to do with: ", { do: "doctor" }],
        500,
      )
    case "not-a-session":
      return words(
        `${failure.path} is not a session that retcon knows: ${failure.problem}.`,
        ["Import plain messages with: ", { do: "import", file: "FILE" }],
        400,
      )
    case "disk-full":
      return words(
        `${failure.path} could not be written: there is no space left.`,
        "Nothing that was there is lost. Free some space and try again.",
        507,
      )
    case "vanished":
      if (failure.kept !== undefined) {
        const step = { do: "restore-session", id: failure.kept } as const
        const advice = ["All of it is in the trash. Restore it with: ", step]
        return words(`${failure.path} was deleted while it was in use.`, advice, 410)
      }
      return words(
        `${failure.path} is no longer there.`,
        failure.path.endsWith(".jsonl")
          ? "Put it back if it was moved. Removed sessions are in the trash of retcon's home."
          : "Put it back if it was moved, or work in another folder.",
        410,
      )
    case "overwritten":
      return words(
        `Another program cut ${failure.path} short or overwrote it while it was in use: the latest messages are gone.`,
        ["retcon adds nothing more to it. Put back a copy if you have one. See what is left with: ", { do: "doctor" }],
        409,
      )
    case "io":
      return words(`${failure.path} could not be used: ${failure.problem}.`, "Fix the cause and try again.", 500)
    case "not-printed":
      return words(
        `The command succeeded, but its output could not be printed: ${failure.problem}.`,
        ["Before you run it again, see what it did with: ", { do: "ops" }],
        500,
      )
    case "no-workspace":
      return words(
        `The files are not covered: ${failure.reason}.`,
        failure.advice ?? "You can still move the conversation without them.",
        409,
      )
    case "snapshot-gone":
      return words(
        "The snapshot of the files at that point is no longer available.",
        ["You can still move the conversation without the files: ", { do: "files", choice: "keep" }],
        410,
      )
    case "conflicts":
      return words(`${conflictProblem(failure)} Nothing was touched.`, resolve(failure), 409)
    case "too-many-files":
      return failure.files === 0
        ? words(
            `${failure.folder} is a home directory, or a folder above one.`,
            [
              "Open retcon in a smaller folder, or cover this one anyway: ",
              { do: "config", key: "workspace.allowAny", value: "true" },
            ],
            409,
          )
        : words(
            `${failure.folder} has more than ${failure.limit} files.`,
            [
              "Open retcon in a smaller folder, or allow more: ",
              { do: "config", key: "workspace.maxFiles", value: "NUMBER" },
            ],
            409,
          )
    case "unsafe-path":
      return words(`${failure.path} cannot be written: ${failure.problem}.`, "Nothing was touched.", 400)
    case "restore-failed":
      return words(
        `${failure.path === "" ? "The files" : failure.path} could not be restored: ${restoreProblem(failure.problem)}.`,
        failure.rolledBack
          ? "All files are as they were. Fix the cause and try again."
          : "Run any retcon command here: it completes the restore or rolls it back.",
        500,
      )
    default:
      return unreachable(failure)
  }
}

const SEE_ALL: Advice = ["Undo the last move with: ", { do: "undo" }, ". See all branches with: ", { do: "log" }]
const START_OVER: Advice = [
  "To start over, go to the first prompt: ",
  { do: "goto", entry: "@1" },
  ", with the files as they were: ",
  { do: "goto", entry: "@1", files: "restore" },
]
type Conflicts = Extract<Failure, { code: "conflicts" }>

/** Contract: offers only what does not lead to the same refusal again. */
function resolve({ paths, blocked = [], choices = ["ours", "theirs", "write-conflicts"] }: Conflicts): Advice {
  const [them, are, they] = paths.length === 1 ? ["it", "is", "it was"] : ["them", "are", "they were"]
  if (blocked.length > 0) {
    const first = blocked.length === 1 ? "Move it away and try again, or use " : "Move them away and try again, or use "
    return [first, { do: "resolve", choice: "ours" }, `, which leaves ${list(paths)} as ${them} ${are} now.`]
  }
  if (choices.includes("write-conflicts"))
    return [
      "Try again with one of these: ",
      { do: "resolve", choice: "ours" },
      " keeps these lines as they are now, ",
      { do: "resolve", choice: "theirs" },
      " puts them back as they were then, ",
      { do: "resolve", choice: "write-conflicts" },
      " writes both.",
    ]
  return [
    "Try again with one of these: ",
    { do: "resolve", choice: "ours" },
    ` keeps what is there now, `,
    { do: "resolve", choice: "theirs" },
    ` puts ${them} back as ${they} then.`,
  ]
}

function words(message: string, advice: Advice, status: number): Words {
  return { message: clipNames(message), advice, status }
}

function are(count: number, noun: string): string {
  return count === 1 ? `is 1 ${noun}` : `are ${count} ${noun}s`
}

/** At most five, so that the message stays on one line. */
function list(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ")
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}

/** The system's error in words, with the error's own name to search for. */
function restoreProblem(problem: string): string {
  if (FORBIDDEN.has(problem)) return `you have no permission to change it or its folder (${problem})`
  return FULL.has(problem) ? `the disk is full (${problem})` : problem
}

function notFound(failure: Extract<Failure, { code: "not-found" }>): Words {
  const message = missingWords(failure)
  if (failure.possible !== undefined && failure.possible.length > 0) {
    return words(message, `Possible: ${list(failure.possible)}.`, 404)
  }
  switch (failure.what) {
    case "session":
    case "session of the folder":
      return words(message, ["See all sessions with: ", { do: "sessions" }], 404)
    case "commit":
      return words(message, "Name its id or the beginning of it, HEAD or a branch, in a folder of its repository.", 404)
    case "session in the trash":
      return words(message, "The trash is empty.", 404)
    case "entry":
    case "record":
      return words(message, ["See all entries with: ", { do: "log" }], 404)
    case "checkpoint":
      return words(message, "There is no checkpoint after the last compaction.", 404)
    case "file":
      return words(message, "Check the path.", 404)
    case "folder":
      return words(message, "Create it first, or choose another folder.", 404)
    case "key":
      return words(message, ["See all keys with: ", { do: "config" }], 404)
    default:
      return unreachable(failure.what)
  }
}

function missingWords({ what, name }: Extract<Failure, { code: "not-found" }>): string {
  if (what === "commit") return `There is no commit "${name}" here.`
  if (what === "session of the folder") return `No session belongs to the folder "${name}".`
  if (what === "session in the trash") return `There is no session "${name}" in the trash.`
  return `There is no ${what} "${name}".`
}

function conflictProblem(failure: Conflicts): string {
  const { paths, blocked = [] } = failure
  const inTheWay = blocked.map(({ path, by }) =>
    by === path ? `Something else is at ${path}.` : `${by} is in the way of ${path}.`,
  )
  const both = paths.filter((path) => !blocked.some((each) => each.path === path))
  const changed = both.length === 0 ? [] : [`${bothSides(failure)} changed ${list(both)} in the same place.`]
  return [...changed, ...inTheWay.slice(0, 3)].join(" ")
}

/** Who changed the same lines: the person, unless another session is known to have done it. */
function bothSides({ paths, unseen, others = [] }: Conflicts): string {
  const sessions = [...new Set(others.map(({ session }) => shortId(session)))].join(" or ")
  if (sessions === "") return unseen === true ? "The agent, and then a tool call or you," : "You and the agent"
  const known = new Set(others.map(({ path }) => path))
  const whole = paths.every((path) => known.has(path))
  return whole ? `Session ${sessions} and this session` : `You or session ${sessions}, and this session,`
}

function noSession(failure: Extract<Failure, { code: "no-session" }>): Words {
  const { unreadable = 0 } = failure
  if (failure.found.length === 0 && unreadable > 0) {
    const which = unreadable === 1 ? "one cannot be opened" : `${unreadable} cannot be opened`
    return words(
      `There is no session in ${failure.cwd} that can be used: ${which}.`,
      ["See why with: ", { do: "doctor" }],
      404,
    )
  }
  if (failure.found.length === 0 && failure.moved !== undefined) {
    return words(
      `There is no session in ${failure.cwd}. ${failure.moved} is gone, and seems to have been moved here.`,
      ["Move its sessions here with: ", { do: "moved", folder: failure.moved }],
      404,
    )
  }
  if (failure.found.length === 0) {
    return words(
      `There is no session in ${failure.cwd}.`,
      ["See the sessions of all directories with: ", { do: "sessions" }],
      404,
    )
  }
  return words(
    `There is no session in ${failure.cwd}, except archived ones and tasks of sub-agents.`,
    ["Name one with ", { do: "choose-session" }, `: ${list(failure.found.map(foundWords))}`],
    404,
  )
}

function foundWords({ id, agent, title }: { id: string; agent: string; title: string }): string {
  return `${id} (${agent}) ${title}`
}

function busyWords({ pid, agent, lingers }: Extract<Failure, { code: "session-busy" }>): string {
  if (agent !== undefined && lingers === true) {
    return `${agentTitle(agent)}'s background process (${pid}) has this session open: it keeps a session for about a minute after you have closed it.`
  }
  const who = pid > 0 ? `rocess ${pid}` : undefined
  if (agent !== undefined) return `${agentTitle(agent)} has this session open${who === undefined ? "" : ` (p${who})`}.`
  return `${who === undefined ? "Another process" : `P${who}`} is running a turn in this session.`
}

function readOnly(failure: Extract<Failure, { code: "read-only" }>): Words {
  switch (failure.because) {
    case "format":
      return words(
        `${failure.path} was written by a newer retcon: you can read it here, but not change it.`,
        ["Install a newer retcon, or work on a copy with: ", { do: "split" }],
        409,
      )
    case "folder":
      return words(
        `${failure.path} cannot be written: it or its folder is read-only.`,
        "Check their permissions, and how the disk is mounted.",
        403,
      )
    case "foreign":
      return words(
        `${failure.path} belongs to another agent and is never rewritten.`,
        ["Work on a copy with: ", { do: "split", session: failure.path, to: "retcon" }],
        409,
      )
    default:
      return unreachable(failure.because)
  }
}

// What one of doctor's findings says to a person: what it is, what it means, and what to do.
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { bytes, count } from "../../model/text/amounts.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { FoundProblem } from "../../protocol/shapes.ts"
import type { Finding } from "../../store/file/doctor/finding.ts"

type FindingWords = Omit<FoundProblem, "kind">

/** As data and in words. `path`: the file or folder concerned. */
export function withWords(finding: Finding, path: string): FoundProblem {
  const { severity, ...words } = findingWords(finding, path)
  return { severity, ...finding, ...words }
}

const KEPT = "retcon keeps it as it is and leaves it out of the conversation. All other lines work."
const FIX = "If you know what it should say, fix it in an editor while nothing else uses the session."
const DELETE = "It can be deleted: retcon creates it again when needed."

/** `path`: the file or folder concerned. */
function findingWords(finding: Finding, path: string): FindingWords {
  switch (finding.kind) {
    case "object-damaged":
      return problem(
        `a part of the snapshots of files cannot be used: ${finding.problem}`,
        "A restore that needs it is refused and changes nothing.",
        "Delete it: the next snapshot writes it again if the file still has that content.",
      )
    case "restore-cut-off":
      return problem(
        `a restore of files in ${finding.root} was interrupted`,
        "Some files there may be as before it, others as it should leave them; its .retcon-restore-* files lie beside them.",
        finding.finish,
      )
    case "left-behind":
      return problem(
        `${bytes(finding.bytes)} that an unfinished snapshot of files left behind`,
        "The process that wrote it was stopped half way. Nothing uses it, and it takes up disk space.",
        "Free the space with: retcon gc",
      )
    case "not-a-session":
      return problem(
        `is not a session: ${finding.problem}`,
        "retcon cannot open it, and does not list it.",
        "Put it back from a backup, or move it away.",
      )
    case "cannot-read":
      return problem(
        `cannot be read: ${finding.problem}`,
        "Its contents are unknown.",
        "Check its permissions and the disk.",
      )
    case "not-read":
      return note(`was not read: ${finding.problem}`, "It is not necessarily damaged.", finding.advice)
    case "format-newer":
      return problem(
        `was written by a newer retcon (format ${finding.reads})`,
        "This one cannot read it.",
        "Install a newer retcon.",
      )
    case "header-damaged":
      return problem(
        `the header cannot be read: ${finding.problem}`,
        "The session can be read if its file name is an id, but never written to.",
        "Fix the line in an editor, or work on a copy with: retcon split",
      )
    case "name-differs":
      return problem(
        `the header says that this is session ${finding.id}`,
        "retcon lists it under one id and opens it under another.",
        `Rename the file to ${finding.id}.jsonl, unless there is one already.`,
      )
    case "extra-header":
      return problem(
        `a second header, of session ${finding.id}`,
        "Two logs were joined. Their entries are now branches of one tree.",
        "Separate them in an editor if they should be two sessions.",
      )
    case "damaged-line":
      return problem(`cannot be read: ${finding.problem} (${bytes(finding.bytes)})`, KEPT, FIX)
    case "nul-bytes":
      return problem(
        `contains NUL bytes (${bytes(finding.bytes)})`,
        `A power cut or a full disk does this. ${KEPT}`,
        "Its content is lost, unless a backup has it.",
      )
    case "invalid-utf8":
      return problem(
        "is not valid UTF-8",
        "Invalid bytes are shown as \ufffd, and kept as they are.",
        "No action needed. Another program may have written them.",
      )
    case "oversize-line":
      return problem(
        `is too long to be read (${bytes(finding.bytes)})`,
        `Lines over 64 MB are not parsed. ${KEPT}`,
        "No action needed. Look at it with: head -c",
      )
    case "torn-tail":
      return note(
        `is incomplete (${bytes(finding.bytes)})`,
        "A program was stopped while it was writing. Everything it had confirmed before is there.",
        "No action needed: the next append closes the line and continues after it.",
      )
    case "torn-line":
      return note(
        `was cut off while it was written (${bytes(finding.bytes)})`,
        "A program was stopped, or the disk was full. Everything it had confirmed before is there.",
        "No action needed: retcon keeps it as it is and leaves it out of the conversation.",
      )
    case "duplicate-id":
      return problem(
        `has the id of line ${finding.first} (${finding.id})`,
        "The first one applies; this one is kept but ignored.",
        "No action needed if both say the same.",
      )
    case "missing-parent":
      return problem(
        finding.later
          ? `continues ${finding.parent}, which does not come before it`
          : `continues ${finding.parent}, which is missing`,
        "It is shown as the start of a separate conversation.",
        finding.later
          ? "Either there is a cycle, or lines are out of order: put them in order in an editor."
          : "If that line was removed, restore it from a backup.",
      )
    case "unknown-head":
      return problem(
        `moves the head to ${finding.to}, which is missing`,
        "The move is ignored: the head stays where it was.",
        "Go where you want to be with: retcon goto ENTRY",
      )
    case "second-root":
      return note(
        `starts a second conversation; the first starts at line ${finding.first}`,
        "Both are branches of the empty conversation. No move led there, so another writer created it.",
        "See both with: retcon log --all",
      )
    case "crlf":
      return note("ends with a carriage return", "An editor on Windows wrote it. It can still be read.", "")
    case "unknown-type":
      return note(
        `is of the type "${finding.type}"`,
        "A newer retcon wrote it. It is kept but ignored here.",
        "Install a newer retcon to see it.",
      )
    case "blob-missing":
      return problem(
        `refers to content that is missing (${short(finding.hash)})`,
        "In its place, you and the model see that it was not found.",
        "Restore the folder `blobs` from a backup.",
      )
    case "blob-changed":
      return problem(
        `refers to content that has changed (${short(finding.hash)})`,
        "What is shown there is not what was written.",
        "Restore the folder `blobs` from a backup.",
      )
    case "index-wrong":
      return problem(`the index is wrong at row ${finding.row}`, "It was made from another log.", DELETE)
    case "index-unusable":
      return note("the index cannot be used", "It is older than the log, or of another version.", DELETE)
    case "dead-lease":
      return note(
        "a turn was running when its process ended",
        "The next turn takes over the lease. Calls that were open are shown as interrupted.",
        "No action needed.",
      )
    case "permissions":
      return problem(
        `others can access it (mode ${octal(finding.mode)})`,
        "Sessions hold what you typed and what tools returned, secrets included.",
        `Fix this with: chmod ${octal(finding.wanted)} ${shellWord(path)}`,
      )
    case "foreign":
      return foreignFinding(finding)
    case "hooks-failed":
      return problem(
        `the hook in ${agentTitle(finding.agent)} failed ${count(finding.times, "time")}, last at ${finding.last}: ${finding.problem}`,
        "There is no snapshot of those changes. The agent did not notice, and continued.",
        "See what is installed with: retcon hooks status. After you have fixed it, delete the file.",
      )
    case "not-protected":
      return problem(
        `${agentTitle(finding.agent)} is no longer protected: ${finding.problem}`,
        "There are no snapshots of what it does now. The agent does not notice.",
        finding.advice,
      )
    case "forbidden":
      return problem(
        `retcon may not read this, and ${agentTitle(finding.agent)} keeps sessions there`,
        "They are missing in lists and searches, and are not copied.",
        `Allow reading it: chmod u+rX ${shellWord(path)}`,
      )
    case "clean-up":
      return cleanUp(finding)
    case "stranger":
      return note(`a ${finding.what} that is not part of a session`, "retcon does not touch it.", "Move it elsewhere.")
    case "left-over":
      return note("left over from a program that was stopped, or from a session that is gone", "", "It can be deleted.")
    default:
      return unreachable(finding)
  }
}

function foreignFinding({ agent, id, wrong, lines }: Finding & { kind: "foreign" }): FindingWords {
  const [title, seen] = [agentTitle(agent), `See it with: retcon doctor -s ${shortId(id)}`]
  const named = `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, 5).join(", ")}${lines.length > 5 ? ", …" : ""}`
  const number = count(lines.length, "line")
  if (wrong === "damaged")
    return problem(
      `${number} of ${title} cannot be read (${named})`,
      `retcon shows everything else. ${title} itself may leave out what comes before or after.`,
      seen,
    )
  if (wrong === "twice")
    return note(
      `${number} of ${title} ${lines.length === 1 ? "appears" : "appear"} a second time (${named})`,
      "The first one applies.",
      seen,
    )
  return problem(
    `${number} of ${title} ${lines.length === 1 ? "continues" : "continue"} a message that is not in the file (${named})`,
    "What came before was removed or lost. The rest is shown as a separate conversation.",
    seen,
  )
}

function cleanUp({ agent, days, files, ahead, first, notKept }: Finding & { kind: "clean-up" }): FindingWords {
  const title = agentTitle(agent)
  const soon = first === 0 ? "the first at its next start" : `the first in ${count(first, "day")}`
  const kept =
    notKept === 0
      ? "All of them are copied here."
      : `${count(notKept, "file")} of them ${notKept === 1 ? "is" : "are"} not copied here.`
  return note(
    `${title} will remove ${count(files, "file")} within ${count(ahead, "day")}, ${soon}`,
    `It removes sessions that were not used for ${count(days, "day")}. ${kept}`,
    notKept === 0 ? "No action needed." : "Copy them with: retcon keep",
  )
}

function problem(what: string, means: string, advice: string): FindingWords {
  return { severity: "problem", what, means, advice }
}

function note(what: string, means: string, advice: string): FindingWords {
  return { severity: "note", what, means, advice }
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0")
}

function short(hash: string): string {
  return hash.slice(0, 19)
}

function shellWord(path: string): string {
  return /^[\w/.,:@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

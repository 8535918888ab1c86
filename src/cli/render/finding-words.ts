// What a finding of doctor says to a person: what, what it means, what can be done.

import { bytes } from "../../model/text/amounts.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { Finding } from "../../store/file/doctor/finding.ts"

export interface FindingWords {
  /** `problem`: something needs attention, or something is lost. `note`: good to know. */
  severity: "problem" | "note"
  /** Without its line number, so that lines with the same trouble can be named together. */
  what: string
  means: string
  advice: string
}

const KEPT = "It is kept as it is, and left out of the conversation; all other lines work."
const MEND = "If you know what it should say, mend it in an editor while nothing else uses the session."
const DELETE = "It can be deleted: retcon makes it anew when it is missed."

/** `path`: the file or folder that it was found of. */
export function findingWords(finding: Finding, path: string): FindingWords {
  switch (finding.kind) {
    case "object-damaged":
      return problem(
        `a part of the snapshots of files cannot be used: ${finding.problem}`,
        "A restore that needs it is refused, and touches nothing.",
        "Delete it: the next snapshot writes it again if the file still has that content.",
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
        "Nothing is known of what is in it.",
        "Check its permissions and the disk.",
      )
    case "format-newer":
      return problem(
        `was written by a newer retcon (format ${finding.reads})`,
        "This one cannot read it.",
        "Install a newer retcon.",
      )
    case "header-damaged":
      return problem(
        `the header cannot be read: ${finding.problem}`,
        "The session can be read if its name is an id, and is never written to.",
        "Work on a copy with: retcon split; or mend the line in an editor.",
      )
    case "name-differs":
      return problem(
        `the header says that this is session ${finding.id}`,
        "It is listed by one id and opened by another.",
        `Rename the file to ${finding.id}.jsonl, unless there is one already.`,
      )
    case "extra-header":
      return problem(
        `a second header, of session ${finding.id}`,
        "Two logs were put together. Their entries are branches of one tree now.",
        "Take them apart in an editor if they should be two sessions.",
      )
    case "damaged-line":
      return problem(`cannot be read: ${finding.problem} (${bytes(finding.bytes)})`, KEPT, MEND)
    case "nul-bytes":
      return problem(
        `holds NUL bytes (${bytes(finding.bytes)})`,
        `A power cut or a full disk does this. ${KEPT}`,
        "What was in it is lost, unless a backup has it.",
      )
    case "invalid-utf8":
      return problem(
        "is not valid UTF-8",
        "The bytes that make no character are shown as \ufffd, and kept as they are.",
        "Nothing must be done. Another program may have written them.",
      )
    case "oversize-line":
      return problem(
        `is too long to be read (${bytes(finding.bytes)})`,
        `Lines over 64 MB are not parsed. ${KEPT}`,
        "Nothing must be done. Look at it with: head -c",
      )
    case "torn-tail":
      return note(
        `is not whole (${bytes(finding.bytes)})`,
        "A program was stopped while it wrote. What was acknowledged before is all there.",
        "Nothing must be done: the next append closes the line, and goes on after it.",
      )
    case "torn-line":
      return note(
        `was cut off while it was written (${bytes(finding.bytes)})`,
        "A program was stopped, or the disk was full. What was acknowledged before is all there.",
        "Nothing must be done: it is kept as it is, and left out of the conversation.",
      )
    case "duplicate-id":
      return problem(
        `has the id of line ${finding.first} (${finding.id})`,
        "The first one counts; this one is kept, and means nothing.",
        "Nothing must be done, if both say the same.",
      )
    case "missing-parent":
      return problem(
        finding.later
          ? `continues ${finding.parent}, which does not come before it`
          : `continues ${finding.parent}, which is not here`,
        "It is shown as the start of a conversation of its own.",
        finding.later
          ? "A cycle, or lines in another order than they were written: put them in order in an editor."
          : "If that line was cut away, put it back from a backup.",
      )
    case "unknown-head":
      return problem(
        `moves the head to ${finding.to}, which is not here`,
        "The move is left out: the head stays where it was.",
        "Go where you want to be with: retcon goto ENTRY",
      )
    case "second-root":
      return note(
        `starts a second conversation; the first starts at line ${finding.first}`,
        "Both are branches of the empty conversation. Nobody went there before, so another writer made it.",
        "See both with: retcon log --all",
      )
    case "crlf":
      return note("ends with a carriage return", "An editor of Windows wrote it. It is read all the same.", "")
    case "unknown-type":
      return note(
        `is of the type "${finding.type}"`,
        "A newer retcon wrote it. It is kept, and means nothing here.",
        "Install a newer retcon to see it.",
      )
    case "blob-missing":
      return problem(
        `names a large part that is gone (${short(finding.hash)})`,
        "In its place the model and you read that it was not found.",
        "Put the folder `blobs` back from a backup.",
      )
    case "blob-changed":
      return problem(
        `names a large part whose content has changed (${short(finding.hash)})`,
        "What is shown there is not what was written.",
        "Put the folder `blobs` back from a backup.",
      )
    case "index-wrong":
      return problem(`the index is wrong at row ${finding.row}`, "It was made from another log.", DELETE)
    case "index-unusable":
      return note("the index cannot be used", "It is older than the log, or of another version.", DELETE)
    case "dead-lease":
      return note(
        "a turn was running when its process ended",
        "The next turn takes the lease over. Calls that were open are shown as interrupted.",
        "Nothing must be done.",
      )
    case "permissions":
      return problem(
        `others may use it (mode ${octal(finding.mode)})`,
        "Sessions hold what you typed and what tools answered, also secrets.",
        `Close it with: chmod ${octal(finding.wanted)} ${shellWord(path)}`,
      )
    case "stranger":
      return note(`a ${finding.what} that is no part of a session`, "retcon does not touch it.", "Move it elsewhere.")
    case "left-over":
      return note("left over from a program that was stopped, or from a session that is gone", "", "It can be deleted.")
    default:
      return unreachable(finding)
  }
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

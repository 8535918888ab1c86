// Voice logs in a folder: a file per session, a line of JSON per utterance.
import { mkdirSync } from "node:fs"
import { open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { errno, RetconError } from "../model/failure/retcon-error.ts"
import { systemFailure } from "../model/failure/system-failure.ts"
import { isObject, parseJson } from "../model/json.ts"
import { serial } from "../model/serial.ts"
import type { VoiceLine, VoiceLog, VoiceLogs } from "./voice-log.ts"

export function fileVoiceLogs(folder: string, now: () => Date): VoiceLogs {
  const logs = new Map<string, VoiceLog>()
  return (session) => {
    const known = logs.get(session)
    if (known !== undefined) return known
    const log = fileVoiceLog(join(folder, `${encodeURIComponent(session).replaceAll(".", "%2E")}.jsonl`), folder, now)
    logs.set(session, log)
    return log
  }
}

function fileVoiceLog(path: string, folder: string, now: () => Date): VoiceLog {
  const queue = serial()
  return {
    append: (by, text) =>
      queue.run(async () => {
        const before = await readAll(path)
        const line: VoiceLine = { line: before.lines.length + 1, at: now().toISOString(), by, text }
        // Terminates a line torn by a killed process first. Nothing is ever removed.
        await appendLine(path, folder, `${before.torn ? "\n" : ""}${JSON.stringify(line)}\n`)
        return line
      }),
    read: () => queue.run(async () => (await readAll(path)).lines),
  }
}

async function readAll(path: string): Promise<{ lines: VoiceLine[]; torn: boolean }> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (errno(error) === "ENOENT") return ""
    throw new RetconError(systemFailure(error, path))
  })
  const lines = text.split("\n").flatMap((each) => lineOf(each) ?? [])
  return {
    lines: lines.map((line, index) => ({ ...line, line: index + 1 })),
    torn: text !== "" && !text.endsWith("\n"),
  }
}

function lineOf(text: string): VoiceLine | undefined {
  const parsed = parseJson(text)
  if (!parsed.ok || !isObject(parsed.value)) return undefined
  const { at, by, text: said } = parsed.value
  if (typeof at !== "string" || typeof said !== "string") return undefined
  return by === "person" || by === "voice" || by === "retcon" ? { line: 0, at, by, text: said } : undefined
}

async function appendLine(path: string, folder: string, line: string): Promise<void> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = await open(path, "a", 0o600)
    try {
      await file.write(line)
      await file.datasync()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new RetconError(systemFailure(error, path))
  }
}

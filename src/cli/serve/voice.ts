// What voice needs on this machine: a folder for what is said, and a key for a model that listens and speaks.
import { join } from "node:path"
import { PRESETS } from "../../provider/catalogue/presets.ts"
import type { ServerVoice } from "../../server/api/server-deps.ts"
import { fileVoiceLogs } from "../../voice/file-voice-log.ts"
import { geminiLive } from "../../voice/gemini-live.ts"
import type { Cli } from "../port/cli.ts"

export function serverVoice({ home, now }: Pick<Cli, "home" | "now">, env: Cli["env"]): ServerVoice {
  const logs = fileVoiceLogs(join(home, "voice"), () => new Date(now()))
  const key = PRESETS.google?.keys.map((name) => env[name]).find((value) => value !== undefined && value !== "")
  if (key === undefined) return { logs }
  const { GOOGLE_GEMINI_BASE_URL: baseUrl, RETCON_VOICE_MODEL: model } = env
  return {
    logs,
    model: geminiLive({ key, ...(baseUrl !== undefined && { baseUrl }), ...(model !== undefined && { model }) }),
  }
}

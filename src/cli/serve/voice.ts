// What voice needs on this machine: a folder for what is said, and a key for a model that listens and speaks.
import { join } from "node:path"
import { keyOf } from "../../app/setup/model-names.ts"
import type { ServerVoice } from "../../server/api/server-deps.ts"
import { fileVoiceLogs } from "../../voice/file-voice-log.ts"
import { geminiLive } from "../../voice/gemini-live.ts"
import type { Cli } from "../port/cli.ts"

export function serverVoice({ home, now }: Pick<Cli, "home" | "now">, env: Cli["env"]): ServerVoice {
  const logs = fileVoiceLogs(join(home, "voice"), () => new Date(now()))
  const key = keyOf("google", env)
  if (key === undefined) return { logs }
  const { GOOGLE_GEMINI_BASE_URL: baseUrl, RETCON_VOICE_MODEL: model } = env
  return {
    logs,
    model: geminiLive({ key, ...(baseUrl !== undefined && { baseUrl }), ...(model !== undefined && { model }) }),
  }
}

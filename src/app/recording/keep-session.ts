// Copies one session, before its agent shortens it or leaves it.

import { type KeepPlaces, keep } from "../../foreign/keep/keep.ts"
import { FORMATS } from "../../formats/all/formats.ts"
import { readConfig } from "../config/config-file.ts"
import { configFile } from "../config/home.ts"
import { readSettings } from "../config/settings.ts"

export async function keepSession(agent: string, file: string, places: Omit<KeepPlaces, "formats">): Promise<void> {
  if (readSettings(readConfig(configFile(places.home))).settings["keep.auto"] === "off") return
  const formats = FORMATS.filter((format) => format.agent === agent).map((format) => format.load())
  await keep({ ...places, formats: await Promise.all(formats) }, { only: file })
}

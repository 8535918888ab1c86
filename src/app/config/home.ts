// Where retcon keeps its own files.
import { join, resolve } from "node:path"

/** RETCON_HOME, otherwise the platform's data folder. */
export function homeFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
  userHome: string,
): string {
  if (env.RETCON_HOME !== undefined && env.RETCON_HOME !== "") return resolve(env.RETCON_HOME)
  if (platform === "darwin") return join(userHome, "Library", "Application Support", "retcon")
  // XDG: a relative path is invalid and ignored.
  const data = env.XDG_DATA_HOME
  return data?.startsWith("/") ? join(data, "retcon") : join(userHome, ".local", "share", "retcon")
}

export function configFile(home: string): string {
  return join(home, "config.json")
}

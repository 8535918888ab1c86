// The sandbox as tools and front ends know it.

export const SANDBOX_USES = ["auto", "on", "off"] as const
/** `auto`: for commands that run without asking the person, if this machine has one. `on`: always, or nothing runs. */
export type SandboxUse = (typeof SANDBOX_USES)[number]

export interface SandboxSettings {
  use: SandboxUse
  network: "on" | "off"
  /** Folders outside the workspace that commands may write to. */
  write: readonly string[]
}

/** How to start a command. */
export type Confinement =
  | { how: "open" }
  | {
      how: "confined"
      /** Put before the command's own words. */
      words: readonly string[]
      env(env: Readonly<Record<string, string>>): Record<string, string>
      network: "on" | "off"
    }
  /** It must not be started at all. */
  | { how: "refused"; problem: string }

/** A copy of a folder, in whose place commands see it. */
export interface CopyInPlace {
  folder: string
  origin: string
  /** Where its repositories look for objects, and where these are. */
  objects: readonly { at: string; from: string }[]
}

/** Contract: never rejects. */
export interface CommandSandbox {
  /** No command can ask to leave it, whatever the mode. */
  readonly always?: boolean
  /** For a command that starts now. */
  confine(): Promise<Confinement>
}

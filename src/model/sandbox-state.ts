// How the agent's commands are confined, for people.

export type SandboxState =
  | { state: "confined"; by: string; network: "on" | "off" }
  /** There is none on this machine, and why. */
  | { state: "none"; because: string }
  | { state: "off" }

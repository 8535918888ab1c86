// How the agent's commands are confined, for people.

export type SandboxState =
  | { state: "confined"; by: string; network: "on" | "off" }
  /** This machine has none; `because` says why. */
  | { state: "none"; because: string }
  | { state: "off" }

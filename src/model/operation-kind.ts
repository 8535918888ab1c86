// What a recorded move is, who made it, and through what.
export type OperationKind =
  | "back"
  | "goto"
  | "undo"
  | "redo"
  | "backtrack"
  | "retract"
  | "restore"
  | "compact"
  | "omit"
  | "revert"
  | "bring"
  | "take"

export type Author = "person" | "agent" | "api"

/** Through what a move was made. */
export type FrontEnd = "command-line" | "terminal" | "page" | "voice" | "api" | "mcp" | "editor"

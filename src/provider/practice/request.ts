// What the practice model can be asked for.
import type { Json } from "../../model/json.ts"

export interface TodoItem {
  text: string
  status: "pending" | "doing" | "done"
}

export type Request =
  | { do: "create"; path: string; content: string }
  | { do: "change"; path: string; old: string; new: string }
  | { do: "read"; paths: string[] }
  | { do: "delete"; path: string }
  | { do: "run"; command: string }
  | { do: "find"; pattern: string; path?: string }
  | { do: "search"; pattern: string; path?: string }
  /** Reads many files, then backtracks with a note. `fact`: only the lines with this text matter. */
  | { do: "explore"; path?: string; files: number; fact?: string }
  | { do: "delegate"; tasks: string[] }
  | { do: "todos"; todos: TodoItem[] }
  | { do: "backtrack"; checkpoint: number; note: string; restore: boolean }
  /** Any tool by name, even one that does not exist; `invalid` if the input is not JSON. */
  | { do: "call"; name: string; input: Json; invalid?: string }
  | { do: "think"; about: string }
  | { do: "count"; to: number }
  | { do: "say"; text: string }
  | { do: "greet" }
  | { do: "help" }
  | { do: "unknown"; text: string }

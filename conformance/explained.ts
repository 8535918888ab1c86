// Where a program and retcon disagree, and why that is not fixed.

export const EXPLAINED: readonly { program: string; case: string; because: string }[] = [
  {
    program: "gemini-cli",
    case: "first prompt",
    because: "Gemini CLI does not list a session without messages, so it could not resume one; retcon refuses",
  },
  {
    program: "kimi-code",
    case: "first prompt",
    because:
      "before its first line, a session has no model and no folder; retcon refuses `goto start` and offers `goto @1`, the point before the first prompt",
  },
  {
    program: "kimi-code",
    case: "torn last line",
    because:
      "Kimi Code removes a truncated line and everything after it; retcon refuses the move until it has done so, and offers `retcon split`",
  },
]

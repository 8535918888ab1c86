// Where a program and retcon do not agree, and why that is not mended.

export const EXPLAINED: readonly { program: string; case: string; because: string }[] = [
  {
    program: "gemini-cli",
    case: "first prompt",
    because:
      "Gemini CLI does not list a session without messages, so there is nothing that it could resume; retcon refuses",
  },
  {
    program: "kimi-code",
    case: "first prompt",
    because:
      "before its first line a session has no model and no folder; retcon refuses `goto start` and offers `goto @1`, the place before the first prompt",
  },
  {
    program: "kimi-code",
    case: "torn last line",
    because:
      "Kimi Code will remove the line that was cut off with all that follows it; retcon refuses the move until it has done so, and offers `retcon split`",
  },
  {
    program: "claude-code-sdk",
    case: "sub-agent",
    because:
      "it runs sub-agents in the background, and the notification that one has ended is in the context that retcon shows but was not in the request; the cause is not known yet",
  },
]

// History is hostile input: what we show of a session must not control the terminal or reorder text.

/**
 * CSI, then OSC and the other strings with their terminators, then any other escape sequence; 7-bit and 8-bit forms.
 */
const SEQUENCES = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`\x1b[ -/]*[0-~]`,
  ].join("|"),
  "g",
)
/** C0 except tab and newline, DEL, C1, and the characters that override the direction of text. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** A session's text, safe to print: no escape sequences, and no control characters except newline and tab. */
export function sanitise(text: string): string {
  return text.replace(SEQUENCES, "").replace(/\r\n?/g, "\n").replace(CONTROLS, "")
}

/** The same on one line. */
export function sanitiseLine(text: string): string {
  return sanitise(text).replace(/\s+/g, " ").trim()
}

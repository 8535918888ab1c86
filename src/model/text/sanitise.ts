// History is hostile input: what is shown of a session cannot steer the terminal or change the order of the text.

/** CSI, then OSC and the other strings with their end, then any other escape sequence. Both in 7 and in 8 bits. */
const SEQUENCES = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`\x1b[ -/]*[0-~]`,
  ].join("|"),
  "g",
)
/** C0 without tab and newline, DEL, C1, and what overrides the direction of text. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Text of a session as it may be printed: no escape sequences, no control characters but newline and tab. */
export function sanitise(text: string): string {
  return text.replace(SEQUENCES, "").replace(/\r\n?/g, "\n").replace(CONTROLS, "")
}

/** The same on one line. */
export function sanitiseLine(text: string): string {
  return sanitise(text).replace(/\s+/g, " ").trim()
}

// The real terminal, on two streams. Every mode that is switched on is switched off again, however the program ends.
import { StdinBuffer, setKittyProtocolActive } from "./pi.ts"
import { ESC, SEQUENCE, type Terminal, type TerminalHandlers } from "./port.ts"

const PASTES = { on: "\u001b[?2004h", off: "\u001b[?2004l" }
const FOCUS = { on: "\u001b[?1004h", off: "\u001b[?1004l" }
/** Kitty's protocol distinguishes Shift+Enter from Enter; where it is unknown (tmux), xterm's own does. */
const KITTY = { ask: "\u001b[?u", on: "\u001b[>7u", off: "\u001b[<u" }
const MODIFIED = { on: "\u001b[>4;2m", off: "\u001b[>4;0m" }
const KITTY_WAIT = 150
const KITTY_ANSWER = new RegExp(`^${ESC}\\[\\?\\d+u$`)

export interface TerminalStreams {
  in: NodeJS.ReadStream
  out: NodeJS.WriteStream
}

export function processTerminal(streams: TerminalStreams): Terminal {
  const { in: input, out } = streams
  let stop: (() => void) | undefined
  let closed: () => void = () => undefined
  // Reading from a closed window fails, and so does setting its modes: the person left.
  input.on("error", () => closed())

  function start(handlers: TerminalHandlers): void {
    if (stop !== undefined) return
    let keyboard: "plain" | "kitty" | "modified" = "plain"
    const buffer = new StdinBuffer({ timeout: 10 })
    buffer.on("data", (data) => {
      // Two presses that arrive in one read: no key of ours is Alt+Esc.
      if (data === ESC + ESC) {
        handlers.input(ESC)
        return handlers.input(ESC)
      }
      if (!KITTY_ANSWER.test(data)) return handlers.input(data)
      if (keyboard !== "plain") return
      keyboard = "kitty"
      setKittyProtocolActive(true)
      out.write(KITTY.on)
    })
    buffer.on("paste", (text) => handlers.input(`\u001b[200~${text}\u001b[201~`))
    const read = (data: string) => buffer.process(data)
    const resize = () => handlers.resize()
    closed = () => handlers.closed()
    const wasRaw = input.isRaw
    input.setRawMode?.(true)
    input.setEncoding("utf8")
    input.on("data", read)
    for (const stream of [input, out]) stream.on("close", closed)
    input.on("end", closed)
    out.on("resize", resize)
    input.resume()
    out.write(PASTES.on + FOCUS.on + KITTY.ask)
    const timer = setTimeout(() => {
      if (keyboard !== "plain") return
      keyboard = "modified"
      out.write(MODIFIED.on)
    }, KITTY_WAIT)

    stop = () => {
      clearTimeout(timer)
      buffer.destroy()
      input.off("data", read)
      input.off("end", closed)
      for (const stream of [input, out]) stream.off("close", closed)
      closed = () => undefined
      out.off("resize", resize)
      const keys = keyboard === "kitty" ? KITTY.off : keyboard === "modified" ? MODIFIED.off : ""
      setKittyProtocolActive(false)
      if (out.writable) out.write(`${keys}${PASTES.off}${FOCUS.off}${SEQUENCE.showCursor}`)
      input.pause()
      if (!input.destroyed) input.setRawMode?.(wasRaw)
    }
  }

  return {
    get columns() {
      return out.columns || 80
    },
    get rows() {
      return out.rows || 24
    },
    start,
    stop() {
      stop?.()
      stop = undefined
    },
    write(text) {
      if (out.writable) out.write(text)
    },
  }
}

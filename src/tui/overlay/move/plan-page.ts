// What a command is about to do with the files, before it does: Enter goes on.
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import { piece } from "../../text/line.ts"
import { makeFrame } from "../frame/frame.ts"
import { planLines } from "./plan-lines.ts"
import type { Planned } from "./ways.ts"

const KEYS = [
  ["Enter", "restore"],
  ["Esc", "change nothing"],
  ["↑↓", "scroll"],
] as const

/** True when the person says yes. */
export async function openPlan(host: OverlayHost, title: string, plan: Planned): Promise<boolean> {
  return (await host.showOverlay<boolean>((handle) => makePlan(handle, title, plan))) === true
}

function makePlan(handle: OverlayHandle<boolean>, title: string, plan: Planned): Overlay {
  const { theme } = handle
  let top = 0
  return {
    render(width, height) {
      const lines = planLines(theme, "files", plan, width)
      const body = (room: number) => {
        top = Math.max(0, Math.min(top, lines.length - room))
        return lines.slice(top, top + room)
      }
      return makeFrame(theme, { title: [piece(title, theme.strong)], body, keys: KEYS, keyRows: 1 }, width, height)
    },
    key({ name }) {
      if (name === "enter" || name === "y") handle.done(true)
      else if (name === "escape" || name === "ctrl+c" || name === "n" || name === "q") handle.done(false)
      else if (name === "up") top--
      else if (name === "down") top++
      else if (name === "pageDown" || name === "space") top += 10
      else if (name === "pageUp") top -= 10
      else if (name === "home") top = 0
      else if (name === "end") top = Number.MAX_SAFE_INTEGER
    },
  }
}

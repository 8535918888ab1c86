// Lists of 100,000 entries. The floors are in overlay.ts: mostly the same screen over a short list.
import { answer } from "../../child.ts"
import { type OverlayFigure, overlayFigures } from "../overlay.ts"

export interface TreeFound {
  figures: OverlayFigure[]
}

answer({ figures: overlayFigures() } satisfies TreeFound)

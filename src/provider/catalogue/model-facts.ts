// What we may know about a model.
import type { ThinkingLevel } from "../../model/thinking.ts"
import type { Price } from "../port/port.ts"

export interface ModelFacts {
  window?: number
  maxOutput?: number
  price?: Price
  /** OpenAI only: which of its two protocols to use for the model. */
  api?: "chat" | "responses"
  /** False for a model that refuses images: they are then described in words. */
  images?: boolean
  /** How much it thinks by default. */
  thinking?: ThinkingLevel
}

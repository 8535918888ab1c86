// What can be known of a model.
import type { ThinkingLevel } from "../../model/thinking.ts"
import type { Price } from "../port/port.ts"

export interface ModelFacts {
  window?: number
  maxOutput?: number
  price?: Price
  /** OpenAI only: which of its two protocols the model is used with. */
  api?: "chat" | "responses"
  /** False for a model that refuses images: they are then named in words. */
  images?: boolean
  /** How much it thinks, unless somebody says otherwise. */
  thinking?: ThinkingLevel
}

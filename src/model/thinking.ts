// How much a model is to think before it answers. Each vendor has words of its own for these.

export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max"

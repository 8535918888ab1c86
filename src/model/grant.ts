// What a person allows beyond a single call: the rules, and the same in words.

/** `this`: exactly this call again. `like`: calls of the same kind. `tool`: every call of the tool. */
export type GrantId = "this" | "like" | "tool"

/** Contract: `words` describes everything that `rules` allow. A front end shows the words; its answer names the id. */
export interface Grant {
  id: GrantId
  rules: string[]
  /** Completes "allow … for this session". */
  words: string
  width: "exact" | "wide"
  /** An option of another agent's program, which says for how long; that program remembers it. */
  theirs?: true
}

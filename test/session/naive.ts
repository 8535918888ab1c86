// What a session should be, in the simplest way: whole copies of the path, and undo as a list of them, as an editor has.
// Nothing here is shared with the engine: the rules are written down a second time.

export type Body =
  | { type: "message"; role: "user" | "assistant" | "tool"; origin: string; turn?: true; content: object[] }
  | { type: "checkpoint"; n: number }
  | { type: "note"; text: string; facts: string[]; prompts?: string[]; checkpoint?: number; discards: number }
  | { type: "compaction"; summary: string; prompts: string[]; keep: Entry | null; cause: "person" }
  | { type: "state"; key: string; value: string }
  /** A message that no context shows any more. */
  | { type: "omit"; entry: Entry }

/** An entry is itself: two with the same body are not the same. */
export interface Entry {
  body: Body
  /** For the note of a Backtrack: where the agent was. */
  left?: Path
}

type Path = readonly Entry[]
type Message = { role: string; content: object[] }

const text = (words: string) => ({ type: "text", text: words })
const INTERRUPTED = "This tool call was interrupted before it ended. It may have had effects."

export class Naive {
  path: Path = []
  undos: Path[] = []
  redos: Path[] = []
  /** Every path that ever ended somewhere: how to get to an entry. */
  everywhere = new Map<Entry, Path>()
  /** What undo and redo were when somebody last stood at an entry: another writer may have been there since. */
  places = new Map<Entry | undefined, { undos: Path[]; redos: Path[]; unitOpen: boolean }>()
  /** Entries that a split brought here, without what their Backtracks had left. */
  brought: readonly Entry[] = []
  labels = new Map<Entry, string>()
  config = new Map<string, string>()
  /** Whether what is appended next belongs to the last unit. */
  #unitOpen = false

  append(...bodies: Body[]): void {
    this.look()
    const open = openCalls(this.path)
    const first = bodies.find((body) => body.type === "message")
    if (open.length > 0 && first !== undefined && first.role !== "tool") this.#add(settling(open))
    for (const body of bodies) this.#add(body)
  }

  /** Stopping a turn records what it left open. */
  settle(): void {
    this.look()
    const open = openCalls(this.path)
    if (open.length > 0) this.#add(settling(open))
  }

  #add(body: Body): void {
    const joins = this.#unitOpen && (!isPrompt(body) || prompts(this.path).length === 0)
    if (!joins) this.undos.push(this.path)
    this.redos = []
    this.#unitOpen = true
    this.#stand([...this.path, { body }])
  }

  #stand(path: Path): void {
    this.path = path
    const end = path.at(-1)
    if (end !== undefined) this.everywhere.set(end, path)
    this.places.set(end, { undos: [...this.undos], redos: [...this.redos], unitOpen: this.#unitOpen })
  }

  /** Undo and redo belong to where one stands. */
  look(): void {
    const place = this.places.get(this.path.at(-1))
    if (place === undefined) return
    this.undos = [...place.undos]
    this.redos = [...place.redos]
    this.#unitOpen = place.unitOpen
  }

  #move(to: Path, left?: Body, goesOn = false): void {
    this.look()
    this.undos.push(this.path)
    this.redos = []
    this.#unitOpen = goesOn
    const note = left === undefined ? [] : [{ body: left, ...(goesOn && { left: this.path }) }]
    this.#stand([...to, ...note])
  }

  /** Where the person was before each thing they asked, also where the agent went back past it. */
  asked(path = this.path, from = 0): Path[] {
    return path.flatMap((entry, at) => {
      if (at < from) return []
      const passed = entry.left === undefined || this.brought.includes(entry) ? [] : this.asked(entry.left, at)
      return isPrompt(entry.body) ? [...passed, path.slice(0, at)] : passed
    })
  }

  /** Answers how it would be refused; undefined when it was done. */
  back(rounds: number): string | undefined {
    const before = this.asked()
    if (before.length < 2) return "at-start"
    if (rounds >= before.length) return "too-few-rounds"
    this.#move(before.at(-rounds) ?? [])
    return undefined
  }

  retract(): string | undefined {
    const at = this.path.findLastIndex((entry) => isPrompt(entry.body))
    if (at === -1) return "at-start"
    this.#move(this.path.slice(0, at))
    return undefined
  }

  goto(entry: Entry | null, summary?: string): string | undefined {
    const whole = entry === null ? [] : (this.everywhere.get(entry) ?? [])
    const to = entry !== null && isSaid(entry.body) ? whole.slice(0, -1) : whole
    if (to.length === this.path.length && to.at(-1) === this.path.at(-1)) return "unchanged"
    if (summary === undefined) this.#move(to)
    else this.#move(to, { type: "note", text: summary, facts: [], discards: messagesOnly(this.path, to) })
    return undefined
  }

  backtrack(n: number, note: string, facts: string[]): string | undefined {
    const floor = this.path.findLastIndex((entry) => entry.body.type === "compaction")
    const at = this.path.findLastIndex(
      (entry, i) => i > floor && entry.body.type === "checkpoint" && entry.body.n === n,
    )
    if (at === -1) return "not-found"
    const to = this.path.slice(0, at + 1)
    const said = this.path.slice(at + 1).flatMap(({ body }) => saidIn(body))
    const prompts = said.length === 0 ? {} : { prompts: said }
    const discards = messagesOnly(this.path, to)
    this.#move(to, { type: "note", text: note, facts, ...prompts, checkpoint: n, discards }, true)
    return undefined
  }

  /** `keep`: where the tail starts. What to keep is the plan's business, and tested with it. */
  omit(entry: Entry): void {
    this.#move(this.path, { type: "omit", entry })
  }

  compact(summary: string, kept: string[], keep: Entry | null): void {
    this.#move(this.path, { type: "compaction", summary, prompts: kept, keep, cause: "person" })
  }

  undo(): string | undefined {
    this.look()
    const to = this.undos.pop()
    if (to === undefined) return "nothing-to-undo"
    this.redos.push(this.path)
    this.#unitOpen = false
    this.#stand(to)
    return undefined
  }

  redo(): string | undefined {
    this.look()
    const to = this.redos.pop()
    if (to === undefined) return "nothing-to-redo"
    this.undos.push(this.path)
    this.#unitOpen = false
    this.#stand(to)
    return undefined
  }

  copy(): Naive {
    const copy = new Naive()
    Object.assign(copy, {
      path: this.path,
      undos: [...this.undos],
      redos: [...this.redos],
      everywhere: new Map(this.everywhere),
    })
    copy.brought = this.brought
    copy.labels = new Map(this.labels)
    copy.config = new Map(this.config)
    copy.places = new Map(this.places)
    copy.#unitOpen = this.#unitOpen
    return copy
  }

  /** A new session that starts as this path, as if it had been written in one go. No consent comes along. */
  split(): Naive {
    const copy = new Naive()
    for (const entry of this.path) {
      if (isLeft(entry)) copy.#unitOpen = false
      else copy.#add(entry.body)
      copy.#stand([...copy.path.slice(0, isLeft(entry) ? undefined : -1), entry])
    }
    const end = copy.path.at(-1)
    // What a move leaves is gone to by a move.
    if (end !== undefined && isLeft(end)) {
      const told = copy.path.findLastIndex((entry) => !isLeft(entry)) + 1
      copy.undos.push(copy.path.slice(0, told))
      copy.#stand(copy.path)
    }
    copy.brought = this.path
    copy.everywhere = new Map(this.path.map((entry, at) => [entry, this.path.slice(0, at + 1)]))
    copy.labels = new Map([...this.labels].filter(([entry]) => this.path.includes(entry)))
    const title = this.config.get("title") ?? firstPrompt(this.path)
    if (title !== undefined) copy.config.set("title", title.endsWith(" (split)") ? title : `${title} (split)`)
    return copy
  }

  /** Ends of branches. */
  tips(): number {
    const parents = new Set([...this.everywhere.values()].map((path) => path.at(-2)))
    return [...this.everywhere.keys()].filter((entry) => !parents.has(entry)).length
  }

  state(key: string): string | undefined {
    const last = this.path.findLast(({ body }) => body.type === "state" && body.key === key)?.body
    return last?.type === "state" ? last.value : undefined
  }

  nextCheckpoint(): number {
    const last = this.path.findLast(({ body }) => body.type === "checkpoint")?.body
    return last?.type === "checkpoint" ? last.n + 1 : 0
  }

  context(checkpoints: "shown" | "hidden"): Message[] {
    const at = this.path.findLastIndex(({ body }) => body.type === "compaction")
    const compaction = this.path[at]?.body
    const left = new Set(this.path.flatMap(({ body }) => (body.type === "omit" ? [body.entry] : [])))
    const shown = (entry: Entry) => (left.has(entry) ? omitted(entry.body) : entry.body)
    const messages: Message[] = []
    if (compaction?.type === "compaction") {
      messages.push(compacted(compaction))
      const keep = compaction.keep === null ? -1 : this.path.indexOf(compaction.keep)
      if (keep !== -1 && keep < at) for (const entry of this.path.slice(keep, at)) say(messages, shown(entry), "hidden")
    }
    for (const entry of this.path.slice(at + 1)) say(messages, shown(entry), checkpoints)
    const system = this.state("system")
    if (system !== undefined) messages.unshift({ role: "system", content: [text(system)] })
    return settled(messages)
  }
}

export function isPrompt(body: Body): boolean {
  if (body.type !== "message" || body.role !== "user") return false
  return body.origin === "prompt" || (body.origin === "command" && body.turn === true)
}

/** A prompt, or what was typed while the agent ran: to go there is to go before it. */
export function isSaid(body: Body): boolean {
  return isPrompt(body) || (body.type === "message" && body.role === "user" && body.origin === "steer")
}

/** What a move leaves behind. */
function isLeft({ body }: Entry): boolean {
  return body.type === "note" || body.type === "compaction"
}

export function prompts(path: Path): Entry[] {
  return path.filter(({ body }) => isPrompt(body))
}

/** What the person said, word for word. */
function saidIn(body: Body): string[] {
  if (body.type === "note") return body.prompts ?? []
  if (body.type !== "message" || body.role !== "user") return []
  if (!isPrompt(body) && body.origin !== "steer") return []
  return [body.content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n")]
}

function messagesOnly(path: Path, other: Path): number {
  return path.filter((entry) => entry.body.type === "message" && !other.includes(entry)).length
}

function callsOf(content: readonly object[], type: string): { call: string; name: string }[] {
  return content.filter((part) => "type" in part && part.type === type) as { call: string; name: string }[]
}

/** The calls of the last answer without a result, when nothing but results came after it. */
function openCalls(path: Path): { call: string; name: string }[] {
  const messages = path.flatMap(({ body }) => (body.type === "message" ? [body] : []))
  const last = messages.findLastIndex(({ role }) => role !== "tool")
  if (messages[last]?.role !== "assistant") return []
  const answered = messages.slice(last + 1).flatMap(({ content }) => callsOf(content, "tool-result"))
  return callsOf(messages[last].content, "tool-call").filter(({ call }) => !answered.some((each) => each.call === call))
}

function result({ call, name }: { call: string; name: string }): object {
  return { type: "tool-result", call, name, output: INTERRUPTED, error: true }
}

function settling(open: { call: string; name: string }[]): Body {
  return { type: "message", role: "tool", origin: "interrupt", content: open.map(result) }
}

function compacted(body: Extract<Body, { type: "compaction" }>): Message {
  const intro = "<system>Previous context has been compacted. Here is the compaction output:</system>"
  const asked = "<system>What the user asked before, word for word, oldest first:</system>"
  const kept = body.prompts.length === 0 ? [] : [asked, ...body.prompts]
  return { role: "user", content: [intro, body.summary, ...kept].map(text) }
}

/** Calls and results stay, so that they still pair. */
function omitted(body: Body): Body {
  if (body.type !== "message") return body
  const gone = "[left out, because the provider refused it]"
  const content = body.content.map((part) => {
    if ("text" in part) return { ...part, text: gone }
    return "output" in part ? { ...part, output: gone } : part
  })
  return { ...body, content }
}

function say(messages: Message[], body: Body, checkpoints: "shown" | "hidden"): void {
  if (body.type === "message") messages.push({ role: body.role, content: [...body.content] })
  if (body.type === "checkpoint" && checkpoints === "shown") attach(messages, `<system>Checkpoint ${body.n}</system>`)
  if (body.type !== "note") return
  const intro =
    body.checkpoint === undefined
      ? "Another way was taken from here. Summary of what was left, as the model wrote it."
      : "You went back to this point. Note from your future self, in your own words: neither the user nor retcon wrote it."
  attach(messages, `<system>${intro}</system>\n<note>\n${body.text}\n</note>`)
  const facts = body.facts.map((fact) => `\n- ${fact}`).join("")
  if (facts !== "") attach(messages, `<system>Still true, from retcon's own records:${facts}</system>`)
  const prompts = body.prompts ?? []
  if (prompts.length > 0) {
    attach(messages, "<system>What the user said after this point, word for word, oldest first:</system>")
  }
  for (const prompt of prompts) attach(messages, prompt)
}

function attach(messages: Message[], words: string): void {
  const last = messages.at(-1)
  if (last !== undefined && last.role !== "assistant") last.content.push(text(words))
  else messages.push({ role: "user", content: [text(words)] })
}

/** Every call has one result right after it; a result that answers no open call is left out. */
function settled(messages: readonly Message[]): Message[] {
  const out: Message[] = []
  for (let at = 0; at < messages.length; ) {
    const message = messages[at++] as Message
    if (message.role === "tool") pushRest(out, message)
    else out.push(message)
    if (message.role !== "assistant") continue
    let open = callsOf(message.content, "tool-call")
    for (; messages[at]?.role === "tool" && open.length > 0; at++) {
      const { content } = messages[at] as Message
      const answers = callsOf(content, "tool-result").filter(({ call }) => open.some((each) => each.call === call))
      if (answers.length === 0 && content.some((part) => !("call" in part))) break
      if (answers.length === 0) continue
      open = open.filter(({ call }) => !answers.some((each) => each.call === call))
      out.push({
        role: "tool",
        content: content.filter((part) => !("call" in part) || answers.includes(part as never)),
      })
    }
    if (open.length > 0) out.push({ role: "tool", content: open.map(result) })
  }
  return out
}

function pushRest(out: Message[], message: Message): void {
  const content = message.content.filter((part) => !("call" in part))
  if (content.length > 0) out.push({ role: "user", content })
}

/** What a session without a title is called by. */
function firstPrompt(path: Path): string | undefined {
  const body = prompts(path)[0]?.body
  if (body?.type !== "message") return undefined
  const texts = body.content.flatMap((part) => ("text" in part ? [String(part.text)] : []))
  return texts.join(" ") || undefined
}

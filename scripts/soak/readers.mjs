// The readers of the soak: they follow the events of sessions, leave and come back, and notice what is lost or
// duplicated. A thread: it starts at once; when it gets the last event of each session, it waits for those and answers
// with what it saw.
import { once } from "node:events"
import { request } from "node:http"
import { parentPort, workerData } from "node:worker_threads"

/** A reader leaves and comes back after about this many milliseconds. */
const STAY = 6000

/** Reads a session's events, and leaves and comes back now and then. */
class Reader {
  problems = []
  count = 0
  returns = 0
  resets = 0
  #server
  #last
  #seq
  #sent
  #left = false
  #caughtUp = () => undefined

  constructor(server, path) {
    this.#server = server
    this.path = path
    this.#open()
  }

  /** Resolves when it has this event. */
  async caughtUp(seq) {
    if (this.#seq >= seq) return
    const late = setTimeout(() => {
      this.problems.push(`a reader never got the last events of ${this.path}`)
      this.#caughtUp()
    }, 10_000)
    await new Promise((settle) => {
      this.#caughtUp = () => (this.#seq >= seq || this.problems.length > 0 ? settle() : undefined)
    })
    clearTimeout(late)
  }

  leave() {
    this.#left = true
    this.#sent.destroy()
  }

  #open() {
    const headers = {
      authorization: `Bearer ${this.#server.token}`,
      ...(this.#last && { "last-event-id": this.#last }),
    }
    this.#sent = request(`${this.#server.url}${this.path}/events`, { agent: false, headers }, (response) => {
      let rest = ""
      response.setEncoding("utf8").on("data", (text) => {
        const parts = (rest + text).split("\n\n")
        rest = parts.pop()
        for (const part of parts) this.#take(part)
        this.#caughtUp()
      })
      response.on("error", () => undefined)
      setTimeout(() => this.#sent.destroy(), STAY * (0.5 + Math.random()))
    })
    this.#sent.on("error", () => undefined)
    this.#sent.on("close", () => {
      if (this.#left) return
      this.returns++
      this.#open()
    })
    this.#sent.end()
  }

  #take(text) {
    const id = /^id: (.*)$/m.exec(text)?.[1]
    if (id === undefined) return
    const seq = Number(id.slice(id.lastIndexOf(".") + 1))
    if (text.includes("\nevent: reset\n")) {
      if (this.#last !== undefined) this.resets++
    } else {
      this.count++
      if (seq !== this.#seq + 1) this.problems.push(`after event ${this.#seq} came ${seq} in ${this.path}`)
    }
    this.#last = id
    this.#seq = seq
  }
}

const { url, token, paths, readers: count } = workerData
const readers = Array.from({ length: count }, (_, i) => new Reader({ url, token }, paths[i % paths.length]))

const [last] = await once(parentPort, "message")
await Promise.all(readers.map((reader) => reader.caughtUp(last.get(reader.path))))
for (const reader of readers) reader.leave()
const seen = {
  events: sum((reader) => reader.count),
  returns: sum((reader) => reader.returns),
  resets: sum((reader) => reader.resets),
  problems: [...new Set(readers.flatMap((reader) => reader.problems))],
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
parentPort.postMessage(seen)

function sum(of) {
  return readers.reduce((total, reader) => total + of(reader), 0)
}

// What retcon does with its own logs.
import { basename, join } from "node:path"
import { parseSessionId } from "../../src/model/id.ts"
import { createSession, openSession, type Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { door } from "./door.ts"
import type { Flow } from "./machine.ts"
import type { Place } from "./place.ts"

const LARGE = (letter: string) => letter.repeat(40_000)

function onlyId({ home }: Place) {
  const names = door.real.readdirSync(join(home, "sessions"), { recursive: true, encoding: "utf8" })
  const id = names.map((name) => parseSessionId(basename(name, ".jsonl"))).find((each) => each !== undefined)
  if (id === undefined) throw new Error("There is no session.")
  return id
}

/** Stays open from one step to the next, as in a terminal. */
function onlySession(place: Place): Promise<Session> {
  const { store, sessionOptions } = place.cli()
  return place.open(
    () => openSession(store, onlyId(place), sessionOptions),
    (session) => session.close(),
  )
}

/** Another process does it. */
async function elsewhere(place: Place, work: (session: Session) => Promise<unknown>): Promise<void> {
  const { store, sessionOptions } = place.cli()
  const session = await openSession(store, onlyId(place), sessionOptions)
  await work(session)
  await session.close()
}

const round = (text: string) => [promptDraft(text), answerDraft(`${text}!`)]

async function say(place: Place, ...texts: string[]): Promise<void> {
  const session = await onlySession(place)
  for (const text of texts) await session.append(round(text))
}

/** What is listed, and what each session would send. */
export async function said(place: Place): Promise<unknown> {
  const { store, sessionOptions } = place.cli()
  const found: unknown[] = []
  for (const { id, title } of await store.list()) {
    const session = await openSession(store, id, sessionOptions)
    const texts = session
      .context()
      .map(({ content }) => content.map((part) => ("text" in part ? shortened(part.text) : part)))
    // A line that was cut off stays, and is reported: another process may be appending at the same time.
    const damage = session.damage().filter(({ problem }) => !/cut off|not JSON/.test(problem))
    found.push({ id, title, texts, head: session.head, damage })
    await session.close()
  }
  return found
}

const shortened = (text: string) => (text.length > 200 ? `${text.slice(0, 20)}… ${text.length}` : text)

async function made(place: Place, rounds: number, cwd = place.cwd): Promise<void> {
  const { store, sessionOptions, made: by } = place.cli()
  const session = await createSession(store, { cwd, made: by }, sessionOptions)
  for (let n = 1; n <= rounds; n++) await session.append(round(`ask ${n}`))
  await session.close()
}

export const STORE_FLOWS: readonly Flow[] = [
  {
    name: "append with blobs",
    prepare: (place) => made(place, 1),
    act: (place) => place.answer(() => say(place, LARGE("a"))),
    next: (place) => place.answer(() => say(place, "small", LARGE("b"))),
    look: said,
    // Of several records, half a write leaves the first.
    alsoRight: (found, { exit }) => exit !== 0 && /\["ask 1!"\],\["a+… 40000"\]\]/.test(found),
  },
  {
    name: "create and close",
    prepare: (place) => made(place, 1),
    act: (place) => place.answer(() => made(place, 2)),
    next: (place) => place.answer(() => made(place, 1)),
    look: said,
    // A session of which only the first line was written is an empty session; one that failed later ends where it failed.
    alsoRight: (found, { exit }) => exit !== 0 && /^\[\{[^[]*"texts":\[(\["ask \d!?"\],?)*\]/.test(found),
  },
  {
    name: "close, index and catalogue of a long log",
    prepare: (place) => made(place, 600),
    act: (place) =>
      place.answer(async () => {
        await say(place, ...Array.from({ length: 3 }, (_, i) => `more ${i}`))
        await place.end()
      }),
    next: (place) => place.answer(() => say(place, "small")),
    look: async (place) => JSON.stringify(await said(place)).replace(/\["ask.*ask 600!"\],?/, ""),
    // What was said before it failed.
    alsoRight: (found, { exit }) => exit !== 0 && /"texts":\[(\["more \d!?"\],?)*\]/.test(found.replaceAll("\\", "")),
  },
  {
    name: "list without catalogue and index",
    async prepare(place) {
      for (let n = 1; n < 4; n++) await made(place, n)
      for (const name of namesBelow(place.home)) if (/catalogue|\.index$/.test(name)) door.real.rmSync(name)
    },
    act: (place) => place.retcon("ls --json"),
    next: (place) => place.retcon("ls"),
    look: said,
  },
  {
    name: "list with a catalogue",
    async prepare(place) {
      for (let n = 1; n < 4; n++) await made(place, n)
    },
    act: (place) => place.retcon("ls --json"),
    next: (place) => place.retcon("ls"),
    look: said,
  },
  {
    name: "follow what another process appends",
    prepare: (place) => made(place, 2),
    async act(place) {
      return place.answer(async () => {
        const session = await onlySession(place)
        door.pause()
        await elsewhere(place, (other) => other.append(round(LARGE("c")).concat(round("d"))))
        door.resume()
        await session.append(round("here"))
      })
    },
    next: (place) => place.answer(() => say(place, "small")),
    look: said,
    // What the other process said is there in any case; of several records, half a write leaves the first.
    alsoRight: (found, { exit }) => exit !== 0 && /"ask 2!"\],\[("c{20}|"here"\]\])/.test(found),
  },
  {
    name: "lease",
    prepare: (place) => made(place, 1),
    act: (place) =>
      place.answer(async () => {
        const { lease } = await openLog(place)
        const taken = await lease.take()
        if (!taken.ok) throw new Error("It is busy.")
        await lease.release()
      }),
    next: (place) =>
      place.answer(async () => {
        const { lease } = await openLog(place)
        const taken = await lease.take()
        if (!taken.ok) throw new Error("It is busy.")
        await lease.release()
      }),
    look: said,
  },
  {
    name: "move lock: back in a session of retcon",
    prepare: (place) => made(place, 3),
    act: (place) => place.retcon("back"),
    next: (place) => place.retcon("goto @2"),
    look: said,
  },
  {
    name: "label and title",
    prepare: (place) => made(place, 1),
    act: (place) => place.retcon("title renamed"),
    next: (place) => place.retcon("title again"),
    look: said,
  },
  {
    name: "archive",
    prepare: (place) => made(place, 1),
    act: (place) => place.retcon(["archive", onlyId(place)]),
    next: (place) => place.retcon(["archive", "--undo", onlyId(place)]),
    look: async (place) => (await place.retcon("ls --json --all")).out,
  },
  {
    name: "sessions of a folder that was moved",
    prepare: (place) => made(place, 2, join(place.folder, "old")),
    act: (place) => place.retcon(["moved", join(place.folder, "old")]),
    async next(place) {
      const { exit, err } = await place.retcon(["moved", join(place.folder, "old")])
      return { exit: /No session belongs to/.test(err) ? 0 : exit, out: "", err }
    },
    look: async (place) => [await said(place), (await place.retcon("ls --json")).out],
    // It is in the new folder and does not say so itself yet: it is listed there, and the next try ends what this one began.
    alsoRight: (found) =>
      /"texts":\[\["ask 1"\],\["ask 1!"\],\["ask 2"\],\["ask 2!"\]\].*\\"cwd\\":\\"\/old\\"/.test(found),
  },
  {
    name: "remove",
    prepare: (place) => made(place, 1),
    act: (place) => place.retcon(["rm", onlyId(place), "--yes"]),
    next: (place) => place.answer(() => made(place, 2)),
    look: said,
  },
  {
    name: "split",
    prepare: (place) => made(place, 2),
    act: (place) => place.retcon("split head~1"),
    next: (place) => place.answer(() => made(place, 1)),
    look: said,
    // Killed on the way, it leaves a session that ends early.
    alsoRight: (found) => door.isDead() && /"texts":\[\["ask 1"\],\["ask 1!"\],\["ask 2"\],\["ask 2!"\]\]/.test(found),
  },
]

function openLog(place: Place) {
  return place.open(
    () => place.cli().store.open(onlyId(place)),
    (log) => log.close(),
  )
}

function namesBelow(folder: string): string[] {
  return door.real.readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))
}

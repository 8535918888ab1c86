// Lets one call to the disk fail, at each place of a flow in turn, and looks at what a person relies on afterwards.
import { door, type Fault } from "./door.ts"
import { type Answer, namesIn, type Place, temporaryPlace } from "./place.ts"

const { real } = door

export interface Flow {
  name: string
  /** What is there before. Made once; every try begins with a copy of it. */
  prepare(place: Place): Promise<void>
  /** What fails. */
  act(place: Place): Promise<Answer>
  /** What is done afterwards, in the same process: possible whether or not `act` was done. */
  next(place: Place): Promise<Answer>
  /** What a new reader finds. Ids and times are replaced by their order of appearance. */
  look(place: Place): Promise<unknown>
  /** How many calls of each fault to try in the suite, if a try takes long. */
  most?: number
  /** Files that may stay until the next step. */
  finishes?: RegExp
  /** Whether what was found is right although it is neither how it was nor how it should be. A comment says why. */
  alsoRight?(found: string, answer: Answer): boolean
}

interface FaultKind {
  fault: Fault
  /** Later calls fail as well. */
  lasting: boolean
}

/** `dead`: nothing reaches the disk any more, as after kill -9. */
export const FAULTS: readonly FaultKind[] = [
  { fault: "EMFILE", lasting: false },
  { fault: "ENOSPC", lasting: false },
  { fault: "EIO", lasting: false },
  { fault: "EACCES", lasting: false },
  { fault: "short", lasting: false },
  { fault: "EMFILE", lasting: true },
  { fault: "ENOSPC", lasting: true },
  { fault: "short", lasting: true },
  { fault: "dead", lasting: false },
]

/** The flow without any fault: what a reader finds, and all names of files that there ever are. */
interface Reference {
  before: string
  after: string
  nextOfBefore: string
  nextOfAfter: string
  names: ReadonlySet<string>
}

export interface Tried {
  tries: number
  problems: string[]
}

/** `wanted`: which of the calls of a flow to try, of so many. */
export async function tryFlow(flow: Flow, wanted: (calls: number) => Iterable<number>): Promise<Tried> {
  const place = temporaryPlace()
  door.cover(place.base)
  const tried: Tried = { tries: 0, problems: [] }
  try {
    await flow.prepare(place)
    await place.end()
    place.keep()
    const reference = await referenceOf(flow, place)
    for (const { fault, lasting } of FAULTS) {
      await place.reset()
      door.arm(fault, Number.MAX_SAFE_INTEGER, lasting)
      await flow.act(place)
      const { calls } = door.disarm()
      for (const at of wanted(calls)) {
        tried.tries++
        const problem = await tryOnce(flow, place, reference, { fault, lasting, at })
        if (problem === undefined) continue
        const name = `${flow.name}: ${fault}${lasting ? " from then on" : ""} at call ${at} of ${calls}`
        tried.problems.push(`${name} (${door.call}): ${problem}`)
      }
    }
    return tried
  } finally {
    await place.remove()
  }
}

async function referenceOf(flow: Flow, place: Place): Promise<Reference> {
  const names = new Set<string>()
  const seen = async () => {
    const found = await looked(flow, place)
    await place.retcon("ls --all")
    for (const name of namesIn(place.folder)) names.add(name)
    return found
  }
  const must = async (step: "act" | "next") => {
    const { exit, err } = await flow[step](place)
    if (exit !== 0) throw new Error(`${flow.name}: ${step} fails without any fault: ${err}`)
    return seen()
  }
  await place.reset()
  for (const name of namesIn(place.folder)) names.add(name)
  const before = await seen()
  const nextOfBefore = await must("next")
  await place.reset()
  const after = await must("act")
  const nextOfAfter = await must("next")
  await place.sweep()
  await seen()
  return { before, after, nextOfBefore, nextOfAfter, names }
}

/** Written after the list was returned: whether it is there when the flow ends is a matter of time. */
const LATER = /\/catalogue$/
/** What cannot be given up is tried again, for as long as the process runs, and is nobody's afterwards: the next step needs it. */
const CLAIM = /\.(?:lease|move)$/

/** What is wrong after the fault; undefined if nothing is. */
async function tryOnce(
  flow: Flow,
  place: Place,
  { before, after, nextOfBefore, nextOfAfter, names }: Reference,
  { fault, lasting, at }: FaultKind & { at: number },
): Promise<string | undefined> {
  await place.reset()
  const descriptors = openDescriptors()
  const left = () => namesIn(place.folder).filter((name) => !names.has(name) && !LATER.test(name) && !CLAIM.test(name))
  door.arm(fault, at, lasting)
  const answer = await flow.act(place).finally(() => door.disarm())

  const isDead = fault === "dead"
  if (isDead) await place.die()
  else if (answerProblem(answer) !== undefined) return answerProblem(answer)
  // What cannot be removed, or told from what others hold, stays until it can: then the next step or gc removes it.
  const isTidy = !isDead && !lasting && !/^(?:unlink|rm|rmdir|lstat|readlink) /.test(door.call)
  const untidy = isTidy ? left().filter((name) => flow.finishes?.test(name) !== true) : []
  if (untidy.length > 0) return `left behind: ${untidy.join(", ")}`

  const found = await looked(flow, place)
  const acknowledged = !isDead && answer.exit === 0
  const isRight = found === after || (found === before && !acknowledged)
  if (!isRight && flow.alsoRight?.(found, answer) !== true) {
    const said = isDead ? "killed" : acknowledged ? `acknowledged (${answer.err})` : `refused (${answer.err})`
    return `${said}, but found\n  ${found}\nbefore\n  ${before}\nafter\n  ${after}`
  }
  const next = await flow.next(place)
  if (next.exit !== 0) return `what is done next fails: ${next.err}`
  const foundNext = await looked(flow, place)
  // What was refused may be on the disk nevertheless: the next step may build on it, or on what was before.
  const right = acknowledged ? [nextOfAfter] : [nextOfBefore, nextOfAfter]
  // A flow of several steps, which says what else is right, may have failed after any of them.
  const isOneStep = acknowledged || flow.alsoRight === undefined
  if (isRight && isOneStep && !right.includes(foundNext))
    return `next found\n  ${foundNext}\ninstead of\n  ${right.join("\nor\n  ")}`

  await place.end()
  if (left().length > 0) {
    // By another process, a day later.
    await place.die()
    const swept = await place.sweep()
    if (swept.exit !== 0) return `gc fails: ${swept.err}`
    // Outside retcon's home, the next operation in that folder removes what an earlier process left.
    const still = left().filter((name) => isTidy || !/\.retcon-[\d-]+\.tmp$/.test(name))
    if (still.length > 0) return `gc leaves ${still.join(", ")}`
  }
  return leftOpen(descriptors)
}

async function looked(flow: Flow, place: Place): Promise<string> {
  return plain(JSON.stringify(await flow.look(place)), place.folder)
}

/** In words: what happened, and what to do. */
function answerProblem({ exit, out, err }: Answer): string | undefined {
  if (/This is a bug|\n\s+at |\bError:/.test(err)) return `not in words: ${err}`
  const isSaid =
    /^retcon: .+\n {2}\S/m.test(err) || /^\{"error":\{"code":"[a-z-]+","message":"[^"]/m.test(err.replace(/\n\s*/g, ""))
  // Some of the work was done, and the report says what was not.
  const isReported = /could not be read/.test(out)
  return exit === 0 || isSaid || isReported
    ? undefined
    : `no message with advice: exit ${exit} ${JSON.stringify({ out, err })}`
}

const openDescriptors = () => real.readdirSync("/proc/self/fd")

function leftOpen(before: readonly string[]): string | undefined {
  const open = openDescriptors().filter((fd) => !before.includes(fd))
  const files = open.flatMap((fd) => {
    try {
      return [real.readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })
  const ours = files.filter((file) => file.startsWith("/") && !file.startsWith("/proc/"))
  return ours.length > 0 ? `still open: ${ours.join(", ")}` : undefined
}

const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{40}\b/g
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

function plain(text: string, folder: string): string {
  const seen: string[] = []
  return text
    .replaceAll(folder, "")
    .replace(TIMES, "TIME")
    .replace(IDS, (id) => {
      if (!seen.includes(id)) seen.push(id)
      return `id${seen.indexOf(id)}`
    })
}

// Searches every session on this machine for words, best first.
import { resolve } from "node:path"
import { type FoundHow, findSessions } from "../../find/find.ts"
import { exactly, parseQuery, type Query, type Term, timeOf } from "../../find/query.ts"
import { type Evidence, fits } from "../../find/rank.ts"
import { FEW_LINES } from "../../find/scan.ts"
import { AGENTS } from "../../formats/all/formats.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionId } from "../../model/id.ts"
import { WHO } from "../../model/line-marks.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { FindAnswer, FindQuery, FoundSession, Job } from "../../protocol/library.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { unreadablePlaces } from "../protection/unreadable.ts"
import { readHits, type SearchedSession, searchedSession } from "../search/searched-session.ts"
import { matchSession } from "./named-session.ts"
import { wantedSessions } from "./wanted-sessions.ts"

/** How many entries of a session are shown. */
const OF_ONE = 3

export async function find(
  deps: AppDeps,
  { text, limit, ofOne = OF_ONE, after, within, ...filter }: FindQuery,
  { tick, signal, found: told }: Job = {},
): Promise<FindAnswer> {
  const until = within === undefined ? undefined : performance.now() + within
  const query = withFiles(parseQuery(text))
  const { filters } = query
  const skipped: FindAnswer["skipped"] = []
  async function ticked(share: number): Promise<void> {
    await tick?.(share)
    signal?.throwIfAborted()
  }
  const skip = ({ file, id }: SessionSummary, problem: string) => void skipped.push({ file: file ?? id, problem })
  const agent = filters.from === undefined ? filter.agent : agentNamed(filters.from)
  const given = { ...filter, ...(agent !== undefined && { agent }) }
  const listed = await wantedSessions(deps.store, given, { tick: () => ticked(0), skipped: skip })
  const wanted = filtered(listed, query, deps.now())
  const bytes = wanted.reduce((sum, session) => sum + session.bytes, 1)
  const finding = findSessions(
    wanted.map((each) => searchedSession(deps.store, each)),
    query,
    {
      now: deps.now(),
      tick: (done) => ticked(Math.min(1, done / bytes)),
      skipped: ({ summary }, problem) => skip(summary, problem),
      found: told && (({ summary }) => told(summary.id)),
      lines: Math.max(FEW_LINES, ofOne),
      isLate: () => until !== undefined && performance.now() > until,
    },
  )
  const first = Math.max(0, Number.parseInt(after ?? "0", 10) || 0)
  const answer: FindAnswer = {
    sessions: [],
    total: 0,
    how: "words",
    missing: [],
    next: null,
    complete: true,
    skipped,
    unreadable: unreadablePlaces(deps),
  }
  const shown = new Map<string, FoundSession>()
  let count = 0
  for await (const { session, evidence, score, how } of finding.found) {
    await ticked(1)
    answer.how = how
    const each = await withHits(deps, session, { query, evidence, score, how, ofOne }, skip)
    if (each === undefined) continue
    const original = each.hits.length > 0 && each.hits.every(({ entry }) => entry !== null && shown.has(entry))
    if (original) {
      shown.get(each.hits[0]?.entry ?? "")?.copies.push(each.session)
      continue
    }
    if (count === first + limit) {
      answer.next = String(count)
      break
    }
    for (const { entry } of each.hits) if (entry !== null && !shown.has(entry)) shown.set(entry, each)
    if (count >= first) answer.sessions.push(each)
    count++
  }
  const { sessions: total, isPartial } = finding.total()
  Object.assign(answer, { total: Math.max(total, count), complete: !isPartial })
  if (answer.how === "closest") answer.missing = nobodyHas(query, answer)
  return answer
}

interface Ranked {
  query: Query
  evidence: Evidence
  score: number
  how: FoundHow
  ofOne: number
}

/** Undefined if its records do not say what its bytes seemed to say. */
async function withHits(
  deps: AppDeps,
  { summary }: SearchedSession,
  { query: { terms, filters }, evidence, score, how, ofOne }: Ranked,
  skipped: (session: SessionSummary, problem: string) => void,
): Promise<FoundSession | undefined> {
  const left = filters.branch === "left"
  const wanted = { terms, lines: evidence.lines, inside: how === "inside", left, most: ofOne }
  try {
    const { hits, mask } = await readHits(deps.store, summary, wanted)
    const has = mask | evidence.title
    if (hits.length === 0 && (left || (how !== "closest" && !fits(terms, evidence.title)))) return undefined
    if (how === "words" && !fits(terms, has)) return undefined
    const { id, agent = "retcon", file, cwd, title, updated, from, resume, gone } = summary
    return {
      session: id,
      agent,
      file,
      project: cwd,
      title,
      updated,
      score: Math.round(score * 1000) / 1000,
      words: wordsIn(terms, evidence, how),
      together: terms.filter(({ not }) => !not).length > 1 && evidence.lines.some((line) => fits(terms, line.mask)),
      hits,
      copies: [],
      ...(from?.as === "task" && { taskOf: from.session }),
      ...(resume !== undefined && gone === undefined && { resume }),
    }
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    skipped(summary, error.message)
    return undefined
  }
}

/** In how many messages each word is. */
function wordsIn(terms: readonly Term[], { counts, title }: Evidence, how: FoundHow): Record<string, number> {
  const words: Record<string, number> = {}
  for (const [number, { text, not }] of terms.entries()) {
    let sum = (title & (1 << number)) === 0 ? 0 : 1
    for (let who = 0; who < WHO.length; who++) if ((counts[number * WHO.length + who] ?? 0) > 0) sum++
    const messages = counts
      .slice(number * WHO.length, (number + 1) * WHO.length)
      .reduce((all, each) => all + Math.ceil(each), 0)
    if (!not && (sum > 0 || how === "inside")) words[text] = Math.max(messages, sum > 0 ? 1 : 0)
  }
  return words
}

function nobodyHas({ terms }: Query, { sessions }: FindAnswer): string[] {
  const missing = terms.filter(({ text, not }) => !not && sessions.every(({ words }) => (words[text] ?? 0) === 0))
  return missing.map(({ text }) => text)
}

/** `file:` is what a call names, `read:` also what a result shows. */
function withFiles(query: Query): Query {
  const { filters, terms } = query
  for (const [name, who] of [
    ["file", 4],
    ["read", 12],
  ] as const) {
    const typed = filters[name]
    const [term] = typed === undefined ? [] : exactly(typed, "same").terms
    if (term !== undefined) terms.push({ ...term, who, group: terms.length + 1 })
  }
  return query
}

function filtered(listed: readonly SessionSummary[], { filters }: Query, now: number): SessionSummary[] {
  const { since, before, session, project } = filters
  const from = since === undefined ? Number.NEGATIVE_INFINITY : timeOf("since", since, now)
  const to = before === undefined ? Number.POSITIVE_INFINITY : timeOf("before", before, now)
  const only: SessionId | undefined = session === undefined ? undefined : matchSession(listed, session)
  const part = project === undefined ? undefined : (project.startsWith("/") ? resolve(project) : project).toLowerCase()
  return listed.filter(({ id, updated, cwd }) => {
    const at = Date.parse(updated)
    return (
      at >= from &&
      at < to &&
      (only === undefined || id === only) &&
      (part === undefined || cwd.toLowerCase().includes(part))
    )
  })
}

function agentNamed(typed: string): string {
  const name = typed.toLowerCase()
  const all = ["retcon", ...AGENTS]
  const agent = all.find((each) => each === name) ?? all.find((each) => each.startsWith(name))
  if (agent !== undefined) return agent
  const problem = `No agent is called "${sanitiseLine(typed)}".`
  throw new RetconError({ code: "invalid", problem, advice: `Use one of: ${all.join(", ")}.` })
}

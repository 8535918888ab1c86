// The server part of `npm run soak`: 200 readers of 20 sessions that converse with the practice model, on a real
// socket. No event may be lost or duplicated, going back must stay quick, and memory must not grow.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Worker } from "node:worker_threads"
import { root } from "../prepare.mjs"

const SESSIONS = 20
const READERS = 200
/** Per turn, and the pause after it. */
const WORDS = 100
const PAUSE = 700
/**
 * Megabytes of heap that the servers may use: with more, memory that could be freed would look like memory that grows.
 */
const HEAP = 128

/** Resolves with the problems found, one line each. `told`: called with figures for people. */
export async function soakServer(seconds, told) {
  const folder = mkdtempSync(join(tmpdir(), "retcon-soak-"))
  const server = await start(join(folder, "home"))
  const idleServer = await start(join(folder, "idle-home"))
  const agent = new Agent({ keepAlive: true })
  const ask = (path, body) => asked(server, agent, path, body)
  const askIdle = (path, body) => asked(idleServer, agent, path, body)
  try {
    const paths = await Promise.all(
      Array.from({ length: SESSIONS }, (_, i) => newSession(ask, join(folder, `work-${i}`))),
    )
    const quiet = await newSession(askIdle, join(folder, "quiet"))
    const readers = startReaders(server, paths)
    const memory = []
    const sampling = setInterval(() => memory.push(residentMb(server.pid)), 1000)
    const until = Date.now() + seconds * 1000
    // At the same time, so that both run under the same conditions.
    const [idle, ...all] = await Promise.all([
      idleBacks(askIdle, quiet, until),
      ...paths.map((path) => converse(ask, path, until)),
    ])
    const backs = all.flat()
    clearInterval(sampling)
    const last = new Map(await Promise.all(paths.map(async (path) => [path, (await ask(path)).seq])))
    return judged({ read: await readers.caughtUp(last), backs, idle, memory }, told)
  } finally {
    agent.destroy()
    for (const { child } of [server, idleServer]) child.kill("SIGINT")
    await Promise.all([server.ended, idleServer.ended])
    rmSync(folder, { recursive: true, force: true })
  }
}

function judged({ read, backs, idle, memory }, told) {
  const { events, returns, resets, problems } = read
  const [p50, p99, quiet] = [quantile(backs, 0.5), quantile(backs, 0.99), quantile(idle, 0.5)]
  const third = Math.floor(memory.length / 3)
  const [middle, end] = [mean(memory.slice(third, -third)), mean(memory.slice(-third))]
  told(
    `${READERS} readers received ${events} events and came back ${returns} times; ${backs.length} times back: ` +
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (an idle server beside it: p50 ${quiet.toFixed(1)} ms, p99 ${quantile(idle, 0.99).toFixed(1)} ms); ` +
      `memory ${middle.toFixed(0)} MB in the middle, ${end.toFixed(0)} MB at the end.`,
  )
  if (resets > 0) problems.push(`${resets} readers had to start over`)
  if (p99 > 10 * quiet)
    problems.push(
      `going back took ${p99.toFixed(1)} ms (p99), more than ten times the ${quiet.toFixed(1)} ms of an idle server (whose p99 was ${quantile(idle, 0.99).toFixed(1)} ms at the same time)`,
    )
  if (end > 1.2 * middle) problems.push(`memory grew from ${middle.toFixed(0)} to ${end.toFixed(0)} MB`)
  return problems
}

/** In a separate thread: what 200 readers cost must not count as time that a server takes to go back. */
function startReaders({ url, token }, paths) {
  const workerData = { url, token, paths, readers: READERS }
  const worker = new Worker(new URL("./readers.mjs", import.meta.url), { workerData })
  const result = new Promise((settle, fail) => worker.once("message", settle).once("error", fail))
  return {
    caughtUp(last) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage(last)
      return result
    },
  }
}

async function start(home) {
  const words = ["serve", "--port", "0", "--no-open", "--json", "--model", "practice"]
  const env = { PATH: process.env.PATH, HOME: dirname(home), RETCON_HOME: home }
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP}`, join(root, "dist/cli.cjs"), ...words], {
    cwd: dirname(home),
    env,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = new Promise((settle) => child.on("close", settle))
  const line = await new Promise((settle) => child.stdout.once("data", (data) => settle(String(data))))
  const { url, token } = JSON.parse(line)
  return { child, ended, pid: child.pid, url, token }
}

async function newSession(ask, cwd) {
  mkdirSync(cwd)
  const path = `/api/sessions/${(await ask("/api/sessions", { cwd })).id}`
  await ask(`${path}/converse`, { text: "say hello", wait: true })
  return path
}

/** How long going back takes on a server that does nothing else. */
async function idleBacks(ask, path, until) {
  const times = []
  while (Date.now() < until) {
    await ask(`${path}/converse`, { text: "say hello", wait: true })
    times.push(await timed(() => ask(`${path}/back`, {})))
    await pause(PAUSE / 2)
  }
  return times
}

async function converse(ask, path, until) {
  const times = []
  // Not all at once: 20 people do not press Back within one millisecond.
  await pause(2 * PAUSE * Math.random())
  while (Date.now() < until) {
    await ask(`${path}/converse`, { text: `count to ${WORDS}`, wait: true })
    times.push(await timed(() => ask(`${path}/back`, {})))
    await pause(PAUSE * (0.5 + Math.random()))
  }
  return times
}

async function timed(work) {
  const from = performance.now()
  await work()
  return performance.now() - from
}

function asked({ url, token }, agent, path, body) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  return new Promise((settle, fail) => {
    const sent = request(
      `${url}${path}`,
      { agent, headers, method: body === undefined ? "GET" : "POST" },
      (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (more) => (text += more))
        response.on("end", () =>
          response.statusCode < 300 ? settle(JSON.parse(text)) : fail(new Error(`${path}: ${text}`)),
        )
      },
    )
    sent.on("error", fail)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function residentMb(pid) {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kb) / 1024
}

function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function pause(ms) {
  return new Promise((settle) => setTimeout(settle, ms))
}

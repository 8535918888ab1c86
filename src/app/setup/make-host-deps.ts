// Composes what a host needs on this machine. The tools are loaded when a turn needs them.
import { realpathSync } from "node:fs"
import { join, resolve } from "node:path"
import { allowProblems } from "../../agent/permission/rule-problems.ts"
import type { Tool } from "../../agent/port/tool.ts"
import { skillFolders } from "../../agent/prompt/prompt-files.ts"
import type { SandboxUse } from "../../agent/sandbox/port.ts"
import { makeSandbox } from "../../agent/sandbox/sandbox.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { PermissionMode } from "../../model/permission-mode.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import { textTokens } from "../../model/tokens.ts"
import type { ModelItem } from "../../protocol/shapes.ts"
import { chooseModel } from "../../provider/choose.ts"
import { learn, NO_CORRECTION } from "../../provider/correction.ts"
import { firstWithKey, keyVariables, locate } from "../../provider/endpoint.ts"
import { timerSleep } from "../../provider/port/timing.ts"
import { localFiles } from "../../store/file/local/local-files.ts"
import { copyAt } from "../../workspace/git/copy/copied-folder.ts"
import { readAgentConfig } from "../config/agent-config.ts"
import { requireUsableConfig } from "../config/config-check.ts"
import { configuredRules } from "../config/configured-rules.ts"
import { promptFilesOf, readingOf } from "../config/reading.ts"
import { idNamed } from "../library/named-session.ts"
import { leaveNote, notesOf } from "../notes/folder-notes.ts"
import { loadAgentCopies } from "../open/load-agent-copies.ts"
import { openWorkspace } from "../open/workspace.ts"
import type { AppDeps } from "../port/app-deps.ts"
import type { HostDeps, SystemAbout, ToolDeps } from "../port/host-deps.ts"
import { agentPrograms } from "./agent-programs.ts"
import { debugLog } from "./debug-log.ts"

export interface AgentOptions {
  model?: string
  mode?: PermissionMode
  /** Rules for what is allowed without asking, such as `Bash(npm test)`. */
  allow?: string[]
  /** False: no checkpoints, no Backtrack. */
  backtrack?: boolean
  maxSteps?: number
  sandbox?: SandboxUse
  think?: ThinkingLevel
  /** A person watches: the practice model takes its time. */
  watched?: boolean
}

const MAX_STEPS = 200
/** Variables with such names are kept from commands, because they contain secrets. */
const KEY_NAME =
  /KEY|TOKEN|SECRET|CREDENTIAL|PASSW|PASSPHRASE|(?:^|_|SSH|DB|PG)PASS(?:_|$)|_PWD$|(?:^|_)(?:AUTH|BEARER|COOKIE)$/i

export interface Composition {
  deps: HostDeps
  notices: string[]
  /** The models that can be chosen, by name. */
  models: () => Promise<ModelItem[]>
  /** No model was requested or configured, and there is no key. */
  noKey: boolean
  /** For the person's own programs, such as their editor: everything except the keys of providers. */
  personEnv: Record<string, string>
  close: () => Promise<void>
}

export async function hostDeps(app: AppDeps, options: AgentOptions = {}): Promise<Composition> {
  requireUsableConfig(app.home, app.cwd)
  const config = readAgentConfig(app.home, app.cwd)
  const timing = { now: app.now, random: app.random, sleep: timerSleep }
  const keyNames = keyVariables(config.models)
  app.forgetKeys(keyNames)
  /** The keys used so far. */
  const secrets: string[] = []
  const isKey = (name: string) => KEY_NAME.test(name) || keyNames.includes(name)
  // With CDPATH, `cd src` leads to another folder than it says.
  const env = without(app.env, (name) => isKey(name) || name === "CDPATH")
  const { RETCON_DEBUG: file } = app.env
  const masked = [
    ...Object.entries(app.env).flatMap(([name, value]) => (isKey(name) && value !== undefined ? [value] : [])),
    ...Object.values(config.models.providers ?? {}).flatMap(({ key }) => (key === undefined ? [] : [key.reveal()])),
  ]
  const trace = file === undefined || file === "" ? undefined : debugLog(resolve(app.cwd, file), app.now, masked)
  const notices = makeNotices()
  const mcp = await mcpServers(app, config.mcp, config.notices, notices.tell)
  mcp.start()
  const counter = tokenCounter()
  const personEnv = without(app.env, (name) => keyNames.includes(name))
  const deps: HostDeps = {
    ...agentPrograms(app, personEnv),
    store: app.store,
    openFile: (path) => app.store.openFile(path),
    openNamed: async (name) => app.store.open(await idNamed(app, name)),
    session: { ...app.sessionOptions, files: app.settings.files },
    made: app.made,
    now: app.now,
    openWorkspace: (cwd, session, store) => openWorkspace(app, cwd, session, store),
    local: (log) => localFiles(app.home, log),
    earlier: loadAgentCopies,
    leaveNote: (folder, text) => leaveNote(notesOf(app, folder), text, "retcon"),
    async model(name) {
      const wanted = name ?? options.model
      const choice = await chooseModel({
        ...(wanted === undefined ? {} : { wanted }),
        settings: config.models,
        env: app.env,
        fetch: globalThis.fetch,
        timing,
        ...(trace === undefined ? {} : { trace }),
        ...(options.watched === true ? { practice: { sleep: timerSleep } } : {}),
      })
      if (choice.outcome === "chosen") {
        const located = locate(choice.model.id.split("/", 1)[0] ?? "", config.models, app.env)
        const key = located.found === "endpoint" ? located.endpoint.key?.reveal() : undefined
        if (key !== undefined && !secrets.includes(key)) secrets.push(key)
        return choice.model
      }
      throw new RetconError({ code: "invalid", problem: choice.problem, advice: choice.advice })
    },
    // Tools of MCP servers run outside: in a copy, they would work in the original.
    tools: async (wanted, cwd) => allTools(wanted, copyAt(app.home, cwd) === undefined ? await mcp.tools() : []),
    workRoot: (cwd, session) => ({
      folder: cwd,
      ...originOf(app, cwd),
      scratch: join(app.home, "scratch", session),
      own: app.home,
      ...(app.env.HOME === undefined ? {} : { home: app.env.HOME, readable: skillFolders(app.env.HOME) }),
    }),
    ...sandboxPart(app, options, config.sandboxWrite),
    env,
    secrets,
    systemPrompt: (cwd, about) => systemPromptFor(app, cwd, about),
    reading: async (cwd) => (await readingOf(app, cwd)).rows,
    promptFiles: (cwd) => promptFilesOf(app, cwd).usable,
    tokens: counter.tokens,
    learn: counter.learn,
    limits: config.limits,
    modelFacts: config.models.models,
    rules: configuredRules({ home: app.home, personHome: app.env.HOME }, options.allow ?? [], notices.tell),
    mode: app.settings.mode,
    ...(options.mode === undefined ? {} : { askedMode: options.mode }),
    ...(options.think === undefined ? {} : { askedThinking: options.think }),
    ...(trace === undefined ? {} : { trace }),
    onNotice: notices.on,
    backtrack: options.backtrack !== false,
    maxSteps: options.maxSteps ?? MAX_STEPS,
  }
  const models = async () => {
    const { modelNames } = await import("./model-names.ts")
    return modelNames({ settings: config.models, env: app.env, fetch: globalThis.fetch, timing })
  }
  const chosen = options.model ?? config.models.model ?? firstWithKey(config.models, app.env)
  const told = [...config.notices, ...allowProblems(options.allow ?? []).map(sanitiseLine)]
  return { deps, notices: told, models, noKey: chosen === undefined, personEnv, close: () => mcp.close() }
}

/** The folder that a folder is a copy of. */
function originOf({ home }: AppDeps, cwd: string): { origin?: string } {
  const copy = copyAt(home, cwd)
  return copy?.folder === cwd ? { origin: copy.of } : {}
}

function sandboxPart(app: AppDeps, options: AgentOptions, write: readonly string[]): Pick<HostDeps, "sandbox"> {
  const use = options.sandbox ?? app.settings.sandbox
  const settings = { use, network: app.settings["sandbox.network"], write }
  const { HOME, PATH } = app.env
  return {
    sandbox: ({ folder: root, scratch, origin }, mode) =>
      makeSandbox({
        settings,
        mode,
        root,
        ...(origin !== undefined && {
          copy: { folder: realpathSync(root), origin, objects: copyAt(app.home, root)?.objects ?? [] },
        }),
        home: app.home,
        readable: [scratch],
        search: ["/usr/bin:/bin", PATH].join(":"),
        ...(HOME === undefined ? {} : { personHome: HOME }),
      }),
  }
}

async function allTools(wanted: ToolDeps, more: readonly Tool[]): Promise<Tool[]> {
  const { builtInTools } = await import("../../agent/tools/built-in.ts")
  return [...builtInTools(wanted), ...more]
}

async function mcpServers(
  app: AppDeps,
  config: Parameters<typeof import("../../agent/mcp/server-config.ts").parseMcpServers>[0],
  notices: string[],
  notice: (text: string) => void,
) {
  if (typeof config !== "object" || config === null || Object.keys(config).length === 0) {
    return { start: () => undefined, tools: async () => [], close: async () => undefined }
  }
  const { parseMcpServers } = await import("../../agent/mcp/server-config.ts")
  const { connectMcp } = await import("../../agent/mcp/servers.ts")
  const { servers, problems } = parseMcpServers(config, definedOnly(app.env))
  notices.push(...problems)
  return connectMcp(servers, {
    cwd: app.cwd,
    version: app.made.version,
    path: app.env.PATH,
    notice,
  })
}

/** Passes notices on to its listeners; earlier ones are kept for the first listener. */
function makeNotices(): { tell: (text: string) => void; on: NonNullable<HostDeps["onNotice"]> } {
  const listeners = new Set<(text: string) => void>()
  let early: string[] = []
  return {
    tell(text) {
      if (listeners.size === 0) early.push(text)
      for (const listener of listeners) listener(text)
    },
    on(listener) {
      listeners.add(listener)
      for (const text of early) listener(text)
      early = []
      return () => listeners.delete(listener)
    },
  }
}

/** An estimate, corrected by what providers report. */
function tokenCounter(): { tokens: (text: string) => number; learn: (estimated: number, reported: number) => void } {
  let correction = NO_CORRECTION
  return {
    tokens: (text) => Math.ceil(textTokens(text) * correction.factor),
    learn(estimated, reported) {
      correction = learn(correction, estimated / correction.factor, reported)
    },
  }
}

async function systemPromptFor(app: AppDeps, cwd: string, about: SystemAbout): Promise<string> {
  const { skillList } = await import("../../agent/prompt/prompt-files.ts")
  const { systemPrompt } = await import("../../agent/prompt/system-prompt.ts")
  const { instructions, files } = await readingOf(app, cwd)
  const text = systemPrompt({
    root: cwd,
    platform: process.platform,
    date: new Date(app.now()).toISOString().slice(0, 10),
    ...about,
    instructions,
    skills: skillList(files),
  })
  return about.agent === "sub-agent" ? text : withWaitingNotes(app, cwd, text)
}

/** The most bytes of notes that a session begins with. */
const MOST_NOTES = 4096

/** Notes in the beginning of a session count as delivered, because the session keeps them. */
async function withWaitingNotes(app: AppDeps, cwd: string, text: string): Promise<string> {
  const { withNotes } = await import("../notes/notes-for-agent.ts")
  const { markDelivered } = await import("../notes/folder-notes.ts")
  const folder = { home: app.home, cwd }
  const told = withNotes(folder, text, Buffer.byteLength(text) + MOST_NOTES)
  markDelivered({ ...folder, now: app.sessionOptions.now }, told.notes, "retcon")
  return told.text
}

function without(env: AppDeps["env"], isSecret: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(definedOnly(env)).filter(([name]) => !isSecret(name)))
}

function definedOnly(env: AppDeps["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

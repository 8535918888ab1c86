// Your own workspace: documents in a Map, as in an editor or a notebook. Going back takes back what the agent changed, and
// leaves what the person changed since. Run it with: npx tsx examples/own-workspace.ts
import { createHash } from "node:crypto"
import {
  answerDraft,
  type Conflict,
  createSession,
  type FileChange,
  type FileState,
  memoryStore,
  noWorkspace,
  parseSnapshotId,
  promptDraft,
  type RestoreAction,
  RetconError,
  type SnapshotId,
  type Workspace,
} from "retcon"

type Documents = Map<string, string>
const hash = (text: string) => createHash("sha1").update(text).digest("hex")
const state = (text: string | undefined): FileState | undefined =>
  text === undefined ? undefined : { kind: "file", oid: hash(text), perm: 0o644 }

export function documentWorkspace(documents: Documents): Workspace {
  const snapshots = new Map<SnapshotId, Documents>()
  const texts = new Map<string, string>()
  let restores = 0
  const at = (id: SnapshotId): Documents => {
    const found = snapshots.get(id)
    if (found === undefined) throw new RetconError({ code: "snapshot-gone", snapshot: id })
    return found
  }
  const take = (): SnapshotId => {
    const id = parseSnapshotId(hash(JSON.stringify([...documents].sort(([a], [b]) => (a < b ? -1 : 1))))) as SnapshotId
    for (const text of documents.values()) texts.set(hash(text), text)
    snapshots.set(id, new Map(documents))
    return id
  }
  const changes = (actions: readonly RestoreAction[]): FileChange[] =>
    actions.map(({ path, from, to }) => {
      const change = from === undefined ? "added" : to === undefined ? "deleted" : "modified"
      const none = { added: undefined, removed: undefined, oldOid: undefined, newOid: undefined }
      return { path, change, kind: "file", binary: false, ...none, oldMode: undefined, newMode: undefined }
    })
  const differing = (from: Documents, to: Documents): RestoreAction[] =>
    [...new Set([...from.keys(), ...to.keys()])]
      .filter((path) => from.get(path) !== to.get(path))
      .sort()
      .map((path) => ({ path, from: state(from.get(path)), to: state(to.get(path)) }))
  return {
    ...noWorkspace("documents have no patches and no commits"),
    unavailable: undefined,
    snapshot: async () => ({ id: take(), changed: [], lost: [], notCovered: [], repositories: [] }),
    diff: async (from, to) => changes(differing(at(from), at(to))),
    blob: async (id, path) => new TextEncoder().encode(at(id).get(path)),
    check: async (id) => void at(id),
    async planRestore({ steps }) {
      const wanted = new Map(documents)
      const conflicts: Conflict[] = []
      for (const { before, after, paths } of steps) {
        for (const { path } of differing(at(after), at(before))) {
          if (paths?.includes(path) === false) continue
          const then = at(before).get(path)
          if (wanted.get(path) !== at(after).get(path)) conflicts.push({ path, because: "content", parts: [] })
          else if (then === undefined) wanted.delete(path)
          else wanted.set(path, then)
        }
      }
      const now = take()
      const actions = differing(documents, wanted)
      const none = { kept: [], untaken: [], uncertain: [], notCovered: [], repositories: [] }
      return { ...none, now, actions, files: changes(actions), conflicts }
    },
    async restore(plan, { record } = {}) {
      if (plan.conflicts.length > 0) return { outcome: "refused", because: "conflicts", conflicts: plan.conflicts }
      const before = take()
      for (const { path, to } of plan.actions) {
        if (to?.kind === "file") documents.set(path, texts.get(to.oid) ?? "")
        else documents.delete(path)
      }
      const id = (++restores).toString(16).padStart(16, "0")
      const restored = { outcome: "restored" as const, id, before, after: take(), files: plan.files, kept: [] }
      await record?.(restored)
      return restored
    },
  }
}

const documents: Documents = new Map([["plan.md", "Write a parser."]])
const workspace = documentWorkspace(documents)
const made = { name: "example", version: "1" }
await using session = await createSession(memoryStore(), { cwd: "/notebook", made }, { workspace })

await session.append([promptDraft("Hello."), answerDraft("Hello!")])
await session.append(promptDraft("Change the plan."))
const call = { type: "tool-call" as const, call: "1", name: "write", input: { path: "plan.md" } }
const [entry] = await session.append(answerDraft([call]))
// What changes between openSpan and closeSpan counts as the agent's.
const open = entry && (await session.files.openSpan({ entry, call: "1", paths: ["plan.md", "poem.md"] }))
documents.set("plan.md", "Write a poem.")
documents.set("poem.md", "Roses are red.")
await session.files.closeSpan(open)
documents.set("mine.md", "The person's own.")

const moved = await session.back({ files: "restore" })
console.log(moved.outcome, Object.fromEntries(documents))
await session.undo()
console.log("undone", Object.fromEntries(documents))

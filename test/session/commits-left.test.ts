// Where repositories stood when what a move leaves began, and the command that brings them back there.
import { expect, test } from "vitest"
import { NONE } from "../../src/history/tree/tree.ts"
import { commitsOf, type RepositoryMoved, repositoriesMoved } from "../../src/session/files/known/commits.ts"
import type { OpenSession } from "../../src/session/state/open-session.ts"
import type { Repository } from "../../src/workspace/port.ts"
import { type Picture, picture } from "../history/picture.ts"

type Stand = { path?: string; branch?: string; commit?: string }
const [ONE, TWO, THREE] = ["1", "2", "3"].map((digit) => digit.repeat(40)) as [string, string, string]

/** A path of two rounds and a branch, with a snapshot at each entry that is named. */
function treeWith(...seen: [entry: string | null, ...Stand[]][]): Picture {
  const tree = picture("p1 > a1 > p2 > a2; a1 > p3")
  for (const [n, [entry, ...stands]] of seen.entries()) {
    const repositories = stands.map((stand) => ({ path: "", ...stand }))
    const about = { entry: entry === null ? null : tree.idOf(entry), when: "before", snapshot: "s", repositories }
    tree.add({ id: tree.nextId(), type: "snapshot", at: `at ${n}`, ...about } as never)
  }
  return tree
}

function moved(tree: Picture, from: string, to: string | undefined, now: Repository[] = []) {
  const range = { from: tree.row(from), to: to === undefined ? NONE : tree.row(to) }
  return repositoriesMoved(tree, range, now).map(({ path, before, here, since }) => [
    path,
    before.commit,
    here.commit,
    since,
  ])
}

test("a repository has moved if it was elsewhere when the part being left began", () => {
  const tree = treeWith(["p1", { commit: ONE }], ["p2", { commit: TWO }], ["a2", { commit: THREE }])
  expect(moved(tree, "a2", "a1")).toEqual([["", TWO, THREE, "at 1"]])
  expect(moved(tree, "a2", undefined)).toEqual([["", ONE, THREE, "at 0"]])
  expect(moved(tree, "a1", undefined)).toEqual([])
  expect(moved(tree, "a2", "a2")).toEqual([])
})

test("where it is now counts more than the last snapshot", () => {
  const tree = treeWith(["p2", { commit: ONE }])
  const here = (commit?: string) => [{ path: "", branch: "main", commit }] as Repository[]
  expect(moved(tree, "a2", "a1", here(TWO))).toEqual([["", ONE, TWO, "at 0"]])
  expect(moved(tree, "a2", "a1", here(ONE))).toEqual([])
  expect(moved(tree, "a2", "a1", here())).toEqual([])
})

test("snapshots of other branches, of the person's own commands and of other repositories say nothing about it", () => {
  const tree = treeWith(
    ["p2", { commit: ONE }, { path: "sub", commit: ONE }],
    ["p3", { commit: TWO }],
    [null, { commit: THREE }],
  )
  expect(moved(tree, "a2", "a1")).toEqual([])
  const both = treeWith(
    ["p2", { commit: ONE }, { path: "sub", commit: ONE }],
    ["a2", { commit: ONE }, { path: "sub", commit: TWO }],
  )
  expect(moved(both, "a2", "a1")).toEqual([["sub", ONE, TWO, "at 0"]])
})

/** Commits that were named, for how a repository moved. */
async function commits(before: Stand, here: Stand, more: { made?: string[]; path?: string; byGit?: boolean } = {}) {
  const session = {
    files: {
      commits: async () => ({ commits: (more.made ?? []).map((subject) => ({ commit: TWO, subject })), more: 3 }),
    },
  } as unknown as OpenSession
  const repository = { path: more.path ?? "", before, here, since: "2026-01-01T00:00:00.000Z" } as RepositoryMoved
  const [found] = await commitsOf(session, [repository], more.byGit)
  return found
}

test("commits that were made are named, without a way back on the same branch", async () => {
  const found = await commits({ branch: "main", commit: ONE }, { branch: "main", commit: TWO }, { made: ["work"] })
  expect(found).toEqual({ path: "", from: ONE, to: TWO, made: [{ commit: TWO, subject: "work" }], more: 3 })
})

test.each<[what: string, before: Stand, here: Stand, more: Parameters<typeof commits>[2], switched: unknown]>([
  [
    "another branch",
    { branch: "main", commit: ONE },
    { branch: "side", commit: TWO },
    { made: ["work"] },
    { from: "main", to: "side", command: "git switch main" },
  ],
  [
    "the same branch without a commit",
    { branch: "main", commit: ONE },
    { branch: "main", commit: TWO },
    {},
    { from: "1111111", to: "2222222", command: `git checkout ${ONE.slice(0, 12)}` },
  ],
  [
    "no branch before",
    { commit: ONE },
    { branch: "main", commit: TWO },
    {},
    { from: "1111111", to: "main", command: `git checkout ${ONE.slice(0, 12)}` },
  ],
  [
    "files that git changed too",
    { branch: "main", commit: ONE },
    { branch: "main", commit: TWO },
    { made: ["work"], byGit: true },
    { from: "1111111", to: "2222222", command: `git checkout ${ONE.slice(0, 12)}` },
  ],
  [
    "a folder below",
    { branch: "a b", commit: ONE },
    { branch: "side", commit: TWO },
    { path: "it's" },
    { from: "a b", to: "side", command: "git -C 'it'\\''s' switch 'a b'" },
  ],
  [
    "a name like an option",
    { branch: "-f", commit: ONE },
    { branch: "side", commit: TWO },
    {},
    { from: "-f", to: "side", command: "git switch '-f'" },
  ],
  ["no commit before", { branch: "main" }, { branch: "side", commit: TWO }, {}, undefined],
])("the way back: %s", async (_, before, here, more, switched) => {
  expect((await commits(before, here, more))?.switched).toEqual(switched)
})

// Writes a path of the tree as a Kimi Code session.
import { createHash } from "node:crypto"
import { basename, join } from "node:path"
import type { WriteRequest, Written } from "../port.ts"
import { millis } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { homeOf, MAIN, placeOf } from "./place.ts"
import { WireWriter } from "./wire-writer.ts"

export function writeKimiCode(request: WriteRequest): Written {
  const { cwd, title, now, homes } = request
  const wire = new WireWriter(request)
  const id = `session_${request.newId()}`
  const folder = join(homeOf(homes), "sessions", workspaceOf(cwd), id)
  const created = millis(now)
  const state = {
    id,
    version: 2,
    cwd,
    archived: false,
    agents: { main: { homedir: join(folder, "agents", MAIN), type: "main" } },
    custom: {},
    createdAt: created,
    updatedAt: created,
    isCustomTitle: title !== undefined,
    ...(title !== undefined && { title }),
  }
  return {
    files: [
      { path: placeOf(folder, MAIN).main, bytes: wire.write() },
      { path: join(folder, "state.json"), bytes: Buffer.from(JSON.stringify(state)) },
    ],
    resume: ["kimi", "--session", id, ...modelOption(homes)],
    lost: wire.lost,
  }
}

/**
 * A session that Kimi Code did not start has no model, and `kimi -p` refuses it. With this option the program also adds its own
 * system prompt, which would be missing if the wire log named a model.
 */
function modelOption(homes: WriteRequest["homes"]): string[] {
  const config = readHead(join(homeOf(homes), "config.toml")).toString("utf8")
  const model = /^default_model\s*=\s*"([^"\\]+)"/m.exec(config)?.[1]
  return model === undefined ? [] : ["--model", model]
}

/** The folder of a work directory's sessions, as the program names it. */
function workspaceOf(cwd: string): string {
  const path = cwd.replaceAll("\\", "/").replace(/\/+$/, "")
  const letters = basename(path)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
  const slug = withoutDashes(withoutDashes(letters).slice(0, LONGEST_SLUG))
  const name = slug === "" || slug === "." || slug === ".." ? "workspace" : slug
  return `wd_${name}_${createHash("sha256").update(path).digest("hex").slice(0, 12)}`
}

const LONGEST_SLUG = 40

function withoutDashes(text: string): string {
  return text.replace(/^-+/, "").replace(/-+$/, "")
}

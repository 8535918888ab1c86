// Copies a session up to an entry and opens the copy. The original stays unchanged.
import type { EntryId } from "../../src/model/id.ts"
import type { PageSession } from "../open/page-session.svelte.ts"
import type { PageState } from "../open/page-state.svelte.ts"
import { sessionAddress } from "../page/page-address.ts"
import { problemToast } from "../show/problem.ts"

export async function branchFrom(page: PageState, open: PageSession, entry: EntryId | undefined): Promise<void> {
  try {
    const { session, prompt } = await open.session.split(entry)
    location.hash = sessionAddress(session)
    await page.show(session)
    if (prompt !== null && page.open !== undefined && page.open.draft === "") page.open.draft = prompt.text
    page.toasts.add({ kind: "done", text: "This is a copy. The original session is unchanged." })
  } catch (error) {
    page.toasts.add(problemToast(error))
  }
}

// The key to the server: in the fragment of the address that `retcon serve` prints, so it is never sent in a request line.

const STORED = "retcon-token"

interface BrowserTab {
  location: { hash: string; pathname: string; search: string }
  history: { replaceState(data: unknown, unused: string, url: string): void }
  storage: { getItem(key: string): string | null; setItem(key: string, value: string): void }
}

function tokenIn(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token")
}

/** Whether the address has a token. A browser does not reload a page if only the fragment has changed. */
export function hasToken(hash: string): boolean {
  return (tokenIn(hash) ?? "") !== ""
}

/** Contract: keeps a token from the address for this tab, and removes it from the address and so from the history. */
export function takeToken({ location, history, storage }: BrowserTab): string | undefined {
  const token = tokenIn(location.hash)
  if (token === null || token === "") return storage.getItem(STORED) ?? undefined
  storage.setItem(STORED, token)
  history.replaceState(null, "", location.pathname + location.search)
  return token
}

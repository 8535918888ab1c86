// Serves the page: the files from the build, and nothing else.

export interface PageFile {
  bytes: Uint8Array
  type: string
  /** Its name contains a hash of its content, so browsers may cache it for good. */
  fixed: boolean
}

/** A file by its path, `/` for the start page; undefined if there is none. */
export type PageFiles = (path: string) => Promise<PageFile | undefined>

const encoder = new TextEncoder()

export async function pageAnswer(request: Request, page: PageFiles | undefined): Promise<Response> {
  const { pathname } = new URL(request.url)
  const found = (await page?.(pathname)) ?? (pathname === "/" ? placeholder() : undefined)
  if (found === undefined) {
    return new Response("There is nothing at this address.\n", {
      status: 404,
      headers: { "content-type": "text/plain" },
    })
  }
  return new Response(found.bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": found.type,
      "cache-control": found.fixed ? "public, max-age=31536000, immutable" : "no-cache",
    },
  })
}

function placeholder(): PageFile {
  return { bytes: encoder.encode(NO_PAGE), type: "text/html; charset=utf-8", fixed: false }
}

/** What a browser shows if retcon was built without the page. */
const NO_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>retcon</title>
<h1>retcon</h1>
<p>The server is running, but this build has no page. The API is at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</html>
`

// What a browser shows if retcon was built without the page.

export const NO_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>retcon</title>
<h1>retcon</h1>
<p>The server is running, but this build has no page. The API is at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</html>
`

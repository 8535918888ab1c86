// Cuts the connection of a stream that the server gives up, such as that of a slow reader. The adapter would print the
// error, and write it into the stream.
import { EVENT_STREAM } from "../live/broadcast.ts"

export function cutQuietly(response: Response, outgoing: { destroy(): unknown }): Response {
  if (response.body === null || response.headers.get("content-type") !== EVENT_STREAM["content-type"]) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch {
          outgoing.destroy()
          controller.close()
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead: the sender counts what waits.
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}

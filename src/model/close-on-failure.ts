// What is handed on open: whoever gets it closes it; if it cannot be handed on, nobody would.

/** The result of `work`. Contract: if it fails, what was opened is closed, and the failure is that of `work`. */
export async function closeOnFailure<Value>(
  opened: { close(): Promise<unknown> },
  work: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    await opened.close().catch(() => undefined)
    throw error
  }
}

/** A session's clock that is behind that of the files: whatever a command changes seems to have been saved after it ended. */
export const behind = (): string => new Date(Date.now() - 60_000).toISOString()

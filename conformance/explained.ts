// Where a program and retcon do not agree, and why that is not mended.

export const EXPLAINED: readonly { program: string; case: string; because: string }[] = []

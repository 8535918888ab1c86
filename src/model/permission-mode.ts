// How much the agent may do without asking.

export const PERMISSION_MODES = ["default", "autoEdit", "yolo"] as const
/** `default`: reads are free, writes and commands ask. `autoEdit`: writes are free too. `yolo`: everything inside is. */
export type PermissionMode = (typeof PERMISSION_MODES)[number]

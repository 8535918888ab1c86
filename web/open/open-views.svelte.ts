// Which views are open beside the conversation.

export class OpenViews {
  tree = $state(false)
  time = $state(false)
  /** On a narrow screen: the list of sessions replaces the conversation. */
  menu = $state(false)
  keys = $state(false)
  /** The dialog that asks for a new session's folder. */
  create = $state(false)
  doctor = $state(false)
  /** What all sessions took, and what they changed. */
  usage = $state(false)
  edits = $state(false)
  /** What another agent's program lets one choose. */
  choices = $state(false)
}

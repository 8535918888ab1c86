// What is planted in generated histories. Each query has one best session; the others only look like it.

export interface Planted {
  where: "you" | "agent" | "call" | "result"
  text: string
}

export interface Needle {
  query: string
  target: Planted
  near: Planted[]
  /** Typed as a question: not every word of it was said. */
  asked?: true
}

const you = (text: string): Planted => ({ where: "you", text })
const agent = (text: string): Planted => ({ where: "agent", text })
const call = (text: string): Planted => ({ where: "call", text })
const result = (text: string): Planted => ({ where: "result", text })

export const NEEDLES: readonly Needle[] = [
  {
    query: "zebrafinch",
    target: you("Why is the zebrafinch importer so slow?"),
    near: [
      result("zebrafinch.log 12 kB"),
      result("zebrafinch zebrafinch zebrafinch"),
      agent("zebrafinches are not affected"),
    ],
  },
  {
    query: "heartbeat watermark",
    target: you("Why does the HEARTBEAT overwrite the WATERMARK when the reconnect happens?"),
    near: [
      you("Send a heartbeat every second."),
      agent("The watermark is stored per shard."),
      result("heartbeat watermark"),
    ],
  },
  {
    query: "certificate renewal cron",
    target: agent("The certificate expired because the renewal ran from cron without the new path."),
    near: [result("certificate ok"), you("Look at the cron table."), agent("The renewal is planned.")],
  },
  {
    query: '"flaky retry budget"',
    target: you("Give the uploads a flaky\n  retry budget of three."),
    near: [you("The retry budget is flaky."), agent("flaky retry, budget three")],
  },
  {
    query: "ledger rollover",
    target: call("export function parse_ledger_rollover(text: string) { return text.split(';') }"),
    near: [result("const rolloverDate = 3"), result("ledgers: 12")],
  },
  {
    query: "größe überlauf",
    target: you("Die Größe ist falsch: der Überlauf wird nicht erkannt."),
    near: [agent("Die Größe stimmt jetzt."), result("Überlauf in Zeile 3")],
  },
  {
    query: "会话 恢复",
    target: you("重启以后会话不能恢复,请检查日志。"),
    near: [agent("这个会话很长。"), result("恢复完成")],
  },
  {
    query: "you:sandpiper",
    target: you("Rename the sandpiper queue."),
    near: [agent("The sandpiper queue is empty. sandpiper, sandpiper."), result("sandpiper sandpiper")],
  },
  {
    query: "throttled requests",
    target: you("We should be throttling each request of the puffin crawler."),
    near: [result("throttle: none"), agent("There are no throttles on this queue.")],
  },
  {
    query: "why did we move the albatross lock into the worker thread?",
    target: agent("I moved the albatross lock into the worker: the main thread waited for it."),
    near: [result("albatross.lock"), agent("The worker thread starts later.")],
    asked: true,
  },
  {
    query: "what was the fix for the invoice rounding of croatian kuna",
    target: you("The invoice has a rounding error in kuna, 0.01 too much."),
    near: [agent("Rounding is done per invoice."), result("kuna 7.5345")],
    asked: true,
  },
  {
    query: "how do I reset the passkey of a locked pelican account",
    target: agent("To reset a passkey, delete it in the pelican console and enrol again."),
    near: [result("locked account"), agent("The account is locked.")],
    asked: true,
  },
  {
    query: "which port does the kestrel emulator listen on",
    target: agent("The kestrel emulator listens on 8085 unless PORT is set."),
    near: [result("emulator started"), agent("kestrel is an HTTP server")],
    asked: true,
  },
  {
    query: "where did I see EHOSTUNREACH when talking to the cormorant broker",
    target: result("Error: connect EHOSTUNREACH 10.0.3.7:9092 (cormorant broker)"),
    near: [agent("The broker is cormorant-2."), result("Error: connect ECONNREFUSED")],
    asked: true,
  },
  {
    query: "the flamingo migration that deleted the tenants table",
    target: you("The flamingo migration dropped the tenants table on staging!"),
    near: [agent("The tenants table has 12 columns."), result("flamingo 0012_add_index")],
    asked: true,
  },
  {
    query: "please show me how the osprey cache key is built",
    target: agent("The cache key of osprey is the hash of path and locale."),
    near: [result("osprey cache miss"), agent("A cache key must be stable.")],
    asked: true,
  },
  {
    query: "wie war das mit dem Zeitlimit beim Kormoran-Export?",
    target: you("Der Kormoran-Export bricht nach dem Zeitlimit von 30 s ab."),
    near: [agent("Das Zeitlimit ist 30 s."), result("Kormoran")],
    asked: true,
  },
  {
    query: "did anyone ever try sqlite for the ibis event store?",
    target: you("Could the ibis event store use SQLite?"),
    near: [agent("SQLite is not installed."), result("ibis events: 12")],
    asked: true,
  },
  {
    query: "why are snapshots of the toucan repo so huge",
    target: you("The snapshots of toucan are huge, 4 GB."),
    near: [agent("Snapshots are taken before each call."), result("toucan toucan.git")],
    asked: true,
  },
]

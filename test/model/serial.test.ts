import { expect, test } from "vitest"
import { serial } from "../../src/model/serial.ts"

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve, reject } = deferred()
  return { promise, end: resolve, fail: reject }
}

function deferred() {
  let [resolve, reject]: [(value: string) => void, (error: Error) => void] = [() => undefined, () => undefined]
  const promise = new Promise<string>((done, failed) => {
    ;[resolve, reject] = [done, failed]
  })
  return { promise, resolve, reject }
}

test("work begins when what was queued before it has ended, and its caller gets the result", async () => {
  const queue = serial()
  const [first, second] = [work(), work()]
  const begun: string[] = []
  const one = queue.run(() => {
    begun.push("one")
    return first.promise
  })
  const two = queue.run(() => {
    begun.push("two")
    return second.promise
  })
  expect(begun).toEqual([])
  await Promise.resolve()
  expect(begun).toEqual(["one"])
  second.end("2")
  first.end("1")
  expect(await Promise.all([one, two])).toEqual(["1", "2"])
  expect(begun).toEqual(["one", "two"])
})

test("work that fails, or throws at once, fails for its caller and blocks nobody", async () => {
  const queue = serial()
  const failing = queue.run(async () => Promise.reject(new Error("no")))
  const throwing = queue.run(() => {
    throw new Error("never")
  })
  const last = queue.run(() => "yes")
  await expect(failing).rejects.toThrow("no")
  await expect(throwing).rejects.toThrow("never")
  expect(await last).toBe("yes")
})

test("what is queued while work runs comes after it", async () => {
  const queue = serial()
  const order: string[] = []
  let inner: Promise<unknown> | undefined
  await queue.run(() => {
    inner = queue.run(() => order.push("inner"))
    order.push("outer")
  })
  await inner
  expect(order).toEqual(["outer", "inner"])
})

test("a queue is idle until something is queued, and again when all of it has ended, even badly", async () => {
  const queue = serial()
  expect(queue.idle).toBe(true)
  const { promise, fail } = work()
  const running = queue.run(() => promise)
  expect(queue.idle).toBe(false)
  fail(new Error("no"))
  await expect(running).rejects.toThrow("no")
  await queue.settled()
  expect(queue.idle).toBe(true)
})

// Node's own file functions, made to fail on request: every call of retcon's to the disk passes here, in the program, in
// its helper threads, and in the bundle. Loaded with `require` in a test, with `node --require` in a process of its own.
const fs = require("node:fs")
const { syncBuiltinESMExports } = require("node:module")
const threads = require("node:worker_threads")

/** One memory for all threads: which call fails, and how many there were. */
const [AT, COUNT, FAULT, LASTING, FIRED] = [0, 1, 2, 3, 4]
const shared = threads.isMainThread ? undefined : threads.getEnvironmentData("retcon faults")
const state = new Int32Array(shared?.memory ?? new SharedArrayBuffer(4 * 8))
/** Only calls about files in this folder count. */
let root = shared?.root ?? process.env.FAULT_ROOT ?? "/nowhere"

let paused = 0

const FAULTS = ["EMFILE", "ENOSPC", "EIO", "EACCES", "short", "dead", "SIGKILL"]
const WORDS = {
  EMFILE: "too many open files",
  ENOSPC: "no space left on device",
  EIO: "i/o error",
  EACCES: "permission denied",
}
const ERRNO = { EMFILE: -24, ENOSPC: -28, EIO: -5, EACCES: -13 }

/** The kinds of calls: what can go wrong with each. A call on a descriptor is never refused for its permissions. */
const CAN = {
  open: ["EMFILE", "EIO", "EACCES"],
  create: ["EMFILE", "ENOSPC", "EIO", "EACCES", "dead", "SIGKILL"],
  list: ["EMFILE", "EIO", "EACCES"],
  watch: ["EMFILE", "ENOSPC", "EACCES"],
  look: ["EIO", "EACCES"],
  read: ["EIO"],
  write: ["ENOSPC", "EIO", "short", "dead", "SIGKILL"],
  sync: ["ENOSPC", "EIO", "dead", "SIGKILL"],
  close: ["EIO"],
  cut: ["EIO", "dead", "SIGKILL"],
  make: ["ENOSPC", "EIO", "EACCES", "dead", "SIGKILL"],
  remove: ["EIO", "EACCES", "dead", "SIGKILL"],
  change: ["EIO", "EACCES", "dead", "SIGKILL"],
}

const real = { ...fs, promises: { ...fs.promises } }
const fds = new Map()
/** Only what was written can be lost when it is closed. */
const written = new Set()

/** How a file is named by the open handle of its folder. */
const HANDLE = /^\/proc\/self\/fd\/(\d+)/
const isWithin = (path) => {
  const text = Buffer.isBuffer(path) ? path.toString() : path instanceof URL ? path.pathname : path
  if (typeof text !== "string") return false
  const [, handle] = HANDLE.exec(text) ?? []
  return handle === undefined ? text === root || text.startsWith(`${root}/`) : fds.has(Number(handle))
}
const covered = (target) => (typeof target === "number" ? fds.has(target) : isWithin(target))
const nameOf = (target) => (typeof target === "number" ? fds.get(target) : String(target))

/** Counts a call; answers what goes wrong with it, if anything. */
function faultOf(kind, name, targets) {
  const fault = FAULTS[state[FAULT] - 1]
  if (fault === undefined || !targets.some(covered)) return undefined
  if (kind === "close" && !written.has(targets[0])) return undefined
  const at = state[AT]
  // A disk that was full for half a write stays full.
  const meant = fault === "short" && state[LASTING] === 1 && state[FIRED] > 0 ? "ENOSPC" : fault
  if (!CAN[kind].includes(meant)) return undefined
  const count = Atomics.add(state, COUNT, 1)
  if (count !== at && !((state[LASTING] === 1 || fault === "dead") && count > at)) return undefined
  if (Atomics.add(state, FIRED, 1) === 0 && shared === undefined) door.call = `${name} ${targets.map(nameOf).join(" ")}`
  if (meant === "SIGKILL") {
    process.kill(process.pid, "SIGKILL")
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  return meant
}

function errorOf(fault, name, targets) {
  // As good as killed: nothing reaches the disk any more.
  const code = fault === "dead" || fault === "short" ? "EIO" : fault
  const [path, dest] = targets.map((target) => (typeof target === "number" ? undefined : target))
  const about = path === undefined ? "" : ` '${path}'${dest === undefined ? "" : ` -> '${dest}'`}`
  return Object.assign(new Error(`${code}: ${WORDS[code]}, ${name}${about}`), {
    errno: ERRNO[code],
    code,
    syscall: name,
    ...(path !== undefined && { path: String(path) }),
  })
}

const CREATES = fs.constants.O_CREAT | fs.constants.O_TRUNC
const kindOfOpen = (flags = "r") =>
  (typeof flags === "number" ? flags & CREATES : /[wa]/.test(flags)) ? "create" : "open"

const mayWrite = (flags = "r") =>
  typeof flags === "number" ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0 : flags !== "r"

/** Which arguments of a call name files, and its kind. */
const CALLS = {
  open: [1, (args) => kindOfOpen(args[1])],
  opendir: [1, "list"],
  readdir: [1, "list"],
  stat: [1, "look"],
  lstat: [1, "look"],
  access: [1, "look"],
  readlink: [1, "look"],
  realpath: [1, "look"],
  statfs: [1, "look"],
  fstat: [1, "read"],
  read: [1, "read"],
  readv: [1, "read"],
  write: [1, "write"],
  writev: [1, "write"],
  fsync: [1, "sync"],
  fdatasync: [1, "sync"],
  close: [1, "close"],
  ftruncate: [1, "cut"],
  truncate: [1, "change"],
  mkdir: [1, "make"],
  mkdtemp: [1, "make"],
  symlink: [2, "make"],
  link: [2, "make"],
  rename: [2, "make"],
  unlink: [1, "remove"],
  rmdir: [1, "remove"],
  rm: [1, "remove"],
  chmod: [1, "change"],
  lchown: [1, "change"],
  chown: [1, "change"],
  utimes: [1, "change"],
  lutimes: [1, "change"],
  fchmod: [1, "cut"],
  futimes: [1, "cut"],
}

/** What a short write writes: half of what was asked for. */
function half(args) {
  const [target, data, ...more] = args
  if (Array.isArray(data)) {
    const all = Buffer.concat(data)
    return [target, all.subarray(0, all.length >> 1), 0, all.length >> 1, more[0] ?? null]
  }
  const bytes =
    typeof data === "string" ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const [offset = 0, length = bytes.length - offset, position = null] = typeof data === "string" ? [] : more
  return [target, bytes, offset, length >> 1, position]
}

function noteOpened(fd, path, flags) {
  if (isWithin(path)) fds.set(fd, String(path))
  else fds.delete(fd)
  if (isWithin(path) && mayWrite(flags)) written.add(fd)
  else written.delete(fd)
}

for (const [name, [paths, kind]] of Object.entries(CALLS)) {
  const before = (args) => {
    const targets = args.slice(0, paths)
    const fault = faultOf(typeof kind === "string" ? kind : kind(args), name, targets)
    return { targets, fault }
  }
  const sync = real[`${name}Sync`]
  const replaced = (...args) => {
    const { targets, fault } = before(args)
    if (name === "close") {
      // The descriptor is gone, whatever close says.
      sync(...args)
      fds.delete(args[0])
      if (fault !== undefined && fault !== "dead") throw errorOf(fault, name, targets)
      return undefined
    }
    if (fault === "short") return real.writeSync(...half(args))
    if (fault !== undefined) throw errorOf(fault, name, targets)
    const value = sync(...args)
    if (name === "open") noteOpened(value, args[0], args[1])
    return value
  }
  if (sync !== undefined) fs[`${name}Sync`] = Object.assign(replaced, sync)
  const callback = real[name]
  if (typeof callback === "function") {
    fs[name] = Object.assign((...args) => {
      const done = args.at(-1)
      const { targets, fault } = before(args)
      if (name === "close") {
        fds.delete(args[0])
        const failed = fault === undefined || fault === "dead" ? undefined : errorOf(fault, name, targets)
        return callback(args[0], (error) => done?.(failed ?? error))
      }
      if (fault === "short") return real.write(...half(args.slice(0, -1)), done)
      if (fault !== undefined) return void setImmediate(() => done(errorOf(fault, name, targets)))
      if (name !== "open") return callback(...args)
      return callback(...args.slice(0, -1), (error, fd) => {
        if (!error) noteOpened(fd, args[0], args[1])
        done(error, fd)
      })
    }, callback)
  }
  const promised = real.promises[name]
  if (promised !== undefined) {
    fs.promises[name] = async (...args) => {
      const { targets, fault } = before(args)
      if (fault !== undefined) throw errorOf(fault, name, targets)
      const value = await promised(...args)
      if (name === "open") cover(value, args[0], args[1])
      return value
    }
  }
}

fs.existsSync = (path) => faultOf("look", "exists", [path]) === undefined && real.existsSync(path)
fs.realpathSync.native = (...args) => {
  const fault = faultOf("look", "realpath", [args[0]])
  if (fault !== undefined) throw errorOf(fault, "realpath", [args[0]])
  return real.realpathSync.native(...args)
}
fs.watch = (path, ...more) => {
  const fault = faultOf("watch", "watch", [path])
  if (fault !== undefined) throw errorOf(fault, "watch", [path])
  return real.watch(path, ...more)
}

// The functions that do several things, step by step, so that each step can fail.
fs.readFileSync = (target, options) => {
  if (!covered(target)) return real.readFileSync(target, options)
  if (typeof target === "number") {
    const fault = faultOf("read", "read", [target])
    if (fault !== undefined) throw errorOf(fault, "read", [target])
    return real.readFileSync(target, options)
  }
  const fd = fs.openSync(target, options?.flag ?? "r")
  try {
    return fs.readFileSync(fd, options)
  } finally {
    fs.closeSync(fd)
  }
}
const writeWith = (flag) => (target, data, options) => {
  if (!covered(target)) return (flag === "a" ? real.appendFileSync : real.writeFileSync)(target, data, options)
  const wanted = typeof options === "string" ? { encoding: options } : (options ?? {})
  const bytes = typeof data === "string" ? Buffer.from(data, wanted.encoding) : data
  const fd = typeof target === "number" ? target : fs.openSync(target, wanted.flag ?? flag, wanted.mode ?? 0o666)
  try {
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done)
  } finally {
    if (typeof target !== "number") fs.closeSync(fd)
  }
}
fs.writeFileSync = writeWith("w")
fs.appendFileSync = writeWith("a")
fs.copyFileSync = (from, to, mode = 0) => {
  if (!covered(from) && !covered(to)) return real.copyFileSync(from, to, mode)
  const { mode: bits } = fs.statSync(from)
  const bytes = fs.readFileSync(from)
  const isNew = (mode & fs.constants.COPYFILE_EXCL) !== 0 || !real.existsSync(to)
  try {
    fs.writeFileSync(to, bytes, { mode: bits & 0o777, flag: mode & fs.constants.COPYFILE_EXCL ? "wx" : "w" })
  } catch (error) {
    // As libuv does.
    if (isNew && error.code !== "EEXIST") real.rmSync(to, { force: true })
    throw error
  }
}
for (const name of ["readFile", "writeFile", "appendFile", "copyFile"]) {
  fs.promises[name] = async (target, ...more) =>
    covered(target) || covered(more[0]) ? fs[`${name}Sync`](target, ...more) : real.promises[name](target, ...more)
}

/** A handle of fs.promises.open: its methods, by the descriptor. */
function cover(handle, path, flags) {
  noteOpened(handle.fd, path, flags)
  const { fd } = handle
  const kinds = {
    write: "write",
    writev: "write",
    appendFile: "write",
    writeFile: "write",
    read: "read",
    readFile: "read",
  }
  const all = { ...kinds, stat: "read", sync: "sync", datasync: "sync", truncate: "cut", close: "close" }
  for (const [name, kind] of Object.entries(all)) {
    const method = handle[name].bind(handle)
    handle[name] = async (...args) => {
      const fault = faultOf(kind, name, [fd])
      if (name === "close") {
        fds.delete(fd)
        await method()
      }
      if (fault === "short") {
        const [, ...asked] = half([fd, ...args])
        const written = await handle.constructor.prototype.write.call(handle, ...asked)
        // It writes the rest itself, and there is no room for that.
        if (name === "writeFile" || name === "appendFile") throw errorOf("ENOSPC", name, [fd])
        return written
      }
      if (fault !== undefined) throw errorOf(fault, name, [fd])
      return name === "close" ? undefined : method(...args)
    }
  }
}

// Helper threads begin with this file too.
threads.Worker = class extends threads.Worker {
  constructor(program, options = {}) {
    threads.setEnvironmentData("retcon faults", { memory: state.buffer, root })
    super(program, { ...options, execArgv: [...(options.execArgv ?? []), "--require", __filename] })
  }
}
syncBuiltinESMExports()

const door = {
  /** The call that failed first. */
  call: "",
  /** Lets call number `at` (from 0) fail, of those that can fail so; with `lasting`, the later ones too. */
  arm(fault, at, lasting = false) {
    door.call = ""
    door.fault = fault
    state[AT] = Math.min(at, 2 ** 31 - 1)
    state[LASTING] = lasting ? 1 : 0
    state[COUNT] = 0
    state[FIRED] = 0
    state[FAULT] = FAULTS.indexOf(fault) + 1
  },
  /** Answers how many calls could have failed, and how many did. */
  disarm() {
    state[FAULT] = 0
    return { calls: state[COUNT], fired: state[FIRED] }
  },
  /** Whether the last try ended as if the process had been killed. */
  isDead: () => door.fault === "dead",
  /** Meanwhile calls neither count nor fail: another process makes them. */
  pause() {
    paused = state[FAULT]
    state[FAULT] = 0
  },
  resume() {
    state[FAULT] = paused
  },
  cover(folder) {
    root = folder
  },
  /** The functions as they were. */
  real,
}
module.exports = door

if (threads.isMainThread && process.env.FAULT !== undefined) {
  door.arm(process.env.FAULT, Number(process.env.FAULT_AT), process.env.FAULT_LASTING === "1")
  process.on("exit", () => {
    const { FAULT_COUNT: file } = process.env
    if (file !== undefined) real.writeFileSync(file, JSON.stringify({ ...door.disarm(), call: door.call }))
  })
}

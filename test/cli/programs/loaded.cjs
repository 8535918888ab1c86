// Preloaded by Node (--require): at the end it writes to $LOADED what the process has loaded, files and modules of Node's own.
const { writeFileSync } = require("node:fs")

process.on("exit", () => {
  const own = process.moduleLoadList.flatMap((name) => /^NativeModule ((?!internal\/).*)$/.exec(name)?.[1] ?? [])
  writeFileSync(process.env.LOADED, JSON.stringify({ files: Object.keys(require.cache), own }))
})

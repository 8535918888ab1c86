// The page: web/ becomes dist/web/, which the server hands out as it is.
import { relative, sep } from "node:path"
import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte"
import { defineConfig, type Plugin } from "vite"

/** For the NOTICE: the packages whose code is in the page. Not published. */
const listPackages: Plugin = {
  name: "list-packages",
  generateBundle(_, bundle) {
    const ids = Object.values(bundle).flatMap((each) => (each.type === "chunk" ? Object.keys(each.modules) : []))
    const packages = ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [])
    const source = JSON.stringify([...new Set(packages.map(fromRoot))].sort())
    this.emitFile({ type: "asset", fileName: "bundled.json", source })
  },
}

function fromRoot(path: string): string {
  return relative(import.meta.dirname, path)
    .split(sep)
    .join("/")
}

export default defineConfig({
  root: "web",
  base: "./",
  logLevel: "warn",
  plugins: [svelte({ preprocess: vitePreprocess() }), listPackages],
  worker: { format: "es" },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // The page's policy allows no inline script and no data: address but images.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
})

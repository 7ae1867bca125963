// Compiles to dist/ with tsc alone, one output file per source file: worker threads and stack traces then find
// the same paths as in the source, and nothing has to be told about entry points. The dashboard goes to dist/web, with
// each file compressed beside it once and for all.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = `${root}node_modules/typescript/bin/tsc`
const command = `${root}dist/bin/headwater.js`

// `npx headwater` in a checkout links the package into npm's cache first and prepares it again; and a packed release
// comes with dist/ but without the compiler.
const isBuilt = existsSync(command)
if (isBuilt && (process.env.npm_command === 'exec' || !existsSync(tsc))) process.exit(0)

if (process.argv.includes('--clean')) rmSync(`${root}dist`, { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [tsc, '-p', `${root}tsconfig.build.json`], { stdio: 'inherit' })
if (status === 0) {
  chmodSync(command, 0o755)
  if (!process.argv.includes('--no-web')) await buildWeb()
}
process.exit(status ?? 1)

async function buildWeb() {
  const { build } = await import('vite')
  await build({ configFile: `${root}web/vite.config.ts`, logLevel: 'warn' })
  for (const entry of readdirSync(`${root}dist/web`, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|css|html|svg)$/.test(entry.name)) continue
    const path = `${entry.parentPath}/${entry.name}`
    const content = readFileSync(path)
    writeFileSync(`${path}.br`, brotliCompressSync(content))
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
  }
}

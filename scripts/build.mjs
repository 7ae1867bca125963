// Compiles to dist/ with tsc alone, one output file per source file: worker threads and stack traces then find
// the same paths as in the source, and no list of entry points is needed. The dashboard goes to dist/web, with
// each file compressed beside it once and for all.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = `${root}node_modules/typescript-native/bin/tsc`
const command = `${root}dist/bin/headwater.js`

// A packed release comes with dist/ but without the compiler.
const isBuilt = existsSync(command)
if (isBuilt && !existsSync(tsc)) process.exit(0)

if (process.argv.includes('--clean')) rmSync(`${root}dist`, { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [tsc, '-p', `${root}tsconfig.build.json`], { stdio: 'inherit' })
if (status === 0) {
  chmodSync(command, 0o755)
  putIntoBin()
  copyMeasured()
  makeDemoPast()
  if (!process.argv.includes('--no-web')) await buildWeb()
}
process.exit(status ?? 1)

/**
 * npx looks here first. Otherwise it links a checkout into its cache by the name of the package, and in a second checkout it
 * would run the first one.
 */
function putIntoBin() {
  const folder = `${root}node_modules/.bin`
  const isWindows = process.platform === 'win32'
  const path = `${folder}/headwater${isWindows ? '.cmd' : ''}`
  mkdirSync(folder, { recursive: true })
  rmSync(path, { force: true })
  if (isWindows) writeFileSync(path, `@node "%~dp0\\..\\..\\dist\\bin\\headwater.js" %*\r\n`)
  else symlinkSync('../../dist/bin/headwater.js', path)
}

/** What experiments multiply with; the compiler leaves it out. */
function copyMeasured() {
  const path = 'lab/experiments/cluster-scale/unit-costs.json'
  copyFileSync(`${root}${path}`, `${root}dist/${path}`)
}

/** Three weeks of the demo, which its start has no time for; again only where something it is made of has changed. */
function makeDemoPast() {
  const folder = `${root}dist/lab/demo`
  const hash = createHash('sha256')
  for (const part of ['demo', 'worlds', 'worlds/formats', 'live']) {
    const files = readdirSync(`${root}dist/lab/${part}`).filter(
      (name) => name.endsWith('.js') && !name.includes('.test.'),
    )
    for (const name of files.sort()) hash.update(readFileSync(`${root}dist/lab/${part}/${name}`))
  }
  // What is stored of a source: a past made before would lack what was added since.
  hash.update(readFileSync(`${root}dist/src/model/source.d.ts`))
  const digest = hash.digest('hex')
  const stamp = `${folder}/past.stamp`
  if (existsSync(stamp) && existsSync(`${folder}/past.db.br`) && readFileSync(stamp, 'utf8') === digest) return
  const { status: made } = spawnSync(process.execPath, [`${folder}/main.js`], { stdio: 'inherit' })
  if (made === 0) writeFileSync(stamp, digest)
  else process.exit(made ?? 1)
}

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

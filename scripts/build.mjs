// Compiles to dist/ with tsc alone, one output file per source file: worker threads and stack traces then find
// the same paths as in the source, and nothing has to be told about entry points.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = `${root}node_modules/typescript/bin/tsc`
if (!existsSync(tsc)) {
  // `npm ci --omit=dev` of a packed release: dist/ came with the package.
  process.exit(existsSync(`${root}dist/bin/headwater.js`) ? 0 : 1)
}
if (process.argv.includes('--clean')) rmSync(`${root}dist`, { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [tsc, '-p', `${root}tsconfig.build.json`], { stdio: 'inherit' })
if (status === 0) {
  chmodSync(`${root}dist/bin/headwater.js`, 0o755)
  linkCommand()
}
process.exit(status ?? 1)

/** npm links the commands of dependencies but not a package's own; without this `npx headwater` fails in a checkout. */
function linkCommand() {
  const link = `${root}node_modules/.bin/headwater`
  if (process.platform === 'win32' || !existsSync(`${root}node_modules/.bin`)) return
  rmSync(link, { force: true })
  symlinkSync('../../dist/bin/headwater.js', link)
}

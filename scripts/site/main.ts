// The documents as a site, in dist/site:
//   npm run docs:site [-- --no-library]
// --no-library leaves out the pages of the library's types, which take most of the time.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildSite } from './build.ts'
import { ROOT } from './outline.ts'

const target = join(ROOT, 'dist/site')
const { pages } = buildSite(target)
let status: number | null = 0
if (!process.argv.includes('--no-library')) {
  const typedoc = join(ROOT, 'node_modules/typedoc/bin/typedoc')
  const args = [typedoc, '--out', join(target, 'library-types'), '--logLevel', 'Warn']
  status = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status
}
console.log(`${pages} pages in dist/site; open dist/site/index.html`)
process.exitCode = status ?? 1

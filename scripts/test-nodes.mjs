// npm run test:nodes -- [--nodes 20,22,24] [--list] [--keep] [words in paths …]: unit, contract and integration tests on several
// versions of Node. Each comes from the package registry into a temporary folder, beside a copy of this checkout in which
// better-sqlite3 is compiled for it; this checkout stays as it is. --keep leaves the folders for a closer look.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { copyCheckout, environmentOf, installNode, rebuildAddon, Unavailable } from './node-package.mjs'
import { chosenBy, testFiles } from './test-files.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Unit tests are beside the code; those of the API's contract have a folder of their own. */
const FOLDERS = ['src', 'lab', 'bench', 'bin', 'web', 'test/contract', 'test/api', 'test/integration']
const VERSIONS = '20,22,24'

process.exitCode = main()

function main() {
  const wanted = readArguments()
  if (wanted === null) return 2
  const { versions, files, keep, list } = wanted
  if (list) {
    console.log(files.join('\n'))
    return 0
  }
  const results = versions.map((version) => ({ version, ...testOn(version, files, keep) }))
  for (const { version, passed, detail } of results) {
    console.log(`Node ${version}: ${passed ? 'passed' : 'failed'} (${detail})`)
  }
  return results.every(({ passed }) => passed) ? 0 : 1
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        nodes: { type: 'string', default: VERSIONS },
        keep: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
      },
    })
    const versions = values.nodes.split(',').map((version) => version.trim())
    const wrong = versions.find((version) => !/^\d+(\.\d+){0,2}$/.test(version))
    if (wrong !== undefined) throw new Error(`--nodes takes versions such as ${VERSIONS}, and "${wrong}" is none`)
    const files = chosenBy(positionals, testFiles(ROOT, FOLDERS))
    if (files.length === 0) throw new Error(`no test file in ${FOLDERS.join(', ')} has ${positionals.join(' or ')}`)
    if (!existsSync(`${ROOT}node_modules`)) throw new Error('nothing is installed here; run npm ci first')
    return { versions, files, keep: values.keep, list: values.list }
  } catch (error) {
    console.error(error.message)
    return null
  }
}

function testOn(version, files, keep) {
  const folder = mkdtempSync(join(tmpdir(), `headwater-node-${version}-`))
  const checkout = join(folder, 'checkout')
  try {
    console.log(`Node ${version}: installing it, copying the checkout, compiling better-sqlite3 …`)
    const node = installNode(version, folder)
    copyCheckout(ROOT, checkout)
    rebuildAddon(checkout, node)
    console.log(`Node ${version} is ${node.version}, headers of ${node.headersVersion}; ${files.length} test files`)
    const { status } = spawnSync(join(node.home, 'bin/node'), ['node_modules/vitest/vitest.mjs', 'run', ...files], {
      cwd: checkout,
      env: environmentOf(node),
      stdio: 'inherit',
    })
    return { passed: status === 0, detail: `${node.version}, ${files.length} test files` }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    console.error(`Node ${version}: ${error.message}`)
    return { passed: false, detail: 'it could not be tried; see above' }
  } finally {
    if (keep) console.log(`Left in ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

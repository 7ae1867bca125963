import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const EXAMPLES = readdirSync(join(ROOT, 'docs/examples')).sort()
const pages = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(ROOT, 'docs', name), 'utf8'))
  .join('\n')

/** "`docs/examples/x.mjs` prints …:", and then a block with it. */
function shownFor(name: string): string | undefined {
  const pattern = new RegExp(`\`docs/examples/${name}\` prints[^:\`]*:\n\n\`\`\`text\n(.*?)\`\`\``, 's')
  return pattern.exec(pages)?.[1]
}

describe('headwater as a library', () => {
  it('has an example for each part of it', () => {
    const text = EXAMPLES.map((name) => readFileSync(join(ROOT, 'docs/examples', name), 'utf8')).join('\n')
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object }
    const entries = Object.keys(exports).filter((entry) => entry !== './package.json')
    for (const entry of entries) expect(text).toContain(`from 'headwater${entry.slice(1)}'`)
  })

  it.each(EXAMPLES)('%s runs against the built package, and prints what its page says', (name) => {
    const output = execFileSync(process.execPath, [`docs/examples/${name}`], { cwd: ROOT, encoding: 'utf8' })
    expect(output).toBe(shownFor(name))
  })

  it.each([
    ['headwater', ['ESTIMATORS', 'STRATEGIES', 'Scheduler', 'findStrategy', 'foresight', 'parseFeed', 'uniform']],
    ['headwater/lab', ['SourceRun', 'Tally', 'countWorldItems', 'readTrace', 'runCycles', 'runPriced', 'runScheduled']],
  ])('%s exports what its page names', async (entry, names) => {
    expect(Object.keys(await import(entry))).toEqual(expect.arrayContaining(names))
  })

  it('keeps what only tests compare with to itself', async () => {
    const exported = Object.keys(await import('headwater/query'))
    expect(exported).toContain('QueryEngine')
    expect(exported.filter((name) => /naive|^holds$/i.test(name))).toEqual([])
  })
})

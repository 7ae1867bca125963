import { existsSync } from 'node:fs'
import { entryAt } from '../../src/model/entry-at.ts'
import { runCategories } from './articles/categories.ts'
import { runArticles } from './articles/command.ts'
import { CORPORA } from './corpora.ts'
import { CORPORA_FOLDER, type CorpusResult, passes } from './corpus.ts'

function main(args: readonly string[]): number {
  if (!existsSync(CORPORA_FOLDER)) {
    process.stderr.write('No corpora: ../shared/corpora is not there.\n')
    return 2
  }
  const failuresOf = args.includes('--failures') ? args[args.indexOf('--failures') + 1] : undefined
  const chosen = CORPORA.filter(({ name }) => failuresOf === undefined || name === failuresOf)
  if (chosen.length === 0) {
    process.stderr.write(`No such corpus; there are: ${CORPORA.map(({ name }) => name).join(', ')}\n`)
    return 2
  }
  const results = chosen.map((corpus) => corpus.run())
  if (failuresOf !== undefined) process.stdout.write(failures(entryAt(results, 0)))
  else if (args.includes('--json')) process.stdout.write(`${JSON.stringify(results.map(brief), null, 2)}\n`)
  else process.stdout.write(results.map((result) => describe(result, args.includes('--taste'))).join('\n'))
  return results.every(passes) ? 0 : 1
}

function failures(result: CorpusResult): string {
  const lines = result.tallies.flatMap(({ name, failures }) => [`# ${name}`, ...failures])
  return [...result.crashed, ...lines, ''].join('\n')
}

function brief(result: CorpusResult): object {
  const tallies = result.tallies.map(({ name, passed, total, required }) => ({ name, passed, total, required }))
  return { ...result, tallies, passes: passes(result) }
}

/** `isLong`: also names each exclusion. */
function describe(result: CorpusResult, isLong: boolean): string {
  const { name, documents, crashed, slowestMs, slowestFile } = result
  const head = `${name}: ${documents} documents, ${documents - crashed.length} read, ${crashed.length} crashes, slowest ${slowestMs.toFixed(1)} ms (${slowestFile})`
  const tallies = result.tallies.map(({ name: what, passed, total, required }) => {
    const percent = total === 0 ? '-' : `${((100 * passed) / total).toFixed(2)} %`
    const bar = required === null ? '' : `, must be ${100 * required} %`
    return `  ${percent.padStart(9)}  ${passed} of ${total} ${what}${bar}`
  })
  const skipped = result.notApplicable.flatMap(({ reason, count, names }) => [
    `  not applicable: ${count} × ${reason}`,
    ...(isLong ? names.map((one) => `    ${one}`) : []),
  ])
  return [head, ...tallies, ...skipped, ''].join('\n')
}

const args = process.argv.slice(2)
if (args[0] === 'articles') process.exitCode = await runArticles(args.slice(1))
else if (args[0] === 'categories') process.exitCode = runCategories(args.slice(1))
else process.exitCode = main(args)

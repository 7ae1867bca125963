import { parseArgs } from 'node:util'
import { systemClock } from '../../src/runtime/clock.ts'
import { type AttackClass, type AttackEffort, type AttackResult, holdsPromise, runAttacks } from './attack.ts'
import { ATTACKS } from './classes/index.ts'
import { attackJson, attackTable } from './report.ts'
import { createAttackStage } from './stage.ts'

const HELP = `npm run attack -- [--json] [--short] [--only name,…] [--at-once n] [--list]

Attacks real nodes over loopback, a node for each class, and counts what did harm.

  --json        figures for programs
  --short       the short form of every class, as in npm test
  --only a,b    these classes alone
  --at-once n   so many classes beside each other, 1 to 8 (3)
  --list        names and promises

Ends with 0 if nothing did harm, 1 if something did, 2 if it was called wrongly.
`

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean' },
      short: { type: 'boolean' },
      only: { type: 'string' },
      'at-once': { type: 'string', default: '3' },
      list: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return say(HELP)
  if (values.list) return say(ATTACKS.map(({ name, promise }) => `${name.padEnd(14)} ${promise}\n`).join(''))
  const effort: AttackEffort = values.short ? 'short' : 'full'
  const suite = await runAttacks(chooseClasses(values.only), {
    effort,
    atOnce: atOnceOf(values['at-once']),
    clock: systemClock,
    openStage: createAttackStage,
    onEnd: tellEnd,
  })
  say(values.json ? `${JSON.stringify(attackJson(suite), null, 2)}\n` : attackTable(suite.results))
  return suite.results.every(holdsPromise) ? 0 : 1
}

function chooseClasses(only: string | undefined): readonly AttackClass[] {
  if (only === undefined) return ATTACKS
  const names = only.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !ATTACKS.some((attack) => attack.name === name))
  if (unknown === undefined) return ATTACKS.filter(({ name }) => names.includes(name))
  throw new TypeError(`there is no class "${unknown}"; there are ${ATTACKS.map(({ name }) => name).join(', ')}`)
}

function say(text: string): 0 {
  process.stdout.write(text)
  return 0
}

function atOnceOf(text: string): number {
  const atOnce = Number(text)
  if (Number.isInteger(atOnce) && atOnce >= 1 && atOnce <= 8) return atOnce
  throw new TypeError(`--at-once is a whole number from 1 to 8, not "${text}"`)
}

function tellEnd({ name, tries, hits, seconds, error }: AttackResult): void {
  const verdict = error === null ? `${tries} tries, ${hits.length} hits` : 'could not be run'
  process.stderr.write(`${name}: ${verdict} (${seconds} s)\n`)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof TypeError)) throw error
  process.stderr.write(`${error.message}\n\n${HELP}`)
  process.exitCode = 2
}

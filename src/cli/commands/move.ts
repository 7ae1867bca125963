import { Command } from 'commander'
import { maskPassword } from '../../app/data/store-url.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { DEFAULT_DATA_DIR, environmentFor } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { shellWord } from '../data-option.ts'
import { json } from '../output.ts'
import { progressBars } from '../progress-bars.ts'

interface MoveFlags {
  readonly from?: string
  readonly to?: string
  readonly data?: string
  readonly json?: boolean
}

export function moveCommand(context: CliContext): Command {
  return new Command('move')
    .description('Copy all that a node keeps into another store, and compare both; the first stays as it was')
    .requiredOption('--from <store>', 'where it is: a folder, sqlite:DIR or postgres://user:password@host/database')
    .requiredOption('--to <store>', 'where it shall be: likewise, with nothing in it yet')
    .option('--data <dir>', 'folder of the key of a store that is no folder (default: --from, or headwater-data)')
    .option('--json', 'print what was moved as JSON: rows and a hash for each table')
    .addHelpText('after', HELP)
    .action(async (flags: MoveFlags) => {
      const { from, to } = flags
      if (from === undefined || to === undefined) throw new HeadwaterError('USAGE', 'give --from and --to')
      const { moveData } = await import('../../app/data/move.ts')
      const { mergeSettings } = await import('../../app/settings/config.ts')
      const config = { ...mergeSettings({}, {}, context.env), dataDir: '', logLevel: 'warn' as const }
      const bar = context.isTerminal && flags.json !== true ? createBar() : null
      try {
        const report = await moveData({
          from,
          to,
          dataDir: flags.data ?? context.env.HEADWATER_DATA,
          usualDataDir: DEFAULT_DATA_DIR,
          variables: context.env,
          environment: await environmentFor(config, context),
          signal: context.signal,
          ...(bar === null ? {} : { onProgress: bar.show }),
        })
        bar?.stop()
        if (flags.json === true) return context.out(json(report))
        const rows = (table: string) => report.tables[table]?.rows ?? 0
        context.out(
          `Moved ${rows('source')} sources and ${rows('item')} items, ${report.rows} rows in all; both stores hold the same.\n` +
            (report.isKeyCopied ? 'The key that seals passwords was copied along.\n' : '') +
            `Start the node with: headwater serve ${placeOf(report, flags)}\n` +
            `What is in ${report.from} stays as it was; run no node on it any more.\n`,
        )
      } finally {
        bar?.stop()
      }
    })
}

/** As `serve` takes it; the key stays in its folder. */
function placeOf({ to }: { readonly to: string }, flags: MoveFlags): string {
  if (!to.startsWith('postgres')) return `--data ${shellWord(to)}`
  const dataDir = flags.data ?? (flags.from?.startsWith('postgres') === false ? flags.from : undefined)
  return [
    ...(dataDir === undefined ? [] : [`--data ${shellWord(dataDir)}`]),
    `--store ${shellWord(maskPassword(flags.to ?? to))}`,
  ].join(' ')
}

const HELP = `
No node may run on either store. A move that was stopped, in whatever way, goes on when it is given again;
until it is finished, no node opens the store that is moved to.

Examples:
  $ headwater move --from headwater-data --to postgres://me:secret@db.example.org/headwater
  $ headwater move --from postgres://me:secret@db.example.org/headwater --to new-folder`

function createBar() {
  const bar = new (progressBars().SingleBar)({
    format: '{phase} {bar} {percentage} % {table}',
    hideCursor: true,
    stream: process.stderr,
  })
  let phase = ''
  return {
    show(step: {
      readonly phase: 'copy' | 'verify'
      readonly table: string
      readonly rows: number
      readonly total: number
    }) {
      const payload = { phase: step.phase === 'copy' ? 'Copying  ' : 'Comparing', table: step.table }
      if (phase !== step.phase) bar.start(step.total, 0, payload)
      phase = step.phase
      bar.update(step.rows, payload)
    },
    stop: () => bar.stop(),
  }
}

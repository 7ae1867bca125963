import { Command } from 'commander'
import { DATA_OPTION, STORE_OPTION } from '../src/cli/cli-session.ts'
import type { CliContext } from '../src/cli/context.ts'
import type { ExportOptions, TraceImportOptions } from './trace-options.ts'

export function traceCommand(context: CliContext): Command {
  return new Command('trace')
    .description('What sources published, as a trace for the lab: source_id,timestamp')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addCommand(exportCommand(context))
    .addCommand(importCommand(context))
}

function exportCommand(context: CliContext): Command {
  return new Command('export')
    .description('Write when the sources of a node published, as far as it has seen')
    .option('--output <file>', 'gzipped if it ends with .gz (default: standard output)')
    .option('--sources <file>', 'also write what the numbers stand for: source_id,url,title')
    .addHelpText(
      'after',
      `
Examples:
  $ headwater trace export --output trace.csv.gz
  $ headwater lab compare --trace trace.csv.gz`,
    )
    .action(async (options: ExportOptions, command: Command) => {
      const { runExport } = await import('./trace-command.ts')
      await runExport(options, command, context)
    })
}

function importCommand(context: CliContext): Command {
  return new Command('import')
    .description('Teach the models of a node from a trace, whose source_id are numbers or addresses of its sources')
    .argument('<trace>', 'CSV of source_id,timestamp, plain or gzipped')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater trace import trace.csv.gz')
    .action(async (path: string, options: TraceImportOptions, command: Command) => {
      const { runImport } = await import('./trace-command.ts')
      await runImport(path, options, command, context)
    })
}

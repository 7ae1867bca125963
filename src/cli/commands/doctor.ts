import { Command } from 'commander'
import { HeadwaterError } from '../../runtime/errors.ts'
import { configFor, DATA_OPTION, STORE_OPTION } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { json } from '../output.ts'
import { WITHOUT_COLOURS } from '../style.ts'

const SIGNS = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const
const TONES = { ok: 'good', warning: 'warning', fault: 'bad' } as const

export function doctorCommand(context: CliContext): Command {
  return new Command('doctor')
    .description('Look at all that a node needs (clock, disk, DNS, port, rights, versions …), and say what to do')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nEnds with 1 if something is wrong. Example:\n  $ headwater doctor')
    .action(async (options: { json?: boolean }, command: Command) => {
      const { examine } = await import('../../app/doctor/examine.ts')
      const findings = await examine({
        readConfig: () => configFor(command, context),
        clock: context.clock,
        nodeVersion: process.versions.node,
      })
      if (options.json) context.out(json(findings))
      for (const { what, state, words, hint } of options.json ? [] : findings) {
        const sign = (context.style ?? WITHOUT_COLOURS)(TONES[state], SIGNS[state])
        context.out(`${sign} ${what}: ${words}\n${hint === null ? '' : `        ${hint}\n`}`)
      }
      const faults = findings.filter(({ state }) => state === 'fault').map(({ code }) => code)
      if (faults.length > 0) throw new HeadwaterError('DOCTOR_FAULTS', faults.join(', '))
    })
}

import { availableParallelism, loadavg } from 'node:os'
import { median, roundToPrecision } from './rounds.ts'
import type { TerminalsOptions, TerminalsStage } from './terminals-stage.ts'
import { type Form, judge, type RoundFigures, type StoredItems } from './terminals-verdict.ts'
import { LATENCY_SIGMA } from './terminals-world.ts'

export function terminalsSummary(
  { world, controller, atOnce }: TerminalsStage,
  options: TerminalsOptions,
  results: readonly Record<Form, RoundFigures>[],
  stored: Record<Form, StoredItems>,
): object {
  const of = (form: Form) => medianFigures(results.map((round) => round[form]))
  const forms = { serial: of('serial'), distributed: of('distributed'), checked: of('checked') }
  const terminals = controller.terminals.length
  const wallOf = (form: Form) => results.map((round) => Math.round(round[form].wallMs))
  const factor = (over: number, under: number) => roundToPrecision(over / under)
  return {
    bench: 'terminals',
    store: options.store === undefined ? 'sqlite' : 'postgres',
    terminals,
    atOnce,
    rounds: results.length,
    lookUp: options.lookUp ?? 'article',
    roundTripMs: options.roundTrip ?? 0,
    world: { ...world, latency: `log-normal, sigma ${LATENCY_SIGMA}` },
    // Times of a round are worth nothing without it.
    machine: { cores: availableParallelism(), loadAverage: loadavg().map((load) => roundToPrecision(load)) },
    forms,
    wallMsByRound: { serial: wallOf('serial'), distributed: wallOf('distributed'), checked: wallOf('checked') },
    stored,
    factors: {
      serialToDistributed: factor(forms.serial.wallMs, forms.distributed.wallMs),
      distributedToChecked: factor(forms.distributed.wallMs, forms.checked.wallMs),
      serialToChecked: factor(forms.serial.wallMs, forms.checked.wallMs),
      controllerCpuDistributedToChecked: factor(forms.distributed.controllerCpuMs, forms.checked.controllerCpuMs),
    },
    verdict: judge({ feeds: world.feeds, terminals, forms, stored }),
  }
}

function medianFigures(rounds: readonly RoundFigures[]): RoundFigures {
  const of = (pick: (figures: RoundFigures) => number) => roundToPrecision(median(rounds.map(pick)), 4)
  const hasDatabase = rounds.every(({ databaseCpuMs }) => databaseCpuMs !== null)
  return {
    wallMs: of(({ wallMs }) => wallMs),
    controllerCpuMs: of(({ controllerCpuMs }) => controllerCpuMs),
    terminalsCpuMs: of(({ terminalsCpuMs }) => terminalsCpuMs),
    databaseCpuMs: hasDatabase ? of(({ databaseCpuMs }) => databaseCpuMs ?? 0) : null,
    worldCpuMs: of(({ worldCpuMs }) => worldCpuMs),
    handedBytes: of(({ handedBytes }) => handedBytes),
    lookUps: of(({ lookUps }) => lookUps),
    records: of(({ records }) => records),
  }
}

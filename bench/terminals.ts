import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { cpuMsOfProcess } from './child-process.ts'
import { roundToPrecision } from './rounds.ts'
import type { Terminal } from './terminals-controller.ts'
import { openStage, type TerminalsOptions, type TerminalsStage } from './terminals-stage.ts'
import { compareStored } from './terminals-store.ts'
import { terminalsSummary } from './terminals-summary.ts'
import { FORMS, type Form, type RoundFigures, type StoredItems } from './terminals-verdict.ts'

interface BenchTerminalsOptions extends TerminalsOptions {
  readonly rounds?: number
  readonly onProgress?: (line: string) => void
}

const ROUNDS = 3

/**
 * Figure 3 of advaRSS: the same feeds updated one after the other, by terminals that hand everything to the one database, and by
 * terminals that check hash and titles first. Each form has sources of its own in one store; in each round all three see
 * the same documents after the same waits.
 */
export async function benchTerminals(options: BenchTerminalsOptions): Promise<object> {
  const say = options.onProgress ?? (() => {})
  const rounds = Math.max(1, options.rounds ?? ROUNDS)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-terminals-'))
  const closing: (() => Promise<void>)[] = []
  try {
    const stage = await openStage(options, folder, closing)
    const results: Record<Form, RoundFigures>[] = []
    for (let round = 0; round <= rounds; round++) {
      say(round === 0 ? 'first filling, not measured' : `round ${round} of ${rounds}`)
      const figures = await runRound(stage, round, say)
      if (round > 0) results.push(figures)
    }
    say('comparing what is stored with what was published')
    return terminalsSummary(stage, options, results, await storedByForm(stage, rounds))
  } finally {
    for (const close of closing.reverse()) await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runRound(
  stage: TerminalsStage,
  round: number,
  say: (line: string) => void,
): Promise<Record<Form, RoundFigures>> {
  await stage.sites.ask({ round })
  const figures: Partial<Record<Form, RoundFigures>> = {}
  // Another one begins each time, so that none always comes after the same.
  for (const at of FORMS.keys()) {
    const form = entryAt(FORMS, (at + round) % FORMS.length)
    figures[form] = await runForm(stage, form)
    say(`  ${form}: ${roundToPrecision(figures[form].wallMs / 1_000)} s`)
  }
  const { serial, distributed, checked } = figures
  if (!serial || !distributed || !checked) throw new Error('a form has not run')
  return { serial, distributed, checked }
}

async function runForm(stage: TerminalsStage, form: Form): Promise<RoundFigures> {
  const before = await countersOf(stage)
  const beganMs = systemClock.monotonicMs()
  const waiting = stage.sources[form].values()
  const work = async (terminal: Terminal) => {
    for (const source of waiting) await terminal.refresh(source, form === 'checked', stage.recorder)
  }
  await Promise.all(slotsOf(stage, form).map(work))
  const wallMs = systemClock.monotonicMs() - beganMs
  const after = await countersOf(stage)
  const { databaseCpuMs } = after
  return {
    wallMs,
    controllerCpuMs: after.controllerCpuMs - before.controllerCpuMs,
    terminalsCpuMs: after.terminalsCpuMs - before.terminalsCpuMs,
    databaseCpuMs: databaseCpuMs === null ? null : databaseCpuMs - (before.databaseCpuMs ?? 0),
    worldCpuMs: after.worldCpuMs - before.worldCpuMs,
    handedBytes: after.handedBytes - before.handedBytes,
    lookUps: after.lookUps - before.lookUps,
    records: after.records - before.records,
  }
}

/** Serial is one terminal with one feed at a time: what it hands over is counted in the same way. */
function slotsOf({ controller: { terminals }, atOnce }: TerminalsStage, form: Form): readonly Terminal[] {
  if (form === 'serial') return terminals.slice(0, 1)
  return Array.from({ length: atOnce }, () => terminals).flat()
}

async function countersOf({
  controller,
  recorder,
  sites,
  data,
}: TerminalsStage): Promise<Omit<RoundFigures, 'wallMs'>> {
  const terminals = await Promise.all(controller.terminals.map((terminal) => terminal.cpuMs()))
  return {
    terminalsCpuMs: sum(terminals),
    worldCpuMs: (await sites.ask({})).cpuMs,
    controllerCpuMs: cpuMsOfProcess(),
    databaseCpuMs: data.cpuMs(),
    handedBytes: sum(controller.terminals.map((terminal) => terminal.bytesRead())),
    ...recorder.statements(),
  }
}

async function storedByForm(
  { data, sources, world }: TerminalsStage,
  round: number,
): Promise<Record<Form, StoredItems>> {
  const compare = (form: Form) => {
    const ids = sources[form].map(({ id }) => id)
    return compareStored(data.store, ids, world, round)
  }
  return {
    serial: await compare('serial'),
    distributed: await compare('distributed'),
    checked: await compare('checked'),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

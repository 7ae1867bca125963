import type { MultiBar, SingleBar } from 'cli-progress'
import type { CliContext } from '../../src/cli/context.ts'
import { json } from '../../src/cli/output.ts'
import { progressBars } from '../../src/cli/progress-bars.ts'
import { table } from '../../src/cli/table.ts'
import { entryAt } from '../../src/model/entry-at.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { checkWritable, writeText } from '../files.ts'
import type { Experiment } from './experiment.ts'
import { EXPERIMENT_IDS, loadExperiment } from './index.ts'
import { type ReportedResult, renderReport } from './report.ts'
import { renderText } from './report-text.ts'
import { runExperiments } from './run.ts'
import { suggestions } from './suggest.ts'

export interface RunCommandOptions {
  readonly seeds?: number
  /** A file, or - for standard output. */
  readonly json?: string
  readonly html?: string
}

export async function runListCommand(options: { readonly json?: boolean }, context: CliContext): Promise<void> {
  const experiments = await Promise.all(EXPERIMENT_IDS.map(loaded))
  const facts = experiments.map(({ id, title, paper, defaultSeeds }) => ({ id, title, paper, defaultSeeds }))
  if (options.json) return context.out(json(facts))
  context.out(
    table(
      ['NAME', 'PAPER', 'SHOWS'],
      facts.map(({ id, title, paper }) => [id, paper, title]),
      context.style,
    ),
  )
}

export async function runRunCommand(
  names: readonly string[],
  options: RunCommandOptions,
  context: CliContext,
): Promise<void> {
  const experiments = await Promise.all(chooseExperiments(names).map(loaded))
  for (const file of [options.json, options.html]) if (file !== undefined && file !== '-') await checkWritable(file)
  await hand(await run(experiments, options, context), options, context)
}

/** Writes the requested output, files first, and only then throws LAB_CLAIM_FAILED where a claim does not hold. */
export async function hand(
  reported: readonly ReportedResult[],
  options: RunCommandOptions,
  context: CliContext,
): Promise<void> {
  if (options.html !== undefined) await writeText(options.html, renderReport(reported), context)
  if (options.json !== undefined) await writeText(options.json, json(jsonOf(reported)), context)
  if (options.json !== '-' && options.html !== '-') for (const each of reported) context.out(`${renderText(each)}\n`)
  judge(reported)
}

function chooseExperiments(names: readonly string[]): readonly string[] {
  if (names.includes('all')) return EXPERIMENT_IDS
  for (const name of names) {
    if (EXPERIMENT_IDS.includes(name)) continue
    const near = suggestions(name, EXPERIMENT_IDS)
    const help = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there is ${EXPERIMENT_IDS.join(', ')}`
    throw new HeadwaterError('USAGE', `no experiment "${name}"; ${help}`)
  }
  return [...new Set(names)]
}

async function loaded(id: string): Promise<Experiment> {
  return (await loadExperiment(id))!
}

async function run(
  experiments: readonly Experiment[],
  options: RunCommandOptions,
  context: CliContext,
): Promise<ReportedResult[]> {
  const jobs = experiments.map(({ id, defaultSeeds }) => ({ id, seeds: options.seeds ?? defaultSeeds }))
  const bars = context.isTerminal ? new ProgressBars(jobs.map(({ id }) => id)) : null
  try {
    const results = await runExperiments(jobs, {
      signal: context.signal,
      progress: (id, done) => bars?.update(id, done),
    })
    return results.map((result, index) => ({
      experiment: entryAt(experiments, index),
      result,
      seeds: entryAt(jobs, index).seeds,
    }))
  } catch (cause) {
    if (context.signal.aborted) throw new HeadwaterError('INTERRUPTED', undefined, { cause })
    throw cause
  } finally {
    bars?.stop()
  }
}

/** One: its own shape or the whole result. Several: the same by id. */
export function jsonOf(reported: readonly ReportedResult[]): unknown {
  const one = ({ experiment, result, seeds }: ReportedResult) => {
    const { id, title, paper } = experiment
    return result.json ?? { id, title, paper, seeds, ...result }
  }
  if (reported.length === 1) return one(entryAt(reported, 0))
  return Object.fromEntries(reported.map((each) => [each.experiment.id, one(each)]))
}

function judge(reported: readonly ReportedResult[]): void {
  const failed = reported.flatMap(({ experiment, result }) =>
    result.claims.filter(({ holds }) => !holds).map(({ text }) => `${experiment.id}: ${text}`),
  )
  if (failed.length > 0) throw new HeadwaterError('LAB_CLAIM_FAILED', failed.join('; '))
}

class ProgressBars {
  private readonly all: MultiBar
  private readonly bars = new Map<string, SingleBar>()

  constructor(ids: readonly string[]) {
    this.all = new (progressBars().MultiBar)({
      format: '{name} {bar} {percentage} %',
      hideCursor: true,
      clearOnComplete: true,
      stream: process.stderr,
    })
    const width = Math.max(...ids.map((id) => id.length))
    for (const id of ids) this.bars.set(id, this.all.create(100, 0, { name: id.padEnd(width) }))
  }

  update(id: string, done: number): void {
    this.bars.get(id)?.update(Math.round(100 * done))
  }

  stop(): void {
    this.all.stop()
  }
}

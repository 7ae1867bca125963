import { type AttackResult, type AttackSuite, holdsPromise } from './attack.ts'

const SHOWN_HITS = 20

/** For programs: counts, with the hits themselves beside them. */
export function attackJson({ effort, results, seconds }: AttackSuite): object {
  return {
    effort,
    holds: results.every(holdsPromise),
    tries: sum(results.map(({ tries }) => tries)),
    hits: sum(results.map(({ hits }) => hits.length)),
    seconds,
    classes: results.map((result) => ({
      ...result,
      holds: holdsPromise(result),
      hits: result.hits.length,
      found: result.hits,
    })),
  }
}

/** For people: a line for each class, and what went wrong below it. */
export function attackTable(results: readonly AttackResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length), 5)
  const head = `${'class'.padEnd(width)}   tries   hits  seconds  promise`
  const lines = results.flatMap((result) => [lineOf(result, width), ...detailsOf(result)])
  return `${[head, ...lines].join('\n')}\n`
}

function lineOf({ name, tries, hits, seconds, promise }: AttackResult, width: number): string {
  return [name.padEnd(width), pad(tries, 7), pad(hits.length, 6), pad(seconds.toFixed(1), 8), ` ${promise}`].join(' ')
}

function detailsOf({ hits, figures = {}, skipped = [], error }: AttackResult): string[] {
  const more = hits.length > SHOWN_HITS ? [`  … and ${hits.length - SHOWN_HITS} more`] : []
  const numbers = Object.entries(figures).map(([name, value]) => `${name} ${Math.round(value * 100) / 100}`)
  return [
    ...(numbers.length === 0 ? [] : [`  ${numbers.join(', ')}`]),
    ...skipped.map((what) => `  skipped: ${what}`),
    ...hits.slice(0, SHOWN_HITS).map((hit) => `  HIT ${hit}`),
    ...more,
    ...(error === null ? [] : [`  NOT RUN ${error}`]),
  ]
}

function pad(value: number | string, width: number): string {
  return String(value).padStart(width)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

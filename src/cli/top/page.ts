import { describeDuration } from '../../refresh/words.ts'
import { CAUSES } from '../causes.ts'
import { clip, relative } from '../output.ts'
import type { Style } from '../style.ts'
import { alignedLines, type Cell, widthOf } from '../table.ts'
import type { LatestRefresh, TopSnapshot } from './snapshot.ts'

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

const BAR_PLACES = 20
const NAME_LENGTH = 34
/** Head, headings and blank lines. */
const OTHER_LINES = 10

/** One page of a terminal: what is spent, what was just refreshed and why, what comes next, what is wrong. */
export function topPage(snapshot: TopSnapshot, { columns, rows }: TerminalSize, style: Style): string[] {
  const { at, refreshed, next, trouble } = snapshot
  const troubled = trouble.slice(0, 3)
  const room = Math.max(2, Math.floor((rows - OTHER_LINES - troubled.length) / 2))
  const section = (heading: string, cells: readonly (readonly Cell[])[]) =>
    cells.length === 0 ? [] : ['', style('heading', heading), ...alignedLines(cells, { hasHeader: false, style })]
  const lines = [
    ...head(snapshot, style),
    ...section(
      'Just refreshed',
      refreshed.slice(0, room).map((one) => refreshedCells(one, at)),
    ),
    ...section(
      'Next',
      next
        .slice(0, room)
        .map(({ nextCheckAt, name, ratePerHour }) => [
          nextCheckAt !== null && nextCheckAt <= at ? 'due' : relative(nextCheckAt, at),
          clip(name, NAME_LENGTH),
          ratePerHour === null ? '' : { text: `${(24 * ratePerHour).toFixed(1)} items a day`, tone: 'dim' },
        ]),
    ),
    ...section(
      'In trouble',
      troubled.map(({ condition, errorCode, name }) => [
        { text: condition, tone: condition === 'failing' || condition === 'retired' ? 'bad' : 'warning' },
        clip(name, NAME_LENGTH),
        errorCode ?? '',
      ]),
    ),
  ]
  return lines.slice(0, rows).map((line) => cut(line, columns))
}

function head({ at, url, version, status, budget, quality, counts, alarms }: TopSnapshot, style: Style): string[] {
  const share = budget.requestsPerMinute === 0 ? 0 : budget.spentPerMinute / budget.requestsPerMinute
  const full = Math.min(BAR_PLACES, Math.round(BAR_PLACES * share))
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_PLACES - full)}`
  const state =
    status === 'ok' && alarms.length === 0 ? style('good', 'all well') : style('bad', troubleOf(status, alarms))
  const price = budget.price === null ? '' : `, price ${Number(budget.price.toPrecision(3))} item-hours`
  const { usefulShare, delay } = quality
  return [
    `${style('heading', `Headwater ${version}`)}  ${url}  ${state}  ${new Date(at).toISOString().slice(11, 19)} UTC`,
    `Spending   ${bar} ${perMinute(budget.spentPerMinute)} of ${perMinute(budget.requestsPerMinute)} requests a minute (${budget.strategy}${price})`,
    `Last hour  ${quality.requests} requests${usefulShare === null ? '' : `, ${Math.round(100 * usefulShare)} % with news`}; ${quality.items} new items${delay === null ? '' : `, ${describeDuration(delay.meanMs)} late on average`}; ${Math.round(quality.lost.items)} lost`,
    `Sources    ${counts.sources}: ${Object.entries(counts.conditions)
      .filter(([, count]) => count > 0)
      .map(([condition, count]) => `${count} ${condition}`)
      .join(', ')}; ${counts.items.toLocaleString('en')} items`,
  ]
}

function troubleOf(status: string, alarms: TopSnapshot['alarms']): string {
  return alarms[0]?.summary ?? status
}

function perMinute(count: number): string {
  return count < 10 ? count.toFixed(2) : String(Math.round(count))
}

function refreshedCells({ source, refresh }: LatestRefresh, at: number): Cell[] {
  const cause = refresh?.decision?.cause
  return [
    { text: relative(source.lastCheckAt, at), tone: 'dim' },
    clip(source.name, NAME_LENGTH),
    resultOf({ source, refresh }),
    cause === undefined ? '' : CAUSES[cause],
  ]
}

function resultOf({ source, refresh }: LatestRefresh): Cell {
  if (refresh === null) return { text: source.errorCode ?? 'nothing yet', tone: source.errorCode ? 'bad' : 'dim' }
  if (refresh.newItems > 0) return { text: `${refresh.newItems} new`, tone: 'good' }
  return { text: refresh.notModified ? 'unchanged' : 'nothing new', tone: 'dim' }
}

/** To the width of the terminal; colours take no place. */
function cut(line: string, columns: number): string {
  let place = 0
  let text = ''
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    if (part.startsWith('\u001b')) {
      text += part
      continue
    }
    for (const character of part) {
      place += widthOf(character)
      if (place <= columns) text += character
    }
  }
  return text
}

import { roundToPrecision } from './rounds.ts'

/** The three systems of Figure 3, in its order. */
export const FORMS = ['serial', 'distributed', 'checked'] as const
export type Form = (typeof FORMS)[number]

/** What one update round came to. */
export interface RoundFigures {
  readonly wallMs: number
  readonly controllerCpuMs: number
  /** Of all terminals together. */
  readonly terminalsCpuMs: number
  /** Of the database's server; null: it is in the controller's process, or nobody can tell. */
  readonly databaseCpuMs: number | null
  readonly worldCpuMs: number
  readonly handedBytes: number
  readonly lookUps: number
  readonly records: number
}

/** Of all items that the sites have shown. */
export interface StoredItems {
  readonly published: number
  readonly lost: number
  readonly doubled: number
}

interface Claim {
  readonly text: string
  readonly holds: boolean
  readonly figures: Readonly<Record<string, number>>
}

export interface FigureVerdict {
  readonly holds: boolean
  readonly claims: readonly Claim[]
}

export interface Measured {
  readonly feeds: number
  readonly terminals: number
  readonly forms: Readonly<Record<Form, RoundFigures>>
  readonly stored: Readonly<Record<Form, StoredItems>>
}

/** The only figure that the paper's text gives of the three: 793 feeds with the checks. */
const PRINTED_MS = 10_000
export const PRINTED_FEEDS = 793
/** Of look-ups and of bytes, at most so much is left by the checks. */
const SHARE_LEFT = 0.1

/** What Figure 3 shows and the text around it says, on our figures. */
export function judge({ feeds, terminals, forms, stored }: Measured): FigureVerdict {
  const { serial, distributed, checked } = forms
  const claims = [
    claim('Terminals make a round shorter, at least by half their number', {
      is: serial.wallMs / distributed.wallMs,
      atLeast: Math.max(1, terminals / 2),
    }),
    claim('The checks make it shorter still', { is: distributed.wallMs / checked.wallMs, atLeast: 1 }),
    claim('The checks cost less processor time than they save', { is: cpuMs(checked) / cpuMs(distributed), atMost: 1 }),
    claim('They save nine of ten look-ups', { is: checked.lookUps / distributed.lookUps, atMost: SHARE_LEFT }),
    claim('They save nine of ten bytes handed over', {
      is: checked.handedBytes / distributed.handedBytes,
      atMost: SHARE_LEFT,
    }),
    claim('With the checks a round of 793 feeds takes at most 10 s', {
      is: checked.wallMs,
      atMost: PRINTED_MS * Math.max(1, feeds / PRINTED_FEEDS),
    }),
    ...FORMS.map((form) => storedClaim(form, stored[form])),
  ]
  return { holds: claims.every(({ holds }) => holds), claims }
}

function storedClaim(form: Form, { lost, doubled }: StoredItems): Claim {
  return { text: `${form}: everything is stored, once`, holds: lost === 0 && doubled === 0, figures: { lost, doubled } }
}

interface Bounds {
  readonly is: number
  readonly atLeast?: number
  readonly atMost?: number
}

function claim(text: string, { is, ...bounds }: Bounds): Claim {
  // What was not measured holds nothing: not a number, or a time below none.
  const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = bounds
  return { text, holds: is >= atLeast && is <= atMost, figures: { is: roundToPrecision(is), ...bounds } }
}

/** Without that of the sites. */
function cpuMs({ controllerCpuMs, terminalsCpuMs, databaseCpuMs }: RoundFigures): number {
  return controllerCpuMs + terminalsCpuMs + (databaseCpuMs ?? 0)
}

import type { AlertKind } from '../../model/alert-kinds.ts'

interface AlertWords {
  readonly title: (name: string) => string
  readonly hint: string
}

/** For people: what is wrong, and what to do. */
export const ALERT_WORDS: Readonly<Record<AlertKind, AlertWords>> = {
  died: {
    title: (name) => `${name} has died`,
    hint: 'It is gone for good, or has failed for three days. Look whether it is elsewhere now, or remove it.',
  },
  floods: {
    title: (name) => `${name} floods`,
    hint: 'It shows more in a day than is stored of it; the rest is refused. Lift its allowance where all of it is wanted, or pause it.',
  },
  overflows: {
    title: (name) => `${name} publishes faster than it is looked at`,
    hint: 'Items are lost. A larger budget, a higher weight or a shorter interval of its own would help.',
  },
  budget: {
    title: () => 'The budget is too small for the wished quality',
    hint: 'All of it is spent, and the wish is not met. Raise the budget or wish for less.',
  },
  still: {
    title: () => 'The node stands still',
    hint: 'Nothing was fetched for an hour although something was due. Look at its alarms and its log.',
  },
}

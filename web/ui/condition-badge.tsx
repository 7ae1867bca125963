import type { SourceRow } from '../../src/api/operations/wire.ts'

export type Condition = SourceRow['condition']

const LOOKS: Readonly<Record<Condition, 'good' | 'warn' | 'bad' | ''>> = {
  active: 'good',
  new: '',
  paused: 'warn',
  saturated: 'bad',
  flooding: 'bad',
  failing: 'bad',
  retired: 'bad',
}

export function conditionLook(condition: Condition): string {
  return `badge ${LOOKS[condition]}`
}

export function ConditionBadge({ condition }: { readonly condition: Condition }) {
  return <span className={conditionLook(condition)}>{condition}</span>
}

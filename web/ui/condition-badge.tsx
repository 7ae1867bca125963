import type { SourceRow } from '../../src/api/operations/wire.ts'

export type SourceCondition = SourceRow['condition']

const LOOKS: Readonly<Record<SourceCondition, 'good' | 'warn' | 'bad' | ''>> = {
  active: 'good',
  new: '',
  paused: 'warn',
  saturated: 'bad',
  flooding: 'bad',
  failing: 'bad',
  retired: 'bad',
}

export function conditionLook(condition: SourceCondition): string {
  return `badge ${LOOKS[condition]}`
}

export function ConditionBadge({ condition }: { readonly condition: SourceCondition }) {
  return <span className={conditionLook(condition)}>{condition}</span>
}

import type { Refusal } from '../../model/index.ts'

export function refusalInWords({ items, allowance }: Pick<Refusal, 'items' | 'allowance'>): string {
  const most = allowance.toLocaleString('en')
  return `it showed more new items than the ${most} a day that are stored of it; ${items.toLocaleString('en')} were refused`
}

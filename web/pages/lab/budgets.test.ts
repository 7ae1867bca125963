import { describe, expect, it } from 'vitest'
import { budgetsFrom, suggestedBudgets } from './budgets.ts'

describe('budgets to compare', () => {
  it.each([
    ['10, 1;5 5', [1, 5, 10]],
    ['0.5', [0.5]],
    ['', null],
    ['0', null],
    ['ten', null],
    ['1 2 3 4 5 6 7 8 9', null],
  ])('%j is %j', (text, budgets) => expect(budgetsFrom(text)).toEqual(budgets))

  it('lie around that of the node', () => expect(suggestedBudgets(1 / 3)).toEqual([48, 140, 480, 1_400]))
})

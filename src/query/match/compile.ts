import type { Expression } from '../plan/expression.ts'
import { AND, MASK_SHIFT, NEGATED, OR, TERM, TEST } from './program.ts'
import type { TermTable } from './terms.ts'
import type { TestTable } from './tests.ts'

/** Writes an expression as numbers; the terms and tests that it names are in use from then on. */
export function compileExpression(expression: Expression, terms: TermTable, tests: TestTable): number[] {
  const program: number[] = []
  append(expression, terms, tests, program)
  return program
}

function append(expression: Expression, terms: TermTable, tests: TestTable, program: number[]): void {
  const { kind } = expression
  if (kind === 'and' || kind === 'or') {
    const start = program.push(kind === 'and' ? AND : OR, 0) - 2
    for (const part of expression.of) append(part, terms, tests, program)
    program[start + 1] = program.length - start
    return
  }
  const negated = expression.negated ? NEGATED : 0
  if (kind === 'term') program.push(TERM | negated | (expression.mask << MASK_SHIFT), terms.use(expression.term))
  else {
    // Its words are beside it in the program, so they are in use already, as long as the test is.
    const phrase = expression.phrase.map((term) => terms.id(term)!)
    program.push(TEST | negated, tests.use(expression.predicate, phrase))
  }
}

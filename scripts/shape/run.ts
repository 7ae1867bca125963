import { parseArgs } from 'node:util'
import type { Explanations } from './explained.ts'
import { readCheckout, readEntryFiles } from './read.ts'
import { reportOf } from './report.ts'
import { measureCode } from './shape.ts'

/** What the command prints for a checkout, and its exit code. */
export function runShape(
  root: string,
  args: readonly string[],
  explained: Explanations,
): { readonly text: string; readonly code: number } {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean' }, strict: { type: 'boolean' } },
  })
  const shape = measureCode(readCheckout(root), readEntryFiles(root), explained)
  const isBroken = shape.limits.some(({ ok }) => !ok)
  return {
    text: values.json ? JSON.stringify(shape, null, 2) : reportOf(shape),
    code: values.strict && isBroken ? 1 : 0,
  }
}

import { describe, expect, it } from 'vitest'
import type { PairPredicate, SharedField } from '../language/ast.ts'
import { probesOf } from './probe.ts'

const same = (field: SharedField): PairPredicate => ({
  kind: 'same',
  field,
  other: { variable: 'w', field },
  at: { start: 0, end: 0 },
})

describe('the comparison that a window is looked up by', () => {
  it.each<SharedField>(['CATEGORY', 'SOURCE CATEGORY', 'AUTHOR', 'LANGUAGE', 'SOURCE'])(
    'is LINK rather than %s, whichever is written first',
    (field) => {
      expect(probesOf({ kind: 'and', of: [same(field), same('LINK')] })).toEqual([same('LINK')])
      expect(probesOf({ kind: 'and', of: [same('LINK'), same(field)] })).toEqual([same('LINK')])
    },
  )
})

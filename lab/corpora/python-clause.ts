/**
 * The few forms of Python that listparser's expectations are written in, evaluated on plain data:
 * `a == b`, `a is False`, `a in b`, `a not in b`, `not a`, and as operands strings, numbers, True and False, lists,
 * tuples, `len(…)`, and `result['feeds'][0]['url']`. Undefined for anything else.
 */
export function evaluateClause(source: string, result: unknown): boolean | undefined {
  const tokens = source.match(/'[^']*'|"[^"]*"|[A-Za-z_]+|\d+|==|[[\](),.]/g) ?? []
  const reader = new Reader(tokens, result)
  try {
    return reader.clause()
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
}

class NotUnderstood extends Error {}

class Reader {
  private at = 0
  private readonly tokens: readonly string[]
  private readonly result: unknown

  constructor(tokens: readonly string[], result: unknown) {
    this.tokens = tokens
    this.result = result
  }

  clause(): boolean {
    if (this.accept('not')) return this.end(!truthy(this.operand()))
    const left = this.operand()
    if (this.accept('==') || this.accept('is')) return this.end(equal(left, this.operand()))
    if (this.accept('in')) return this.end(contains(this.operand(), left))
    if (this.accept('not') && this.accept('in')) return this.end(!contains(this.operand(), left))
    throw new NotUnderstood()
  }

  private end(value: boolean): boolean {
    if (this.at < this.tokens.length) throw new NotUnderstood()
    return value
  }

  private accept(token: string): boolean {
    if (this.tokens[this.at] !== token) return false
    this.at += 1
    return true
  }

  private operand(): unknown {
    const token = this.tokens[this.at++]
    if (token === undefined) throw new NotUnderstood()
    if (token === '[') return this.sequence(']')
    if (token === '(') return this.sequence(')')
    if (token === 'True' || token === 'False') return token === 'True'
    if (token === 'result') return this.path()
    if (token === 'len' && this.accept('(')) return this.length()
    if (/^\d+$/.test(token)) return Number(token)
    if (/^['"]/.test(token)) return token.slice(1, -1)
    throw new NotUnderstood()
  }

  private length(): number {
    const value = this.operand()
    if (!this.accept(')') || !Array.isArray(value)) throw new NotUnderstood()
    return value.length
  }

  private sequence(close: string): unknown[] {
    const values: unknown[] = []
    while (!this.accept(close)) {
      values.push(this.operand())
      this.accept(',')
    }
    return values
  }

  private path(): unknown {
    let value = this.result
    while (this.accept('[')) {
      const key = this.operand() as string | number
      if (!this.accept(']')) throw new NotUnderstood()
      value = (value as Record<string | number, unknown> | undefined)?.[key]
    }
    if (this.tokens[this.at] === '.') throw new NotUnderstood()
    return value
  }
}

function truthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

/** Numbers and truth values are equal in Python: `False == 0`. */
function equal(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, i) => equal(value, right[i]))
  }
  if (typeof left === 'boolean' || typeof right === 'boolean') return Number(left) === Number(right)
  return left === right
}

function contains(container: unknown, value: unknown): boolean {
  if (Array.isArray(container)) return container.some((one) => equal(one, value))
  return typeof container === 'object' && container !== null && Object.hasOwn(container, String(value))
}

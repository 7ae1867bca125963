import { describe, expect, it } from 'vitest'
import { layerNodes } from './graph-layout.ts'

const node = (id: string) => ({ id, kind: 'feed', name: id })
const reads = (from: string, to: string) => ({ from, to, kind: 'reads' })

describe('graph of feeds', () => {
  it('puts what is read left of what reads it', () => {
    const placed = layerNodes(['top', 'mid', 'a', 'b'].map(node), [
      reads('a', 'mid'),
      reads('b', 'mid'),
      reads('mid', 'top'),
      reads('a', 'top'),
    ])
    expect(placed.map(({ id, layer, row }) => [id, layer, row])).toEqual([
      ['top', 2, 0],
      ['mid', 1, 0],
      ['a', 0, 0],
      ['b', 0, 1],
    ])
  })

  it('ends with a circle too', () => {
    expect(layerNodes(['a', 'b'].map(node), [reads('a', 'b'), reads('b', 'a')])).toHaveLength(2)
  })
})

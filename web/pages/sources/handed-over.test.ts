import { expect, it } from 'vitest'
import { addressHandedOver } from './handed-over.ts'

it.each([
  ['?add=https%3A%2F%2Fexample.org%2Fa', 'https://example.org/a'],
  ['?title=A%20page&text=Look%3A%20https%3A%2F%2Fexample.org%2Fb%20now&add=', 'https://example.org/b'],
  ['?add=example.org', 'example.org'],
  ['?title=nothing', ''],
  ['', ''],
])('%s hands over %s', (search, address) => expect(addressHandedOver(search)).toBe(address))

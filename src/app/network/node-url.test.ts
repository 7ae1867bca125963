import { describe, expect, it } from 'vitest'
import { nodeUrl } from './node-url.ts'

describe('the address of a node', () => {
  it.each([
    ['https://feeds.example.org', 'https://feeds.example.org'],
    ['feeds.example.org/', 'https://feeds.example.org'],
    ['https://example.org/reader/', 'https://example.org/reader'],
    ['https://example.org/reader/.well-known/headwater', 'https://example.org/reader'],
    ['https://example.org/feeds/ice.atom?token=t', 'https://example.org'],
    ['https://example.org/reader/feeds/category/a/b.atom', 'https://example.org/reader'],
    ['http://127.0.0.1:8080/hub', 'http://127.0.0.1:8080'],
    ['https://example.org/a#b', 'https://example.org/a'],
  ])('of %s is %s', (text, url) => {
    expect(nodeUrl(text)).toBe(url)
  })

  it.each(['', 'ftp://example.org', 'https://'])('is not to be had of "%s"', (text) => {
    expect(() => nodeUrl(text)).toThrow()
  })
})

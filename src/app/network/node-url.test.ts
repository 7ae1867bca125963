import { describe, expect, it } from 'vitest'
import { nodeAddresses } from './node-url.ts'

describe('the address of a node', () => {
  it.each([
    ['https://feeds.example.org', ['https://feeds.example.org']],
    ['feeds.example.org/', ['https://feeds.example.org']],
    ['https://example.org/reader/', ['https://example.org/reader', 'https://example.org']],
    ['https://example.org/a#b', ['https://example.org/a', 'https://example.org']],
    [
      'https://example.org/sources/3?tab=items',
      ['https://example.org/sources/3', 'https://example.org/sources', 'https://example.org'],
    ],
    ['https://example.org//read', ['https://example.org//read', 'https://example.org']],
  ])('of %s is one of %j', (text, urls) => {
    expect(nodeAddresses(text)).toEqual(urls)
  })

  it.each([
    ['https://example.org/reader/.well-known/headwater', 'https://example.org/reader'],
    ['https://example.org/feeds/ice.atom?token=t', 'https://example.org'],
    ['https://example.org/reader/feeds/category/a/b.atom', 'https://example.org/reader'],
    ['http://127.0.0.1:8080/hub', 'http://127.0.0.1:8080'],
  ])('of %s is %s before others', (text, url) => {
    expect(nodeAddresses(text)[0]).toBe(url)
  })

  it('is looked for at six places at most, the top of the host among them', () => {
    const urls = nodeAddresses(`https://example.org/feeds${'/deep'.repeat(500)}`)
    expect(urls).toHaveLength(6)
    expect(urls).toContain('https://example.org')
    expect(nodeAddresses(`https://example.org${'/deep'.repeat(500)}`).at(-1)).toBe('https://example.org')
  })

  it.each(['', 'ftp://example.org', 'https://'])('is not to be had of "%s"', (text) => {
    expect(() => nodeAddresses(text)).toThrow()
  })
})

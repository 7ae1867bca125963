import { describe, expect, it } from 'vitest'
import { locateData } from './data.ts'
import { maskPassword, parseStoreUrl, placeGiven } from './store-url.ts'

describe('the address of a store', () => {
  it.each([
    ['headwater-data', 'sqlite', 'headwater-data'],
    ['./a:b', 'sqlite', './a:b'],
    ['C:\\feeds', 'sqlite', 'C:\\feeds'],
    ['sqlite:data', 'sqlite', 'data'],
    ['sqlite:/var/lib/headwater', 'sqlite', '/var/lib/headwater'],
    ['sqlite:///var/lib/headwater', 'sqlite', '/var/lib/headwater'],
    ['memory:', 'memory', 'memory:'],
    ['postgres://db.example/feeds', 'postgres', 'postgres://db.example/feeds'],
    ['postgresql://me@db.example/feeds', 'postgres', 'postgresql://me@db.example/feeds'],
  ])('%s', (url, kind, rest) => {
    expect(parseStoreUrl(url)).toEqual({ kind, rest })
  })

  it.each([
    '',
    'sqlite:',
    'memory:x',
    'postgres:',
    'postgres://',
    'mysql://db.example/x',
    'https://me:secret@a.example/',
  ])('%s is refused, without its password in the message', (url) => {
    expect(() => parseStoreUrl(url)).toThrow(expect.objectContaining({ code: 'STORE_URL_INVALID' }))
    expect(() => parseStoreUrl(url)).not.toThrow(/secret/)
  })

  it('is shown without its password', () => {
    const url = 'postgres://me:secret@db.example/feeds'
    expect(locateData(url, 'keys').name).toBe('postgres://me@db.example/feeds')
    expect(maskPassword(url)).toBe('postgres://me:***@db.example/feeds')
    expect(maskPassword('postgres://me@db.example/feeds')).toBe('postgres://me@db.example/feeds')
    expect(maskPassword('/home/me:secret@home/feeds')).toBe('/home/me:secret@home/feeds')
  })

  it('of a database is checked before anything is asked of it', () => {
    const open = () => locateData('postgres://me:secret@db.example', 'keys')
    expect(open).toThrow(expect.objectContaining({ code: 'STORE_URL_INVALID' }))
    expect(open).not.toThrow(/secret/)
  })
})

describe('where a command finds its data', () => {
  const place = (data?: string, store?: string, env: Record<string, string> = {}) =>
    placeGiven({ ...(data === undefined ? {} : { data }), ...(store === undefined ? {} : { store }) }, env, 'usual')

  it('is the usual folder, the given one, or where --store says', () => {
    expect(place()).toEqual({ dataDir: 'usual' })
    expect(place('mine')).toEqual({ dataDir: 'mine' })
    expect(place(undefined, 'sqlite:mine')).toEqual({ dataDir: 'mine' })
    expect(place('keys', 'postgres://db/x')).toEqual({ dataDir: 'keys', store: 'postgres://db/x' })
  })

  it('is said by the environment where no flag says it', () => {
    expect(place(undefined, undefined, { HEADWATER_DATA: 'd' })).toEqual({ dataDir: 'd' })
    expect(place(undefined, undefined, { HEADWATER_DATA: 'd', HEADWATER_STORE: 's' })).toEqual({ dataDir: 's' })
    expect(place('mine', undefined, { HEADWATER_STORE: 's' })).toEqual({ dataDir: 'mine' })
    expect(place('mine', undefined, { HEADWATER_STORE: 'memory:' })).toEqual({ dataDir: 'mine', store: 'memory:' })
  })

  it('is never in two folders', () => {
    expect(place('mine', './mine')).toEqual({ dataDir: 'mine' })
    expect(() => place('mine', 'sqlite:yours')).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })
})

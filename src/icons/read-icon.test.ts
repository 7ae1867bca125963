import { describe, expect, it } from 'vitest'
import { readIcon } from './read-icon.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
const u16be = (value: number) => [value >> 8, value & 255]
const u16le = (value: number) => [value & 255, value >> 8]
const u32le = (value: number) => [...u16le(value & 0xffff), ...u16le(value >>> 16)]
const u32be = (value: number) => [...u32le(value)].reverse()

const png = (width: number, height: number) =>
  bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', u32be(width), u32be(height), [8, 6, 0, 0, 0])
const gif = (width: number, height: number) => bytes('GIF89a', u16le(width), u16le(height), [0, 0, 0])
const jpeg = (width: number, height: number) =>
  bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2], [0xff, 0xc0, 0, 11, 8], u16be(height), u16be(width), [1, 1, 1, 1])
const webp = (width: number, height: number) =>
  bytes(
    'RIFF',
    u32le(40),
    'WEBPVP8X',
    u32le(10),
    [0, 0, 0, 0],
    u32le(width - 1).slice(0, 3),
    u32le(height - 1).slice(0, 3),
    [0],
  )
const lossless = (width: number, height: number) =>
  bytes('RIFF', u32le(40), 'WEBPVP8L', u32le(10), [0x2f], u32le((width - 1) | ((height - 1) << 14)), [0, 0, 0, 0, 0])

interface Entry {
  readonly px: number
  readonly data: string
  readonly offset?: number
}

function ico(...entries: Entry[]): Buffer {
  let offset = 6 + 16 * entries.length
  const lines = entries.map(({ px, data, offset: said }) => {
    const line = bytes([px & 255, px & 255, 0, 0], u16le(1), u16le(32), u32le(data.length), u32le(said ?? offset))
    offset += data.length
    return line
  })
  const head = bytes([0, 0, 1, 0], u16le(entries.length))
  return Buffer.concat([head, ...lines, ...entries.map(({ data }) => Buffer.from(data, 'latin1'))])
}

describe('an icon', () => {
  it.each([
    ['png', png(32, 32), 'image/png'],
    ['gif', gif(16, 16), 'image/gif'],
    ['jpeg', jpeg(180, 180), 'image/jpeg'],
    ['webp', webp(64, 64), 'image/webp'],
    ['lossless webp', lossless(64, 64), 'image/webp'],
  ])('of %s is taken as it is', (_name, body, type) => {
    expect(readIcon(body)).toEqual({ type, body, hash: expect.stringMatching(/^[\w-]{22}$/) })
  })

  it.each([
    ['nothing', bytes('')],
    ['a drawing', bytes('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>')],
    ['a drawing with a script', bytes('<?xml version="1.0"?><svg onload="alert(1)"><script>alert(1)</script></svg>')],
    ['a page', bytes('<!doctype html><title>Not found</title>')],
    ['a document', bytes('%PDF-1.7 ')],
    ['a program', bytes('MZ\x90\x00')],
    ['a picture of a billion dots', png(32_768, 32_768)],
    ['a wide one', gif(1_025, 1)],
    ['a tall one', jpeg(1, 1_025)],
    ['a large one', webp(5_000, 5_000)],
    ['a large lossless one', lossless(5_000, 16)],
    ['one without dots', png(0, 16)],
    ['one that ends before it says its size', png(32, 32).subarray(0, 20)],
    ['a jpeg without a frame', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0])],
    ['one of too many bytes', Buffer.concat([png(64, 64), Buffer.alloc(64 * 1024)])],
    ['an icon file without icons', bytes([0, 0, 1, 0, 0, 0])],
    ['an icon file that is cut off', ico({ px: 32, data: 'abc' }).subarray(0, 12)],
    ['an icon file that points elsewhere', ico({ px: 32, data: 'abc', offset: 4_000_000_000 })],
    ['an icon file that points at its own directory', ico({ px: 32, data: 'abc', offset: 0 })],
  ])('is not %s', (_name, body) => expect(readIcon(body)).toBeNull())

  it.each([
    [[16, 32, 64, 256], 64],
    [[16, 32, 48], 48],
    [[16, 128, 256], 128],
    [[0], 0],
  ])('of a file with sizes %j is the one of %d, alone', (sizes, best) => {
    const file = ico(...sizes.map((px) => ({ px, data: `picture of ${px}` })))
    const found = readIcon(file)
    expect(found?.type).toBe('image/x-icon')
    expect(found?.body).toEqual(ico({ px: best, data: `picture of ${best}` }))
  })
})

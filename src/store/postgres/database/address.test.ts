import { describe, expect, it } from 'vitest'
import { parseAddress } from './address.ts'

describe('the address of a database', () => {
  it.each([
    ['postgres://ann:s%40cret@db.example.org:6543/feeds', { host: 'db.example.org', port: 6543, password: 's@cret' }],
    ['postgresql://ann@[::1]/feeds', { host: '::1', port: 5432, password: undefined, ssl: false }],
    ['postgres://ann@/feeds?host=/run/postgresql', { host: '/run/postgresql', user: 'ann', ssl: false }],
    ['postgres://ann@localhost/feeds?port=7', { port: 7, database: 'feeds', ssl: false }],
    ['postgres://ann@10.0.0.1/feeds?sslmode=disable', { ssl: false }],
  ])('%s', (text, expected) => {
    expect(parseAddress(text)).toMatchObject(expected)
  })

  it('asks a server elsewhere for a certificate of its own name unless told otherwise', () => {
    const tls = (query: string) => parseAddress(`postgres://ann@db.example.org/feeds${query}`).ssl
    expect(tls('')).toEqual({ rejectUnauthorized: true })
    expect(tls('?sslmode=verify-full')).toEqual({ rejectUnauthorized: true })
    expect(tls('?sslmode=verify-ca')).toMatchObject({
      rejectUnauthorized: true,
      checkServerIdentity: expect.anything(),
    })
    expect(tls('?sslmode=require')).toMatchObject({ rejectUnauthorized: false })
  })

  it.each([
    ['mysql://ann@host/feeds', 'postgres://'],
    ['nonsense', 'postgres://'],
    ['postgres://host/feeds', 'no user'],
    ['postgres://ann@host/', 'no database'],
    ['postgres://ann@host/feeds?port=x', 'no port'],
    ['postgres://ann@host/feeds?sslmode=prefer', 'sslmode is one of'],
    ['postgres://ann@host/feeds?ssl=true', 'ssl is not known'],
    ['postgres://ann@host/feeds?sslrootcert=/nowhere', 'cannot be read'],
    ['postgres://ann:%E0@host/feeds', 'percent-encoded'],
  ])('refuses %s', (text, why) => {
    expect(() => parseAddress(text)).toThrow(why)
    expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'STORE_URL_INVALID' }))
  })

  it('never shows the password', () => {
    expect(parseAddress('postgres://ann:secret@db.example.org/feeds').shown).toBe('postgres://ann@db.example.org/feeds')
  })
})

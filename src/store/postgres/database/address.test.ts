import { describe, expect, it } from 'vitest'
import { parseAddress } from './address.ts'

describe('the address of a database', () => {
  it.each([
    ['postgres://ann:s%40cret@db.example.org:6543/feeds', ['db.example.org:6543'], { password: 's@cret' }],
    ['postgresql://ann@[::1]/feeds', ['::1:5432'], { password: undefined, ssl: false }],
    ['postgres://ann@/feeds?host=/run/postgresql', ['/run/postgresql:5432'], { user: 'ann', ssl: false }],
    ['postgres://ann@%2Frun%2Fpostgresql/feeds', ['/run/postgresql:5432'], { user: 'ann', ssl: false }],
    ['postgres://ann@localhost/feeds?port=7', ['localhost:7'], { database: 'feeds', ssl: false }],
    ['postgres://ann@10.0.0.1/feeds?sslmode=disable', ['10.0.0.1:5432'], { ssl: false }],
    ['postgres://ann:p@a,b:5433,[fd00::1]:5434/feeds', ['a:5432', 'b:5433', 'fd00::1:5434'], { password: 'p' }],
    ['postgres://ann@a,b/feeds?port=1,2', ['a:1', 'b:2'], {}],
    ['postgres://ann@/feeds?host=a,b&port=3', ['a:3', 'b:3'], {}],
    ['postgres://ann@localhost,127.0.0.1:5433/feeds', ['localhost:5432', '127.0.0.1:5433'], { ssl: false }],
  ])('%s', (text, hosts, expected) => {
    const address = parseAddress(text)
    expect(address.hosts.map(({ host, port }) => `${host}:${port}`)).toEqual(hosts)
    expect(address).toMatchObject(expected)
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
    expect(parseAddress('postgres://ann@localhost,db.example.org/feeds').ssl).toEqual({ rejectUnauthorized: true })
  })

  it.each([
    ['mysql://ann@host/feeds', 'postgres://'],
    ['nonsense', 'postgres://'],
    ['postgres://host/feeds', 'no user'],
    ['postgres://ann@host/', 'no database'],
    ['postgres://ann@/feeds', 'no host'],
    ['postgres://ann@a,,b/feeds', 'no host'],
    ['postgres://ann@a,b/feeds?port=1,2,3', 'as many ports as hosts'],
    ['postgres://ann@a:99999,b/feeds', 'no port'],
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
    expect(parseAddress('postgres://ann:secret@a,b:5433/feeds').shown).toBe('postgres://ann@a,b:5433/feeds')
  })
})

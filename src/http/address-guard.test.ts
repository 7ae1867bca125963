import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddressGuard } from './address-guard.ts'

const REFUSED = [
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private, last', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT, last', '100.127.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local, cloud metadata', '169.254.169.254'],
  ['protocol assignments', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.7'],
  ['documentation', '203.0.113.9'],
  ['benchmarking', '198.18.0.1'],
  ['benchmarking, last', '198.19.255.255'],
  ['6to4 relay', '192.88.99.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified v6', '::'],
  ['loopback v6', '::1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped loopback in hex', '::ffff:7f00:1'],
  ['mapped private', '::ffff:10.1.2.3'],
  ['translated loopback', '::ffff:0:7f00:1'],
  ['IPv4-compatible loopback', '::7f00:1'],
  ['IPv4-compatible public', '::8.8.8.8'],
  ['NAT64 of private', '64:ff9b::a00:1'],
  ['NAT64 for local use', '64:ff9b:1::808:808'],
  ['6to4 of private', '2002:a00:1::1'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['benchmarking v6', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation v6', '2001:db8::1'],
  ['documentation v6', '3fff::1'],
  ['discard only', '100::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456::1'],
  ['link-local v6', 'fe80::1'],
  ['link-local v6 with interface', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast v6', 'ff02::1'],
  ['segment routing', '5f00::1'],
  ['not an address', 'example.org'],
  ['empty', ''],
] as const

const ALLOWED = [
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
]

describe('address guard', () => {
  const guard = createAddressGuard([])

  it.each(REFUSED)('refuses %s: %s', (_name, address) => {
    expect(guard.allows(address)).toBe(false)
  })

  it.each(ALLOWED)('allows the public %s', (address) => {
    expect(guard.allows(address)).toBe(true)
  })

  const HOSTS = [
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://feed-17.localhost:9000/',
  ]

  it.each(HOSTS)('refuses %s without asking DNS', (url) => {
    expect(guard.refusesHost(new URL(url).hostname)).toBe(true)
  })

  it.each(HOSTS.filter((url) => url !== 'http://0/'))('allows %s once loopback is allowed', (url) => {
    expect(createAddressGuard(['loopback']).refusesHost(new URL(url).hostname)).toBe(false)
  })

  it('leaves names to DNS', () => {
    expect(guard.refusesHost('example.org')).toBe(false)
    expect(guard.refusesHost('localhost.example.org')).toBe(false)
  })

  const OPENED: readonly (readonly [string, string, boolean])[] = [
    ['loopback', '127.0.0.1', true],
    ['loopback', '::1', true],
    ['loopback', '::ffff:127.0.0.1', true],
    ['loopback', '10.0.0.1', false],
    ['private', '10.0.0.1', true],
    ['private', '192.168.0.1', true],
    ['private', 'fd00::1', true],
    ['private', '169.254.169.254', false],
    ['private', '127.0.0.1', false],
    ['192.168.1.0/24', '192.168.1.77', true],
    ['192.168.1.0/24', '192.168.2.77', false],
    ['192.168.1.5', '192.168.1.5', true],
    ['192.168.1.5', '192.168.1.6', false],
    ['fd00::/8', 'fd00::1', true],
    ['fd00::/8', 'fc00::1', false],
    ['0.0.0.0/0', '10.0.0.1', true],
    ['0.0.0.0/0', '::1', false],
  ]

  it.each(OPENED)('with %s allowed, %s: %s', (range, address, expected) => {
    expect(createAddressGuard([range]).allows(address)).toBe(expected)
  })

  it.each(['', 'lan', '300.1.1.1', '10.0.0.0/33', 'http://10.0.0.1'])('says that "%s" is no range', (range) => {
    expect(() => createAddressGuard([range])).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })

  it('judges every IPv4 address the same in all its IPv6 writings', () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        const hex = v4.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
        const tail = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`
        const verdict = guard.allows(v4)
        expect(guard.allows(`::ffff:${v4}`)).toBe(verdict)
        expect(guard.allows(`64:ff9b::${tail}`)).toBe(verdict)
        expect(guard.allows(`2002:${tail}::1`)).toBe(verdict)
      }),
    )
  })
})

/** Ways to write 127.0.0.1 and its like as the host of an address, so that a reader of text does not see it. */
export function loopbackHosts(): readonly string[] {
  return [...['127.0.0.1', '127.1.2.3', '0.0.0.0', '127.255.255.254'].flatMap(spellings), ...V6_LOOPBACK, ...NAMES]
}

/** Addresses of others that no node may ask: private nets, clouds' metadata, multicast, tunnels to any of them. */
export function foreignHosts(): readonly string[] {
  const v4 = PRIVATE_V4.flatMap((address) => spellings(address).filter((_, i) => i % 3 === 0))
  return [...v4, ...PRIVATE_V4.flatMap(tunnels), ...PRIVATE_V6]
}

const PRIVATE_V4 = [
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '0.1.2.3',
]

const PRIVATE_V6 = [
  '[::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[2001::1]',
  '[100::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[64:ff9b:1::1]',
  '[::7f00:1]',
]

const V6_LOOPBACK = [
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::0.0.0.1]',
  '[::127.0.0.1]',
  ...tunnels('127.0.0.1'),
  ...tunnels('0.0.0.0'),
]

const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'x.localhost',
  'a.b.localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'loc%61lhost',
  'localhost%2e',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'lo\u00adcalhost',
  'user:password@localhost',
  '93.184.216.34@127.0.0.1',
  '93.184.216.34:80@127.0.0.1',
]

/** IPv6 addresses at whose end an IPv4 address waits: mapped, translated, NAT64, 6to4, compatible, Teredo, ISATAP. */
function tunnels(v4: string): readonly string[] {
  const [a, b, c, d] = v4.split('.').map(Number) as [number, number, number, number]
  const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  const upper = hex.toUpperCase()
  const inverted = `${(((a << 8) | b) ^ 0xffff).toString(16)}:${(((c << 8) | d) ^ 0xffff).toString(16)}`
  return [
    `[::ffff:${v4}]`,
    `[::ffff:${hex}]`,
    `[0:0:0:0:0:FFFF:${upper}]`,
    `[::ffff:0:${v4}]`,
    `[::${v4}]`,
    `[64:ff9b::${v4}]`,
    `[64:ff9b::${hex}]`,
    `[64:ff9b:1::${hex}]`,
    `[2002:${hex}::]`,
    `[2002:${hex}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`,
    `[fe80::5efe:${v4}]`,
    `[fe80::5efe:${hex}%25eth0]`,
  ]
}

/** Decimal, octal, hexadecimal, shortened, padded, full width, encoded. */
function spellings(v4: string): readonly string[] {
  const [a, b, c, d] = v4.split('.').map(Number) as [number, number, number, number]
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (n: number) => `0x${n.toString(16)}`
  const octal = (n: number) => `0${n.toString(8)}`
  return [
    v4,
    `${v4}.`,
    String(whole),
    hex(whole),
    hex(whole).toUpperCase().replace('0X', '0x'),
    octal(whole),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${hex(a)}.${hex(b)}.${hex(c)}.${hex(d)}`,
    `${octal(a)}.${octal(b)}.${octal(c)}.${octal(d)}`,
    `${hex(a)}.${octal(b)}.${c}.${d}`,
    `${octal(a)}.${(b * 256 + c) * 256 + d}`,
    `00000${octal(a)}.${b}.${c}.${d}`,
    `0x0000000${a.toString(16)}.${b}.${c}.${d}`,
    ...otherCharacters(v4),
  ]
}

const otherCharacters = (v4: string): readonly string[] => [
  v4.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  v4.replaceAll('.', '。'),
  v4.replaceAll('.', '．'),
  v4.replaceAll('.', '%2e'),
  [...v4].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(''),
]

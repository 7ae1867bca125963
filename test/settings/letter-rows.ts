import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { expect } from 'vitest'
import { createLetterSources } from '../../src/app/letters/letter-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { sendRaw } from '../letters/letter-node.ts'
import { onNode } from './one-node.ts'
import { row, type SettingRow } from './setting-row.ts'

type Flags = Readonly<Record<string, unknown>>

const LETTER = 'From: ada@weekly.example\r\nSubject: s\r\nMessage-ID: <1@weekly.example>\r\n\r\n'

/** What the node says to a letter for a source at this domain. */
async function answerTo(flags: Flags, text: string, domain = 'localhost'): Promise<number> {
  return onNode({ smtpIn: '127.0.0.1:0', ...flags }, async ({ node }) => {
    const sources = createLetterSources({ store: node.data.store, domain: () => domain, clock: systemClock })
    const { address } = await sources.add({ name: 'The Weekly' }, null)
    return (await sendRaw(node.smtpPort, LETTER + text, address ?? '')).code
  })
}

/** Whether a client that insists on TLS gets it. */
async function offersTls(flags: Flags): Promise<boolean> {
  return onNode({ smtpIn: '127.0.0.1:0', ...flags }, async ({ node }) => {
    const place = { host: '127.0.0.1', port: node.smtpPort ?? 0 }
    const transport = createTransport({ ...place, requireTLS: true, tls: { rejectUnauthorized: false } })
    const isSafe = await transport.verify().catch(() => false)
    transport.close()
    return isSafe
  })
}

/** A certificate for nobody; where there is no openssl, the two settings cannot be shown. */
function makeCertificate(): { readonly cert: string; readonly key: string } | null {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-certificate-'))
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const args = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=x',
    '-days',
    '2',
    '-keyout',
    key,
    '-out',
    cert,
  ]
  try {
    execFileSync('openssl', args, { stdio: 'ignore' })
    return { cert, key }
  } catch {
    console.warn('smtpInCert and smtpInKey are not shown: no openssl here')
    return null
  }
}

let certificate: ReturnType<typeof makeCertificate> | undefined
async function tlsWith(flags: Flags): Promise<boolean> {
  certificate ??= makeCertificate()
  if (certificate === null) return flags.smtpInCert !== undefined || flags.smtpInKey !== undefined
  const isGiven = Object.values(flags).some((value) => value !== undefined)
  return offersTls(isGiven ? { smtpInCert: certificate.cert, smtpInKey: certificate.key } : {})
}

/** Newsletters. */
export const LETTER_ROWS: readonly SettingRow[] = [
  row('smtpIn', {
    values: [undefined, '127.0.0.1:0'],
    effect: (flags) => onNode(flags, async ({ node }) => node.smtpPort !== null),
    shows: (none, some) => expect([none, some]).toEqual([false, true]),
  }),
  row('mailDomain', {
    values: [undefined, 'letters.example'],
    effect: (flags) => answerTo(flags, 'x\r\n', 'letters.example'),
    shows: (usual, own) => expect([usual, own]).toEqual([550, 250]),
  }),
  row('maxLetter', {
    values: ['1kB', undefined],
    effect: (flags) => answerTo(flags, `${'x'.repeat(998)}\r\n`.repeat(5)),
    shows: (small, usual) => expect([small, usual]).toEqual([552, 250]),
  }),
  row('smtpInCert', {
    values: [undefined, 'a certificate'],
    effect: tlsWith,
    shows: (without, given) => expect([without, given]).toEqual([false, true]),
  }),
  row('smtpInKey', {
    values: [undefined, 'its key'],
    effect: tlsWith,
    shows: (without, given) => expect([without, given]).toEqual([false, true]),
  }),
]

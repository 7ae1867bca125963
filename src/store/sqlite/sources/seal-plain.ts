import { withLogInApart } from '../../address-log-in.ts'
import { type PlainRequest, packRequest } from '../../rows/sources.ts'
import type { Connection } from '../database/connection.ts'

/**
 * Seals what was written before there was a vault: log-ins, headers and proxies of sources, log-ins in their addresses, and
 * secrets of subscriptions. Afterwards the old bytes are nowhere in the file: `secure_delete` writes zeros over them, and
 * the journal is emptied.
 */
export function sealPlain(connection: Connection): number {
  if (!hasPlain(connection)) return 0
  const { db, transaction } = connection
  const before = db.pragma('secure_delete', { simple: true })
  db.pragma('secure_delete = ON')
  try {
    const sealed = transaction(
      () => takeLogInsApart(connection) + sealRequests(connection) + sealSecrets(connection) + clearFormer(connection),
    )
    db.pragma('wal_checkpoint(TRUNCATE)')
    return sealed
  } finally {
    db.pragma(`secure_delete = ${before}`)
  }
}

const PLAIN_REQUESTS = "FROM source WHERE request IS NOT NULL AND json_type(request, '$.sealed') IS NULL"
const LOG_INS = "url GLOB '*://*@*'"
const PLAIN_SECRETS = "FROM subscription WHERE secret NOT GLOB 'v1.*.*'"

function hasPlain({ sql }: Connection): boolean {
  const has = (what: string) => sql(`SELECT EXISTS (SELECT 1 ${what})`).pluck().get() === 1
  return has(PLAIN_REQUESTS) || has(PLAIN_SECRETS) || has(`FROM source WHERE ${LOG_INS}`)
}

/** In plain at first: sealed with the rest. */
function takeLogInsApart({ sql }: Connection): number {
  const rows = sql<Row>(`SELECT id, url, request FROM source WHERE ${LOG_INS}`).all()
  let count = 0
  for (const { id, url, request } of rows) {
    if (request !== null && 'sealed' in JSON.parse(request)) continue
    const before = { ...NOTHING, ...(request === null ? {} : (JSON.parse(request) as PlainRequest)) }
    const { url: address, basicAuth } = withLogInApart({ url, basicAuth: before.basicAuth })
    if (address === url || sql('SELECT 1 FROM source WHERE url = ?').get(address) !== undefined) continue
    sql('UPDATE source SET url = ?, request = ? WHERE id = ?').run(
      address,
      JSON.stringify({ ...before, basicAuth }),
      id,
    )
    count++
  }
  return count
}

function sealRequests({ sql, vault }: Connection): number {
  const rows = sql<Row>(`SELECT id, url, request ${PLAIN_REQUESTS}`).all()
  for (const { id, request } of rows) {
    const plain = { ...NOTHING, ...(JSON.parse(request!) as PlainRequest) }
    sql('UPDATE source SET request = ? WHERE id = ?').run(packRequest(plain, vault), id)
  }
  return rows.length
}

function sealSecrets({ sql, vault }: Connection): number {
  const rows = sql<{ id: number; secret: string }>(`SELECT id, secret ${PLAIN_SECRETS}`).all()
  for (const { id, secret } of rows) sql('UPDATE subscription SET secret = ? WHERE id = ?').run(vault.seal(secret), id)
  return rows.length
}

function clearFormer({ sql }: Connection): number {
  return sql(`DELETE FROM former_url WHERE ${LOG_INS}`).run().changes
}

interface Row {
  readonly id: number
  readonly url: string
  readonly request: string | null
}

const NOTHING: PlainRequest = { headers: {}, basicAuth: null, userAgent: null, proxyUrl: null }

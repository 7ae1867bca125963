/**
 * What a node process loads before its own code (`node --import`), so that a real process meets a clock or a
 * resolver of the attacker's. Nothing of it is in the product.
 */
function preload(source: string): readonly string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(source)}`]
}

/** The wall clock is off by the milliseconds in the file; read again at SIGUSR2. The monotonic clock is left alone. */
export function clockFrom(file: string): readonly string[] {
  return preload(`
    import { readFileSync } from 'node:fs'
    const Real = Date
    const realNow = Real.now
    let offsetMs = 0
    const read = () => { try { offsetMs = Number(readFileSync(${JSON.stringify(file)}, 'utf8')) || 0 } catch {} }
    read()
    process.on('SIGUSR2', read)
    const now = () => realNow() + offsetMs
    globalThis.Date = class Date extends Real {
      constructor(...given) { if (given.length === 0) super(now()); else super(...given) }
      static now = now
    }
  `)
}

/**
 * Names that end in .rebind.test resolve to the addresses in their labels, each a number in hex (8 digits: IPv4, 32:
 * IPv6): `7f000001-7f000009.rebind.test` gives one after the other at each question, `all-…` all of them at once.
 * Nothing else resolves but literals and localhost.
 */
export const REBINDING_RESOLVER: readonly string[] = preload(`
  import dns from 'node:dns'
  import { isIP } from 'node:net'
  import { syncBuiltinESMExports } from 'node:module'
  const lookups = new Map()
  const address = (hex) => hex.length === 8
    ? { address: hex.match(/../g).map((part) => parseInt(part, 16)).join('.'), family: 4 }
    : { address: hex.match(/..../g).join(':'), family: 6 }
  const answers = (name) => {
    const [label] = name.toLowerCase().split('.')
    const parts = label.split('-').filter((part) => /^([0-9a-f]{8}|[0-9a-f]{32})$/.test(part)).map(address)
    if (label.startsWith('all-')) return parts
    const times = lookups.get(name) ?? 0
    lookups.set(name, times + 1)
    return [parts[Math.min(times, parts.length - 1)]]
  }
  const lookup = (name, options, callback) => {
    const back = callback ?? options
    const given = typeof options === 'object' ? options : {}
    const found = /\\.rebind\\.test\\.?$/i.test(name) ? answers(name.replace(/\\.$/, ''))
      : isIP(name) !== 0 ? [{ address: name, family: isIP(name) }]
      : name === 'localhost' ? [{ address: '127.0.0.1', family: 4 }] : []
    setImmediate(() => {
      if (found.length === 0) back(Object.assign(new Error('getaddrinfo ENOTFOUND ' + name), { code: 'ENOTFOUND' }))
      else if (given.all) back(null, found)
      else back(null, found[0].address, found[0].family)
    })
  }
  dns.lookup = lookup
  dns.promises.lookup = (name, options = {}) => new Promise((resolve, reject) =>
    lookup(name, { ...options, all: true }, (error, found) => error ? reject(error) : resolve(options.all ? found : found[0])))
  syncBuiltinESMExports()
`)

/**
 * Statements that match the expression in the file fail as on a full disk, in every thread and beneath all of the node's own
 * code; an empty file: none does. Read again at SIGUSR2.
 */
export function failingDatabase(file: string): readonly string[] {
  return preload(`
    import { readFileSync } from 'node:fs'
    import { createRequire } from 'node:module'
    import { isMainThread } from 'node:worker_threads'
    const Database = createRequire(process.argv[1])('better-sqlite3')
    let pattern = null
    const read = () => {
      const text = readFileSync(${JSON.stringify(file)}, 'utf8')
      pattern = text === '' ? null : new RegExp(text, 'i')
    }
    read()
    if (isMainThread) process.on('SIGUSR2', read)
    const prepare = Database.prototype.prepare
    Database.prototype.prepare = function (sql) {
      const statement = prepare.call(this, sql)
      const run = statement.run
      statement.run = function (...given) {
        if (pattern !== null && pattern.test(sql)) {
          throw Object.assign(new Database.SqliteError('database or disk is full (injected)', 'SQLITE_FULL'))
        }
        return run.apply(this, given)
      }
      return statement
    }
  `)
}

// A mail server as a process of its own: `node smtp-server.mjs`. Prints {"port": n}, then one line of JSON per mail.
// What comes in by standard input is the answer to the next mails: a status as `451`, or `ok`.
import { createInterface } from 'node:readline'
import { SMTPServer } from 'smtp-server'

let status = null
const refuse = () => Object.assign(new Error('as requested'), { responseCode: status })

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: (_address, _session, done) => (status === 550 ? done(refuse()) : done()),
  onData(stream, session, done) {
    const chunks = []
    stream.on('data', (chunk) => chunks.push(chunk))
    stream.on('end', () => {
      if (status !== null) return done(refuse())
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const from = session.envelope.mailFrom.address
      process.stdout.write(`${JSON.stringify({ from, to, raw: Buffer.concat(chunks).toString() })}\n`)
      done()
    })
  },
})
server.on('error', () => {})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.server.address().port })}\n`))
createInterface({ input: process.stdin }).on('line', (line) => {
  status = line === 'ok' ? null : Number(line)
  process.stdout.write(`${JSON.stringify({ status: line })}\n`)
})
process.stdin.on('end', () => process.exit(0))

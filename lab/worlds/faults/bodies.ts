import iconv from 'iconv-lite'
import type { FaultExchange } from './fault-exchange.ts'

/** Content-Length promises more than comes before the connection ends. */
export function truncatedBody({ response, document, contentType }: FaultExchange): void {
  const body = document()
  response.writeHead(200, { 'content-type': contentType, 'content-length': body.length })
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy())
}

/** A whole answer with half a document in it. */
export function brokenBody({ response, document, contentType }: FaultExchange): void {
  const body = document()
  const half = body.subarray(0, Math.floor(body.length * 0.6))
  response.writeHead(200, { 'content-type': contentType, 'content-length': half.length }).end(half)
}

export function emptyBody({ response, contentType }: FaultExchange): void {
  response.writeHead(200, { 'content-type': contentType, 'content-length': 0 }).end()
}

export function htmlBody({ response }: FaultExchange): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end('<!doctype html><html><head><title>Under repair</title></head><body><p>Back soon.</p></body></html>\n')
}

export function pdfBody({ response }: FaultExchange): void {
  response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n')
}

/** Bytes in windows-1252 where both the header and the XML declaration say UTF-8. */
export function wrongCharsetBody({ response, document }: FaultExchange): void {
  const text = document().toString('utf8').replaceAll('<title>', '<title>Café “Zürich” – ')
  const body = iconv.encode(text, 'windows-1252')
  response.writeHead(200, { 'content-type': 'application/xml; charset=utf-8', 'content-length': body.length }).end(body)
}

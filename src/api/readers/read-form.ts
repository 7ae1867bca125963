import type { FastifyRequest } from 'fastify'
import { ReaderFailure } from './failure.ts'

/** The form that a request brings, as one in an address; null: it brings a document. What names no type is a form. */
export async function readForm({ body, headers }: FastifyRequest): Promise<string | null> {
  if (!Buffer.isBuffer(body)) return null
  const type = headers['content-type'] ?? ''
  if (/multipart\/form-data/i.test(type)) return partsOf(body, type)
  return /xml|opml|octet-stream/i.test(type) ? null : body.toString()
}

/** RFC 7578. Files in it are left out. */
async function partsOf(body: Uint8Array, type: string): Promise<string> {
  const form = new URLSearchParams()
  try {
    const parts = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    for (const [name, value] of parts) if (typeof value === 'string') form.append(name, value)
  } catch {
    throw new ReaderFailure(400, 'The form cannot be read')
  }
  return form.toString()
}

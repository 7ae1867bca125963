import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pickEncoding } from './accept.ts'
import { jsonParts } from './json-parts.ts'
import { bytesOf } from './parts.ts'

const COMPRESSED_FROM = 16_384
/** Up to here compressing takes less than a millisecond, and handing it to another thread would cost more than that. */
const COMPRESSED_HERE = 65_536
const compressed = promisify(gzip)

/** Long lists are compressed, lightly: fifty thousand sources are some megabytes. */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
  type = 'application/json; charset=utf-8',
): Promise<FastifyReply> {
  const body = await bytesOf(jsonParts(value))
  reply.type(type)
  const accepted = request.headers['accept-encoding']
  if (body.length < COMPRESSED_FROM || pickEncoding(String(accepted ?? '')) !== 'gzip') return reply.send(body)
  reply.headers({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  return reply.send(
    body.length <= COMPRESSED_HERE ? gzipSync(body, { level: 1 }) : await compressed(body, { level: 3 }),
  )
}

import { z } from 'zod'
import { operation } from './operation.ts'
import { byId, category, instant, instantOrNull } from './shared.ts'

const sender = z.string().trim().min(1).max(320)
const senders = z.array(sender).max(50)

export const letterBox = z.object({
  /** Of the source. */
  id: z.int(),
  name: z.string(),
  /** Who knows it can send to the source; null: it was revoked, or cannot be unsealed. */
  address: z.string().nullable(),
  /** Addresses, domains as `@example.org`, or `*`; empty: whoever sends first, and nobody else from then on. */
  senders: z.array(z.string()).readonly(),
  categories: z.array(z.string()).readonly(),
  addedAt: instant,
  lastLetterAt: instantOrNull,
  /** Why the last letter was refused, if none was stored since. */
  lastRefusal: z.object({ code: z.string(), message: z.string(), at: instant }).nullable(),
})

const TAG = 'Letters'
const answer = z.object({ letters: letterBox })

export const letterOperations = {
  listLetters: operation('listLetters', TAG, {
    method: 'GET',
    path: '/api/letters',
    right: 'write',
    summary: 'The own sources that letters are sent to, with their addresses',
    answer: z.object({ letters: z.array(letterBox) }),
  }),
  addLetters: operation('addLetters', TAG, {
    method: 'POST',
    path: '/api/letters',
    right: 'write',
    summary: 'A new source with an address that letters can be sent to',
    body: z.strictObject({
      name: z.string().trim().min(1).max(500),
      categories: z.array(category).max(100).default([]),
      senders: senders.default([]),
    }),
    answer,
    status: 201,
    audit: (_input, { letters }) => [{ action: 'token-made', subject: `address of source ${letters.id}` }],
  }),
  setLetters: operation('setLetters', TAG, {
    method: 'PATCH',
    path: '/api/letters/{id}',
    right: 'write',
    summary: 'Who may send to one of your own; replaces those who might before',
    params: byId,
    body: z.strictObject({ senders }),
    answer,
  }),
  renewLetters: operation('renewLetters', TAG, {
    method: 'POST',
    path: '/api/letters/{id}/address',
    right: 'write',
    summary: 'Give one of your own another address; the one before takes nothing any more',
    params: byId,
    answer,
    audit: ({ params }) => [{ action: 'token-made', subject: `address of source ${params.id}` }],
  }),
  revokeLetters: operation('revokeLetters', TAG, {
    method: 'DELETE',
    path: '/api/letters/{id}/address',
    right: 'write',
    summary: 'Take its address from one of your own, or with the admin right from any; its items stay',
    params: byId,
    audit: ({ params }) => [{ action: 'token-revoked', subject: `address of source ${params.id}` }],
  }),
}

import { z } from 'zod'
import { operation } from './operation.ts'
import { flag } from './shared.ts'

const TAG = 'Sources'
const ruleName = z.string().trim().min(1).max(100)

const addressRule = z.object({
  name: z.string(),
  /** The form of addresses that it is for, as `example.org/people/{name}`. */
  match: z.string(),
  /** Where their feeds are, as `https://example.org/feeds/{name}.xml`, likeliest first. */
  give: z.array(z.string()),
  isForAll: z.boolean(),
})

export const addressRuleOperations = {
  listAddressRules: operation('listAddressRules', TAG, {
    method: 'GET',
    path: '/api/address-rules',
    right: 'read',
    summary: 'Your rules from pasted addresses to feeds, and those for all; they are tried before the built-in ones',
    answer: z.object({ rules: z.array(addressRule) }),
  }),
  addAddressRule: operation('addAddressRule', TAG, {
    method: 'POST',
    path: '/api/address-rules',
    right: 'write',
    summary: 'Add such a rule, or replace the one of this name. `isForAll` needs the admin right',
    body: z.strictObject({
      name: ruleName,
      match: z.string().trim().min(1).max(500),
      give: z.array(z.string().trim().min(1).max(500)).min(1).max(5),
      isForAll: z.boolean().default(false),
    }),
    answer: addressRule,
    status: 201,
    audit: ({ body }) => (body.isForAll ? [{ action: 'settings-changed', subject: `address rule ${body.name}` }] : []),
  }),
  removeAddressRule: operation('removeAddressRule', TAG, {
    method: 'DELETE',
    path: '/api/address-rules/{name}',
    right: 'write',
    summary: 'Remove such a rule. `isForAll` needs the admin right',
    params: z.object({ name: ruleName }),
    query: z.object({ isForAll: flag.optional() }),
    audit: ({ params, query }) =>
      query.isForAll === true ? [{ action: 'settings-changed', subject: `address rule ${params.name}` }] : [],
  }),
}

// `node --import …/no-pg.mjs`: as where the package pg was not installed.
import { register } from 'node:module'

const hooks = `export async function resolve(specifier, context, next) {
  if (specifier === 'pg') throw Object.assign(new Error("Cannot find package 'pg'"), { code: 'ERR_MODULE_NOT_FOUND' })
  return next(specifier, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

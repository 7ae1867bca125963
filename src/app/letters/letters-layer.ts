import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { OpenedData } from '../data/opened-data.ts'
import type { Environment } from '../environment.ts'
import type { Config } from '../settings/config.ts'
import { createLetterIntake } from './letter-intake.ts'
import { keepMailDomain, mailDomainOf } from './mail-domain.ts'
import { openSmtpDoor, type SmtpDoor, type SmtpDoorOptions } from './smtp-door.ts'

/** null: no letters are taken. */
export async function openLetters({
  config,
  data,
  environment,
}: {
  readonly config: Config
  readonly data: Pick<OpenedData, 'store'>
  readonly environment: Environment
}): Promise<SmtpDoor | null> {
  if (config.smtpIn === undefined) return null
  const { clock, logger } = environment
  const domain = mailDomainOf(config)
  const place = listenAt(config.smtpIn, config.host)
  const options = { ...place, domain, maxLetterBytes: config.maxLetter, certificate: certificateOf(config) }
  const door = await openSmtpDoor(options, {
    intake: createLetterIntake({ store: data.store, domain, clock }),
    clock,
    logger,
  })
  await keepMailDomain(domain, data.store, logger)
  return door
}

/** `127.0.0.1:2525`, `[::1]:2525`; `:2525` and `2525`: where the API listens. */
function listenAt(text: string, host: string): Pick<SmtpDoorOptions, 'host' | 'port'> {
  const colon = text.lastIndexOf(':')
  const given = text.slice(0, Math.max(0, colon)).replace(/^\[|\]$/g, '')
  return { host: given === '' ? host : given, port: Number(text.slice(colon + 1)) }
}

function certificateOf({ smtpInCert, smtpInKey }: Config): SmtpDoorOptions['certificate'] {
  if (smtpInCert === undefined && smtpInKey === undefined) return null
  if (smtpInCert === undefined || smtpInKey === undefined)
    throw new HeadwaterError('USAGE', 'give both smtpInCert and smtpInKey, or neither')
  const certificate = { cert: read(smtpInCert), key: read(smtpInKey) }
  try {
    createSecureContext(certificate)
  } catch (error) {
    throw new HeadwaterError('FILE_UNREADABLE', `${smtpInCert} and ${smtpInKey} are no certificate with its key`, {
      cause: error,
    })
  }
  return certificate
}

function read(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new HeadwaterError('FILE_UNREADABLE', path, { cause: error })
  }
}

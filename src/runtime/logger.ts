import { destination, type Logger as PinoLogger, pino } from 'pino'

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>

/** JSON lines on standard error, so that standard output stays free for what a program may read. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ fd: 2, sync: true }))
}

export const silentLogger: Logger = pino({ level: 'silent' })

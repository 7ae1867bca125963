/** May hold a password: not shown, and not in backups. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set(['smtpUrl', 'alertSecret', 'traceUrl'])

import type { Words } from '../words.ts'

export const deAudit = {
  auditLog: 'Protokoll',
  whoDidWhat: 'Wer was auf diesem Knoten tat',
  whatYouDid: 'Was Sie taten, und wer sich vergeblich als Sie anmelden wollte',
  lead: (p: { readonly who: string }) =>
    `${p.who}: Anmeldungen, Rechte, Tokens, Einstellungen und Entferntes, neueste zuerst.`,
  theLog: 'das Protokoll',
  nothingYet: 'Noch nichts',
  nothingHint: 'Anmeldungen, geänderte Rechte und Einstellungen und was entfernt wird, steht dann hier.',
  entries: 'Einträge',
  nobodyKnown: 'niemand Bekanntes',
  newer: 'Neuere',
  older: 'Ältere',
  actions: {
    'log-in': 'Anmeldung',
    'log-in-failed': 'Anmeldung misslungen',
    'log-out': 'Abmeldung',
    'password-changed': 'Passwort geändert',
    'sessions-ended': 'Sitzungen beendet',
    'user-added': 'Person hinzugefügt',
    'user-removed': 'Person entfernt',
    'token-made': 'Token angelegt',
    'token-revoked': 'Token zurückgenommen',
    'settings-changed': 'Einstellungen geändert',
    'feed-access-changed': 'Lesezugang geändert',
    'source-removed': 'Quelle entfernt',
    'feed-dropped': 'Abfrage-Feed gelöscht',
    'subscription-removed': 'Zustellung beendet',
    backup: 'Sicherung',
    restore: 'Wiederherstellung',
  },
} satisfies Words['audit']

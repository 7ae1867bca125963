import type { Words } from '../words.ts'

export const deStates = {
  usual: {
    active: 'Läuft gut',
    new: 'Noch nicht abgerufen',
    paused: 'Angehalten',
    saturated: 'Zu schnell: Beiträge gingen verloren',
    flooding: 'Überflutet: braucht zu viel Platz',
    failing: 'Antwortet nicht',
    retired: 'Verschwunden',
  },
  ofCode: {
    HTTP_NOT_FOUND: 'Nicht mehr da (404)',
    HTTP_GONE: 'Endgültig entfernt (410)',
    HTTP_TOO_MANY_REQUESTS: 'Bittet um selteneren Besuch',
    HTTP_UNAVAILABLE: 'Zurzeit nicht erreichbar (503)',
    HTTP_UNAUTHORIZED: 'Verlangt eine Anmeldung (401)',
    HTTP_FORBIDDEN: 'Weist uns ab (403)',
    HTTP_SERVER_ERROR: 'Der Server meldet Fehler',
    FETCH_DNS: 'Der Rechnername ist unbekannt',
    FETCH_CONNECT: 'Nicht erreichbar',
    FETCH_TLS: 'Das Zertifikat ist ungültig',
    PARSE_NOT_A_FEED: 'Zeigt keinen Feed mehr',
    PARSE_EMPTY: 'Antwortet mit nichts',
  },
  tooLate: 'Antwortet zu spät',
  gone: (p: { readonly why: string }) => `Verschwunden: ${p.why}`,
} satisfies Words['states']

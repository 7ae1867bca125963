import type { NodeWords } from '../node-words.ts'
import { deErrorsOfNode } from './errors-of-node.ts'
import { deErrorsOfSites } from './errors-of-sites.ts'
import { deReasons } from './reasons.ts'
import { deSettingsOfNode, deUnitsOfNode } from './settings-of-node.ts'

const GOES_ON = 'Feeds sind weiter lesbar, und das Abrufen geht von selbst weiter.'
const KEEP_LESS = 'weniger behalten: keepFor, keepItems, keepObservationsFor.'

/** Was der Knoten sagt. */
export const deNode: NodeWords = {
  errors: { ...deErrorsOfSites, ...deErrorsOfNode },
  settings: deSettingsOfNode,
  units: deUnitsOfNode,
  alarms: {
    DISK_FULL: [
      'Die Platte ist voll; nichts wird abgerufen',
      `Auf der Platte des Datenordners Platz schaffen. ${GOES_ON}`,
    ],
    DISK_NEARLY_FULL: ['Die Platte ist fast voll', `Auf der Platte des Datenordners Platz schaffen oder ${KEEP_LESS}`],
    DATA_LIMIT_REACHED: [
      'Der Datenordner hat maxData erreicht; nichts wird abgerufen',
      `maxData erhöhen oder ${KEEP_LESS} ${GOES_ON}`,
    ],
    DATA_LIMIT_NEAR: ['Der Datenordner hat maxData fast erreicht', `maxData erhöhen oder ${KEEP_LESS}`],
    DISK_READ_ONLY: [
      'Der Datenordner lässt sich nicht schreiben; nichts wird abgerufen',
      `Im Protokoll des Systems nachsehen, warum die Platte schreibgeschützt wurde, und die Rechte des Datenordners prüfen. ${GOES_ON}`,
    ],
    SOURCE_FLOODING: [
      'Eine Quelle zeigt mehr neue Beiträge, als am Tag von ihr gespeichert werden; der Rest wird abgelehnt',
      'Die überfluteten Quellen ansehen (is:flooding in der Liste der Quellen). Ist alles erwünscht, auf der Seite der Quelle die Grenze aufheben; sonst anhalten oder entfernen.',
    ],
    DATABASE_DAMAGED: [
      'Die Datenbank ist beschädigt',
      'Mit `headwater backup FILE` retten, was geht, dann mit `headwater restore FILE` die letzte gute Sicherung einspielen. Die Platte prüfen: ohne Grund werden Dateien selten beschädigt.',
    ],
    COMMITS_AT_RISK: [
      'Ein Ausfall der Datenbank kann zuletzt Gespeichertes verlieren',
      'Auf einen Standby warten lassen: synchronous_commit = on und synchronous_standby_names auf dem Datenbankserver; siehe docs/cluster.md.',
    ],
    LAYER_FAILING: [
      'Ein Teil des Knotens fällt aus und wird neu gestartet',
      'Das Protokoll des Knotens nennt die Ursache. Die anderen Teile arbeiten weiter.',
    ],
    UNEXPECTED_ERROR: [
      'Etwas schlug fehl, womit niemand rechnete',
      'Siehe das Protokoll des Knotens; bitte melden. Der Knoten arbeitet weiter.',
    ],
  },
  alerts: {
    died: (name) => [
      `${name} ist verschwunden`,
      'Endgültig entfernt, oder seit drei Tagen ohne Antwort. Nachsehen, ob es sie jetzt woanders gibt, oder entfernen.',
    ],
    floods: (name) => [
      `${name} überflutet`,
      'Sie zeigt am Tag mehr, als von ihr gespeichert wird; der Rest wird abgelehnt. Ist alles erwünscht, die Grenze aufheben, sonst anhalten.',
    ],
    overflows: (name) => [
      `${name} veröffentlicht schneller, als abgerufen wird`,
      'Beiträge gehen verloren. Ein größeres Budget, ein höheres Gewicht oder ein kürzerer eigener Abstand würde helfen.',
    ],
    budget: () => [
      'Das Budget ist zu klein für die gewünschte Qualität',
      'Alles wird ausgegeben, und der Wunsch ist nicht erfüllt. Das Budget erhöhen oder weniger wünschen.',
    ],
    still: () => [
      'Der Knoten steht still',
      'Seit einer Stunde wurde nichts abgerufen, obwohl etwas fällig war. Warnungen und Protokoll ansehen.',
    ],
  },
  reasons: deReasons,
  or: 'oder',
  inputs: {
    invalid_type: (p) => (p['received'] === 'undefined' ? 'fehlt' : `muss ${p['expected']} sein`),
    too_small: (p) => `mindestens ${p['minimum']}`,
    too_big: (p) => `höchstens ${p['maximum']}`,
    invalid_format: (p) => `ungültige Form (${p['format']})`,
    invalid_value: (p) => `nur ${p['values']}`,
    unrecognized_keys: (p) => `unbekannt: ${p['keys']}`,
  },
}

import { answerInThread } from '../../runtime/threads.ts'
import { type BackupContent, keptInBackup } from './backup.ts'

// Reads a backup that somebody sent from end to end, beside the event loop: a gigabyte takes seconds.

answerInThread<string, BackupContent>(keptInBackup)

import { answerInThread } from '../../../runtime/threads.ts'
import { type BackupContent, type BackupTask, doBackupTask } from './backup.ts'

// Writes a backup, or reads one that somebody sent from end to end, beside the event loop: a gigabyte takes seconds.

answerInThread<BackupTask, BackupContent | null>(doBackupTask)

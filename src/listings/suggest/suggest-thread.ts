import { answerInThread } from '../../runtime/threads.ts'
import { suggestForBytes } from './suggest-page.ts'

answerInThread(suggestForBytes)

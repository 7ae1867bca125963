import { answerInThread } from '../../runtime/threads.ts'
import { type ExtractAnswer, type ExtractQuestion, extractSafely } from './question.ts'

answerInThread<ExtractQuestion, ExtractAnswer>(extractSafely)

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileChannel } from '../../src/publisher/channels/file.ts'
import { createMailChannel } from '../../src/publisher/channels/mail.ts'
import { createWebhookChannel } from '../../src/publisher/channels/webhook.ts'
import { createWebPushChannel } from '../../src/publisher/channels/webpush.ts'
import { createCallbackClient } from '../../src/publisher/hub/callback-client.ts'
import { curveNumber } from '../../src/publisher/webpush/curve-number.ts'
import { packPushKeys } from '../../src/publisher/webpush/push-keys.ts'
import { vapidKeysFrom } from '../../src/publisher/webpush/vapid.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { randomKey } from '../../src/runtime/random.ts'
import { startServer } from '../support/local-server.ts'
import { readMail, startMailServer } from '../support/mail-server.ts'
import { present } from '../support/present.ts'
import { startPushBrowser } from '../support/push-browser.ts'
import { describeChannel } from './channel.contract.ts'

const once = (ids: readonly string[]) => [...new Set(ids)]

describeChannel('webhook', async () => {
  const ids: string[] = []
  let isBroken = false
  const server = await startServer((request, response) => {
    if (!isBroken) ids.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.writeHead(isBroken ? 500 : 204).end())
  })
  const channel = createWebhookChannel({ clock: systemClock, allowRanges: ['loopback'], userAgent: 'test' })
  return {
    channel,
    target: server.url('/hook'),
    received: async () => once(ids),
    breakDown: async () => {
      isBroken = true
    },
    repair: async () => {
      isBroken = false
    },
    end: async () => {
      await channel.close()
      await server.close()
    },
  }
})

describeChannel('web push', async () => {
  const browser = await startPushBrowser()
  const channel = createWebPushChannel({
    clock: systemClock,
    client: createCallbackClient({ allowRanges: ['loopback'], userAgent: 'test' }),
    vapid: vapidKeysFrom('secret'),
    contact: null,
    secrets: () => ({ privateKey: curveNumber(randomKey(32)), salt: randomKey(16) }),
  })
  return {
    channel,
    target: browser.server.url('/push'),
    keys: packPushKeys(browser.keys),
    received: async () => once(browser.notices.map(({ tag }) => tag)),
    breakDown: async () => browser.answer(503),
    repair: async () => browser.answer(201),
    end: async () => {
      await channel.close()
      await browser.close()
    },
  }
})

describeChannel('file of JSON lines', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-channel-'))
  const path = join(folder, 'news', 'items.jsonl')
  const channel = createFileChannel({ folder, render: async () => null })
  return {
    channel,
    target: 'news/items.jsonl',
    received: async () =>
      readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).publication_id),
    breakDown: async () => {
      mkdirSync(path, { recursive: true })
    },
    repair: async () => rmSync(path, { recursive: true }),
    end: async () => rmSync(folder, { recursive: true }),
  }
})

describeChannel('mail', async () => {
  const server = await startMailServer()
  const channel = createMailChannel({ smtpUrl: server.url, from: 'Headwater <node@node.example>' })
  return {
    channel,
    target: 'reader@post.example',
    received: async () => {
      const fields = server.mails.map(({ raw }) => readMail(raw).fields)
      const byMessageId = new Map(
        fields.map((field) => [field['message-id'], present(field['headwater-publications'], 'the ids of a mail')]),
      )
      return [...byMessageId.values()]
    },
    breakDown: () => server.answer(451),
    repair: () => server.answer('ok'),
    end: async () => {
      await channel.close()
      await server.close()
    },
  }
})

/**
 * A script or a webhook that exhausts its memory ends its own process, not the page. The browser's
 * limit for objects, some 4 GB, is lowered here.
 */
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { running, storyBrowser } from './harness'
import { keepProbe, probeConfiguration, runScript } from './own-code'

vi.setConfig({ testTimeout: 120_000 })

const { open } = storyBrowser(['--js-flags=--max-old-space-size=300'])

const HUNGRY = 'const all = []; for (let i = 0; ; i++) all.push(new Array(100_000).fill(i))'

/**
 * Playwright reports a killed frame as a killed page, and sends that page no more requests. So a
 * second tab has to read what the page contains.
 */
async function seenFromAnotherTab({
  context,
  page,
  url,
}: Awaited<ReturnType<typeof open>>): Promise<{ tab: Page; text(): Promise<string> }> {
  await page.evaluate(() => {
    const channel = new BroadcastChannel('shown')
    setInterval(
      () =>
        channel.postMessage(
          `${document.querySelectorAll('iframe').length} frames. ${document.body.textContent}`,
        ),
      200,
    )
  })
  const tab = await context.newPage()
  await tab.goto(`${url}version`)
  await tab.evaluate(() => {
    new BroadcastChannel('shown').onmessage = ({ data }) => {
      document.body.textContent = data
    }
  })
  await page.bringToFront()
  return { tab, text: async () => (await tab.textContent('body')) ?? '' }
}

it('a script that uses up its memory is ended with a message, and the page goes on', async () => {
  const story = await open({ width: 1440, height: 900 })
  const { page } = story
  await running(page)
  const { text } = await seenFromAnotherTab(story)
  await runScript(page, HUNGRY.replace('all = []', 'all: unknown[] = []'))
  await expect
    .poll(text, { timeout: 60_000 })
    .toContain('The browser killed the script (out of memory).')
  expect(await text()).toMatch(/^0 frames/)
})

it('a webhook that uses up its memory fails its call, and the next call succeeds', async () => {
  const story = await open({ width: 1440, height: 900 })
  const { page } = story
  await running(page)
  const { tab, text } = await seenFromAnotherTab(story)
  await keepProbe(
    page,
    `function admit({ object }) { if (object.metadata.name === 'hungry') { ${HUNGRY} } return true }`,
  )
  const create = (path: string, body: unknown) =>
    tab.evaluate(
      async ([path, body]) => {
        const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }
        const response = await fetch(path as string, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
        return {
          status: response.status,
          message: ((await response.json()) as { message?: string }).message,
        }
      },
      [path, body] as const,
    )
  await create(
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    probeConfiguration(30),
  )
  const configMaps = '/api/v1/namespaces/default/configmaps'
  expect(await create(configMaps, { metadata: { name: 'hungry' } })).toEqual({
    status: 500,
    message:
      'Internal error occurred: failed calling webhook "probe.example.com": failed to call webhook: Post "https://hooks.example.com/probe?timeout=30s": EOF',
  })
  expect((await create(configMaps, { metadata: { name: 'modest' } })).status).toBe(201)
  await expect.poll(text).toMatch(/^1 frames/)
})

/**
 * The page as a frame of another site: it shows only the requested panels, stores nothing, and its
 * parent can send commands.
 */
import type { Frame, Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import { DEFAULT_RELEASE } from '../src/engine/releases/release'
import { running, storyBrowser } from './harness'
import { startOtherSite } from './static-site'

const { open } = storyBrowser()
const stops: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

declare global {
  interface Window {
    /** Messages of the frame, in order. */
    received: Record<string, unknown>[]
    send(command: string, rest?: object): Promise<{ ok: boolean; result?: never; error?: string }>
  }
}

/** A page of documentation, as docs/embedding.md shows one. */
const documentation = (frame: string) => `<!doctype html><title>Documentation</title><h1>How to</h1>
<iframe src="${frame}" title="kubetab" width="1000" height="600" allow="clipboard-write"></iframe>
<script>
  const frame = document.querySelector('iframe')
  const { origin } = new URL(frame.src)
  const waiting = new Map()
  window.received = []
  let last = 0
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || data?.kubetab !== 1) return
    if (data.event) received.push(data)
    else { waiting.get(data.id)(data); waiting.delete(data.id) }
  })
  window.send = (command, rest = {}) => new Promise((resolve) => {
    const id = String(++last)
    waiting.set(id, resolve)
    frame.contentWindow.postMessage({ kubetab: 1, id, command, ...rest }, origin)
  })
</script>`

async function embedded(
  query: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<{ page: Page; frame: Frame; screenshot(name: string): Promise<string> }> {
  const { page, url, screenshot } = await open({ width: 1100, height: 760 })
  await prepare?.(page)
  const site = await startOtherSite((origin) =>
    documentation(`${url}?embed=1&${query}&origin=${encodeURIComponent(origin)}`),
  )
  stops.push(site.stop)
  await page.goto(site.url)
  await page.waitForFunction(() => window.received.some(({ event }) => event === 'ready'))
  const frame = page
    .frames()
    .find((one) => one !== page.mainFrame() && one.url().includes('embed=1'))
  if (frame === undefined) throw new Error('there is no frame')
  return { page, frame, screenshot }
}

const events = (page: Page, kind: string) =>
  page.evaluate((kind) => window.received.filter(({ event }) => event === kind), kind)
const send = (page: Page, command: string, rest: object = {}) =>
  page.evaluate(([command, rest]) => window.send(command, rest), [command, rest] as const)

it('shows the requested panels, runs its parent’s commands, and posts events', async () => {
  const { page, frame, screenshot } = await embedded('panels=editor,ownership,requests&theme=dark')
  expect(await events(page, 'ready')).toMatchObject([
    { release: DEFAULT_RELEASE, panels: ['editor', 'ownership', 'requests'] },
  ])
  expect(await frame.getByRole('navigation', { name: 'Views' }).count()).toBe(0)
  expect(await frame.getByRole('tab', { name: /Requests/ }).count()).toBe(1)
  expect(await frame.getByRole('tab', { name: /Watches/ }).count()).toBe(0)
  expect(await frame.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')

  const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: received}\ndata: {a: "1"}\n'
  expect(await send(page, 'apply', { manifest })).toMatchObject({
    ok: true,
    result: { results: [{ what: 'configmap/received', outcome: 'created', ok: true }] },
  })
  const path = '/api/v1/namespaces/default/configmaps/received'
  const got = await send(page, 'request', { method: 'GET', path })
  expect(JSON.parse((got.result as unknown as { body: string }).body).data).toEqual({ a: '1' })
  const patch = {
    method: 'PATCH',
    path,
    body: '{"data":{"a":"2"}}',
    contentType: 'application/merge-patch+json',
    as: 'anonymous',
  }
  expect(await send(page, 'request', patch)).toMatchObject({ ok: true, result: { status: 403 } })
  expect(
    await send(page, 'show', {
      panel: 'ownership',
      object: { group: '', resource: 'configmaps', namespace: 'default', name: 'received' },
    }),
  ).toMatchObject({ ok: true })
  await frame.getByRole('complementary', { name: 'Object' }).getByText('received').first().waitFor()
  await expect
    .poll(() => events(page, 'request'))
    .toContainEqual(
      expect.objectContaining({ method: 'PATCH', path, who: 'anonymous', status: 403 }),
    )
  const changed = async () =>
    (await events(page, 'change')).flatMap(({ changes }) => changes as object[])
  await expect
    .poll(changed)
    .toContainEqual(expect.objectContaining({ type: 'ADDED', kind: 'ConfigMap', name: 'received' }))
  await screenshot('embedded dark')

  // Commands that the frame rejects with a reason.
  for (const [command, rest, reason] of [
    ['request', { method: 'GET', path: '/../index.html' }, 'path of the API'],
    ['request', { method: 'GET', path: '//example.org/api/v1/pods' }, 'path of the API'],
    ['request', { method: 'GET', path: '/api/v1/pods?watch=1' }, 'streams'],
    ['request', { method: 'GET', path: '/api/v1/pods', as: 'unknown-user' }, 'unknown user'],
    ['run', {}, 'command should be one of'],
    ['load', { scenario: '#k2=damaged' }, 'damaged'],
    ['show', { panel: 'console' }, 'no panel console'],
  ] as const) {
    const response = await send(page, command, rest)
    expect([response.ok, response.error]).toEqual([false, expect.stringContaining(reason)])
  }
  expect(await send(page, 'reset')).toMatchObject({ ok: true })
  expect(await send(page, 'request', { method: 'GET', path })).toMatchObject({
    result: { status: 404 },
  })
  expect(await send(page, 'theme', { theme: 'light' })).toMatchObject({ ok: true })
  expect(await frame.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
})

it('never runs a script of a scenario, and opens as a whole with what is in it', async () => {
  const { page, frame } = await embedded('panels=editor,explorer')
  const { encodeScenario } = await import('../src/app/features/share/link')
  const tabs = [
    {
      title: 'bad.ts',
      language: 'typescript' as const,
      text: "await fetch('/api/v1/namespaces', { method: 'POST', body: '{}' })",
    },
  ]
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'from-link',
        namespace: 'default',
        managedFields: [{ manager: 'kubectl' }],
      },
    },
  ]
  expect(
    await send(page, 'load', {
      scenario: `#${encodeScenario({ objects, tabs, from: 'Mallory' })}`,
    }),
  ).toMatchObject({
    ok: true,
    result: { objects: 1 },
  })
  await frame.getByText('came with a shared link from Mallory').waitFor()
  expect((await events(page, 'request')).length).toBe(0)

  const [whole] = await Promise.all([
    page.context().waitForEvent('page'),
    frame.getByRole('link', { name: 'Open in kubetab' }).click(),
  ])
  const question = whole.getByRole('dialog', { name: 'Open the shared scenario?' })
  expect(await question.textContent()).toContain('1 object')
  await question.getByRole('button', { name: 'Cancel' }).click()
})

it('accepts messages of its parent only, and none without a stated origin', async () => {
  const { page, frame } = await embedded('panels=editor')
  // The frame's own window and an unrelated window are not trusted senders.
  await frame.evaluate(() => window.postMessage({ kubetab: 1, id: 'self', command: 'reset' }, '*'))
  await page.evaluate(() => {
    const stranger = document.createElement('iframe')
    stranger.srcdoc =
      "<script>parent.frames[0].postMessage({ kubetab: 1, id: 'stranger', command: 'reset' }, '*')</script>"
    document.body.append(stranger)
  })
  expect(await send(page, 'ready')).toMatchObject({ ok: true })
  expect(await page.evaluate(() => window.received.length)).toBeGreaterThan(0)
  const other = await startOtherSite(() =>
    documentation(
      page
        .frames()[1]
        ?.url()
        .replace(/&origin=.*/, `&origin=${encodeURIComponent('https://docs.example.org')}`) ?? '',
    ),
  )
  stops.push(other.stop)
  await page.goto(other.url)
  await page.frameLocator('iframe').getByRole('link', { name: 'Open in kubetab' }).waitFor()
  const responded = await page.evaluate(() =>
    Promise.race([
      window.send('ready').then(() => true),
      new Promise((resolve) => setTimeout(() => resolve(false), 1500)),
    ]),
  )
  expect([responded, await page.evaluate(() => window.received)]).toEqual([false, []])
})

it('works where the browser lets a frame keep nothing, and leaves alone what the reader has', async () => {
  const own = await open({ width: 800, height: 600 })
  await running(own.page)
  const before = await own.page.evaluate(async () => {
    await fetch('/api/v1/namespaces', {
      method: 'POST',
      headers: { Authorization: 'Bearer admin-token' },
      body: '{"metadata":{"name":"mine"}}',
    })
    return JSON.stringify(localStorage)
  })
  // The same site, where data of the reader would be reachable.
  const second = await own.context.newPage()
  await second.goto(`${own.url}?embed=1&panels=explorer,results`)
  await running(second)
  expect(await second.getByRole('treeitem', { name: /^mine/ }).count()).toBe(0)
  expect(await second.getByRole('button', { name: 'Share' }).count()).toBe(0)
  expect(await own.page.evaluate(() => JSON.stringify(localStorage))).toBe(before)
  expect(
    await second.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)),
  ).toEqual(['kubetab'])

  const { page, frame } = await embedded('panels=editor,object,results', async (page) => {
    await page.addInitScript(() => {
      if (window.top === window) return
      const blocked = () => {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
        Object.defineProperty(window, name, { get: blocked })
      Object.defineProperty(navigator, 'serviceWorker', { get: blocked })
    })
  })
  await frame.getByRole('button', { name: /^Apply/ }).click()
  await frame.getByText('Applied 2 of 2').waitFor()
  await expect.poll(async () => (await events(page, 'request')).length).toBeGreaterThan(1)
})

it('contains a lesson, and posts its progress', async () => {
  const { page, frame, screenshot } = await embedded(
    'panels=lesson,editor,requests&lesson=lost-update',
  )
  const lesson = frame.getByRole('complementary', { name: 'Lesson: Lost updates' })
  // The cluster is prepared when the frame reports that it is ready.
  expect(await lesson.getByRole('heading', { name: /Raise the price/ }).count()).toBe(1)
  expect(await lesson.locator('.lesson-checks').getByRole('listitem').count()).toBeGreaterThan(0)
  const path = '/api/v1/namespaces/shop/configmaps/prices'
  const patch = {
    method: 'PATCH',
    path,
    body: '{"data":{"tea":"3"}}',
    contentType: 'application/merge-patch+json',
  }
  expect(await send(page, 'request', patch)).toMatchObject({ result: { status: 200 } })
  await expect
    .poll(() => events(page, 'lesson-step'), { timeout: 20_000 })
    .toMatchObject([{ lesson: 'lost-update', done: 1, steps: 4 }])
  await screenshot('embedded lesson')
})

it('reports unknown panels of its address', async () => {
  const unknown = await open({ width: 800, height: 500, at: '?embed=1&panels=nonsense' })
  await unknown.page.getByText('does not name a panel').waitFor()
  const lesson = await open({
    width: 800,
    height: 500,
    at: '?embed=1&panels=lesson,editor&lesson=nonsense',
  })
  await lesson.page.getByText('There is no lesson “nonsense”').waitFor()
})

/** The API server as a browser hosts it: on a service worker, and on the page where there is none. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Connection } from '../src/hosts/page/connect'
import { textOfHeader } from '../src/hosts/shared/text-of-header'
import { type RunningBrowser, startBrowser } from './host-browser'
import { type HostSite, startHostSite } from './host-site'

declare global {
  interface Window {
    connection: Promise<Connection>
    controlledAtFirst: boolean
    api(path: string, init?: RequestInit): Promise<Response>
    firstResponse: Promise<{ status: number; milliseconds: number }>
    /** The events that the watch of this page has received, and how it ended. */
    watched: { lines: string[]; end?: string; stop(): void }
  }
}

const CONFIG_MAPS = 'api/v1/namespaces/default/configmaps'
const SELECTED = '&labelSelector=made=here'
/** More than may lie singly, see src/persistence/indexeddb.ts. */
const OLD = 400

let site: HostSite
let profile: string
let browser: RunningBrowser

beforeAll(async () => {
  site = await startHostSite()
})

afterAll(() => site.close())

beforeEach(async () => {
  profile = mkdtempSync(join(tmpdir(), 'kubetab-host-'))
})

afterEach(async () => {
  await browser.kill()
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
})

async function openPage(url = site.url): Promise<Page> {
  const page = await browser.context.newPage()
  await page.goto(url)
  expect(await page.evaluate(() => window.firstResponse)).toMatchObject({ status: 200 })
  return page
}

function create(page: Page, name: string): Promise<number> {
  return page.evaluate(
    async ([path, own]) => {
      const object = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: own, labels: { made: 'here' } },
      }
      return (await window.api(path, { method: 'POST', body: JSON.stringify(object) })).status
    },
    [CONFIG_MAPS, name] as const,
  )
}

function names(page: Page): Promise<string[]> {
  return page.evaluate(async (path) => {
    const list: { items: { metadata: { name: string } }[] } = await (await window.api(path)).json()
    return list.items.map((item) => item.metadata.name)
  }, `${CONFIG_MAPS}?${SELECTED}`)
}

/** Starts a watch in the page; its events are collected in `window.watched`. */
function watch(page: Page): Promise<void> {
  return page.evaluate(async (path) => {
    const abort = new AbortController()
    const response = await window.api(path, { signal: abort.signal })
    const watched: Window['watched'] = { lines: [], stop: () => abort.abort() }
    window.watched = watched
    if (response.status !== 200) throw new Error(`the watch failed with ${response.status}`)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const read = async (): Promise<void> => {
      const { done, value = '' } = (await reader?.read()) ?? { done: true }
      if (done) watched.end = 'ended'
      else {
        for (const line of value.split('\n').filter(Boolean)) {
          const { type, object } = JSON.parse(line) as {
            type: string
            object: { metadata: { name: string } }
          }
          watched.lines.push(`${type} ${object.metadata.name}`)
        }
        await read()
      }
    }
    read().catch((error: Error) => {
      watched.end = error.name
    })
  }, `${CONFIG_MAPS}?watch=1${SELECTED}`)
}

async function received(page: Page, lines: string[]): Promise<void> {
  await expect.poll(() => page.evaluate(() => window.watched.lines)).toEqual(lines)
}

describe('on a service worker', () => {
  beforeEach(async () => {
    browser = await startBrowser(profile)
  })

  it('what was acknowledged is there after the browser was killed', async () => {
    const page = await openPage()
    expect(await page.evaluate(async () => (await window.connection).mode)).toBe('service-worker')
    const acknowledged: string[] = []
    let writing = true
    const writers = ['a', 'b', 'c', 'd'].map(async (letter) => {
      for (let i = 0; writing; i++) {
        const name = `${letter}${i}`
        const status = await create(page, name).catch(() => 0)
        if (status === 201) acknowledged.push(name)
      }
    })
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(40)
    await browser.kill()
    writing = false
    await Promise.all(writers)

    browser = await startBrowser(profile)
    const there = new Set(await names(await openPage()))
    expect(acknowledged.filter((name) => !there.has(name))).toEqual([])
  })

  it('tabs share one server: a watch in one hears at once what another writes', async () => {
    const one = await openPage()
    const other = await openPage()
    await watch(one)
    await create(other, 'first')
    await received(one, ['ADDED first'])
    await create(other, 'second')
    await received(one, ['ADDED first', 'ADDED second'])
    await one.evaluate(() => window.watched.stop())
    await expect.poll(() => one.evaluate(() => window.watched.end)).toBe('AbortError')
  })

  it('an update takes over at once though a watch is open, and knows the newest state', async () => {
    const page = await openPage()
    await create(page, 'before')
    await watch(page)
    await received(page, ['ADDED before'])
    const revision = await page.evaluate(
      async () => (await (await window.connection).channel.request('status', undefined)).revision,
    )

    site.release()
    await page.evaluate(async () => {
      const changed = new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
      await (await navigator.serviceWorker.getRegistration())?.update()
      await changed
    })
    expect(await page.evaluate(() => window.watched.end)).toBe('ended')

    await watch(page)
    await received(page, ['ADDED before'])
    await create(page, 'after')
    await received(page, ['ADDED before', 'ADDED after'])
    const status = await page.evaluate(async () =>
      (await window.connection).channel.request('status', undefined),
    )
    // Controllers write too, and no page misses their writes.
    expect(status.revision).toBeGreaterThan(revision)
  })

  it('a page that was reloaded past the worker is taken over again', async () => {
    const page = await openPage()
    await create(page, 'kept')
    const session = await browser.context.newCDPSession(page)
    await Promise.all([
      page.waitForEvent('load'),
      session.send('Page.reload', { ignoreCache: true }),
    ])
    expect(await page.evaluate(() => window.controlledAtFirst)).toBe(false)
    expect(await page.evaluate(() => window.firstResponse)).toMatchObject({ status: 200 })
    expect(await page.evaluate(async () => (await window.connection).mode)).toBe('service-worker')
    expect(await names(page)).toEqual(['kept'])
  })

  it('a worker that the browser put to sleep wakes with everything', async () => {
    const page = await openPage()
    await create(page, 'kept')
    const session = await browser.context.newCDPSession(page)
    await watch(page)
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.stopAllWorkers')
    await expect.poll(() => page.evaluate(() => window.watched.end)).toBe('TypeError')
    expect(await names(page)).toEqual(['kept'])
  })

  it('what an earlier page kept as objects, one to a row, is there; from then on it lies in pages', async () => {
    const page = await browser.context.newPage()
    await page.goto(`${site.url}page.js`)
    await page.evaluate(async (count) => {
      const request = indexedDB.open('kubetab', 10)
      request.onupgradeneeded = () => {
        const database = request.result
        const versions = database.createObjectStore('versions', { keyPath: ['revision', 'key'] })
        database
          .createObjectStore('requests', { keyPath: 'id' })
          .createIndex('revision', 'revision')
        database
          .createObjectStore('meta', { keyPath: 'name' })
          .add({ name: 'revision', value: count + 1 })
        for (let revision = 2; revision <= count + 1; revision++) {
          const [namespace, name] = ['default', `old-${revision}`]
          const metadata = {
            name,
            namespace,
            uid: `uid-${revision}`,
            resourceVersion: String(revision),
            labels: { made: 'here' },
          }
          const object = {
            kind: 'ConfigMap',
            apiVersion: 'v1',
            metadata,
            data: { text: 'old '.repeat(250) },
          }
          versions.add({
            key: `/registry/configmaps/${namespace}/${name}`,
            revision,
            createRevision: revision,
            object,
          })
        }
      }
      await new Promise<void>((resolve) => {
        request.onsuccess = () => {
          request.result.close()
          resolve()
        }
      })
    }, OLD)
    await page.goto(site.url)
    expect(await names(page)).toHaveLength(OLD)
    const lying = () =>
      page.evaluate(async () => {
        const request = indexedDB.open('kubetab')
        const database = await new Promise<IDBDatabase>((resolve) => {
          request.onsuccess = () => resolve(request.result)
        })
        const transaction = database.transaction(['versions', 'pages'])
        const [single, pages] = [
          transaction.objectStore('versions').count(),
          transaction.objectStore('pages').count(),
        ]
        return new Promise<{ single: number; pages: number }>((resolve) => {
          transaction.oncomplete = () => {
            database.close()
            resolve({ single: single.result, pages: pages.result })
          }
        })
      })
    await expect.poll(async () => (await lying()).single).toBeLessThan(256)
    expect((await lying()).pages).toBeGreaterThan(1)
    const session = await browser.context.newCDPSession(page)
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.stopAllWorkers')
    expect(await names(page)).toHaveLength(OLD)
    expect(
      await page.evaluate(
        async () => (await (await window.connection).channel.request('status', undefined)).damaged,
      ),
    ).toEqual([])
  })

  it('OpenAPI documents come with their descriptions', async () => {
    const page = await openPage()
    const text = await page.evaluate(async () => (await window.api('openapi/v3/api/v1')).text())
    expect(text).toContain('Pod is a collection of containers that can run on a host.')
  })

  it('every warning of a response reaches the page', async () => {
    const page = await openPage()
    const warnings = await page.evaluate(async () => {
      const body = { metadata: { name: 'warned', lables: {} }, größe: {} }
      const path = 'api/v1/namespaces/default/configmaps?fieldValidation=Warn&dryRun=All'
      return (await window.api(path, { method: 'POST', body: JSON.stringify(body) })).headers.get(
        'warning',
      )
    })
    expect(textOfHeader(warnings ?? '')).toBe(
      '299 - "unknown field \\"metadata.lables\\"", 299 - "unknown field \\"größe\\""',
    )
  })

  it('expressions may be as deep as anywhere, though a worker has half the stack', async () => {
    const page = await openPage()
    const statuses = await page.evaluate(async () => {
      const shapes: Record<string, [open: string, close: string]> = {
        parentheses: ['(', ')'],
        lists: ['[', ']'],
        maps: ['{1:', '}'],
        calls: ['size(', ')'],
        conditions: ['(true ? ', ' : 2)'],
        indexes: ['object[', ']'],
        sums: ['1 + (', ')'],
      }
      const policyOf = (expression: string) => ({
        metadata: { name: 'deep' },
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
            ],
          },
          validations: [{ expression }],
        },
      })
      const path = 'apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All'
      const responses: [string, number, string][] = []
      for (const [name, [open, close]] of Object.entries(shapes)) {
        for (const depth of [240, 260]) {
          const expression = `${open.repeat(depth)}1${close.repeat(depth)} == 1`
          const response = await window.api(path, {
            method: 'POST',
            body: JSON.stringify(policyOf(expression)),
          })
          responses.push([`${name} ${depth}`, response.status, (await response.text()).slice(-600)])
        }
      }
      return responses
    })
    expect(statuses.filter(([, status]) => status !== 201 && status !== 422)).toEqual([])
    for (const [name, , text] of statuses)
      if (name.endsWith('260'))
        expect(text, name).toContain('expression recursion limit exceeded: 250')
  })

  it('addresses of the API open in a tab', async () => {
    await openPage()
    const page = await browser.context.newPage()
    await page.goto(`${site.url}healthz`)
    expect(await page.textContent('body')).toBe('ok')
  })

  it('the channel exports, resets, imports, and returns the history of an object', async () => {
    const page = await openPage()
    await create(page, 'kept')
    const { exported, afterReset, imported, history } = await page.evaluate(async (path) => {
      const { channel } = await window.connection
      const read = async () =>
        (await (await window.api(`${path}/kept`)).json()) as { metadata: { uid?: string } }
      const { objects } = await channel.request('export', undefined)
      await channel.request('reset', undefined)
      const afterReset = (await window.api(`${path}/kept`)).status
      const imported = await channel.request('import', { objects })
      const uid = (await read()).metadata.uid
      const history = await channel.request('history', {
        group: '',
        resource: 'configmaps',
        namespace: 'default',
        name: 'kept',
      })
      return {
        exported: objects.length,
        afterReset,
        imported,
        history: history.map(({ object }) => object?.metadata.uid === uid),
      }
    }, CONFIG_MAPS)
    expect(afterReset).toBe(404)
    expect(imported.objects).toBe(exported)
    expect(history).toEqual([true])
  })
})

describe('on the page, where the browser offers no service worker', () => {
  let url: string

  beforeEach(async () => {
    url = site.url.replace('127.0.0.1', 'plain.test')
    browser = await startBrowser(profile, ['--host-resolver-rules=MAP plain.test 127.0.0.1'])
  })

  it('reports it, and keeps earlier writes', async () => {
    const page = await openPage(url)
    const { mode, reason } = await page.evaluate(async () => {
      const connection = await window.connection
      return { mode: connection.mode, reason: connection.reason }
    })
    expect(mode).toBe('page')
    expect(reason).toContain('HTTPS')
    await create(page, 'kept')
    await page.reload()
    expect(await names(page)).toEqual(['kept'])
  })

  it('tabs follow each other, and neither overwrites the other', async () => {
    const one = await openPage(url)
    const other = await openPage(url)
    await watch(one)
    const statuses = await Promise.all([
      create(one, 'same'),
      create(other, 'same'),
      create(one, 'a'),
      create(other, 'b'),
    ])
    expect(statuses.slice(0, 2).sort()).toEqual([201, 409])
    expect(statuses.slice(2)).toEqual([201, 201])
    await expect
      .poll(async () => (await one.evaluate(() => window.watched.lines)).sort())
      .toEqual(['ADDED a', 'ADDED b', 'ADDED same'])
    expect(await names(other)).toEqual(['a', 'b', 'same'])
  })

  it('an aborted watch ends as the browser ends its own', async () => {
    const page = await openPage(url)
    await watch(page)
    await page.evaluate(() => window.watched.stop())
    await expect.poll(() => page.evaluate(() => window.watched.end)).toBe('AbortError')
  })

  it('leaves other requests alone, bodies included', async () => {
    const page = await openPage(url)
    const status = await page.evaluate(
      async () => (await fetch(new Request('elsewhere', { method: 'POST', body: 'text' }))).status,
    )
    expect(status).toBe(404)
  })
})

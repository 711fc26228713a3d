/** Webhooks and API servers that are written in the page. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { running, storyBrowser } from './harness'
import { keepProbe, probeConfiguration } from './own-code'

const { open } = storyBrowser()

const send = (page: Page, path: string, method = 'GET', body?: unknown) =>
  page.evaluate(
    async ([path, method, body]) => {
      const response = await fetch(path as string, {
        method: method as string,
        headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return {
        status: response.status,
        text,
        json: text.startsWith('{') ? JSON.parse(text) : undefined,
      }
    },
    [path, method, body] as const,
  )

const configMap = (name: string, labels: Record<string, string> = {}) => ({
  metadata: { name, labels },
  data: {},
})

/** The fields of a shown object can be pressed too: one of them is called webhooks. */
const goToWebhooks = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: 'Webhooks', exact: true })
    .click()

async function begin(page: Page, sample: string): Promise<void> {
  await goToWebhooks(page)
  await page.getByRole('button', { name: 'New webhook or server' }).click()
  await page.getByRole('menuitem', { name: new RegExp(sample) }).click()
}

/** Saves the open handler and applies its generated configuration. */
async function configure(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Saved' }).waitFor()
  await page.getByRole('button', { name: 'Generate configuration' }).click()
  await page
    .getByRole('button', { name: /^Apply/ })
    .first()
    .click()
}

describe('a person writes a webhook', () => {
  it('that adds a label to new objects, and shows its calls', async () => {
    const { page, screenshot } = await open({ width: 1440, height: 900 })
    await running(page)
    await begin(page, 'add-label')
    await configure(page)
    await expect
      .poll(
        async () =>
          (
            await send(
              page,
              '/api/v1/namespaces/default/configmaps?dryRun=All',
              'POST',
              configMap('x'),
            )
          ).json.metadata.labels,
      )
      .toEqual({ 'seen-by': 'my-webhook' })
    await goToWebhooks(page)
    const calls = page.getByRole('region', { name: 'Calls' })
    await calls.getByText('POST /add-label').first().click()
    await expect.poll(() => calls.getByText('"kind": "AdmissionReview"').count()).toBeGreaterThan(1)
    await screenshot('a webhook and its calls')
  })

  it('that denies objects without an owner, with the reason', async () => {
    const { page } = await open({ width: 1440, height: 900 })
    await running(page)
    await begin(page, 'require-owner')
    await configure(page)
    await expect
      .poll(
        async () =>
          (
            await send(
              page,
              '/api/v1/namespaces/default/configmaps?dryRun=All',
              'POST',
              configMap('x'),
            )
          ).json.message,
      )
      .toBe(
        'admission webhook "require-owner.example.com" denied the request: every object here needs the label "owner"',
      )
    expect(
      (
        await send(
          page,
          '/api/v1/namespaces/default/configmaps',
          'POST',
          configMap('x', { owner: 'me' }),
        )
      ).status,
    ).toBe(201)
  })

  it('that serves a resource, which then belongs to the API', async () => {
    const { page, screenshot } = await open({ width: 1440, height: 900, theme: 'dark' })
    await running(page)
    await begin(page, 'quotes-api')
    await configure(page)
    await expect
      .poll(async () => (await send(page, '/apis/quotes.example.com/v1/quotes')).status)
      .toBe(200)
    const created = await send(page, '/apis/quotes.example.com/v1/quotes', 'POST', {
      metadata: { name: 'first' },
      spec: { text: 'Hello' },
    })
    expect([created.status, created.json.metadata.resourceVersion]).toEqual([201, '2'])
    expect((await send(page, '/apis/quotes.example.com/v1/quotes/first')).json.spec).toEqual({
      text: 'Hello',
    })
    expect(
      (await send(page, '/apis')).json.groups.map(({ name }: { name: string }) => name),
    ).toContain('quotes.example.com')
    await goToWebhooks(page)
    await screenshot('an api server and its calls')
  })

  it('with unsaved changes: opening another one confirms first, and a reload keeps them', async () => {
    const { page } = await open({ width: 1280, height: 800 })
    await running(page)
    await begin(page, 'add-label')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const address = page.getByRole('textbox', { name: /^Address/ })
    await address.fill('https://hooks.example.com/elsewhere')
    await page.reload()
    await expect.poll(() => address.inputValue()).toBe('https://hooks.example.com/elsewhere')

    await page.getByRole('button', { name: 'New webhook or server' }).click()
    await page.getByRole('menuitem', { name: /require-owner/ }).click()
    const question = page.getByRole('dialog', { name: 'Leave add-label without saving it?' })
    await question.getByRole('button', { name: 'Save it first' }).click()
    await page.getByText('not saved yet').waitFor()
    await page.getByRole('button', { name: /^add-label/ }).click()
    await expect.poll(() => address.inputValue()).toBe('https://hooks.example.com/elsewhere')
  })

  it('next to one that another tab has saved meanwhile, and keeps the cursor while it is saved', async () => {
    const { page, context, url } = await open({ width: 1280, height: 800 })
    await running(page)
    await begin(page, 'add-label')
    await page.locator('.handlers-source .view-line').first().click()

    const other = await context.newPage()
    await other.goto(url)
    await begin(other, 'require-owner')
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    await other.getByRole('button', { name: 'Saved' }).waitFor()

    await page.keyboard.press('ControlOrMeta+s')
    await page.getByRole('button', { name: /^require-owner/ }).waitFor()
    expect(
      await page.evaluate(() => document.activeElement?.closest('.handlers-source') !== null),
    ).toBe(true)
  })

  it('whose code reaches no network, no storage and no page, and is ended when it takes too long', async () => {
    const { page } = await open({ width: 1280, height: 800 })
    await running(page)
    const code = `
      async function tried(run) { try { return 'did ' + (await run()) } catch (error) { return 'blocked' } }
      async function admit() {
        const results = {
          fetch: await tried(() => fetch('${page.url()}api/v1/namespaces').then((r) => r.status)),
          socket: await tried(() => new Promise((yes, no) => { const s = new WebSocket('ws://127.0.0.1:1'); s.onerror = no; s.onopen = yes })),
          script: await tried(() => importScripts('${page.url()}service-worker.js')),
          module: await tried(() => import('${page.url()}service-worker.js')),
          database: await tried(() => new Promise((yes, no) => { const r = indexedDB.open('kubetab'); r.onsuccess = yes; r.onerror = no })),
          caches: await tried(() => caches.keys()),
          worker: await tried(() => new Promise((yes, no) => { const w = new Worker('${page.url()}service-worker.js'); w.onerror = no; w.onmessage = yes })),
          page: await tried(() => document.title + localStorage.length),
          origin: self.origin,
        }
        return { allowed: false, status: { message: JSON.stringify(results) } }
      }`
    expect(await keepProbe(page, code)).toMatchObject({ ok: true })
    await send(
      page,
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      'POST',
      probeConfiguration(8),
    )
    const probed = (
      await send(page, '/api/v1/namespaces/default/configmaps', 'POST', configMap('x'))
    ).json.message as string
    expect(JSON.parse(probed.slice(probed.indexOf('{')))).toEqual({
      fetch: 'blocked',
      socket: 'blocked',
      script: 'blocked',
      module: 'blocked',
      database: 'blocked',
      caches: 'blocked',
      worker: 'blocked',
      page: 'blocked',
      origin: 'null',
    })
    await keepProbe(page, 'function admit() { for (;;); }')
    const late = await send(page, '/api/v1/namespaces/default/configmaps', 'POST', configMap('x'))
    expect(late.json.message).toBe(
      'Internal error occurred: failed calling webhook "probe.example.com": failed to call webhook: Post "https://hooks.example.com/probe?timeout=8s": context deadline exceeded',
    )
    await keepProbe(page, 'function admit() { return true }')
    expect(
      (await send(page, '/api/v1/namespaces/default/configmaps', 'POST', configMap('x'))).status,
    ).toBe(201)
  })
})

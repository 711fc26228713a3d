/**
 * A CustomResourceDefinition or an APIService makes its kind usable at once, whichever way it
 * arrives.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { textIn } from './editors'
import { running, type Story, storyBrowser } from './harness'
import { typeText } from './typed-manifests'
import { command } from './views'

const { open } = storyBrowser()

const SIZE = { width: 1440, height: 1200 }

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'kettles.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Kettle', plural: 'kettles', singular: 'kettle', listKind: 'KettleList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['liters'],
                properties: {
                  liters: { type: 'integer', description: 'How much water fits in.' },
                  material: { type: 'string', enum: ['steel', 'glass'] },
                  handles: {
                    type: 'array',
                    items: { type: 'object', properties: { side: { type: 'string' } } },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
}

const definitionText = JSON.stringify(DEFINITION)
const DEFINITIONS = 'apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const HEADERS = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }

const manifestEditor = (page: Page) =>
  page.locator('.editor-host').filter({ has: page.locator('.monaco-editor') })
const results = (page: Page) => page.getByRole('region', { name: 'Results' })
const suggestions = (page: Page) => page.locator('.suggest-widget.visible')

async function emptyFile(page: Page): Promise<void> {
  await page.locator('.monaco-editor .view-line').first().waitFor()
  await command(page, 'New manifest')
  await command(page, 'Go to the editor')
  await expect.poll(() => textIn(manifestEditor(page))).toBe('')
}

async function expectOffered(page: Page, kind: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search everything' }).fill(`new ${kind}`)
  await page.getByRole('option', { name: `New ${kind}` }).waitFor()
  await page.keyboard.press('Escape')
}

/** The palette offers a new object, and an object that is typed is stored without a warning. */
async function expectUsable(page: Page, kind: string, group = 'example.com'): Promise<void> {
  await expectOffered(page, kind)
  await emptyFile(page)
  const manifest = `apiVersion: ${group}/v1\nkind: ${kind}\nmetadata:\n  name: first`
  await typeText(page.keyboard, manifest)
  await page.keyboard.press('Control+Enter')
  await results(page).getByText(`${kind.toLowerCase()}.${group}/first`).waitFor()
  await expect.poll(() => manifestEditor(page).locator('.squiggly-warning').count()).toBe(0)
}

async function started(at = ''): Promise<Story> {
  const story = await open({ ...SIZE, at })
  await running(story.page)
  return story
}

async function openInNewWorkspace(page: Page): Promise<void> {
  await page
    .getByRole('dialog', { name: 'Open the shared scenario?' })
    .getByRole('button', { name: 'Open in a new workspace' })
    .click()
  await page.getByText('The shared scenario is open').waitFor()
}

/** @param objects how many the file has */
async function importCluster(page: Page, text: string, objects: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kubetab-import-'))
  try {
    const path = join(folder, 'cluster.yaml')
    writeFileSync(path, text)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: /^Import/ }).click(),
    ])
    await chooser.setFiles(path)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Replace|Import/ })
      .click()
    await page.getByText(`${objects} imported`).waitFor()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it('arrives by a link', async () => {
  const { encodeScenario } = await import('../src/app/features/share/link')
  const link = encodeScenario({ objects: [DEFINITION], tabs: [] })
  const { page } = await started(`#${link}`)
  await openInNewWorkspace(page)
  await expectUsable(page, 'Kettle')
})

it('arrives with an imported cluster', async () => {
  const { page } = await started()
  await importCluster(page, definitionText, '1 object')
  await expectUsable(page, 'Kettle')
})

it('arrives in a lesson', { timeout: 120_000 }, async () => {
  const { page } = await started('?workspace=lesson-price-of-cel')
  const lesson = page.getByRole('complementary', { name: /^Lesson: / })
  const reached = async () => Number(/(\d) of \d/.exec((await lesson.textContent()) ?? '')?.[1])
  while ((await reached()) < 2) {
    const before = await reached()
    const hint = lesson.getByRole('button', { name: /hint/i })
    while ((await hint.count()) > 0) await hint.click()
    await lesson.getByRole('button', { name: 'Show solution' }).click()
    await expect.poll(reached, { timeout: 20_000 }).toBeGreaterThan(before)
  }
  await expectUsable(page, 'Menu')
})

it('arrives from the console', { timeout: 120_000 }, async () => {
  const { page } = await started()
  await emptyFile(page)
  await page.keyboard.insertText(definitionText)
  const name = await page
    .getByRole('tab', { selected: true, name: /\.yaml/ })
    .first()
    .textContent()
  await page.keyboard.press('Control+Shift+5')
  const rows = page.getByRole('region', { name: 'Console' }).locator('.xterm-rows')
  await expect.poll(() => rows.textContent()).toMatch(/kubectl for this cluster/)
  await page.keyboard.type(`apply -f ${name?.trim()}\n`)
  await expect
    .poll(() => rows.textContent(), { timeout: 20_000 })
    .toMatch(/kettles\.example\.com created/)
  await expectUsable(page, 'Kettle')
})

it('arrives from a program of this machine', async () => {
  const { page, url } = await started()
  await page.getByText('kubectl can connect to this tab').waitFor()
  const response = await fetch(url + DEFINITIONS, {
    method: 'POST',
    headers: HEADERS,
    body: definitionText,
  })
  expect(response.status).toBe(201)
  await expectUsable(page, 'Kettle')
})

it('arrives from another tab', async () => {
  const { page, context, url } = await started()
  const other = await context.newPage()
  await other.goto(url)
  await running(other)
  await emptyFile(other)
  await other.keyboard.insertText(definitionText)
  await other.keyboard.press('Control+Enter')
  await results(other).getByText('kettles.example.com').first().waitFor()
  await page.bringToFront()
  await expectUsable(page, 'Kettle')
})

/** An API server in the page that stores what is applied. */
const MUGS = {
  name: 'mugs',
  address: 'default/mugs',
  source: `const apiVersion = 'mugs.example.com/v1'
const mugs = new Map()
function serve({ method, path, body }) {
  const [, , , , resource, name] = path.split('/')
  if (resource === undefined)
    return {
      kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersion,
      resources: [{ name: 'mugs', singularName: 'mug', namespaced: false, kind: 'Mug', verbs: ['create', 'get', 'list', 'patch'] }],
    }
  if (method === 'PATCH') {
    const metadata = { name, uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }
    mugs.set(name, { apiVersion, kind: 'Mug', metadata })
    return { status: 201, body: mugs.get(name) }
  }
  if (name === undefined) return { apiVersion, kind: 'MugList', metadata: { resourceVersion: '1' }, items: [...mugs.values()] }
  return mugs.get(name) ?? { status: 404, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404, reason: 'NotFound', message: 'no such mug' } }
}
`,
}

const MUG_SERVICE = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'mugs', namespace: 'default' },
    spec: { type: 'ExternalName', externalName: 'mugs.example.com' },
  },
  {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.mugs.example.com' },
    spec: {
      group: 'mugs.example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service: { namespace: 'default', name: 'mugs' },
      insecureSkipTLSVerify: true,
    },
  },
]

/** Saves a server through the API of the page, not its forms. */
const listen = (page: Page): Promise<unknown> =>
  page.evaluate(
    (handlers) =>
      new Promise<unknown>((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => resolve(data)
        const request = { kind: 'configure', request: { handlers } }
        navigator.serviceWorker.controller?.postMessage(
          { mark: 'kubetab-channel', kind: 'request', workspace: '', request },
          [port2],
        )
      }),
    [{ ...MUGS, code: MUGS.source }],
  )

it('arrives as an APIService by a link, once its server is switched on', async () => {
  const { encodeScenario } = await import('../src/app/features/share/link')
  const scenario = { objects: MUG_SERVICE, tabs: [], from: 'Ann', handlers: [MUGS] }
  const { page } = await started(`#${encodeScenario(scenario)}`)
  await openInNewWorkspace(page)
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: 'Webhooks', exact: true })
    .click()
  await page.getByRole('button', { name: /mugs .*switched off/ }).click()
  await page.getByRole('button', { name: 'Switch on', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch it on' }).click()
  await page.getByText('mugs listens at default/mugs').waitFor()
  await expectUsable(page, 'Mug', 'mugs.example.com')
})

it('arrives as an APIService with an imported cluster', async () => {
  const { page } = await started()
  expect(await listen(page)).toMatchObject({ ok: true })
  await importCluster(
    page,
    MUG_SERVICE.map((one) => JSON.stringify(one)).join('\n---\n'),
    '2 objects',
  )
  await expectUsable(page, 'Mug', 'mugs.example.com')
})

it('has its fields and values completed, and those of a later schema', async () => {
  const { page, screenshot } = await started()
  const send = (method: string, path: string, body: object, type = HEADERS['content-type']) =>
    page.evaluate(
      async ([method, path, body, headers]) =>
        (await fetch(path, { method, headers, body })).status,
      [method, path, JSON.stringify(body), { ...HEADERS, 'content-type': type }] as const,
    )
  expect(await send('POST', DEFINITIONS, DEFINITION)).toBe(201)
  await expectOffered(page, 'Kettle')
  await emptyFile(page)
  await typeText(page.keyboard, 'apiVersion: example.com/v1\nkind: Kettle\nspec:\n  material: st')
  await suggestions(page).getByText('steel').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.type('lit')
  await suggestions(page).getByText('liters').waitFor()
  await screenshot('fields of a custom resource')
  await page.keyboard.press('Tab')
  await expect.poll(() => textIn(manifestEditor(page))).toContain('material: steel\n  liters: ')

  // A later version of the schema is completed as soon as it is published.
  const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/whistle'
  const patch = [{ op: 'add', path, value: { type: 'boolean' } }]
  const definition = `${DEFINITIONS}/kettles.example.com`
  expect(await send('PATCH', definition, patch, 'application/json-patch+json')).toBe(200)
  await page.keyboard.type('1')
  await expect
    .poll(
      async () => {
        await page.keyboard.press('Enter')
        await page.keyboard.type('whi')
        const offered = await suggestions(page)
          .getByText('whistle')
          .waitFor({ timeout: 2000 })
          .then(
            () => true,
            () => false,
          )
        if (!offered) await page.keyboard.press('Control+Backspace')
        return offered
      },
      { timeout: 20_000 },
    )
    .toBe(true)
})

/** Scenarios in files, and links while another tab changes the workspaces. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { running, storyBrowser } from './harness'
import { follow, linkOf, openInNewWorkspace, SIZE, send } from './scenario-links'

const { open } = storyBrowser()

it('offers a file where the link is long, opens one that is dropped, and links of the first version', async () => {
  const { page } = await open(SIZE)
  await running(page)
  const data = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`key-${at}`, Math.sin(at).toString(36)]),
  )
  expect(
    await send(page, 'POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'large' },
      data,
    }),
  ).toBe(201)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText(/some apps .* cut links longer than 2,000/).waitFor()
  expect((await linkOf(page)).length).toBeGreaterThan(2000)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as file' }).click(),
  ])
  const folder = mkdtempSync(join(tmpdir(), 'kubetab-file-'))
  try {
    const path = join(folder, 'scenario.kubetab')
    await download.saveAs(path)
    await page.keyboard.press('Escape')
    await page.evaluate(
      (text) => {
        const files = new DataTransfer()
        files.items.add(new File([`${text}\n`], 'scenario.kubetab'))
        document.body.dispatchEvent(
          new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: files }),
        )
      },
      readFileSync(path, 'utf8'),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  await openInNewWorkspace(page)
  expect(await send(page, 'GET', '/~shared/api/v1/namespaces/default/configmaps/large')).toBe(200)

  const link = readFileSync(
    new URL('../tests/app/stored-links/k1-cluster.txt', import.meta.url),
    'utf8',
  ).trim()
  await follow(page, link.slice(1))
  await openInNewWorkspace(page, 'shared-2')
  await page.getByRole('treeitem', { name: 'web default' }).first().waitFor()
  await page.getByRole('tab', { name: 'ops.yaml' }).waitFor()
})

it('opens a scenario from a file that is too large for an address, and reports a file without one', async () => {
  const { encodeScenario } = await import('../src/app/features/share/link')
  const { page } = await open(SIZE)
  await running(page)
  const drop = (name: string, text: string) =>
    page.evaluate(
      ([name, text]) => {
        const files = new DataTransfer()
        files.items.add(new File([text], name))
        document.body.dispatchEvent(
          new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: files }),
        )
      },
      [name, text] as const,
    )
  await drop('notes.kubetab', 'buy milk')
  await page.getByText('notes.kubetab does not contain a scenario').waitFor()
  await drop('cut.kubetab', 'k2=abcd')
  await page
    .getByText(/^cut\.kubetab is damaged or was cut short .*: get a new link from its sender$/)
    .waitFor()
  await drop('picture.png', 'PNG\0')
  await page.getByText('picture.png is not a text file').waitFor()
  expect(await page.getByRole('tab', { name: /picture/ }).count()).toBe(0)

  // Two clusters are rejected, because the second would replace the first.
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: /^Import/ }).click(),
  ])
  expect(chooser.isMultiple()).toBe(false)

  // Three times 800,000 characters that do not compress.
  const noise = () => randomBytes(600_000).toString('base64')
  const object = (name: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
    data: { noise: noise() },
  })
  const text = encodeScenario({ objects: ['one', 'two', 'three'].map(object), tabs: [] })
  expect(text.length).toBeGreaterThan(2 << 20)
  await drop('large.kubetab', text)
  await openInNewWorkspace(page)
  expect(await send(page, 'GET', '/~shared/api/v1/namespaces/default/configmaps/three')).toBe(200)
  await page.reload()
  await running(page)
  expect(await page.getByRole('dialog').count()).toBe(0)
})

it('a workspace that one tab removes is left by the others, and does not come back', async () => {
  const { page, context, url } = await open(SIZE)
  await running(page)
  const other = await context.newPage()
  await other.goto(`${url}?workspace=tryout`)
  await running(other)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: /Workspaces/ }).click()
  await page.getByRole('button', { name: 'Delete tryout' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('tryout was deleted').waitFor()
  await other
    .getByText('The workspace tryout was deleted in another tab. This is My cluster.')
    .waitFor()
  await running(other)
  expect(other.url()).toBe(url)
  expect(
    await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)),
  ).toEqual(['kubetab'])
})

it('a workspace that another tab began a moment ago keeps its name, and its place', async () => {
  const { page } = await open(SIZE)
  await running(page)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: /Workspaces/ }).click()
  await page.getByLabel('Name of the new workspace').fill('class')
  // A `storage` event does not reach the tab that writes, nor another tab immediately.
  await page.evaluate(() => localStorage.setItem('kubetab.workspaces', '["class"]'))
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.waitForURL(/workspace=class-2$/)
  await running(page)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: /Workspaces/ }).click()
  await page.getByRole('button', { name: 'class', exact: true }).waitFor()
})

/** A branch of the cluster: compared side by side, merged into its parent, or discarded. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { running, type Story, showPane, storyBrowser } from './harness'
import { command } from './views'

const { open } = storyBrowser()

/** Writes a ConfigMap as a program would, into the shown workspace. */
const write = (page: Page, name: string, value: string): Promise<number> =>
  page.evaluate(
    async ([name = '', value = '']) => {
      const workspace = new URLSearchParams(location.search).get('workspace')
      const root = workspace === null ? 'api' : `~${workspace}/api`
      const response = await fetch(
        `${root}/v1/namespaces/default/configmaps/${name}?fieldManager=test&force=true`,
        {
          method: 'PATCH',
          headers: {
            Authorization: 'Bearer admin-token',
            'Content-Type': 'application/apply-patch+yaml',
          },
          body: JSON.stringify({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name },
            data: { value },
          }),
        },
      )
      return response.status
    },
    [name, value],
  )

const storedValue = (page: Page, name: string): Promise<string | undefined> =>
  page.evaluate(async (name) => {
    const response = await fetch(`api/v1/namespaces/default/configmaps/${name}`, {
      headers: { Authorization: 'Bearer admin-token' },
    })
    return ((await response.json()) as { data?: { value: string } }).data?.value
  }, name)

async function started(page: Page): Promise<void> {
  // The frame shows one pane or several.
  await page.locator('[data-pane]').first().waitFor()
  await showPane(page, 'Explorer')
  await running(page)
}

async function branched(width = 1440): Promise<Story> {
  const story = await open({ width, height: 900, ownContext: true })
  const { page } = story
  await started(page)
  expect(await write(page, 'kept', 'before')).toBe(201)
  expect(await write(page, 'raced', 'before')).toBe(201)
  await command(page, 'Workspaces: other clusters')
  await page.getByRole('dialog').getByRole('button', { name: 'Branch this cluster' }).click()
  await page.waitForURL(/workspace=branch/)
  await started(page)
  return story
}

it('merges what changed, names conflicts, and is discarded', async () => {
  const { page, url, context, screenshot } = await branched()
  expect(await write(page, 'kept', 'in the branch')).toBe(200)
  expect(await write(page, 'raced', 'in the branch')).toBe(200)
  expect(await write(page, 'fresh', 'in the branch')).toBe(201)
  const other = await context.newPage()
  await other.goto(url)
  await running(other)
  expect(await storedValue(other, 'kept')).toBe('before')
  expect(await write(other, 'raced', 'in the parent')).toBe(200)

  await command(page, 'Workspaces: other clusters')
  await page.getByRole('button', { name: 'Merge or discard' }).click()
  const changes = page.getByRole('list', { name: 'Changes' })
  await changes.getByText('fresh', { exact: false }).first().waitFor()
  expect(await changes.getByRole('checkbox', { name: /default\/raced/ }).isChecked()).toBe(false)
  expect(await changes.getByText('changed in both').count()).toBe(1)
  await screenshot('merge of a branch')
  await page.getByRole('button', { name: 'Merge 2 objects' }).click()
  await changes.getByText('default/kept').waitFor({ state: 'detached' })
  expect(await storedValue(other, 'kept')).toBe('in the branch')
  expect(await storedValue(other, 'fresh')).toBe('in the branch')
  expect(await storedValue(other, 'raced')).toBe('in the parent')

  await changes.getByRole('checkbox', { name: /default\/raced/ }).check()
  await page.getByRole('button', { name: 'Merge 1 object' }).click()
  await page.getByText('has no change that My cluster lacks').waitFor()
  expect(await storedValue(other, 'raced')).toBe('in the branch')

  await page.getByRole('button', { name: 'Discard branch' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard branch' }).click()
  await page.waitForURL((address) => !address.search.includes('workspace='))
  await running(page)
  await expect
    .poll(() =>
      page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? '')),
    )
    .not.toContain('kubetab~branch')
})

it.each([1440, 360])(
  'is next to its parent: the same request in both (%i pixels)',
  async (width) => {
    const { page, screenshot } = await branched(width)
    expect(await write(page, 'kept', 'in the branch')).toBe(200)
    await command(page, 'Side by side: one request')
    const left = page.getByRole('group', { name: 'Left' })
    await expect.poll(() => left.getByRole('combobox', { name: 'Workspace' }).inputValue()).toBe('')
    await page
      .getByRole('textbox', { name: 'Path and query' })
      .fill('/api/v1/namespaces/default/configmaps/kept')
    await page.keyboard.press('Enter')
    const compared = page.getByRole('region', { name: 'Compared responses' })
    await compared.getByText('value: before').first().waitFor()
    await compared.getByText('value: in the branch').first().waitFor()
    await compared.getByRole('heading', { name: /^My cluster/ }).waitFor()
    await screenshot(`side by side branches ${width}`)
  },
)

it('compares what two users get: response, stored object, watch events and decisions', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await command(page, 'Side by side: one request')
  const side = (name: string) => page.getByRole('group', { name })
  await side('Right').getByRole('combobox', { name: 'Release' }).selectOption('')
  await side('Right').getByRole('combobox', { name: 'User' }).selectOption('anonymous')
  await page.getByRole('combobox', { name: 'Method' }).selectOption('POST')
  await page
    .getByRole('textbox', { name: 'Path and query' })
    .fill('/api/v1/namespaces/default/configmaps')
  await page
    .getByRole('textbox', { name: 'Body' })
    .fill('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"tried"},"data":{"a":"b"}}')
  await page.getByRole('button', { name: 'Send to both' }).click()
  const part = (name: string) => page.getByRole('region', { name })
  await part('Watch events').getByText('ADDED ConfigMap default/tried').waitFor()
  await part('Stored objects').getByText('name: tried').waitFor()
  await part('Managed fields').getByText('operation: Update').waitFor()
  await part('Decisions').getByText('decision: forbid').waitFor()
  await screenshot('side by side users')
  await side('Right').getByRole('combobox', { name: 'User' }).selectOption('')
  await side('Right').getByRole('textbox', { name: 'Feature gates' }).fill('NoSuchGate=true')
  await page.getByRole('button', { name: 'Send to both' }).click()
  await page.getByRole('alert').getByText('NoSuchGate').waitFor()
})

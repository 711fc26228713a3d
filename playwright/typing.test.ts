/** Keys that are typed into an editor stay in it; Enter breaks the line; a kind is usable as soon as its definition is established. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { editorOf, textIn } from './editors'
import { running, type Story, storyBrowser } from './harness'
import { CHARACTERS, DEFINITION_AND_OBJECT, DEPLOYMENT, typeText } from './typed-manifests'
import { command } from './views'

const { open } = storyBrowser()

const manifestEditor = (page: Page): Locator =>
  page.locator('.editor-host').filter({ has: page.locator('.monaco-editor') })
const results = (page: Page): Locator => page.getByRole('region', { name: 'Results' })

/** Moves the keyboard into the editor; it is taller than what is typed. */
async function newManifest(): Promise<Story> {
  const story = await open({ width: 1440, height: 1500 })
  const { page } = story
  await running(page)
  await page.locator('.monaco-editor .view-line').first().waitFor()
  await emptyFile(page)
  return story
}

async function emptyFile(page: Page): Promise<void> {
  await command(page, 'New manifest')
  await command(page, 'Go to the editor')
  await expect.poll(() => hasFocus(manifestEditor(page))).toBe(true)
  await expect.poll(() => textIn(manifestEditor(page))).toBe('')
}

const hasFocus = (editor: Locator): Promise<boolean> =>
  editor.evaluate((element) => element.contains(document.activeElement))

/** Whether a key has left the editor: into the filter of the explorer, or as a shortcut. */
async function expectNothingElse(page: Page): Promise<void> {
  expect(await page.getByRole('dialog').count()).toBe(0)
  const filter = page.locator('[data-filter]')
  if ((await filter.count()) > 0) expect(await filter.inputValue()).toBe('')
}

describe('a whole manifest, typed key by key', () => {
  it('appears in the editor as typed, and is applied', async () => {
    const { page, screenshot } = await newManifest()
    await command(page, 'Enlarge the editor')
    await command(page, 'Go to the editor')
    await expect.poll(() => hasFocus(manifestEditor(page))).toBe(true)
    await typeText(page.keyboard, DEPLOYMENT)
    await expect.poll(() => textIn(manifestEditor(page))).toBe(DEPLOYMENT)
    await screenshot('typed manifest')
    await expectNothingElse(page)
    await command(page, 'Enlarge the editor')
    await page.getByRole('button', { name: 'Apply', exact: true }).first().click()
    await results(page).getByText('deployment.apps/typed').waitFor()
    expect(await results(page).getByText('created').count()).toBe(1)
  })

  it('may define a kind and use it', async () => {
    const { page } = await newManifest()
    await typeText(page.keyboard, DEFINITION_AND_OBJECT)
    await page.keyboard.press('Control+Enter')
    await results(page).getByText('backup.example.com/nightly').waitFor()
    await expect.poll(() => results(page).getByText('created').count()).toBe(2)
    await page.getByRole('treeitem', { name: /^Backups 1/ }).waitFor()
  })
})

describe('every printable character stays in the editor', () => {
  async function typeInto(page: Page, editor: Locator): Promise<void> {
    await editor.locator('.view-line').first().click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type(`// ${CHARACTERS}`)
    await page.keyboard.press('Enter')
    // Long lines may be wrapped.
    await expect
      .poll(async () => (await textIn(editor)).replaceAll('\n', ''))
      .toContain(`// ${CHARACTERS}`)
    expect(await hasFocus(editor)).toBe(true)
    await expectNothingElse(page)
  }

  it('of scripts', async () => {
    const { page } = await newManifest()
    await command(page, 'New script')
    await expect.poll(() => textIn(manifestEditor(page))).toBe('')
    await typeInto(page, manifestEditor(page))
  })

  it('of expressions', async () => {
    const { page } = await newManifest()
    await command(page, 'Open the CEL playground')
    await typeInto(page, editorOf(page, 'CEL expression'))
  })

  it('of webhooks', async () => {
    const { page } = await newManifest()
    await command(page, 'Go to Webhooks')
    await page.getByRole('button', { name: 'New webhook or server' }).click()
    await page.getByRole('menuitem', { name: /add-label/ }).click()
    await typeInto(page, page.locator('.text-editor').first())
  })

  it('of what-if manifests', async () => {
    const { page } = await newManifest()
    await command(page, 'Show welcome panel')
    await page.getByRole('button', { name: /Run the sample/ }).click()
    await results(page).getByText('service/web').waitFor()
    await page
      .getByRole('tablist', { name: 'Views of the object' })
      .getByRole('tab', { name: 'Ownership' })
      .click()
    await page.getByRole('button', { name: 'What if', exact: true }).click()
    await typeInto(page, editorOf(page, 'Manifest to try'))
  })
})

describe('completions', () => {
  const list = (page: Page): Locator => page.locator('.suggest-widget.visible')

  it('leave Enter to the text until one is selected', async () => {
    const { page, screenshot } = await newManifest()
    await page.keyboard.type('kind: Pod')
    await page.keyboard.press('Enter')
    await page.keyboard.type('apiVersion: v')
    await list(page).waitFor()
    await screenshot('completions')
    await page.keyboard.press('Enter')
    await expect.poll(() => textIn(manifestEditor(page))).toBe('kind: Pod\napiVersion: v\n')
  })

  it('are taken by Enter when one is selected, and by Tab', async () => {
    const { page } = await newManifest()
    await page.keyboard.type('kind: ConfigM')
    // The list filters with a delay: a key before that selects another kind.
    const first = list(page).locator('.monaco-list-row').first()
    await first.and(page.getByRole('option', { name: /^ConfigMap/ })).waitFor()
    await page.keyboard.press('ArrowDown')
    await list(page).locator('.monaco-list-row.focused').getByText('ConfigMap').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => textIn(manifestEditor(page))).toBe('kind: ConfigMap')
    await page.keyboard.press('Enter')
    await page.keyboard.type('metad')
    await list(page).getByText('metadata').first().waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => textIn(manifestEditor(page))).toContain('kind: ConfigMap\nmetadata:')
  })

  it('close when the text is one of them, and offer no key again and no words of the text', async () => {
    const { page } = await newManifest()
    await page.keyboard.type('apiVersion: v1')
    await list(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Space')
    await list(page).getByText('kind').first().waitFor()
    expect(await list(page).getByText('apiVersion').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.type('kind: Unheard')
    await page.keyboard.press('Enter')
    await page.keyboard.type('words: ap')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => textIn(manifestEditor(page)))
      .toBe('apiVersion: v1\nkind: Unheard\nwords: ap\n')
  })
})

describe('the first definition of a session', () => {
  /** Delays reads, as on a slow machine: the definition is established before the page first lists it. */
  const slowDown = (page: Page, milliseconds: number) =>
    page.evaluate((delay) => {
      const real = window.fetch
      window.fetch = async (input, init) => {
        const reads =
          (init?.method ?? 'GET') === 'GET' &&
          /customresourcedefinitions|apiservices|\/apis?$/.test(String(input))
        if (reads) await new Promise((resolve) => setTimeout(resolve, delay))
        return real(input, init)
      }
    }, milliseconds)

  const [definition = '', object = ''] = DEFINITION_AND_OBJECT.split('\n---\n')

  it.each([0, 1500])(
    'makes its kind known everywhere, with reads that take %i ms more',
    async (delay) => {
      const { page } = await newManifest()
      await slowDown(page, delay)
      await typeText(page.keyboard, definition)
      await page.keyboard.press('Control+Enter')
      await results(page)
        .getByText('customresourcedefinition.apiextensions.k8s.io/backups.example.com')
        .waitFor()
      await emptyFile(page)
      await typeText(page.keyboard, object)
      await page.keyboard.press('Control+Enter')
      await results(page).getByText('backup.example.com/nightly').waitFor()
      await page.getByRole('treeitem', { name: /^Backups 1/ }).waitFor()
      await expect.poll(() => manifestEditor(page).locator('.squiggly-warning').count()).toBe(0)
      await emptyFile(page)
      await page.keyboard.type('kind: Bac')
      await page.locator('.suggest-widget.visible').getByText('Backup').first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'New file' }).click()
      await page.getByRole('menuitem', { name: /New object/ }).click()
      await page.getByRole('combobox', { name: 'Search everything' }).pressSequentially('backup')
      await page.getByRole('option', { name: /New Backup/ }).waitFor()
    },
  )

  it('may come from another tab or a program', async () => {
    const { page, context, url } = await newManifest()
    const other = await context.newPage()
    await other.goto(url)
    await running(other)
    await other.evaluate(async () => {
      const spec = {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Restore', plural: 'restores' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      }
      await fetch('apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        method: 'POST',
        headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name: 'restores.example.com' }, spec }),
      })
    })
    await page.bringToFront()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('new restore')
    await page.getByRole('option', { name: /New Restore/ }).waitFor()
    await emptyFile(page)
    await typeText(
      page.keyboard,
      'apiVersion: example.com/v1\nkind: Restore\nmetadata:\n  name: first',
    )
    await page.keyboard.press('Control+Enter')
    await results(page).getByText('restore.example.com/first').waitFor()
  })

  it('leaves a file that a dry run cannot store with advice that fits', async () => {
    const { page } = await newManifest()
    await typeText(page.keyboard, DEFINITION_AND_OBJECT)
    await page.getByRole('button', { name: 'Dry run', exact: true }).click()
    await results(page)
      .getByText(
        'A dry run does not store the CustomResourceDefinition in this file: apply it first.',
      )
      .waitFor()
  })
})

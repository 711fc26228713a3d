/** Every view of the page and how to get there, for pictures and checks of all of them. Commands lead the way, as on any device. */
import type { Page } from 'playwright-core'

export interface View {
  name: string
  /** @param page open, with the sample applied */
  show(page: Page): Promise<void>
  /** All that this view shows otherwise than the one before, as a selector; the whole page if absent. */
  region?: string
}

const DIALOG = '[role="dialog"], dialog'

/** Finds the command by its title and runs it. */
export async function command(page: Page, title: string): Promise<void> {
  await openPalette(page)
  await page.getByRole('combobox', { name: /^Search/ }).fill(title)
  await page.getByRole('option', { name: title }).first().click()
}

/** A dialog may still be opening when Escape is pressed, so it is pressed again. */
async function openPalette(page: Page): Promise<void> {
  const search = page.getByRole('combobox', { name: /^Search/ })
  for (let tries = 0; tries < 5; tries++) {
    await page.keyboard.press('Escape')
    // A dialog that is still closing would take the shortcut.
    await page
      .locator(DIALOG)
      .first()
      .waitFor({ state: 'detached', timeout: 1000 })
      .catch(() => undefined)
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('Control+k')
    const opened = await search.waitFor({ timeout: 4000 }).then(
      () => true,
      () => false,
    )
    if (opened) return
  }
  throw new Error('the palette does not open')
}

const objectTab = async (page: Page, tab: string): Promise<void> => {
  await command(page, 'Go to the object')
  await page
    .getByRole('tablist', { name: 'Views of the object' })
    .getByRole('tab', { name: tab })
    .click()
}

async function firstRow(page: Page, list: string): Promise<void> {
  await page.getByRole('list', { name: list }).getByRole('button').first().click()
}

const byCommand = (name: string, title: string): View => ({
  name,
  show: (page) => command(page, title),
})
const OBJECT = '[data-pane="object"]'
const ACTIVITY = '[data-pane="activity"]'

const dialog = (name: string, title: string): View => ({
  name: `dialog ${name}`,
  region: DIALOG,
  async show(page) {
    await command(page, title)
    await page.getByRole('dialog').getByRole('button').first().waitFor()
  },
})

const WORKBENCH: View[] = [
  byCommand('explorer', 'Find in the explorer'),
  byCommand('editor', 'Go to the editor'),
  { name: 'object now', region: OBJECT, show: (page) => objectTab(page, 'YAML') },
  { name: 'object ownership', region: OBJECT, show: (page) => objectTab(page, 'Ownership') },
  {
    name: 'object transfer',
    region: OBJECT,
    async show(page) {
      await objectTab(page, 'Ownership')
      await page.getByRole('button', { name: 'Transfer', exact: true }).click()
      await page.getByRole('textbox', { name: 'New owner' }).waitFor()
    },
  },
  { name: 'object history', region: OBJECT, show: (page) => objectTab(page, 'History') },
  { name: 'object wire', region: OBJECT, show: (page) => objectTab(page, 'Wire') },
  {
    name: 'explained field',
    region: DIALOG,
    async show(page) {
      await objectTab(page, 'YAML')
      await page.locator('.code-key', { hasText: 'replicas' }).first().click()
      await page
        .getByRole('dialog', { name: /^What spec.replicas means/ })
        .getByText('OpenAPI')
        .waitFor()
    },
  },
  { ...byCommand('results', 'Show results'), region: ACTIVITY },
  {
    name: 'request',
    region: ACTIVITY,
    async show(page) {
      await command(page, 'Show requests')
      await firstRow(page, 'Requests')
      await page.getByRole('region', { name: 'Stages' }).waitFor()
    },
  },
  {
    name: 'watches',
    region: ACTIVITY,
    async show(page) {
      await command(page, 'Start a watch')
      await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
      await command(page, 'Show watches')
      await page.getByRole('list', { name: 'Events' }).getByRole('button').first().waitFor()
    },
  },
  {
    name: 'audit event',
    region: ACTIVITY,
    async show(page) {
      await command(page, 'Show audit')
      await firstRow(page, 'Audit events')
    },
  },
  { ...byCommand('console', 'Open the console: kubectl for this cluster'), region: ACTIVITY },
  { ...byCommand('output', 'Show output'), region: ACTIVITY },
  {
    name: 'repairs',
    region: ACTIVITY,
    async show(page) {
      await command(page, 'Create (fails if it exists)')
      await page.getByRole('region', { name: 'Repairs' }).first().waitFor()
      await page.locator('.repair summary').first().click()
    },
  },
]

const PLACES: View[] = [
  byCommand('access rights', "Show a user's permissions"),
  byCommand('access who can', 'Who can do something?'),
  byCommand('access try', 'Check whether a request is allowed'),
  byCommand('access roles', 'Least-privilege role for recorded requests'),
  byCommand('access configuration', 'Configure authorization'),
  byCommand('access identities', 'Add a user: token, service account, certificate'),
  byCommand('cluster', 'Go to Cluster'),
  byCommand('lessons', 'Go to Lessons'),
  byCommand('incidents', 'Go to incidents'),
  byCommand('policy bench', 'Open the CEL playground'),
  byCommand('policy workbench', 'Try a policy on test objects'),
  byCommand('policy designer', 'Design a CustomResourceDefinition'),
  byCommand('webhooks', 'Go to Webhooks'),
  byCommand('releases', 'Go to Releases'),
  {
    name: 'side by side',
    async show(page) {
      await command(page, 'Go to Releases')
      await page.getByRole('button', { name: 'Side by side', exact: true }).click()
      await page.getByRole('button', { name: 'Send to both' }).click()
      await page.getByRole('region', { name: 'Compared responses' }).waitFor()
    },
  },
  {
    name: 'releases change',
    async show(page) {
      await command(page, 'Kubernetes 1.34')
      await page.getByRole('region', { name: 'Stored objects' }).waitFor()
    },
  },
]

const DIALOGS: View[] = [
  dialog('shortcuts', 'Keyboard shortcuts'),
  dialog('about', "What's simulated and what isn't"),
  dialog('share', 'Share a link'),
  dialog('watch', 'Start a watch'),
  dialog('workspaces', 'Workspaces: other clusters'),
  dialog('release', 'Choose the Kubernetes release'),
  dialog('stored', 'Data stored in this browser'),
  dialog('question', 'Compact history'),
  {
    name: 'palette',
    region: DIALOG,
    async show(page) {
      await openPalette(page)
      await page.getByRole('combobox', { name: /^Search/ }).fill('deploy')
    },
  },
]

export const VIEWS: readonly View[] = [...WORKBENCH, ...PLACES, ...DIALOGS]

export const WIDTHS = [
  { width: 360, height: 740 },
  { width: 820, height: 1100 },
  { width: 1440, height: 900 },
]
export const THEMES = ['light', 'dark'] as const

export async function runSample(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await command(page, 'Show results')
  await page.getByText('service/web').first().waitFor()
}

/** Long enough for chunks, responses and fonts to load. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.waitForTimeout(350)
}

/**
 * Releases: rehearse an upgrade, switch the cluster to another release and back, and query the
 * deprecation policy.
 */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { choose, running, storyBrowser } from './harness'

const { open } = storyBrowser()

it('chooses the release with the keyboard, which the frame, the API and a reload show', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await page.getByRole('button', { name: /^Kubernetes release 1\./ }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Kubernetes release' })
  await expect.poll(() => dialog.getByRole('radio').count()).toBe(7)
  await dialog.getByRole('radio', { checked: true }).focus()
  while (!(await dialog.getByRole('radio', { name: /1\.35/ }).isChecked()))
    await page.keyboard.press('ArrowDown')
  await screenshot('release picker')
  await page.keyboard.press('Enter')
  await page.getByText('The cluster now runs 1.35').waitFor()
  await page.getByRole('button', { name: 'Kubernetes release 1.35' }).waitFor()
  expect(await versionOf(page)).toMatch(/^v1\.35\./)
  await page.reload()
  await page.getByRole('button', { name: 'Kubernetes release 1.35' }).waitFor()
})

it('finds releases in the palette', async () => {
  const { page } = await open({ width: 820, height: 1180, theme: 'dark' })
  await running(page)
  await choose(page, '1.34', /Kubernetes 1\.34/)
  await page.getByRole('button', { name: 'Change to 1.34' }).waitFor()
})

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'named' },
  spec: { hostnameOverride: 'other-name', containers: [{ name: 'main', image: 'nginx:1.27' }] },
}
const PODS = 'api/v1/namespaces/default/pods'
const AS_ADMIN = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }

async function changeTo(page: Page, release: string): Promise<void> {
  await page.getByRole('button', { name: /^Kubernetes release/ }).click()
  await page.getByRole('radio', { name: new RegExp(release.replace('.', '\\.')) }).check()
  await page.getByRole('button', { name: `Change to ${release}` }).click()
  await page.getByText(`The cluster now runs ${release}`).waitFor()
}

async function apply(page: Page, object: unknown): Promise<void> {
  const create = () =>
    page.evaluate(
      async ({ path, headers, body }) =>
        (await fetch(path, { method: 'POST', headers, body })).status,
      { path: PODS, headers: AS_ADMIN, body: JSON.stringify(object) },
    )
  // The namespace gets its service account soon after the start.
  await expect.poll(create).toBe(201)
}

const hostnameOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(
    async ({ path, headers }) =>
      (await (await fetch(path, { headers })).json()).spec.hostnameOverride,
    { path: `${PODS}/named`, headers: AS_ADMIN },
  )

const versionOf = (page: Page): Promise<string> =>
  page.evaluate(async () => (await (await fetch('version')).json()).gitVersion)

const SIZES = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 820, height: 1180, theme: 'dark' },
  { width: 360, height: 740, theme: 'light' },
] as const

it('reports the effect of an upgrade on manifests, and opens the rewritten one', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Releases' }).click()
  await page.getByRole('button', { name: 'Check manifests' }).click()
  await page.locator('.rehearsal-text .view-line', { hasText: 'apiVersion:' }).first().waitFor()
  await page.getByRole('button', { name: 'Run check' }).click()
  await page.getByText('4 manifests from 1.21 to 1.25; 3 cannot be applied to 1.25.').waitFor()
  await page.getByRole('button', { name: 'Ingress default/shop' }).click()
  await page.getByText('the rewritten manifest is accepted').waitFor()
  await screenshot('rehearsal 1440 light')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('tab', { name: /shop\.yaml/ }).waitFor()
})

it('moves the cluster to a release with the same objects, where a request of today fails', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').waitFor()
  await page.getByRole('button', { name: 'Releases' }).click()
  await page.getByRole('radio', { name: '1.18' }).click()
  await page.getByText('1.19 → 1.18').waitFor()
  await screenshot('time machine')
  await page.getByRole('button', { name: 'Change to 1.18' }).click()
  await page.getByText('The cluster now runs 1.18').waitFor()
  expect(await versionOf(page)).toMatch(/^v1\.18\./)
  await page.getByRole('button', { name: /Replay \d+/ }).click()
  await page.getByText('then,').first().waitFor()
  await page.getByRole('button', { name: 'Workbench' }).click()
  await page.getByRole('treeitem', { name: 'web default' }).first().waitFor()
})

it('shows what an older release does to stored objects, changes to it, and goes back', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await changeTo(page, '1.35')
  await apply(page, POD)
  await page.getByRole('button', { name: /^Kubernetes release/ }).click()
  await page.getByRole('radio', { name: /1\.31/ }).check()
  await page.getByRole('button', { name: 'What changes?' }).click()
  const stored = page.getByRole('region', { name: 'Stored objects' })
  await stored.getByText('spec.hostnameOverride').waitFor()
  await page.getByText('1.35 → 1.34').click()
  await page.getByRole('heading', { name: 'Feature gates' }).waitFor()
  await screenshot('change of release 1440 light')
  await page.getByRole('button', { name: 'Change to 1.31' }).click()
  await page.getByText('The cluster now runs 1.31').waitFor()
  expect(await hostnameOf(page)).toBeUndefined()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
  await page.getByText('The cluster runs 1.35 again').waitFor()
  expect(await hostnameOf(page)).toBe('other-name')
})

it('compares a request in two releases', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.getByRole('button', { name: 'Releases' }).click()
  await page.getByRole('button', { name: 'Side by side' }).click()
  const release = (side: string) =>
    page.getByRole('group', { name: side }).getByRole('combobox', { name: 'Release' })
  await release('Left').selectOption('1.31')
  await release('Right').selectOption('1.37')
  await page.getByRole('textbox', { name: 'Path and query' }).fill('/apis/resource.k8s.io')
  await page.keyboard.press('Enter')
  const compared = page.getByRole('region', { name: 'Compared responses' })
  await compared.getByText('404').first().waitFor()
  await compared.getByText('kind: APIGroup').waitFor()
  await screenshot('compared 1440 light')
  await page.getByRole('textbox', { name: 'Path and query' }).fill('/api/v1/namespaces/default')
  await page.keyboard.press('Enter')
  await compared.getByText('The bodies are equal.').waitFor()
  await page.getByRole('textbox', { name: 'Path and query' }).fill('/api/v1/pods?watch=1')
  await page.getByText('A watch has no end').waitFor()
})

it('shows the first release that can remove an API', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Releases' }).click()
  await page.getByRole('button', { name: 'Deprecation policy' }).click()
  await page.getByText('1.24 is the first release that can remove it').waitFor()
  await screenshot('deprecation policy')
  await page.getByRole('button', { name: 'Stable' }).click()
  await page.getByText('It stays.').waitFor()
})

it.each(SIZES.slice(1))('is readable at $width, $theme', async ({ width, height, theme }) => {
  const { page, screenshot } = await open({ width, height, theme })
  if (width < 768) {
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitemradio', { name: 'Releases' }).click()
  } else await page.getByRole('button', { name: 'Releases' }).click()
  await page.getByRole('button', { name: 'Check manifests' }).click()
  await page.getByRole('button', { name: 'Run check' }).click()
  await page.getByText('3 cannot be applied to 1.25').waitFor()
  await screenshot(`rehearsal ${width} ${theme}`)
  await page.getByRole('button', { name: 'Deprecation policy' }).click()
  await screenshot(`policy ${width} ${theme}`)
  await page.getByRole('button', { name: 'Change release' }).click()
  await page.getByText('The cluster runs').first().waitFor()
  await screenshot(`machine ${width} ${theme}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
})

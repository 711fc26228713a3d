/** A user reviews the stored data, removes one item, then everything, and starts over. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { choose, running, storyBrowser } from './harness'
import { type StaticSite, startStaticSite } from './static-site'

const { open } = storyBrowser()

/** From this point the browser caches the page. */
let site: StaticSite

beforeAll(async () => {
  site = await startStaticSite()
})

afterAll(() => site.stop())

/** The stored data of the page as the browser reports it. */
const left = (page: Page) =>
  page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name).sort(),
    caches: await caches.keys(),
    items: Object.keys(localStorage).filter((name) => name.includes('kubetab')),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }))

const stored = (page: Page) => page.getByRole('dialog', { name: 'Data stored in this browser' })

const row = (page: Page, title: string) =>
  stored(page).getByRole('listitem').filter({ hasText: title })

it('lists the stored data, and removes one item, then all', async () => {
  const { page, context, url, screenshot } = await open({
    width: 1200,
    height: 800,
    ownContext: true,
    at: '?workspace=demo',
    on: site.url,
  })
  await running(page)
  await page.goto(url)
  await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').waitFor()
  const other = await context.newPage()
  await other.goto(url)
  await running(other)
  await page.bringToFront()

  await choose(page, 'data stored')
  await row(page, 'My cluster')
    .getByText(/\d+ objects, \d+ versions, [\d.]+ [kM]B/)
    .waitFor()
  await row(page, 'Layout and preferences').waitFor()
  await stored(page)
    .getByText(/Storage is(n't)? persistent/)
    .waitFor()
  await screenshot('stored')

  // One workspace goes, with a question before it.
  await row(page, 'demo').getByRole('button', { name: 'Delete demo' }).click()
  const question = page.getByRole('dialog', { name: 'Delete the workspace demo?' })
  await question.getByRole('button', { name: 'Export' }).waitFor()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await row(page, 'demo').waitFor({ state: 'detached' })
  expect((await left(page)).databases).toEqual(['kubetab'])

  // One small thing goes: the page is loaded again without it, and shows the rest.
  await row(page, 'Layout and preferences')
    .getByRole('button', { name: 'Delete Layout and preferences' })
    .click()
  await page
    .getByRole('dialog', { name: 'Delete “Layout and preferences”?' })
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await row(page, 'My cluster').waitFor()

  // Everything goes, and the other tab with it.
  await stored(page).getByRole('button', { name: 'Delete all kubetab data' }).click()
  await page
    .getByRole('dialog', { name: 'Delete all kubetab data from this browser?' })
    .getByRole('button', { name: 'Delete everything', exact: true })
    .click()
  const done = 'All kubetab data was deleted from this browser'
  await page.getByRole('heading', { name: done }).waitFor()
  await other.getByRole('heading', { name: /kubetab data was deleted from this browser/ }).waitFor()
  expect(await left(page)).toEqual({ databases: [], caches: [], items: [], workers: 0 })
  await screenshot('everything removed')

  // While the other tab is open, the browser keeps the shared worker and reuses it.
  await page.getByRole('link', { name: 'Restart' }).click()
  await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).waitFor()
  expect(await page.getByRole('treeitem', { name: 'web default' }).count()).toBe(0)
  expect((await left(page)).databases).toEqual(['kubetab'])
  await other.getByRole('link', { name: 'Restart' }).click()
  await running(other)
})

it('removes nothing because of an address alone', async () => {
  const { page, url } = await open({ width: 1200, height: 800, on: site.url })
  await running(page)
  await page.goto(`${url}?wipe`)
  await page.getByRole('heading', { name: 'Some kubetab data is stored in this browser' }).waitFor()
  expect((await left(page)).databases).toEqual(['kubetab'])
  await page.getByRole('link', { name: 'Open kubetab' }).click()
  await running(page)
})

it('opens the first cluster for an invalid workspace name, and reports it', async () => {
  const { page } = await open({
    width: 1200,
    height: 800,
    at: '?workspace=Our_Class',
    on: site.url,
  })
  await page.getByText(/“Our_Class” is not a valid workspace name.+This is My cluster/).waitFor()
  await running(page)
  expect((await left(page)).databases).toEqual(['kubetab'])
})

it('reports the lost objects after the browser has deleted the database', async () => {
  const { page, url } = await open({ width: 1200, height: 800, on: site.url })
  await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').waitFor()
  await page.reload()
  await running(page)
  await page.goto(`${url}descriptions.json`)
  await page.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations())
      await registration.unregister()
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase('kubetab')
      request.onsuccess = () => resolve()
      request.onerror = () => reject(request.error)
    })
  })
  await page.goto(url)
  await page
    .getByText(/The data of this cluster from .+ \(\d+ objects at revision [\d,]+\) is lost/)
    .waitFor()
  await running(page)
  expect(await page.getByText('service/web').count()).toBe(0)
})

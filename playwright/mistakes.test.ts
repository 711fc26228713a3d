/** Every error states what is wrong, where, and how to fix it. */
import { expect, it } from 'vitest'
import { running, storyBrowser } from './harness'

const { open } = storyBrowser()

async function withManifest(text: string) {
  const story = await open({ width: 1440, height: 900 })
  await story.page.evaluate((manifest) => {
    localStorage.setItem(
      'kubetab.editors',
      JSON.stringify({
        tabs: [{ id: 'a', title: 'a.yaml', language: 'yaml', text: manifest }],
        active: 'a',
      }),
    )
    localStorage.setItem('kubetab.view', JSON.stringify({ welcome: false }))
  }, text)
  await story.page.reload()
  await running(story.page)
  return story
}

it('names the line of YAML that cannot be read, and sends nothing', async () => {
  const { page } = await withManifest('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a\n')
  await page.getByRole('button', { name: /^Apply/ }).click()
  const results = page.getByRole('region', { name: 'Results' })
  await results.getByText('not sent').first().waitFor()
  expect(await results.textContent()).toMatch(/^Nothing was sent from a\.yaml[\s\S]*line [34]/)
  expect(await page.getByRole('tab', { name: /Requests/ }).textContent()).toBe('Requests')
})

it('shows each invalid field', async () => {
  const { page, screenshot } = await withManifest(
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: Not_A_Name\n  labels:\n    bad key: x\n',
  )
  await page.getByRole('button', { name: /^Apply/ }).click()
  const results = page.getByRole('region', { name: 'Results' })
  await results.getByText('422', { exact: true }).first().waitFor()
  expect(await results.textContent()).toContain('metadata.name')
  expect(await results.textContent()).toContain('metadata.labels')
  await screenshot('the server rejected a manifest')
})

it('reports a kind that is not served, and a document without one', async () => {
  const { page } = await withManifest(
    'apiVersion: v1\nkind: Nonsense\nmetadata:\n  name: a\n---\njust: text\n',
  )
  await page.getByRole('button', { name: /^Apply/ }).click()
  const results = page.getByRole('region', { name: 'Results' })
  await results.getByText('is not a known kind (no matches for kind … in version …)').waitFor()
  await results.getByText('apiVersion and kind are required').waitFor()
})

it('shows the server’s message for a forbidden request', async () => {
  const { page } = await withManifest('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n')
  await page.getByRole('button', { name: 'Acting as admin' }).click()
  await page.getByRole('radio', { name: /alice/ }).click()
  await page.getByRole('button', { name: /^Apply/ }).click()
  await page.getByText(/User "alice" cannot patch resource "configmaps"/).waitFor()
})

it('reports a damaged link', async () => {
  const { page } = await open({ width: 1200, height: 800, at: '#k1=AAAA' })
  await page.getByText(/This link is damaged or was cut short/).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

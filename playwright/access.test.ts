/** Access: a denied user finds the missing permission and gets the smallest role that grants it. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { decodeScenario } from '../src/app/features/share/link'
import { editorOf, textIn } from './editors'
import { choose, running, showPane, storyBrowser, tagsFor } from './harness'

const { open } = storyBrowser()

const SIZES = [
  { width: 1440, height: 900, theme: 'dark' },
  { width: 820, height: 1100, theme: 'light' },
  { width: 360, height: 740, theme: 'light' },
] as const

const BINDING = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: pod-reader, namespace: default}
rules:
  - {apiGroups: [""], resources: [pods], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: alice-reads, namespace: default}
subjects: [{kind: User, name: alice, apiGroup: rbac.authorization.k8s.io}]
roleRef: {kind: Role, name: pod-reader, apiGroup: rbac.authorization.k8s.io}
`

/** Alice may read pods in the namespace default. */
async function withAlice(page: Page, phone: boolean): Promise<void> {
  await page.evaluate((text) => {
    localStorage.setItem(
      'kubetab.editors',
      JSON.stringify({ tabs: [{ id: 'a', title: 'a.yaml', language: 'yaml', text }], active: 'a' }),
    )
    localStorage.setItem('kubetab.view', JSON.stringify({ welcome: false }))
  }, BINDING)
  await page.reload()
  if (!phone) await running(page)
  await page.getByRole('button', { name: /^Apply/ }).click()
  if (phone) await showPane(page, 'Activity')
  await page.getByText(/rolebinding.*alice-reads/).waitFor()
}

for (const size of SIZES) {
  it(
    `opens the grant from a cell, and the missing permission from a denial (${size.width} pixels)`,
    tagsFor(size),
    async () => {
      const { page, screenshot } = await open(size)
      await withAlice(page, size.width < 768)
      await choose(page, 'act as alice')
      await choose(page, "show a user's permissions")
      const grid = page.getByRole('grid', { name: 'Permissions on resources' })
      await grid.getByRole('gridcell', { name: 'list pods: allowed by RBAC' }).click()
      const why = page.getByRole('region', { name: 'Why', exact: true })
      const chain = why.getByRole('list', { name: 'By RoleBinding alice-reads' })
      await chain.getByRole('button', { name: 'default/pod-reader' }).waitFor()
      expect(await why.getByRole('region', { name: 'Authorizers' }).textContent()).toMatch(
        /Node.*no opinion.*RBAC.*allows/,
      )
      await screenshot(`access chain ${size.width}`)
      if (size.width < 1100) await page.getByRole('button', { name: 'Close why' }).click()

      // By keyboard from there: two columns on.
      const listed = grid.getByRole('gridcell', { name: /^list pods:/ })
      await listed.focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      const miss = why.getByRole('list', { name: 'RoleBinding alice-reads falls short' })
      await miss.getByText('The rule does not include the verb “create”').waitFor()
      await screenshot(`access near miss ${size.width}`)
    },
  )
}

it('lists all subjects that can, and sends a review to the server', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await withAlice(page, false)
  await choose(page, 'who can do something')
  const holders = page.getByRole('list', { name: 'Subjects' })
  const alice = holders.getByText('alice', { exact: true }).first()
  await alice.waitFor()
  expect(await holders.getByRole('listitem').first().textContent()).toContain('system:masters')
  await alice.click()
  await holders.getByRole('list', { name: 'By RoleBinding alice-reads' }).waitFor()
  await screenshot('access who can')

  await choose(page, 'act as alice')
  await choose(page, 'whether a request is allowed')
  await page.getByRole('combobox', { name: 'Verb' }).fill('delete')
  await page.getByRole('button', { name: 'Check with the server' }).click()
  const verdict = page.getByRole('region', { name: 'Verdict' })
  await verdict.getByText('denied').first().waitFor()
  await verdict.getByText('The rule does not include the verb “delete”').waitFor()
  await page
    .getByRole('region', { name: 'Response' })
    .getByText(/"allowed": false/)
    .waitFor()
  await screenshot('access review')
})

it('generates the smallest role for a denied request, which then succeeds', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await withAlice(page, false)
  await choose(page, 'act as bob')
  await page.evaluate(() =>
    fetch('api/v1/namespaces/default/configmaps', {
      headers: { Authorization: 'Bearer bob-token' },
    }).then(({ status }) => status),
  )
  await choose(page, 'least-privilege role')
  await page.getByRole('checkbox', { name: /list configmaps in default/ }).waitFor()
  const role = editorOf(page, 'Role as YAML')
  await expect.poll(() => textIn(role)).toMatch(/resources:\s+- configmaps/)
  await page.getByText('All selected requests would be allowed').waitFor()
  await page.getByRole('button', { name: 'Audit log' }).click()
  await page.getByRole('checkbox', { name: /^list .*configmaps/ }).waitFor()
  await expect.poll(() => textIn(role)).toMatch(/resources:\s+- configmaps/)
  await page.getByRole('button', { name: 'Requests', exact: true }).click()
  await screenshot('access least role')

  await role.locator('.view-line', { hasText: '- list' }).getByText('list').dblclick()
  await page.keyboard.type('get')
  const denied = page.getByRole('region', { name: 'Still denied' })
  await denied.getByText('list configmaps in default').waitFor()
  await denied.getByText(/nearest rule has other verbs/).waitFor()
  await page.getByRole('button', { name: 'Reset to generated role' }).click()

  await page.getByRole('button', { name: 'Open in the editor' }).click()
  await choose(page, 'act as admin')
  await page.getByRole('button', { name: /^Apply/ }).click()
  await page.getByText(/rolebinding.*bob-least/).waitFor()
  const status = await page.evaluate(() =>
    fetch('api/v1/namespaces/default/configmaps', {
      headers: { Authorization: 'Bearer bob-token' },
    }).then((response) => response.status),
  )
  expect(status).toBe(200)
})

it('has a certificate issued, and acts with it', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await choose(page, 'add a user')
  await page.getByRole('button', { name: 'Create key and CSR' }).click()
  await page.getByRole('button', { name: 'Approve as admin' }).click()
  await page.getByRole('button', { name: 'Act as jane' }).last().click()
  await page.getByRole('button', { name: 'Acting as jane' }).waitFor()
  await page.getByRole('button', { name: 'Who am I?' }).click()
  const me = page.getByRole('region', { name: 'Current identity' })
  await me.getByText(/"username": "jane"/).waitFor()
  expect(await me.textContent()).toContain('"developers"')
  await screenshot('access certificate')
})

it('gets a token for a service account, acts with it, and shows it nowhere', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await choose(page, 'add a user')
  await page.getByRole('button', { name: 'Service account' }).click()
  await page.getByRole('button', { name: 'Request token and use it' }).click()
  await page
    .getByRole('button', { name: /^Acting as system:serviceaccount:default:default/ })
    .waitFor()
  await page.getByRole('button', { name: 'Who am I?' }).click()
  await page
    .getByRole('region', { name: 'Current identity' })
    .getByText('system:serviceaccounts:default')
    .waitFor()
  const token = await page.evaluate(
    () =>
      (JSON.parse(localStorage.getItem('kubetab.added-actors') ?? '[]') as { token: string }[])[0]
        ?.token,
  )
  expect(token).toMatch(/^eyJ/)
  await screenshot('access service account')

  await page.getByRole('button', { name: 'Workbench' }).click()
  await page.getByRole('tab', { name: /Requests/ }).click()
  const request = page.getByRole('region', { name: 'Request', exact: true })
  await page
    .getByRole('list', { name: 'Requests' })
    .getByRole('button', { name: /default\/token/ })
    .click()
  await request.getByText(/"token": "••••••"/).waitFor()
  await page.getByRole('tab', { name: 'Audit' }).click()
  await page
    .getByRole('list', { name: 'Audit events' })
    .getByRole('button', { name: /default\/token/ })
    .click()
  const event = page.getByRole('region', { name: 'Audit event' })
  await event.getByText('Raw').click()
  await event.getByText('"subresource": "token"').waitFor()
  expect(await page.content()).not.toContain(token)

  await choose(page, 'share a link')
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
  const scenario = decodeScenario(new URL(link).hash)
  expect(scenario?.tabs.length).toBeGreaterThan(0)
  expect(JSON.stringify(scenario)).not.toContain(token)
})

it('runs with another configuration, and rejects an invalid one', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await withAlice(page, false)
  await choose(page, 'configure authorization')
  await page.getByRole('combobox', { name: 'Modes' }).fill('RBAC,RBAC')
  await page.getByRole('button', { name: 'Restart with these settings' }).click()
  await page
    .getByRole('alert')
    .getByText(/has mode specified more than once/)
    .waitFor()
  await screenshot('access configuration denied')

  await page.getByRole('button', { name: 'Configuration file' }).click()
  const file = editorOf(page, 'Authorization configuration')
  await file.locator('.view-line', { hasText: 'type: Node' }).click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Delete')
  await page
    .getByRole('textbox', { name: /^Token file/ })
    .fill('dave-token,dave,u-dave,"developers"\n')
  await page.getByRole('button', { name: 'Restart with these settings' }).click()
  await page.getByText('Restarted with new settings').waitFor()
  await expect
    .poll(() => page.getByRole('list', { name: 'Active authorizers' }).textContent())
    .toMatch(/^Superusers[^N]*RBAC/)
  await screenshot('access configuration')

  await choose(page, 'add a user')
  await page.getByRole('button', { name: 'Bearer token' }).click()
  await page.getByLabel('Bearer token').last().fill('dave-token')
  await page.getByRole('button', { name: 'Act with this token' }).click()
  await page.getByRole('button', { name: 'Acting as dave' }).waitFor()
  await choose(page, 'act as alice')
  await choose(page, "show a user's permissions")
  await page.getByRole('gridcell', { name: 'list pods: allowed by RBAC' }).waitFor()

  const before = await page.evaluate(async () => {
    const path = 'apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings/alice-reads'
    const response = await fetch(path, { headers: { Authorization: 'Bearer admin-token' } })
    const { metadata } = (await response.json()) as { metadata: { resourceVersion: string } }
    return String(Number(metadata.resourceVersion) - 1)
  })
  await page.getByRole('textbox', { name: 'As of revision' }).fill(before)
  await page.getByRole('gridcell', { name: 'list pods: not allowed' }).waitFor()
  await page.getByText(/goes by what there is now/).waitFor({ state: 'hidden' })
  await screenshot('access as of a revision')
})

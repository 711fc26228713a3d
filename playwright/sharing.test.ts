/**
 * A link contains the selected parts; opening it needs a confirmation, creates a new workspace,
 * and loses nothing.
 */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { DEFAULT_RELEASE } from '../src/engine/releases/release'
import { running, storyBrowser } from './harness'
import { follow, linkOf, openInNewWorkspace, SIZE, send } from './scenario-links'

const { open } = storyBrowser()

/** Two browsers begin a server each, and nothing here asserts a time: later than this something hangs. */
const HANGS = 180_000

async function runSample(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').waitFor()
}

it('brings the cluster, the files and a script that waits to another browser', {
  timeout: HANGS,
}, async () => {
  const sender = await open(SIZE)
  await runSample(sender.page)
  await sender.page.getByRole('button', { name: 'New file' }).click()
  await sender.page.getByRole('menuitem', { name: 'List namespaces with fetch' }).click()
  await sender.page.getByRole('button', { name: 'Share' }).click()
  await sender.page.getByLabel('From').fill('Mallory')
  const link = await linkOf(sender.page)
  expect(link).toContain('#k2=')
  expect(link.length).toBeLessThan(2000)
  await sender.screenshot('share dialog')

  const reader = await open({ ...SIZE, at: `#${link.split('#')[1]}` })
  await openInNewWorkspace(reader.page)
  await reader.page.getByRole('treeitem', { name: 'web default' }).first().waitFor()
  // Controllers recreate the rest.
  await reader.page.getByRole('treeitem', { name: /^Pods \d/ }).waitFor()
  expect(reader.page.url()).toContain('?workspace=shared')
  expect(reader.page.url()).not.toContain('#')
  await reader.screenshot('shared in a workspace')

  // The script shows its sender's name, and runs only on request.
  await reader.page.getByText('came with a shared link from Mallory').waitFor()
  await reader.page.keyboard.press('ControlOrMeta+Enter')
  const question = reader.page.getByRole('dialog', { name: /Run a script that came/ })
  await question.waitFor()
  expect(await reader.page.getByText(/^kube-system \d/).count()).toBe(0)
  await question.getByRole('button', { name: 'Run' }).click()
  await reader.page.getByText(/^kube-system \d/).waitFor()
  expect(await reader.page.getByText('came with a shared link').count()).toBe(0)

  // Existing data is unchanged.
  await reader.page.getByRole('button', { name: 'shared', exact: true }).click()
  await reader.screenshot('workspaces')
  await reader.page.getByRole('button', { name: 'My cluster' }).click()
  await reader.page.getByRole('treeitem', { name: 'kubernetes default' }).first().waitFor()
  expect(await reader.page.getByRole('treeitem', { name: 'web default' }).count()).toBe(0)

  await reader.page.getByRole('button', { name: 'More', exact: true }).click()
  await reader.page.getByRole('menuitem', { name: /Workspaces/ }).click()
  await reader.page.getByRole('button', { name: 'Delete shared' }).click()
  await reader.page.getByRole('button', { name: 'Delete', exact: true }).click()
  await reader.page.getByText('shared was deleted').waitFor()
  expect(
    await reader.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)),
  ).toEqual(['kubetab'])
})

it('carries log, clock, actors, place and chosen object, and replays the log from where it began', {
  timeout: HANGS,
}, async () => {
  const sender = await open(SIZE)
  const { page } = sender
  await runSample(page)
  // State that a scenario can depend on: a paused clock, another user, custom resources.
  await page.evaluate(() => {
    localStorage.setItem(
      'kubetab.added-actors',
      JSON.stringify([
        { name: 'eve', groups: ['devs'], token: 'not-to-be-shared', from: 'bearer token' },
      ]),
    )
  })
  const group = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  }
  const definition = {
    metadata: { name: 'ships.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural: 'ships', kind: 'Ship' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
  expect(await send(page, 'POST', group, definition)).toBe(201)
  const ships = '/apis/example.org/v1/namespaces/default/ships'
  const ship = {
    apiVersion: 'example.org/v1',
    kind: 'Ship',
    metadata: { name: 'argo' },
    spec: { oars: 50 },
  }
  await expect.poll(() => send(page, 'POST', ships, ship)).toBe(201)
  await page.reload()
  await running(page)

  // Eve's token is not configured. The administrator can change objects, and Eve cannot.
  await page.getByRole('button', { name: /^Apply/ }).click()
  await page.getByText('deployment.apps/web').waitFor()
  await page.getByRole('button', { name: 'Acting as admin' }).click()
  await page.getByRole('radio', { name: /^eve/ }).click()
  await page.getByRole('button', { name: /^Apply/ }).click()
  await page
    .getByText(/Unauthorized/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Acting as eve' }).click()
  await page.getByRole('radio', { name: /^admin/ }).click()
  await page.getByRole('searchbox', { name: 'Find objects by name or kind' }).fill('argo')
  await page.getByRole('treeitem', { name: /argo/ }).click()

  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByLabel('From').fill('Ada')
  const link = await linkOf(page)
  expect(
    await page.getByRole('checkbox', { name: /The request log: \d+ requests/ }).isChecked(),
  ).toBe(true)
  await sender.screenshot('share dialog with a log')

  const reader = await open({ ...SIZE, at: `#${link.split('#')[1]}` })
  expect(
    await reader.page.getByRole('dialog', { name: 'Open the shared scenario?' }).textContent(),
  ).toContain('names Ada as its sender')
  await openInNewWorkspace(reader.page)
  // The chosen object, which is of a kind of the scenario's own.
  await reader.page
    .getByRole('complementary', { name: 'Object' })
    .getByText('oars')
    .first()
    .waitFor()
  expect(await reader.page.evaluate(() => JSON.stringify(localStorage))).not.toContain(
    'not-to-be-shared',
  )

  await reader.page.getByRole('tab', { name: /Requests/ }).click()
  await reader.page.getByRole('button', { name: 'Recorded' }).click()
  await reader.page.getByRole('button', { name: 'Replay all' }).click()
  // The administrator's requests go as they went; eve is known here, and allowed nothing, rather than unknown.
  await reader.page.getByText(/of \d+ match the recording/).waitFor()
  await reader.page
    .getByText(/403 here/)
    .first()
    .waitFor()
  await reader.page.getByText('same', { exact: true }).first().waitFor()
  await reader.screenshot('log replayed')
})

it('changes nothing when it is declined, and opens in a new workspace, where the log can be replayed from its start', async () => {
  const { page, context, url } = await open(SIZE)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: new URL(url).origin,
  })
  await runSample(page)
  await page.getByRole('tab', { name: /Requests/ }).click()
  await page.getByRole('button', { name: 'Copy as GitHub issue' }).click()
  await page.getByText('The issue copied').waitFor()
  const issue = await page.evaluate(() => navigator.clipboard.readText())
  for (const part of [
    `Kubernetes API ${DEFAULT_RELEASE}`,
    '`PATCH /apis/apps/v1/namespaces/default/deployments/web` → 201',
    'curl -X PATCH',
    `${url}#k2=`,
  ])
    expect(issue).toContain(part)
  expect(issue).not.toContain('admin-token')

  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'before the requests' }).click()
  const hash = (await linkOf(page)).split('#')[1] ?? ''
  await page.keyboard.press('Escape')
  await follow(page, hash)
  await page
    .getByRole('dialog', { name: 'Open the shared scenario?' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await page.getByRole('treeitem', { name: 'web default' }).first().waitFor()
  expect(page.url()).not.toContain('#')
  await follow(page, hash.slice(0, -20))
  await page.getByText(/damaged or was cut short/).waitFor()

  expect(await send(page, 'POST', '/api/v1/namespaces', { metadata: { name: 'mine' } })).toBe(201)
  await follow(page, hash)
  await openInNewWorkspace(page)
  expect(await send(page, 'GET', '/api/v1/namespaces/mine')).toBe(200)
  expect(await send(page, 'GET', '/~shared/api/v1/namespaces/mine')).toBe(404)
  expect(await send(page, 'GET', '/~shared/apis/apps/v1/namespaces/default/deployments/web')).toBe(
    404,
  )
  await page.getByRole('tab', { name: /Requests/ }).click()
  await page.getByRole('button', { name: 'Recorded' }).click()
  await page.getByRole('button', { name: 'Replay all' }).click()
  await page.getByText(/All \d+ responses match the recording/).waitFor()
  await page.getByRole('treeitem', { name: 'web default' }).first().waitFor()
})

it('brings webhooks that wait to be switched on, and who may do what', async () => {
  const { encodeScenario } = await import('../src/app/features/share/link')
  const url = 'https://hooks.example.com/need-owner'
  const link = encodeScenario({
    objects: [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'need-owner' },
        webhooks: [
          {
            name: 'need-owner.example.com',
            clientConfig: { url },
            rules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                operations: ['CREATE'],
                resources: ['secrets'],
              },
            ],
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
          },
        ],
      },
    ],
    tabs: [],
    from: 'Mallory',
    handlers: [
      {
        name: 'need-owner',
        address: url,
        source: "function admit() { return 'it needs an owner' }\n",
      },
    ],
    access: { modes: 'RBAC', anonymous: false },
  })
  const { page } = await open({ ...SIZE, at: `#${link}` })
  const question = page.getByRole('dialog', { name: 'Open the shared scenario?' })
  expect(await question.textContent()).toMatch(
    /1 webhook \(switched off\).*an access configuration \(RBAC\)/,
  )
  await openInNewWorkspace(page)
  const create = () =>
    page.evaluate(async () => {
      const headers = { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' }
      const body = '{"metadata":{"name":"mine"}}'
      const response = await fetch('/~shared/api/v1/namespaces/default/secrets', {
        method: 'POST',
        headers,
        body,
      })
      return ((await response.json()) as { message: string }).message
    })
  // The webhook's server does not run.
  expect(await create()).toContain('failed calling webhook "need-owner.example.com"')
  // Requests without a credential are rejected, as in the shared cluster.
  expect(await page.evaluate(async () => (await fetch('/~shared/api/v1/secrets')).status)).toBe(401)
  expect(await page.evaluate(async () => (await fetch('/api/v1/secrets')).status)).toBe(403)

  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: 'Webhooks' })
    .click()
  await page.getByRole('button', { name: /need-owner .*switched off/ }).click()
  await page.getByText('came with a shared link from Mallory. It is switched off').waitFor()
  await page.getByRole('button', { name: 'Switch on', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Switch on need-owner, which came with a shared link?' })
    .getByRole('button', { name: 'Switch it on' })
    .click()
  await page.getByText(`need-owner listens at ${url}`).waitFor()
  expect(await create()).toContain('it needs an owner')
})

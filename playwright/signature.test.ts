/**
 * Two of the signature views end to end: a denial by a policy seen from inside, and the whole page
 * at an earlier revision.
 */
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { choose, running, storyBrowser } from './harness'

const { open } = storyBrowser()

/** Nothing here asserts a time: later than this something hangs. */
const HANGS = 240_000

const POLICY = {
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
      ],
    },
    validations: [
      { expression: 'object.metadata.name.size() < 40' },
      {
        expression: '!has(object.data) || object.data.all(key, key != "password")',
        message: 'no passwords here',
      },
    ],
  },
}

/** The text that a slider announces for its value. */
const words = async (slider: Locator): Promise<string> =>
  (await slider.getAttribute('aria-valuetext')) ?? ''

/** @returns the HTTP status */
const send = (
  page: Page,
  method: string,
  path: string,
  body: unknown,
  contentType = 'application/json',
) =>
  page.evaluate(
    async ([verb, target, text, type]) => {
      const headers = { 'Content-Type': type, Authorization: 'Bearer admin-token' }
      return (await fetch(target, { method: verb, headers, body: text })).status
    },
    [method, path, JSON.stringify(body), contentType] as const,
  )

async function manifest(page: Page, text: string): Promise<void> {
  await page.evaluate((own) => {
    localStorage.setItem(
      'kubetab.editors',
      JSON.stringify({
        tabs: [{ id: 'a', title: 'a.yaml', language: 'yaml', text: own }],
        active: 'a',
      }),
    )
    localStorage.setItem('kubetab.view', JSON.stringify({ welcome: false }))
  }, text)
  await page.reload()
  await running(page)
}

it('shows where a policy stopped a request, which rule it was and what judging cost', {
  timeout: HANGS,
}, async () => {
  const { page, context, screenshot } = await open({ width: 1440, height: 900 })
  context.setDefaultTimeout(HANGS / 3)
  await running(page)
  const root = '/apis/admissionregistration.k8s.io/v1'
  const wallet = (name: string) => ({ metadata: { name }, data: { password: 'secret' } })
  expect(
    await send(page, 'POST', `${root}/validatingadmissionpolicies`, {
      metadata: { name: 'no-passwords' },
      ...POLICY,
    }),
  ).toBe(201)
  const binding = {
    metadata: { name: 'everywhere' },
    spec: { policyName: 'no-passwords', validationActions: ['Deny'] },
  }
  expect(await send(page, 'POST', `${root}/validatingadmissionpolicybindings`, binding)).toBe(201)
  const deniedBy = async (name: string) =>
    send(page, 'POST', '/api/v1/namespaces/default/configmaps', wallet(name))
  await expect
    .poll(() => deniedBy(`wallet-${Math.floor(performance.now())}`), { timeout: HANGS / 3 })
    .toBe(422)

  await manifest(
    page,
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: wallet}\ndata: {password: secret}\n',
  )
  await page
    .getByRole('button', { name: /^Apply/ })
    .first()
    .click()
  await page
    .getByText(/no passwords here/)
    .first()
    .waitFor()
  await page.getByRole('tab', { name: /Requests/ }).click()
  const requests = page.getByRole('list', { name: 'Requests' })
  await requests.getByRole('img', { name: 'stopped in validating admission' }).first().waitFor()
  await requests.getByRole('button', { name: /422/ }).first().click()
  const stages = page.getByRole('region', { name: 'Stages' })
  const last = stages.locator('.stages').getByRole('listitem').last()
  expect(await last.textContent()).toMatch(/validating admission.*ValidatingAdmissionPolicy/)
  // The message of the response is above, once.
  await page
    .locator('.detail-body > .part')
    .getByText(/^[^{]*no passwords here/)
    .first()
    .waitFor()
  const found = stages.getByRole('list', { name: 'Policy results' })
  expect(await found.textContent()).toMatch(
    /no-passwords bound by everywhere.*validation 1 holds, cost \d+.*validation 2 fails, cost \d+$/,
  )
  await screenshot('stages denied by a policy')
})

it('takes the tree, the object and its owners back to a moment, and forward again', {
  timeout: HANGS,
}, async () => {
  const { page, context, screenshot } = await open({ width: 1440, height: 900 })
  context.setDefaultTimeout(HANGS / 3)
  await running(page)
  const path = (manager: string) =>
    `/api/v1/namespaces/default/configmaps/paint?fieldManager=${manager}`
  const paint = (manager: string, data: object) =>
    send(
      page,
      'PATCH',
      path(manager),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'paint' }, data },
      'application/apply-patch+yaml',
    )
  expect(await paint('first-painter', { color: 'red' })).toBe(201)
  expect(await paint('second-painter', { gloss: 'high' })).toBe(200)
  await choose(page, 'paint', /paint.*ConfigMap in default/)
  const object = page.getByRole('complementary', { name: 'Object' })
  await object.getByText('gloss').first().waitFor()

  const place = (name: string) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click()
  await place('Cluster')
  const moment = page.getByRole('slider', { name: 'Revision of the cluster' })
  await moment.focus()
  // Skips later writes of controllers that were still setting up the cluster.
  for (
    let steps = 0;
    steps < 30 && !(await words(moment)).endsWith('ConfigMap paint was created');
    steps++
  ) {
    await page.keyboard.press('ArrowLeft')
  }
  expect(await words(moment)).toMatch(/ConfigMap paint was created$/)
  await page.getByText('Read-only').waitFor()
  await place('Workbench')
  await expect.poll(() => object.getByText('gloss').count(), { timeout: HANGS / 3 }).toBe(0)
  await object.getByText('color').first().waitFor()
  await object.getByRole('tab', { name: 'Ownership' }).click()
  await page.getByRole('option', { name: /color: red.*owned by first-painter$/ }).waitFor()
  expect(await object.getByText('second-painter').count()).toBe(0)
  expect(await object.getByRole('button', { name: 'What if', exact: true }).count()).toBe(0)
  await screenshot('workbench at a moment')
  // The history and the exchanges omit later states, and the view is read-only.
  await object.getByRole('tab', { name: 'History' }).click()
  await object.getByText('created', { exact: true }).first().waitFor()
  expect(
    await object
      .getByRole('list', { name: /Revisions/ })
      .getByRole('button')
      .count(),
  ).toBe(1)
  await object.getByRole('tab', { name: 'Wire' }).click()
  await object.getByRole('button', { name: 'YAML' }).click()
  await object.getByText('kind: ConfigMapList').waitFor()
  await object.getByText('color: red').waitFor()
  expect(await object.getByText('gloss').count()).toBe(0)
  expect(await object.getByRole('button', { name: 'Delete object' }).isDisabled()).toBe(true)
  await page
    .getByRole('button', { name: /^Apply/ })
    .first()
    .click()
  await page.getByText('Nothing was sent from web.yaml').waitFor()
  // The page rejects the write itself, and the console prints that.
  await page.keyboard.press('Control+Shift+5')
  const terminal = page.getByRole('region', { name: 'Console' }).locator('.xterm-rows')
  await expect.poll(() => terminal.textContent()).toMatch(/kubectl for this cluster/)
  await page.keyboard.type('create namespace late\n')
  await expect.poll(() => terminal.textContent()).toMatch(/error: You are viewing revision \d+/)
  await object.getByRole('tab', { name: 'Ownership' }).click()

  // A moment earlier there was none: nothing that came later is shown in its place.
  await moment.focus()
  await page.keyboard.press('ArrowLeft')
  await object.getByText("ConfigMap paint doesn't exist at this revision.").waitFor()
  expect(await object.getByText(/color|Deleted/).count()).toBe(0)

  await page.keyboard.press('End')
  await page.getByRole('option', { name: /gloss: high.*owned by second-painter$/ }).waitFor()
})

/** Expressions, policies and definitions, tried out before they are in force: seen by what a person does and sees. */
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { editorOf, retype } from './editors'
import { running, type Story, storyBrowser, type Viewport } from './harness'

const { open } = storyBrowser()

async function policy(tab: string, viewport: Viewport): Promise<Story> {
  const story = await open(viewport)
  const { page } = story
  if (viewport.width >= 768) {
    await running(page)
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: 'Policy' })
      .click()
  } else {
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitemradio', { name: 'Policy' }).click()
  }
  await page.getByRole('tab', { name: tab }).click()
  return story
}

const type = (page: Page, label: string, text: string): Promise<void> =>
  retype(editorOf(page, label), text)

/**
 * The editor requests a hover text when the pointer moves: move again if the text was not loaded
 * yet.
 */
async function hover(word: Locator, hoverText: Locator): Promise<void> {
  const isShown = async () => {
    await word.page().mouse.move(0, 0)
    await word.hover()
    return hoverText.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
  }
  await expect.poll(isShown).toBe(true)
}

const noSidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

it('shows the value and cost of each subexpression', async () => {
  const { page, screenshot } = await policy('CEL playground', {
    width: 1440,
    height: 900,
    theme: 'dark',
  })
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByText('it passes').waitFor()
  const tree = page.getByRole('tree', { name: 'Sub-expressions' })
  await tree
    .getByRole('treeitem', { name: /^c\.image\.endsWith\(':latest'\) is false · false, bool/ })
    .waitFor()
  await page.getByRole('textbox', { name: /^CEL expression\. / }).waitFor()
  await hover(
    page.locator('.bench-expression .view-line').getByText('endsWith'),
    page.locator('.monaco-hover').getByText('false · false'),
  )
  await screenshot('expression with values')
  await tree.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await tree.getByRole('treeitem', { name: /^variables is /, selected: true }).waitFor()
  await type(page, 'CEL expression', 'object.spec.replicas > 2 &&\nobject.spec.replica == 3')
  await result.getByText("undefined field 'replica'").waitFor()
  await result.getByText('no such key: replica').waitFor()
  await type(page, 'CEL expression', "authorizer.requestResource.check('create').allowed()")
  await result.getByText('it passes').waitFor()
  await page.getByRole('button', { name: 'Acting as admin' }).click()
  await page.getByRole('radio', { name: /alice/ }).click()
  await result.getByText('denied').waitFor()
})

it('evaluates the inputs as they are typed, and marks syntax errors', async () => {
  const { page } = await policy('CEL playground', { width: 1440, height: 900 })
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByText('it passes').waitFor()
  const params = editorOf(page, 'params')
  await retype(params, 'registry: registry.example.com/\nmaxReplicas: 1\n')
  await result.getByText('denied').waitFor()
  await retype(params, 'registry: registry.example.com/\nregistry: b\n')
  await params.locator('.squiggly-error').first().waitFor()
  await retype(params, 'registry: registry.example.com/\nmaxReplicas: 2\n')
  await params.locator('.squiggly-error').first().waitFor({ state: 'detached' })
  await result.getByText('it passes').waitFor()
  expect(await editorOf(page, 'variables').locator('.squiggly-error').count()).toBe(0)
})

it('evaluates test objects while the user types, and audits stored objects', async () => {
  const { page, screenshot } = await policy('Policies', { width: 1440, height: 900 })
  const tests = page.getByRole('status', { name: 'Tests' })
  await tests.getByText('2 passed').waitFor()
  const outcome = page.getByRole('region', { name: 'Outcome' })
  const denied = outcome.getByRole('row', { name: /^nine replicas/ })
  expect(await denied.textContent()).toMatch(/denied 422.*fails, cost \d+.*fails, cost \d+/)
  await outcome.getByText(/denied request: at most 4 replicas/).waitFor()
  await denied.getByRole('button').click()
  await outcome.getByText(/images have a version/).waitFor()
  await screenshot('policy and tests')
  await page.getByRole('button', { name: 'Open in the CEL playground' }).click()
  await page.getByRole('region', { name: 'Result' }).getByText('it passes').waitFor()
  await page.getByRole('treeitem', { name: /^variables\.most is 4, int/ }).waitFor()
  await page.getByRole('tab', { name: 'Policies' }).click()
  await tests.getByText('2 passed').waitFor()
  await outcome.getByRole('button', { name: 'Existing objects', exact: true }).click()
  await page.evaluate(
    async (deployments) => {
      for (const deployment of deployments) {
        const headers = { 'content-type': 'application/json', authorization: 'Bearer admin-token' }
        await fetch('apis/apps/v1/namespaces/default/deployments', {
          method: 'POST',
          headers,
          body: JSON.stringify(deployment),
        })
      }
    },
    [deploymentOf('small', 2), deploymentOf('large', 7)],
  )
  await outcome.getByRole('button', { name: 'Audit existing objects' }).click()
  await page.getByRole('status', { name: 'Audit' }).getByText('1 would be denied').waitFor()
  expect(await outcome.getByRole('row', { name: /^large/ }).textContent()).toMatch(
    /denied.*fails, cost \d+.*holds, cost \d+/,
  )
  expect(await outcome.getByRole('row', { name: /^small/ }).textContent()).toContain('passes')
  await screenshot('audit of the cluster')
  await type(page, 'Policies, bindings, and parameters', JSON.stringify(TYPED_WRONG))
  await outcome.getByRole('button', { name: 'Tests' }).click()
  await page.locator('.squiggly-warning').first().waitFor()
  await page.getByRole('button', { name: 'Copy as one file' }).click()
  await page.getByRole('tab', { name: 'policy.yaml' }).waitFor()
  await page.locator('[data-pane=editor] .squiggly-warning').first().waitFor()
})

const deploymentOf = (name: string, replicas: number) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name, image: 'registry.example.com/web:1' }] },
    },
  },
})

const TYPED_WRONG = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'p' },
  spec: {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ['apps'],
          apiVersions: ['v1'],
          operations: ['CREATE'],
          resources: ['deployments'],
        },
      ],
    },
    validations: [{ expression: 'object.spec.replica > 1' }],
  },
}

it('designs a definition: what is pruned, what is filled in, and a rule that is too dear', async () => {
  const { page, screenshot } = await policy('CRDs', { width: 1440, height: 900 })
  const changes = page.getByRole('list', { name: 'What the server changes' })
  await changes.getByText('.spec.color').waitFor()
  await changes.getByText('.spec.targets[name=etc].path = "/"').waitFor()
  await screenshot('definition and object')
  const schema = page.getByRole('region', { name: 'Schema' })
  await schema.getByRole('row', { name: /^targets \[\]object.*list keyed by name/ }).waitFor()
  await page.getByRole('button', { name: 'Form' }).click()
  await page.getByLabel('keep').fill('0')
  await page
    .getByText(/spec\.keep in body should be greater than or equal to 1/)
    .first()
    .waitFor()
  await type(page, 'CustomResourceDefinition', TOO_DEAR)
  await page
    .getByRole('region', { name: 'Definition' })
    .getByText(/estimated rule cost exceeds budget by factor of more than 100x/)
    .waitFor()
  await schema.getByText('more than 100x').first().waitFor()
  expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
  await screenshot('rule that is too dear')
  await schema.getByRole('button', { name: 'Open in the CEL playground' }).click()
  await page.getByText('Estimated cost').waitFor()
})

const RULE = 'self.names.all(a, self.names.exists(b, a.contains(b)))'
const SPEC = {
  type: 'object',
  properties: { names: { type: 'array', items: { type: 'string' } } },
  'x-kubernetes-validations': [{ rule: RULE }],
}
// On one line: the editor would indent the lines of a text that is typed.
const TOO_DEAR = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'backups.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'backups', kind: 'Backup' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: SPEC } } },
      },
    ],
  },
})

it('fits a phone', async () => {
  const { page, screenshot } = await policy('CRDs', { width: 360, height: 740, theme: 'dark' })
  await page.getByText('131').first().waitFor()
  expect(await noSidewaysScroll(page)).toBe(0)
  await screenshot('designer 360 dark')
  await page.getByRole('tab', { name: 'CEL playground' }).click()
  await page.getByText('it passes').waitFor()
  expect(await noSidewaysScroll(page)).toBe(0)
  await screenshot('bench 360 dark')
})

/** Every place works under the page's policy, and what the cluster holds is text wherever it is shown. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { running, storyBrowser } from './harness'

const { open } = storyBrowser()

declare global {
  interface Window {
    violations: string[]
    /** Scripts that ran in spite of the policy. */
    hacked?: string
  }
}

const MARKUP = `<img src=x onerror="window.hacked='img'"><script>window.hacked='script'</script><a href="javascript:window.hacked='link'">click</a>`

async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.violations = []
    addEventListener(
      'securitypolicyviolation',
      ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
        window.violations.push(`${effectiveDirective} ${blockedURI} at ${sourceFile}:${lineNumber}`)
      },
    )
  })
  await page.reload()
  await running(page)
}

const statusOf = (
  page: Page,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) =>
  page.evaluate(
    async ([method, path, body, headers]) => {
      const all = {
        Authorization: 'Bearer admin-token',
        'Content-Type': 'application/json',
        ...headers,
      }
      const response = await fetch(path, { method, headers: all, ...(body ? { body } : {}) })
      return response.status
    },
    [method, path, body && JSON.stringify(body), headers] as const,
  )

const meta = (name: string) => ({
  name,
  annotations: { note: MARKUP, 'kubernetes.io/description': MARKUP },
})

/** Objects of the shown kinds, with markup in every text field. */
async function fill(page: Page): Promise<void> {
  const manager = encodeURIComponent("<img src=x onerror=window.hacked='manager'>")
  const core = '/api/v1/namespaces/default'
  const created = [
    await statusOf(page, 'POST', `${core}/configmaps?fieldManager=${manager}`, {
      metadata: meta('hostile'),
      data: { text: MARKUP },
    }),
    await statusOf(
      page,
      'POST',
      `/apis/apps/v1/namespaces/default/deployments?fieldManager=${manager}`,
      {
        metadata: { ...meta('hostile'), labels: { app: 'hostile' } },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'hostile' } },
          template: {
            metadata: { labels: { app: 'hostile' }, annotations: { note: MARKUP } },
            spec: {
              containers: [
                {
                  name: 'web',
                  image: 'nginx',
                  args: [MARKUP],
                  env: [{ name: 'TEXT', value: MARKUP }],
                },
              ],
            },
          },
        },
      },
    ),
    await statusOf(page, 'POST', `${core}/events`, {
      metadata: { name: 'hostile', namespace: 'default' },
      involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'hostile' },
      message: MARKUP,
      reason: MARKUP.slice(0, 40),
      type: 'Warning',
    }),
    await statusOf(page, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { ...meta('hostiles.example.org') },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { plural: 'hostiles', kind: 'Hostile' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [
              { name: MARKUP, description: MARKUP, type: 'string', jsonPath: '.spec.text' },
            ],
            schema: {
              openAPIV3Schema: {
                type: 'object',
                description: MARKUP,
                properties: {
                  spec: {
                    type: 'object',
                    description: MARKUP,
                    properties: { text: { type: 'string', description: MARKUP } },
                  },
                },
              },
            },
          },
        ],
      },
    }),
    await statusOf(
      page,
      'POST',
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      {
        metadata: meta('hostile'),
        spec: {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                operations: ['CREATE'],
                resources: ['services'],
              },
            ],
          },
          validations: [{ expression: "object.metadata.name == 'never'", message: MARKUP }],
        },
      },
    ),
  ]
  expect(created).toEqual([201, 201, 201, 201, 201])
  await expect
    .poll(() =>
      statusOf(page, 'POST', '/apis/example.org/v1/namespaces/default/hostiles', {
        apiVersion: 'example.org/v1',
        kind: 'Hostile',
        metadata: meta('hostile'),
        spec: { text: MARKUP },
      }),
    )
    .toBe(201)
  // A user whose name is markup, in the log, the audit trail and the permissions.
  const who = { 'Impersonate-User': "<img src=x onerror=window.hacked='user'>" }
  expect(await statusOf(page, 'GET', `${core}/configmaps/hostile`, undefined, who)).toBe(403)
}

it('nothing in the cluster becomes markup, and no place touches the policy', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await watchPolicy(page)
  await fill(page)

  await page.getByRole('searchbox', { name: 'Find objects by name or kind' }).fill('hostile')
  for (const row of await page.getByRole('treeitem', { name: /^hostile/ }).all()) {
    await row.click()
    for (const tab of ['YAML', 'Ownership', 'History', 'Wire']) {
      const shown = page
        .getByRole('complementary', { name: 'Object' })
        .getByRole('tab', { name: tab })
      if ((await shown.count()) > 0) await shown.click()
    }
  }
  await page.getByRole('searchbox', { name: 'Find objects by name or kind' }).fill('')
  for (const tab of ['Results', 'Requests', 'Watches', 'Audit', 'Console', 'Output']) {
    await page.getByRole('tablist', { name: 'Activity' }).getByRole('tab', { name: tab }).click()
    await page.waitForTimeout(100)
  }
  await screenshot('markup is text')
  const places = page.getByRole('navigation', { name: 'Views' })
  for (const place of await places.getByRole('button').allTextContents()) {
    await places.getByRole('button', { name: place }).click()
    await page.getByRole('main', { name: place }).waitFor()
    await page.waitForTimeout(200)
    for (const tab of await page.getByRole('main', { name: place }).getByRole('tab').all())
      if (await tab.isVisible()) await tab.click()
  }
  expect(
    await page.evaluate(() => [
      window.hacked,
      window.violations,
      document.querySelectorAll('img[src=x], a[href^=javascript]').length,
    ]),
  ).toEqual([undefined, [], 0])
})

it('scripts and webhooks run under it, and reach no other site', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  await watchPolicy(page)
  await page.getByRole('button', { name: 'New file' }).click()
  await page.getByRole('menuitem', { name: 'New script' }).click()
  await page.locator('.monaco-editor .view-line').first().click()
  await page.keyboard.insertText(
    "console.log('status', (await fetch('/version')).status)\nawait fetch('https://example.org/').catch((error) => console.log('elsewhere:', error.name))\ntry { eval('1') } catch (error) { console.log('eval:', error.name) }\n",
  )
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('status 200').waitFor()
  await page.getByText('elsewhere: TypeError').waitFor()
  await page.getByText('eval: EvalError').waitFor()
  expect(await page.evaluate(() => window.violations)).toEqual([])
})

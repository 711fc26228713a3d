/** Field ownership: owners of a field, effects of an apply, and resolutions of a conflict. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { editorOf, textIn } from './editors'
import { running, type Story, showPane, storyBrowser, tagsFor, type Viewport } from './harness'

const { open } = storyBrowser()

/** Two files next to each other, `alice` and `bob`, that conflict on one field. */
async function twoManagers(viewport: Viewport): Promise<Story> {
  const story = await open(viewport)
  const { page } = story
  await page.getByRole('button', { name: 'New file' }).click()
  await page.getByRole('menuitem', { name: 'Field conflict between two managers' }).click()
  await apply(page, 'alice')
  await page.getByText('created').waitFor()
  return story
}

async function apply(page: Page, manager: string): Promise<void> {
  await showPane(page, 'Editor')
  await page
    .getByRole('region', { name: `${manager}.yaml` })
    .getByRole('button', { name: 'Apply', exact: true })
    .click()
  await showPane(page, 'Activity')
}

/** Applies as bob and selects a resolution of the conflict after its effects are shown. */
async function takeWay(page: Page, name: RegExp): Promise<void> {
  await apply(page, 'bob')
  const way = page.getByRole('region', { name })
  const outcome = way.locator('.way-result')
  await outcome.waitFor()
  await way.getByRole('button', { name }).click()
  await page
    .getByRole('region', { name: 'Results' })
    .getByText('applied', { exact: true })
    .waitFor()
}

/** The line of the object that begins so, with its owners in words. */
async function ownedLine(page: Page, begins: RegExp) {
  await showPane(page, 'Object')
  await page.getByRole('tab', { name: 'Ownership' }).click()
  return page.getByRole('option', { name: begins })
}

/**
 * Makes the next JSON patches conflict: another client writes between the page's read and its
 * patch.
 */
function conflictNext(page: Page, times: number): Promise<void> {
  return page.evaluate((count) => {
    const { fetch } = window
    let left = count
    window.fetch = async (path, init) => {
      const headers = new Headers(init?.headers)
      if (headers.get('Content-Type') === 'application/json-patch+json' && left-- > 0) {
        const { status } = await fetch(`${path}?fieldManager=kube-controller-manager`, {
          method: 'PATCH',
          headers: {
            'Content-Type': 'application/merge-patch+json',
            Authorization: headers.get('Authorization') ?? '',
          },
          // A label, because controllers respond to annotations and would cause another conflict.
          body: JSON.stringify({ metadata: { labels: { 'example.com/left': String(left) } } }),
        })
        if (status !== 200) throw new Error(`the conflicting write failed: ${status}`)
      }
      return fetch(path, init)
    }
  }, times)
}

/** Another client applies its own field. */
async function applyElsewhere(page: Page, manager: string): Promise<void> {
  const status = await page.evaluate(async (name) => {
    const body = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'lights' },
      data: { [name]: 'here' },
    })
    const headers = {
      'Content-Type': 'application/apply-patch+yaml',
      Authorization: 'Bearer admin-token',
    }
    const response = await fetch(
      `api/v1/namespaces/default/configmaps/lights?fieldManager=${name}`,
      {
        method: 'PATCH',
        headers,
        body,
      },
    )
    return response.status
  }, manager)
  expect(status).toBe(200)
}

const SIZES = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 820, height: 1100, theme: 'dark' },
  { width: 360, height: 740, theme: 'light' },
] as const

for (const size of SIZES) {
  it(
    `explains a conflict, and what each way out comes to (${size.width} pixels)`,
    tagsFor(size),
    async () => {
      const { page, screenshot } = await twoManagers(size)
      await apply(page, 'bob')
      const results = page.getByRole('region', { name: 'Results' })
      await results.getByText('fields are owned by other managers with different values').waitFor()
      const row = results.getByRole('row', { name: /\.data\.color/ })
      expect(await row.textContent()).toMatch(/"blue"[\s\S]*"red"[\s\S]*alice since/)
      for (const [way, outcome] of [
        ['Leave the field to alice', /"red"[\s\S]*owned by alice$/],
        ['Adopt the live value', /"red"[\s\S]*owned by (alice and bob|bob and alice)$/],
        ['Force', /"blue"[\s\S]*owned by bob$/],
      ] as const) {
        const result = results.getByRole('region', { name: way }).locator('.way-result')
        await result.waitFor()
        expect(
          (
            await result.evaluate((element) =>
              [...element.querySelectorAll('ins, .visually-hidden')]
                .map((part) => part.textContent)
                .join(' '),
            )
          ).trim(),
        ).toMatch(outcome)
      }
      await screenshot(`conflict ${size.width} ${size.theme}`)
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBe(0)
    },
  )
}

it('names both files whole where there is little room', async () => {
  const { page } = await twoManagers({ width: 820, height: 1100 })
  for (const name of ['alice.yaml', 'bob.yaml']) {
    const title = page.getByRole('region', { name }).locator('strong')
    expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
      0,
    )
  }
})

it('forces: the value changes hands, and the other keeps the rest', async () => {
  const { page } = await twoManagers({ width: 1440, height: 900 })
  await takeWay(page, /^Force/)
  await (await ownedLine(page, /color: blue.*owned by bob$/)).waitFor()
  await page.getByRole('option', { name: /room: kitchen.*owned by alice$/ }).waitFor()
})

it('shares: both own the live value, and the manifest has it', async () => {
  const { page, screenshot } = await twoManagers({ width: 1440, height: 900 })
  await takeWay(page, /^Adopt the live value/)
  // The pressed button disappears, and the focus moves.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('activity-results')
  const line = await ownedLine(page, /color: red.*owned by (alice and bob|bob and alice)/)
  await line.click()
  const detail = page.locator('.owner-detail')
  await detail.getByText('Shared: applying another value is a conflict').waitFor()
  expect(await detail.textContent()).toContain('f:data f:color')
  await page.getByRole('region', { name: 'bob.yaml' }).getByText('red').waitFor()
  await screenshot('shared field')
})

it('gives up: who leaves a shared field out loses only the share', async () => {
  const { page, screenshot } = await twoManagers({ width: 1440, height: 900 })
  await takeWay(page, /^Adopt the live value/)
  await (await ownedLine(page, /color: red.*owned by (alice and bob|bob and alice)/)).waitFor()
  await page.getByRole('button', { name: 'What if' }).click()
  await page.getByRole('button', { name: 'what bob applies' }).click()
  const manifest = editorOf(page, 'Manifest to try')
  await expect.poll(() => textIn(manifest)).toContain('color: red')
  await manifest.locator('.view-line', { hasText: 'color: red' }).click({ clickCount: 3 })
  await page.keyboard.press('Delete')
  const outcome = page.getByRole('region', { name: 'Result of the dry run' })
  await outcome
    .getByRole('listitem')
    .filter({ hasText: 'relinquished' })
    .getByText('.data.color')
    .waitFor()
  await screenshot('field relinquished')
  await outcome
    .getByText('owned by alice and bob, then alice')
    .or(outcome.getByText('owned by bob and alice, then alice'))
    .waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Open in the editor' }).click()
  await page.getByRole('tab', { name: 'lights-bob.yaml' }).waitFor()
  await page.getByRole('button', { name: 'Field manager: bob (change)' }).waitFor()
  await page
    .getByRole('button', { name: /^Apply/, exact: false })
    .first()
    .waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Who owns what' }).click()
  await page.getByRole('option', { name: /color: red.*owned by alice$/ }).waitFor()
})

it('leaves: the manifest loses the field, its owner keeps it, and nothing that was typed meanwhile is lost', async () => {
  const { page } = await twoManagers({ width: 1440, height: 900 })
  await apply(page, 'bob')
  const way = page.getByRole('button', { name: 'Leave the field to alice' })
  await way.waitFor()
  await page.getByRole('region', { name: 'bob.yaml' }).locator('.monaco-editor').click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('# mine\n')
  await page.getByText('bob.yaml was changed since').waitFor()
  expect(await way.isDisabled()).toBe(true)
  await takeWay(page, /^Leave the field to alice/)
  await page.getByRole('region', { name: 'bob.yaml' }).getByText('# mine').waitFor()
  await (await ownedLine(page, /color: red.*owned by alice$/)).waitFor()
  await page.getByRole('option', { name: /level: "5".*owned by bob$/ }).waitFor()
  expect(await page.getByRole('region', { name: 'bob.yaml' }).getByText('color').count()).toBe(0)
})

it('dims what a manager does not own, by pointer and by keyboard', async () => {
  const { page, screenshot } = await twoManagers({ width: 360, height: 740, theme: 'dark' })
  await takeWay(page, /^Force/)
  await (await ownedLine(page, /color: blue/)).waitFor()
  const dimmed = () =>
    page.locator('.owned-line.dimmed').filter({ hasText: 'room: kitchen' }).count()
  await page.getByRole('button', { name: /^bob/ }).click()
  await expect.poll(dimmed).toBe(1)
  await screenshot('one manager 360 dark')
  await page.getByRole('button', { name: /^bob/ }).click()
  await expect.poll(dimmed).toBe(0)
  const lines = page.getByRole('listbox', { name: 'Lines and their owners' })
  await lines.focus()
  await page.keyboard.press('End')
  await page.getByRole('option', { selected: true }).getByText('room').waitFor()
})

it('applies in the client when that is chosen', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.getByRole('button', { name: 'Field manager: kubectl (change)' }).click()
  await page.getByRole('radio', { name: /Client-side/ }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').waitFor()
  await (await ownedLine(page, /replicas: 3.*owned by kubectl-client-side-apply/)).waitFor()
})

it('hands a field over to a controller: a private manager keeps it, and goes by itself', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').waitFor()
  await (await ownedLine(page, /replicas: 3.*owned by kubectl$/)).waitFor()
  await page.getByRole('button', { name: 'Transfer' }).click()
  await page.getByRole('button', { name: 'To a controller' }).click()
  await page
    .getByRole('combobox', { name: 'Field' })
    .selectOption({ label: '.spec.replicas (kubectl)' })
  const steps = page.getByRole('listitem').filter({ has: page.locator('.step-request') })
  await steps.first().locator('summary').click()
  expect(await steps.first().locator('pre').textContent()).toContain('application/apply-patch+yaml')
  await steps.first().getByRole('button', { name: 'Send' }).click()
  await steps
    .first()
    .getByText('owned by kubectl, then handover-to-autoscaler and kubectl')
    .or(steps.first().getByText('owned by kubectl, then kubectl and handover-to-autoscaler'))
    .waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Run the rest' }).click()
  await page.getByRole('button', { name: 'Start over' }).waitFor()
  await steps
    .last()
    .getByText('owned by handover-to-autoscaler, then autoscaler')
    .waitFor({ state: 'attached' })
  await screenshot('handed over')
  await page.getByRole('button', { name: 'Who owns what' }).click()
  await page.getByRole('option', { name: /replicas: 4.*owned by autoscaler$/ }).waitFor()
  expect(
    await page.getByRole('group', { name: 'Managers' }).getByText('handover-to-autoscaler').count(),
  ).toBe(0)
  await page.getByRole('tab', { name: /^Requests/ }).click()
  await page
    .getByText(/fieldManager=handover-to-autoscaler/)
    .first()
    .waitFor()
})

it('transfers a field to the selected manager, although another one applies meanwhile', async () => {
  const { page } = await twoManagers({ width: 1440, height: 900 })
  await (await ownedLine(page, /color: red.*owned by alice$/)).waitFor()
  await page.getByRole('button', { name: 'Transfer' }).click()
  const newcomer = page.getByRole('textbox', { name: 'New owner' })
  await expect.poll(() => newcomer.inputValue()).toBe('bob')
  // Managers of one second are sorted by name, so another apply within alice's second could come
  // first.
  await applyElsewhere(page, 'carol')
  await page.getByText('carol applies it with the live value').waitFor()
  expect(await newcomer.inputValue()).toBe('carol')
  await applyElsewhere(page, 'zed')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Run the rest' }).click()
  await page.getByRole('button', { name: 'Start over' }).waitFor()
  expect(await newcomer.inputValue()).toBe('carol')
  await page.getByRole('button', { name: 'Who owns what' }).click()
  await page.getByRole('option', { name: /color: red.*owned by carol$/ }).waitFor()
})

it('moves from client-side to server-side apply, and clears ownership', async () => {
  const { page } = await open({ width: 820, height: 1100, theme: 'dark' })
  await running(page)
  await page.getByRole('button', { name: 'Field manager: kubectl (change)' }).click()
  await page.getByRole('radio', { name: /Client-side/ }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').waitFor()
  await (await ownedLine(page, /replicas: 3.*owned by kubectl-client-side-apply$/)).waitFor()
  // Until the rollout is complete, the controller updates the status, and would conflict with the
  // page and own these fields.
  await page.getByRole('option', { name: /reason: NewReplicaSetAvailable/ }).waitFor()
  await page.getByRole('button', { name: 'Transfer' }).click()
  await page.getByRole('button', { name: 'From client-side' }).click()
  await conflictNext(page, 2)
  await page.getByRole('button', { name: 'Run all steps' }).click()
  await page.getByRole('button', { name: 'Start over' }).waitFor()
  await page.getByText(/Conflicted with another write: sent 3 times/).waitFor()
  await page.getByRole('button', { name: 'Who owns what' }).click()
  await page.getByRole('option', { name: /replicas: 3.*owned by kubectl$/ }).waitFor()
  await page.getByRole('button', { name: 'Transfer' }).click()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Start over' }).waitFor()
  await page.getByRole('button', { name: 'Who owns what' }).click()
  await page.getByText('No manager owns a field of this object').waitFor()
})

it('shows a tug-of-war in the history: who wrote what, each time', async () => {
  const { page, screenshot } = await twoManagers({ width: 1440, height: 900 })
  for (const manager of ['bob', 'alice', 'bob']) {
    await apply(page, manager)
    await page.getByRole('button', { name: 'Force', exact: true }).click()
    await page
      .getByRole('region', { name: 'Results' })
      .getByText('applied', { exact: true })
      .waitFor()
  }
  await page.getByRole('tab', { name: 'History' }).click()
  const revisions = page.getByRole('list', { name: /Revisions/ })
  await revisions.getByRole('button').nth(3).waitFor()
  await expect
    .poll(async () =>
      (await revisions.getByRole('button').allTextContents()).map(
        (text) => /color "\w+" → "\w+"|created/.exec(text)?.[0],
      ),
    )
    .toEqual(['color "red" → "blue"', 'color "blue" → "red"', 'color "red" → "blue"', 'created'])
  expect(
    (await revisions.getByRole('button').allTextContents()).map(
      (text) => /· (alice|bob)/.exec(text)?.[1],
    ),
  ).toEqual(['bob', 'alice', 'bob', 'alice'])
  await screenshot('tug of war')
})
